//! Which bodies are taken: the media types of JSON-RPC, and no coding.

use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderName};
use actix_web::{HttpMessage, HttpRequest};

/// The media types that a call may have. None of them is one that a browser sends across sites
/// without asking first.
const TAKEN: [&str; 3] = [
    "application/json",
    "application/json-rpc",
    "application/jsonrequest",
];

/// Why a body is not taken, and the header field that says what would be.
pub(super) struct Unsupported {
    pub(super) reason: String,
    pub(super) header: (HeaderName, &'static str),
}

/// Checks the header fields that describe the body.
pub(super) fn check(request: &HttpRequest) -> Result<(), Unsupported> {
    check_type(request).map_err(|reason| Unsupported {
        reason,
        header: (HeaderName::from_static("accept-post"), "application/json"),
    })?;
    let mut codings = request.headers().get_all(CONTENT_ENCODING);
    if codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(Unsupported {
        reason: "the body must not be compressed".to_owned(),
        header: (ACCEPT_ENCODING, "identity"),
    })
}

fn check_type(request: &HttpRequest) -> Result<(), String> {
    let given = match request.mime_type() {
        Ok(Some(given)) => given,
        Ok(None) => return Err(format!("Content-Type is missing: send {}", TAKEN[0])),
        Err(_) => return Err(format!("Content-Type is not readable: send {}", TAKEN[0])),
    };
    if !TAKEN.contains(&given.essence_str()) {
        return Err(format!("Content-Type must be {}", TAKEN.join(" or ")));
    }
    match given.get_param("charset") {
        Some(charset) if !charset.as_str().eq_ignore_ascii_case("utf-8") => {
            Err("charset must be utf-8".to_owned())
        }
        _ => Ok(()),
    }
}
