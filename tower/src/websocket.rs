//! WebSockets on the connections that the host hands over.

use std::io;

use bytes::Bytes;
use docent_http::{Routes, WebSocket};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;

use crate::service::RpcService;

/// Serves services with WebSockets: [`RpcService::new`] of [`Routes::websocket`].
///
/// ```
/// use docent_tower::{Cx, Fault, Procedure, Service, websocket};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534617")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// // `ws://…/rpc`, and calls over HTTP beside it:
/// let app: axum::Router = axum::Router::new().fallback_service(websocket(service)?);
/// # let _ = app;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`RpcService::new`].
pub fn websocket(routes: impl Into<Routes>) -> io::Result<RpcService> {
    RpcService::new(routes.into().websocket())
}

/// Serves a WebSocket once its host has sent the response, in a task of its own.
pub(crate) fn serve(websocket: WebSocket, upgrade: OnUpgrade) {
    tokio::spawn(async move {
        // An error means that the peer has left.
        if let Ok(upgraded) = upgrade.await {
            websocket.run(TokioIo::new(upgraded), Bytes::new()).await;
        }
    });
}
