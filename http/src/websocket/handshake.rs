//! The handshake: whether a request becomes a WebSocket (RFC 6455, section 4.2).
//!
//! Browsers let any page open a WebSocket, without asking first and with the cookies of its user. So the page's origin is
//! checked here, whether or not the service has CORS. Scripts cannot set header fields, but they can offer subprotocols:
//! `docent.bearer.TOKEN` stands for `Authorization: Bearer TOKEN`.

use std::sync::Mutex;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use docent_core::carrier::Connection;
use docent_core::code;
use http::{Method, StatusCode, header};
use sha1_smol::Sha1;

use super::WebSocket;
use crate::BearerToken;
use crate::endpoint::Endpoint;
use crate::headers::Headers;
use crate::origin;
use crate::pieces::Body;
use crate::request::Request;
use crate::request_error::invalid_request;
use crate::response::Response;
use crate::status;

/// The only version of the protocol.
const VERSION: &str = "13";

/// The beginning of the subprotocol that carries a token.
const BEARER_PREFIX: &str = "docent.bearer.";

/// The text that a server appends to the key (RFC 6455, section 1.3).
const KEY_SUFFIX: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The length of a key before it is encoded.
const KEY_BYTES: usize = 16;

/// Returns whether a request asks for a WebSocket, from a service that has some and a host that can hand over the
/// connection.
pub(crate) fn is_asked(request: &Request<'_>, endpoint: &Endpoint) -> bool {
    endpoint.has_websocket
        && request.can_upgrade
        && request.method == Method::GET
        && has_token(&request.headers, "connection", "upgrade")
        && has_token(&request.headers, "upgrade", "websocket")
}

/// Accepts a request for a WebSocket, or returns the response that says why not.
pub(crate) async fn respond(request: &mut Request<'_>, endpoint: &Endpoint) -> Response {
    let handshake = match Handshake::read(request, endpoint) {
        Ok(handshake) => handshake,
        Err(refusal) => return refusal.response(request, endpoint),
    };
    // Counted before the server's state is asked, so that a shutdown waits for it or is seen here.
    let exchange = endpoint.traffic.begin();
    if endpoint.is_shutting_down() {
        return endpoint.busy(request);
    }
    let permit = match endpoint.service.carrier().open_stream() {
        Ok(permit) => permit,
        Err(full) => {
            let status = status::of_protocol_error(code::BUSY);
            let mut response = endpoint.fail(request, status, full);
            endpoint.ask_again_later(&mut response);
            return response;
        }
    };
    if let Some(token) = handshake.token() {
        let value = format!("Bearer {token}");
        request
            .headers
            .push_lower("authorization", value.as_bytes());
    }
    let extensions = request.take_extensions(&endpoint.options, &endpoint.has_version);
    let mut connection = Connection::new(endpoint.service.clone(), extensions);
    if let Err(reply) = connection.authenticate().await {
        return Response::of_get(*reply);
    }
    let mut response = Response::new(StatusCode::SWITCHING_PROTOCOLS)
        .with(header::UPGRADE, "websocket")
        .with(header::SEC_WEBSOCKET_ACCEPT, accept(&handshake.key));
    if let Some(subprotocol) = handshake.subprotocol {
        response.set(header::SEC_WEBSOCKET_PROTOCOL, subprotocol);
    }
    response.body = Body::WebSocket(Box::new(WebSocket {
        connection: Mutex::new(connection),
        endpoint: endpoint.clone(),
        exchange,
        permit,
    }));
    response
}

/// The contents of a valid request.
struct Handshake {
    key: String,
    /// The subprotocol that is chosen, if some are offered.
    subprotocol: Option<String>,
}

/// The reason why a request cannot become a WebSocket.
enum Refusal {
    ForeignPage,
    Version,
    Invalid(&'static str),
}

impl Handshake {
    fn read(request: &Request<'_>, endpoint: &Endpoint) -> Result<Self, Refusal> {
        let headers = &request.headers;
        if !comes_from_known_page(request, endpoint) {
            return Err(Refusal::ForeignPage);
        }
        if headers.get_str("sec-websocket-version") != Some(VERSION) {
            return Err(Refusal::Version);
        }
        let mut keys = headers.texts("sec-websocket-key");
        let (Some(key), None) = (keys.next().filter(|key| is_key(key)), keys.next()) else {
            let reason = "Sec-WebSocket-Key must be there once, and be 16 bytes in base64";
            return Err(Refusal::Invalid(reason));
        };
        let mut offered = headers
            .texts("sec-websocket-protocol")
            .flat_map(|list| list.split(','))
            .map(str::trim)
            .peekable();
        let offers_some = offered.peek().is_some();
        let subprotocol = offered.find(|offered| bearer_token(offered).is_some());
        if offers_some && subprotocol.is_none() {
            let reason =
                "the service knows none of the subprotocols: offer none, or docent.bearer.TOKEN";
            return Err(Refusal::Invalid(reason));
        }
        Ok(Self {
            key: key.to_owned(),
            subprotocol: subprotocol.map(str::to_owned),
        })
    }

    /// Returns the token that the subprotocol carries.
    fn token(&self) -> Option<&str> {
        bearer_token(self.subprotocol.as_deref()?)
    }
}

impl Refusal {
    fn response(self, request: &Request<'_>, endpoint: &Endpoint) -> Response {
        let (status, reason) = match self {
            Self::ForeignPage => (
                StatusCode::FORBIDDEN,
                "pages of this origin may not call the service (cors)",
            ),
            Self::Version => (
                StatusCode::UPGRADE_REQUIRED,
                "Sec-WebSocket-Version must be 13",
            ),
            Self::Invalid(reason) => (StatusCode::BAD_REQUEST, reason),
        };
        let response = endpoint.fail(request, status, invalid_request(reason));
        if status != StatusCode::UPGRADE_REQUIRED {
            return response;
        }
        response
            .with(header::SEC_WEBSOCKET_VERSION, VERSION)
            .with(header::UPGRADE, "websocket")
    }
}

/// Returns whether a request comes from no page, or from one that may call the service.
fn comes_from_known_page(request: &Request<'_>, endpoint: &Endpoint) -> bool {
    let address = endpoint.service.description().address.as_deref();
    let listed = &endpoint.options.cors_origins;
    request.headers.get_all("origin").all(|origin| {
        let origin = str::from_utf8(origin);
        origin.is_ok_and(|origin| origin::may_call(origin, request, address, listed))
    })
}

/// Returns whether a field lists a token, in any case.
fn has_token(headers: &Headers, field: &str, token: &str) -> bool {
    headers
        .texts(field)
        .flat_map(|list| list.split(','))
        .any(|listed| listed.trim().eq_ignore_ascii_case(token))
}

/// Returns the token of a subprotocol, if it carries a valid one.
fn bearer_token(subprotocol: &str) -> Option<&str> {
    let token = subprotocol.strip_prefix(BEARER_PREFIX)?;
    BearerToken::is_token(token).then_some(token)
}

fn is_key(text: &str) -> bool {
    BASE64_STANDARD
        .decode(text)
        .is_ok_and(|key| key.len() == KEY_BYTES)
}

/// Returns the value that proves to the client that the server has understood its key.
fn accept(key: &str) -> String {
    let mut hash = Sha1::from(key);
    hash.update(KEY_SUFFIX);
    BASE64_STANDARD.encode(hash.digest().bytes())
}
