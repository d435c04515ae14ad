//! jsonrpc-v2 on actix-web.

use std::hint::black_box;
use std::sync::Arc;

use actix_web::{App, HttpServer, guard, web};
use bytes::Bytes;
use jsonrpc_v2::{Error, MapRouter, Params, RequestKind, Server, ServerBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::handlers::{self, Refused};
use crate::{BoxError, Responses};

pub(crate) async fn run(
    procedures: usize,
    body: &'static [u8],
    calls: usize,
) -> Result<Responses, BoxError> {
    let server = server(procedures);
    let mut responses = Responses::default();
    for _ in 0..calls {
        let request = RequestKind::Bytes(Bytes::from_static(black_box(body)));
        let response = server.handle(request).await;
        responses.add(serde_json::to_vec(&response)?);
    }
    Ok(responses)
}

pub(crate) fn serve(procedures: usize, workers: usize) -> Result<(), BoxError> {
    let rpc = server(procedures);
    let server = HttpServer::new(move || {
        let service = rpc.clone().into_web_service();
        App::new().service(web::service("/rpc").guard(guard::Post()).finish(service))
    });
    let server = server.workers(workers).bind("127.0.0.1:0")?;
    let address = server.addrs().first().copied();
    crate::listening(address.ok_or("no address")?);
    Ok(actix_web::rt::System::new().block_on(server.run())?)
}

type Builder = ServerBuilder<MapRouter>;

fn server(procedures: usize) -> Arc<Server<MapRouter>> {
    let builder = add(Server::new(), "sum", handlers::sum);
    let builder = add(builder, "find", handlers::find);
    let builder = add(builder, "reserve", handlers::reserve);
    let builder = add(builder, "order", handlers::order);
    let builder = add(builder, "shelf", handlers::shelf);
    let builder = add(builder, "measure", handlers::measure);
    let builder = add(builder, "fill", handlers::fill);
    handlers::more(procedures)
        .fold(builder, |builder, name| add(builder, &name, handlers::sum))
        .finish()
}

fn add<P, R>(builder: Builder, name: &str, function: fn(P) -> Result<R, Refused>) -> Builder
where
    P: DeserializeOwned + Send + Sync + 'static,
    R: Serialize + Send + Sync + 'static,
{
    let handler = move |Params(params): Params<P>| async move {
        function(params).map_err(|(code, message)| Error::Provided { code, message })
    };
    builder.with_method(name, handler)
}
