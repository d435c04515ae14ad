//! ajj. Code outside the crate cannot make the arguments of `Router::call_with_state`, so calls in
//! process go through its axum service, without a socket.

use std::hint::black_box;

use ajj::{ErrorPayload, Router};
use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::serve::ListenerExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower::Service as _;

use crate::handlers::{self, Refused};
use crate::{BoxError, Responses};

pub(crate) async fn run(
    procedures: usize,
    body: &'static [u8],
    calls: usize,
) -> Result<Responses, BoxError> {
    let mut service: axum::Router = router(procedures).into_axum("/rpc");
    let mut responses = Responses::default();
    for _ in 0..calls {
        let request = Request::post("/rpc")
            .header("Content-Type", "application/json")
            .body(Body::from(black_box(body)))?;
        let response = service.call(request).await?;
        responses.add(to_bytes(response.into_body(), usize::MAX).await?);
    }
    Ok(responses)
}

pub(crate) async fn serve(procedures: usize) -> Result<(), BoxError> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    crate::listening(listener.local_addr()?);
    // As the others do.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, router(procedures).into_axum("/rpc")).await?;
    Ok(())
}

fn router(procedures: usize) -> Router<()> {
    let router = add(Router::new(), "sum", handlers::sum);
    let router = add(router, "find", handlers::find);
    let router = add(router, "reserve", handlers::reserve);
    let router = add(router, "order", handlers::order);
    let router = add(router, "shelf", handlers::shelf);
    let router = add(router, "measure", handlers::measure);
    let router = add(router, "fill", handlers::fill);
    handlers::more(procedures).fold(router, |router, name| add(router, name, handlers::sum))
}

fn add<P, R>(
    router: Router<()>,
    name: impl Into<std::borrow::Cow<'static, str>>,
    function: fn(P) -> Result<R, Refused>,
) -> Router<()>
where
    P: DeserializeOwned + Send + Sync + Unpin + 'static,
    R: Serialize + Send + Sync + Unpin + 'static,
{
    router.route(
        name,
        move |ajj::Params(params): ajj::Params<P>| async move {
            function(params).map_err(|(code, message)| ErrorPayload::<()> {
                code,
                message: message.into(),
                data: None,
            })
        },
    )
}
