//! jsonrpsee. Calls in process use `RpcModule::raw_json_request`, which takes no batches. Batches go
//! through the tower service of its server, without a socket.

use std::hint::black_box;

use axum::body::{Body, to_bytes};
use jsonrpsee::core::{RegisterMethodError, SubscriptionError};
use jsonrpsee::server::{
    HttpBody, HttpRequest, PendingSubscriptionSink, RpcModule, Server, ServerConfig,
    SubscriptionMessage, stop_channel,
};
use jsonrpsee::types::ErrorObjectOwned;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::broadcast::{self, Receiver};
use tower::Service as _;

use crate::handlers::{self, Refused};
use crate::{BoxError, Responses};

/// The items that are kept for followers: more than are published, so that none is lost.
const KEPT_ITEMS: usize = 128;

pub(crate) async fn run(
    procedures: usize,
    synchronous: bool,
    body: &'static [u8],
    calls: usize,
) -> Result<Responses, BoxError> {
    let module = module(procedures, synchronous)?;
    let mut responses = Responses::default();
    if !body.starts_with(b"[") {
        let body = str::from_utf8(body)?;
        for _ in 0..calls {
            let (response, _) = module.raw_json_request(black_box(body), 1).await?;
            responses.add(Box::<str>::from(response).into_string());
        }
        return Ok(responses);
    }
    let (stop, _server) = stop_channel();
    let mut service = Server::builder().to_service_builder().build(module, stop);
    for _ in 0..calls {
        let request = HttpRequest::builder()
            .method("POST")
            .uri("/rpc")
            .header("Content-Type", "application/json")
            .body(HttpBody::new(Body::from(black_box(body))))?;
        let response = service.call(request).await?;
        responses.add(to_bytes(Body::new(response.into_body()), usize::MAX).await?);
    }
    Ok(responses)
}

pub(crate) async fn serve(procedures: usize, synchronous: bool) -> Result<(), BoxError> {
    listen(module(procedures, synchronous)?).await
}

async fn listen<C>(module: RpcModule<C>) -> Result<(), BoxError> {
    let config = ServerConfig::builder()
        .max_connections(1_000)
        .set_tcp_no_delay(true)
        .build();
    let server = Server::builder()
        .set_config(config)
        .build("127.0.0.1:0")
        .await?;
    crate::listening(server.local_addr()?);
    server.start(module).stopped().await;
    Ok(())
}

/// Serves subscriptions of `item.watch`, which all get what `item.publish` says.
pub(crate) async fn serve_followers() -> Result<(), BoxError> {
    let mut module = RpcModule::new(broadcast::channel(KEPT_ITEMS).0);
    module.register_method("item.publish", |params, items, _| {
        // An error means that there are no followers.
        let _ = items.send(params.one::<String>()?);
        Ok::<_, ErrorObjectOwned>(())
    })?;
    let watch = "item.watch";
    module.register_subscription(watch, watch, "item.unwatch", |_, pending, items, _| {
        follow(pending, items.subscribe())
    })?;
    listen(module).await
}

/// Sends items until the subscription ends, as in jsonrpsee's example `ws_pubsub_broadcast`.
async fn follow(
    pending: PendingSubscriptionSink,
    mut items: Receiver<String>,
) -> Result<(), SubscriptionError> {
    let sink = pending.accept().await?;
    let closed = sink.closed();
    tokio::pin!(closed);
    loop {
        tokio::select! {
            () = &mut closed => return Ok(()),
            item = items.recv() => {
                let id = sink.subscription_id();
                sink.send(SubscriptionMessage::new(sink.method_name(), id, &item?)?).await?;
            }
        }
    }
}

fn module(procedures: usize, synchronous: bool) -> Result<RpcModule<()>, RegisterMethodError> {
    let mut module = RpcModule::new(());
    let to = &mut module;
    add(to, synchronous, "sum", handlers::sum)?;
    add(to, synchronous, "find", handlers::find)?;
    add(to, synchronous, "reserve", handlers::reserve)?;
    add(to, synchronous, "order", handlers::order)?;
    add(to, synchronous, "shelf", handlers::shelf)?;
    add(to, synchronous, "measure", handlers::measure)?;
    add(to, synchronous, "fill", handlers::fill)?;
    for name in handlers::more(procedures) {
        // It takes names that live as long as the program.
        add(to, synchronous, name.leak(), handlers::sum)?;
    }
    Ok(module)
}

fn add<P, R>(
    module: &mut RpcModule<()>,
    synchronous: bool,
    name: &'static str,
    function: fn(P) -> Result<R, Refused>,
) -> Result<(), RegisterMethodError>
where
    P: DeserializeOwned + 'static,
    R: Serialize + Clone + Send + 'static,
{
    let refuse = |(code, message): Refused| {
        // The codes are small.
        ErrorObjectOwned::borrowed(i32::try_from(code).unwrap_or_default(), message, None)
    };
    if synchronous {
        module.register_method(name, move |params, (), _| {
            function(params.parse()?).map_err(refuse)
        })?;
    } else {
        module.register_async_method(name, move |params, _, _| async move {
            function(params.parse()?).map_err(refuse)
        })?;
    }
    Ok(())
}
