//! The bodies that are accepted: the media types of JSON-RPC, and the supported codings.

use http::{HeaderName, header};

use crate::headers::Headers;
use crate::inflate::{Coding, TAKEN as CODINGS};
use crate::response::ACCEPT_POST;

/// The media types of a call. A browser sends none of them across origins without a preflight
/// request.
const TAKEN: [&str; 3] = [
    "application/json",
    "application/json-rpc",
    "application/jsonrequest",
];

/// The reason why a body is not accepted, and the header field that lists what is, with its value.
pub(crate) type Unsupported = (String, HeaderName, &'static str);

/// Checks the header fields that describe the body, and returns its coding.
pub(crate) fn check(headers: &Headers, decompress: bool) -> Result<Coding, Unsupported> {
    check_type(headers).map_err(|reason| (reason, ACCEPT_POST, "application/json"))?;
    let coding = coding(headers).filter(|coding| decompress || *coding == Coding::Identity);
    coding.ok_or_else(|| {
        let (reason, taken) = if decompress {
            let reason = "the body must be uncompressed, or compressed with gzip or deflate";
            (reason, CODINGS)
        } else {
            ("the body must not be compressed", "identity")
        };
        (reason.to_owned(), header::ACCEPT_ENCODING, taken)
    })
}

/// Returns the coding of the body, or `None` if it is unknown or there is more than one.
fn coding(headers: &Headers) -> Option<Coding> {
    let mut named = Coding::Identity;
    for field in headers.get_all("content-encoding") {
        match Coding::of(field)? {
            Coding::Identity => {}
            coding if named == Coding::Identity => named = coding,
            _ => return None,
        }
    }
    Some(named)
}

/// Checks `Content-Type`. It is parsed by hand, because the usual parser does not follow RFC 9110
/// (section 8.3) for whitespace before a semicolon and for duplicate parameters.
fn check_type(headers: &Headers) -> Result<(), String> {
    let mut fields = headers.get_all("content-type");
    let Some(field) = fields.next() else {
        return Err(format!("Content-Type is missing: send {}", TAKEN[0]));
    };
    if fields.next().is_some() {
        let reason = "Content-Type must not be repeated: send";
        return Err(format!("{reason} {}", TAKEN[0]));
    }
    if field == TAKEN[0].as_bytes() {
        // Almost every client sends exactly this.
        return Ok(());
    }
    let mut quoted = false;
    let mut parts = str::from_utf8(field)
        .unwrap_or_default()
        .split(|character| {
            quoted ^= character == '"';
            character == ';' && !quoted
        })
        .map(str::trim);
    let given = parts.next().unwrap_or_default();
    if !TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(given)) {
        return Err(format!("Content-Type must be {}", TAKEN.join(" or ")));
    }
    let charsets = parts.filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"'))
    });
    for charset in charsets {
        if !charset.eq_ignore_ascii_case("utf-8") {
            return Err("charset must be utf-8".to_owned());
        }
    }
    Ok(())
}
