//! Checks responses to GET and HEAD: status, validators and caching.
//!
//! A response is held to the one before it: a tag that stays means bytes that stay.

use std::io::Read;

use flate2::read::GzDecoder;

use super::transport::{body, expect, expect_status, is, no_store};
use super::{Breach, Outcome, Version, code, read, status};
use crate::http::Response;

/// The limit on a decompressed body, in bytes.
const MAX_DECODED: u64 = 32 << 20;

/// The parts of a response that a client caches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CachedResponse {
    pub(crate) tag: String,
    body: Vec<u8>,
}

/// The circumstances of a GET or HEAD request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GetCircumstances<'a> {
    /// True if the method was HEAD.
    pub(crate) head: bool,
    /// True if the request carried credentials.
    pub(crate) personal: bool,
    /// The response from this address that is in the cache.
    pub(crate) before: Option<&'a CachedResponse>,
    /// True if `If-None-Match` names the cached response.
    pub(crate) conditional: bool,
    /// The error code that the response must carry. `None` means that it must carry a result.
    pub(crate) error: Option<i64>,
}

/// Checks the response to GET or HEAD and returns what a client may cache of it.
pub(crate) fn get(
    response: &Response,
    asked: GetCircumstances<'_>,
) -> Result<Option<CachedResponse>, Breach> {
    if let Some(code) = asked.error {
        return get_error(response, asked.head, code).map(|()| None);
    }
    may_be_kept(response, asked.personal)?;
    let tag = tag(response)?.to_owned();
    let same = asked.before.is_some_and(|before| before.tag == tag);
    if asked.conditional && same {
        expect_status(response, 304)?;
        return Ok(None);
    }
    expect_status(response, 200)?;
    if asked.head {
        return Ok(None);
    }
    let plain = decoded(response, asked.personal)?;
    let outcome = read(Version::V2_0, "null", body(&plain)?)?;
    if let Outcome::Error(code) = outcome {
        return Err(Breach::new(format_args!("error {code} with status 200")));
    }
    let body = response.body.clone();
    if asked
        .before
        .is_some_and(|before| (before.body == body) != same)
    {
        return Err(Breach::new("the ETag and the body do not change together"));
    }
    Ok(Some(CachedResponse { tag, body }))
}

/// Checks an error response to GET or HEAD.
pub(crate) fn get_error(response: &Response, head: bool, code: i64) -> Result<(), Breach> {
    expect_status(response, status(code)?)?;
    no_store(response)?;
    if response.only("etag").is_some() {
        return Err(Breach::new("an error with an ETag"));
    }
    if code == code::NOT_CALLABLE_WITH_GET {
        expect(response, "allow", "POST, OPTIONS")?;
    }
    if head {
        return Ok(());
    }
    let outcome = read(Version::V2_0, "null", body(response)?)?;
    is(&outcome, &Outcome::Error(code))
}

/// Checks `Cache-Control`: `no-cache` unless the procedure sets an age, and `private` if the request
/// carried credentials.
fn may_be_kept(response: &Response, personal: bool) -> Result<(), Breach> {
    let control = response.only("cache-control").unwrap_or_default();
    let (without_age, scope) = if personal {
        ("private, no-cache", "private, max-age=")
    } else {
        ("no-cache", "public, max-age=")
    };
    let age = control.strip_prefix(scope);
    if control != without_age && age.is_none_or(|age| age.parse::<u32>().is_err()) {
        return Err(Breach::new(format_args!("Cache-Control is {control:?}")));
    }
    let vary = response.only("vary").unwrap_or_default();
    for name in ["Authorization", "Cookie"] {
        if !vary.split(',').any(|field| field.trim() == name) {
            return Err(Breach::new(format_args!("Vary without {name}: {vary}")));
        }
    }
    Ok(())
}

/// Removes the content coding. A private response must not have one.
fn decoded(response: &Response, personal: bool) -> Result<Response, Breach> {
    let mut plain = response.clone();
    if response.only("content-encoding").is_none() {
        return Ok(plain);
    }
    expect(response, "content-encoding", "gzip")?;
    let vary = response.only("vary").unwrap_or_default();
    if personal || !vary.contains("Accept-Encoding") {
        return Err(Breach::new("gzip where it must not be, or must be told"));
    }
    plain.body.clear();
    let mut reader = GzDecoder::new(response.body.as_slice()).take(MAX_DECODED);
    reader.read_to_end(&mut plain.body).map_err(Breach::new)?;
    Ok(plain)
}

fn tag(response: &Response) -> Result<&str, Breach> {
    let tag = response.only("etag").unwrap_or_default();
    if tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"') {
        Ok(tag)
    } else {
        Err(Breach::new(format_args!("no strong ETag: {tag:?}")))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a panic fails the test")]
mod tests {
    use super::*;

    fn answer(status: u16, tag: &str, control: &str, body: &str) -> Response {
        let headers = [
            ("content-type", "application/json"),
            ("x-content-type-options", "nosniff"),
            ("vary", "Authorization, Cookie"),
            ("cache-control", control),
            ("etag", tag),
        ];
        let headers = headers.into_iter().filter(|(_, value)| !value.is_empty());
        Response {
            status,
            headers: headers.map(|(n, v)| (n.to_owned(), v.to_owned())).collect(),
            body: body.into(),
        }
    }

    const SEVEN: &str = r#"{"jsonrpc":"2.0","result":7,"id":null}"#;
    const EIGHT: &str = r#"{"jsonrpc":"2.0","result":8,"id":null}"#;
    const NONE: &str =
        r#"{"jsonrpc":"2.0","error":{"code":1404,"message":"No such book"},"id":null}"#;

    fn asked(before: Option<&CachedResponse>, conditional: bool) -> GetCircumstances<'_> {
        GetCircumstances {
            head: false,
            personal: false,
            before,
            conditional,
            error: None,
        }
    }

    #[test]
    fn an_etag_changes_exactly_when_the_body_changes() {
        let seven = answer(200, "\"7\"", "no-cache", SEVEN);
        let known = get(&seven, asked(None, false)).unwrap().unwrap();
        let again =
            |response: &Response, conditional| get(response, asked(Some(&known), conditional));
        let same = answer(304, "\"7\"", "no-cache", "");
        let changed = answer(200, "\"8\"", "no-cache", EIGHT);
        assert!(again(&seven, false).is_ok());
        assert!(again(&same, true).is_ok());
        assert!(again(&changed, true).is_ok());
        for (wrong, conditional) in [
            (&seven, true),
            (&same, false),
            (&answer(304, "\"8\"", "no-cache", ""), true),
            (&answer(200, "\"7\"", "no-cache", EIGHT), false),
            (&answer(200, "\"8\"", "no-cache", SEVEN), false),
            (&answer(200, "W/\"7\"", "no-cache", SEVEN), false),
            (&answer(200, "", "no-cache", SEVEN), false),
            (&answer(200, "\"8\"", "no-store", EIGHT), false),
            (&answer(200, "\"8\"", "no-cache", NONE), false),
        ] {
            assert!(again(wrong, conditional).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_response_to_credentials_is_private() {
        let personal = GetCircumstances {
            personal: true,
            ..asked(None, false)
        };
        let check = |control, asked| get(&answer(200, "\"7\"", control, SEVEN), asked).is_ok();
        for (control, alone, for_all) in [
            ("no-cache", false, true),
            ("public, max-age=5", false, true),
            ("private, no-cache", true, false),
            ("private, max-age=5", true, false),
            ("max-age=5", false, false),
            ("public, max-age=", false, false),
            ("", false, false),
        ] {
            assert_eq!(check(control, personal), alone, "{control}");
            assert_eq!(check(control, asked(None, false)), for_all, "{control}");
        }
    }

    #[test]
    fn a_compressed_response_is_read_and_has_its_own_etag() {
        use std::io::Write as _;

        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(SEVEN.as_bytes()).unwrap();
        let mut zipped = answer(200, "\"7-gzip\"", "no-cache", "");
        zipped.body = encoder.finish().unwrap();
        assert!(get(&zipped, asked(None, false)).is_err());
        let coding = ("content-encoding".to_owned(), "gzip".to_owned());
        zipped.headers.push(coding);
        assert!(
            get(&zipped, asked(None, false)).is_err(),
            "Vary does not say it"
        );
        zipped.headers[2].1 = "Accept-Encoding, Authorization, Cookie".to_owned();
        assert!(get(&zipped, asked(None, false)).is_ok());
        zipped.body.truncate(20);
        assert!(get(&zipped, asked(None, false)).is_err());
    }

    #[test]
    fn an_error_has_the_status_of_its_code_and_is_never_stored() {
        assert!(get_error(&answer(404, "", "no-store", NONE), false, 1404).is_ok());
        assert!(get_error(&answer(404, "", "no-store", ""), true, 1404).is_ok());
        for wrong in [
            answer(200, "", "no-store", NONE),
            answer(404, "\"7\"", "no-store", NONE),
            answer(404, "", "no-cache", NONE),
            answer(404, "", "no-store", SEVEN),
            answer(404, "", "no-store", &NONE.replace("null", "1")),
        ] {
            assert!(get_error(&wrong, false, 1404).is_err(), "{wrong:?}");
        }
    }
}
