//! The bodies that are accepted: the media types of JSON-RPC, and the supported codings.
//!
//! A browser sends JSON across origins only after it has asked, so insisting on the media type
//! protects services from other people's pages.

use http::{HeaderName, header};

use crate::headers::Headers;
use crate::inflate::{ACCEPTED_CODINGS, BodyCoding};
use crate::response::ACCEPT_POST;

/// The media types of a call. A browser sends none of them across origins without a preflight
/// request.
const ACCEPTED_TYPES: [&str; 3] = [
    "application/json",
    "application/json-rpc",
    "application/jsonrequest",
];

/// The reason why a body in this form is not accepted.
pub(crate) struct Unsupported {
    pub(crate) reason: String,
    /// The header field that lists what is accepted.
    pub(crate) field: HeaderName,
    /// The value of that field.
    pub(crate) accepted: &'static str,
}

/// Checks the header fields that describe the body, and returns its coding.
pub(crate) fn check(headers: &Headers, decompress: bool) -> Result<BodyCoding, Unsupported> {
    check_type(headers).map_err(|reason| Unsupported {
        reason,
        field: ACCEPT_POST,
        accepted: "application/json",
    })?;
    match coding(headers) {
        Some(coding) if decompress || coding == BodyCoding::Identity => Ok(coding),
        _ if decompress => Err(Unsupported {
            reason: "the body must be uncompressed, or compressed with gzip or deflate".to_owned(),
            field: header::ACCEPT_ENCODING,
            accepted: ACCEPTED_CODINGS,
        }),
        _ => Err(Unsupported {
            reason: "the body must not be compressed".to_owned(),
            field: header::ACCEPT_ENCODING,
            accepted: "identity",
        }),
    }
}

/// Returns the coding of the body, or `None` if it is unknown or there is more than one.
fn coding(headers: &Headers) -> Option<BodyCoding> {
    let mut coding = BodyCoding::Identity;
    for field in headers.get_all("content-encoding") {
        match BodyCoding::parse(field)? {
            BodyCoding::Identity => {}
            other if coding == BodyCoding::Identity => coding = other,
            _ => return None,
        }
    }
    Some(coding)
}

/// Checks `Content-Type`. It is parsed by hand, because the usual parser does not follow RFC 9110
/// (section 8.3) for whitespace before a semicolon and for duplicate parameters.
fn check_type(headers: &Headers) -> Result<(), String> {
    let mut fields = headers.get_all("content-type");
    let Some(field) = fields.next() else {
        return Err(format!(
            "Content-Type is missing: send {}",
            ACCEPTED_TYPES[0]
        ));
    };
    if fields.next().is_some() {
        let reason = "Content-Type must not be repeated: send";
        return Err(format!("{reason} {}", ACCEPTED_TYPES[0]));
    }
    if field == ACCEPTED_TYPES[0].as_bytes() {
        // Almost every client sends exactly this.
        return Ok(());
    }
    // A semicolon inside of quotation marks belongs to the value of a parameter.
    let mut quoted = false;
    let mut parts = str::from_utf8(field)
        .unwrap_or_default()
        .split(|character| {
            quoted ^= character == '"';
            character == ';' && !quoted
        })
        .map(str::trim);
    let media_type = parts.next().unwrap_or_default();
    if !ACCEPTED_TYPES
        .iter()
        .any(|accepted| accepted.eq_ignore_ascii_case(media_type))
    {
        return Err(format!(
            "Content-Type must be {}",
            ACCEPTED_TYPES.join(" or ")
        ));
    }
    for parameter in parts {
        if let Some((name, value)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("charset")
            && !value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        {
            return Err("charset must be utf-8".to_owned());
        }
    }
    Ok(())
}
