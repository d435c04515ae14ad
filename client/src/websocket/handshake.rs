//! The handshake of a WebSocket (RFC 6455, section 4.1). It is a request like any other until its response, so credentials,
//! TLS and limits are those of [`Http`].

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::StatusCode;
use reqwest::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use sha1_smol::Sha1;
use tokio_websockets::{ClientBuilder, Limits, WebSocketStream};

use crate::http::{Http, field, receive, transport_error};
use crate::transport::{Received, TransportError};

/// The bytes that follow the key in the proof that the server has understood it (RFC 6455, section 1.3).
const KEY_SUFFIX: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// A connection that carries messages.
pub type Socket = WebSocketStream<reqwest::Upgraded>;

/// The outcome of a handshake.
pub enum Handshake {
    /// The connection, whose frames are those of the caller.
    Accepted(Socket),
    /// The service has answered as over HTTP, such as with an error about the credentials.
    Refused(Received),
}

/// Makes a connection.
///
/// # Errors
/// There is no response, or it accepts another protocol.
pub async fn open(http: &Http) -> Result<Handshake, TransportError> {
    let key = BASE64_STANDARD.encode(fastrand::u128(..).to_ne_bytes());
    let response = http
        .request_over_http()?
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, &key)
        .send()
        .await
        .map_err(|error| transport_error(error, http.timeout))?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let received = receive(response, http.timeout, http.max_response_bytes).await?;
        return Ok(Handshake::Refused(received));
    }
    if field(response.headers(), SEC_WEBSOCKET_ACCEPT) != Some(websocket_accept(&key)) {
        let reason = "the server has not proved that it speaks WebSocket";
        return Err(TransportError::Connect(reason.to_owned()));
    }
    let stream = response
        .upgrade()
        .await
        .map_err(|error| transport_error(error, http.timeout))?;
    let limits = Limits::default().max_payload_len(Some(http.max_response_bytes));
    let socket = ClientBuilder::new().limits(limits).take_over(stream);
    Ok(Handshake::Accepted(socket))
}

/// Returns the value with which the server proves that it has understood a key.
pub fn websocket_accept(key: &str) -> String {
    let mut hash = Sha1::from(key);
    hash.update(KEY_SUFFIX);
    BASE64_STANDARD.encode(hash.digest().bytes())
}
