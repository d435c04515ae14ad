//! Converts the host's requests for the contract, and the contract's responses for the host.

use std::sync::Mutex;

use docent_core::RequestId;
use docent_http::{
    Body, ConnectionState, Headers, ListenerInfo, Peer, REQUEST_ID, Request, RequestTarget,
    Response,
};
use http::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode, Version};

use crate::body::ResponseBody;
use crate::upload::RestOfBody;

/// Returns the ID of a request: the one that it has, or a new one.
pub(crate) fn request_id(parts: &Parts) -> RequestId {
    docent_http::request_id(
        parts
            .headers
            .get_all(REQUEST_ID)
            .iter()
            .map(HeaderValue::as_bytes),
    )
}

/// Converts a request without its body.
pub(crate) fn read(parts: &Parts, has_body: bool, is_secure: bool, id: RequestId) -> Request<'_> {
    let mut headers = Headers::with_capacity(parts.headers.keys_len() + 1);
    // In HTTP/2, the target alone names the host.
    if let Some(authority) = parts.uri.authority()
        && !parts.headers.contains_key(HOST)
    {
        headers.push_lower(HOST.as_str(), authority.as_str().as_bytes());
    }
    for (name, value) in &parts.headers {
        headers.push_lower(name.as_str(), value.as_bytes());
    }
    Request {
        method: parts.method.clone(),
        target: RequestTarget {
            path: parts.uri.path(),
            prefix: prefix(parts),
            query: parts.uri.query().unwrap_or_default(),
            host: parts.uri.host(),
            mount: 0,
        },
        peer: peer(parts),
        listener: ListenerInfo {
            is_local: false,
            is_secure: is_secure || parts.uri.scheme_str() == Some("https"),
        },
        headers,
        can_upgrade: can_upgrade(parts, has_body),
        id,
        forwarded: Mutex::default(),
    }
}

/// Returns whether the host hands over the connection of a request.
#[cfg(feature = "websocket")]
fn can_upgrade(parts: &Parts, has_body: bool) -> bool {
    parts.version == Version::HTTP_11
        && !has_body
        && parts
            .extensions
            .get::<hyper::upgrade::OnUpgrade>()
            .is_some()
}

#[cfg(not(feature = "websocket"))]
fn can_upgrade(_: &Parts, _: bool) -> bool {
    false
}

/// Returns the address of the peer, if the host tells it.
fn peer(parts: &Parts) -> Option<Peer> {
    let given = parts.extensions.get::<Peer>().copied();
    #[cfg(feature = "axum")]
    let given = given.or_else(|| {
        use std::net::SocketAddr;

        use axum::extract::ConnectInfo;

        let info = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        info.map(|info| Peer(info.0))
    });
    given
}

/// Returns the part of the path that axum has taken off before a nested service.
#[cfg(feature = "axum")]
fn prefix(parts: &Parts) -> &str {
    let Some(original) = parts.extensions.get::<axum::extract::OriginalUri>() else {
        return "";
    };
    let original = original.0.path();
    match parts.uri.path() {
        // For a request without a path below the prefix, axum adds the slash.
        "/" => original.trim_end_matches('/'),
        // A middleware may have rewritten the path.
        path => original.strip_suffix(path).unwrap_or_default(),
    }
}

#[cfg(not(feature = "axum"))]
fn prefix(_: &Parts) -> &'static str {
    ""
}

/// Converts a response, after which the rest of the request is read.
pub(crate) fn send(
    response: Response,
    draining: Option<RestOfBody>,
    method: &Method,
    version: Version,
    id: &RequestId,
) -> http::Response<ResponseBody> {
    let length = response.body.length();
    let body = if method == Method::HEAD {
        Body::None
    } else {
        response.body
    };
    let mut sent = http::Response::new(ResponseBody::new(body, draining));
    *sent.status_mut() = response.status;
    let headers = sent.headers_mut();
    for (name, value) in response.fields {
        if let Ok(value) = HeaderValue::try_from(&*value) {
            headers.append(name, value);
        } else {
            tracing::error!(%name, "a header field was left out");
        }
    }
    // An ID consists of characters that a field may have.
    if response.is_told
        && let Ok(id) = HeaderValue::from_bytes(id.as_str().as_bytes())
    {
        headers.insert(REQUEST_ID, id);
    }
    if let Some(length) = length
        && !matches!(
            response.status,
            StatusCode::SWITCHING_PROTOCOLS | StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED
        )
    {
        headers.insert(CONTENT_LENGTH, length.into());
    }
    // Each of these has a field that names the other protocol.
    if matches!(
        response.status,
        StatusCode::SWITCHING_PROTOCOLS | StatusCode::UPGRADE_REQUIRED
    ) {
        headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    }
    // HTTP/2 has no such field: its streams end by themselves.
    if response.after != ConnectionState::Open && version < Version::HTTP_2 {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    sent
}
