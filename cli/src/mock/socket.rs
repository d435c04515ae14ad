//! A mock over a WebSocket (RFC 6455): one message a text frame.
//!
//! A page of any origin may connect: there is nothing to protect, and it is mostly one under development.

use std::sync::Arc;

use docent_client::websocket_accept;
use futures_util::{SinkExt as _, StreamExt as _};
use http::StatusCode;
use http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE};
use tokio_websockets::{Error, Message, ServerBuilder};

use super::responder::Responder;
use super::stream::MockStream;
use crate::web::{UpgradedStream, WebRequest, WebResponse};

/// Returns whether a request asks for a WebSocket.
pub(super) fn is_asked(request: &WebRequest) -> bool {
    let upgrade = request.headers().get(UPGRADE);
    upgrade.is_some_and(|upgrade| upgrade.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

/// Accepts a request for a WebSocket.
pub(super) fn accept(request: &WebRequest, responder: Arc<Responder>) -> WebResponse {
    let key = request.headers().get(SEC_WEBSOCKET_KEY);
    let Some(key) = key.and_then(|key| key.to_str().ok()) else {
        return WebResponse::plain(StatusCode::BAD_REQUEST);
    };
    WebResponse::upgrade(|stream| {
        Box::pin(async move {
            // A client that leaves early needs no answer.
            let _ = serve(stream, &responder).await;
        })
    })
    .with(UPGRADE, "websocket")
    .with(CONNECTION, "Upgrade")
    .with(SEC_WEBSOCKET_ACCEPT, &websocket_accept(key))
}

/// Answers messages until the client leaves.
async fn serve(stream: UpgradedStream, responder: &Responder) -> Result<(), Error> {
    let mut socket = ServerBuilder::new().serve(stream);
    let mut stream = MockStream::default();
    while let Some(message) = socket.next().await.transpose()? {
        let Some(text) = message.as_text() else {
            continue;
        };
        let response = responder.exchange(text.as_bytes(), Some(&mut stream));
        let following = stream.take().into_iter().map(|message| message.text);
        for text in response.into_iter().chain(following) {
            if !text.is_empty() {
                socket.send(Message::text(text)).await?;
            }
        }
    }
    Ok(())
}
