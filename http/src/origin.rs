//! The web pages that may send requests.
//!
//! Pages of other origins must not use a person's access to a local service. The fields for scripts of
//! listed pages are in `cors`.

use url::Url;

#[cfg(feature = "mcp")]
use crate::options::HttpOptions;
use crate::request::Request;

/// Returns whether a page of this origin may call the service: one of those that are listed, or of the
/// service's own origin. That is the origin of its public URL or, without one, any with the request's host.
pub(crate) fn may_call(
    origin: &str,
    request: &Request<'_>,
    public_url: Option<&str>,
    listed: &[String],
) -> bool {
    let Some(origin) = parse(origin) else {
        return false;
    };
    let is_own = match public_url {
        Some(_) => is_own(&origin, public_url),
        None => request.authority().is_some_and(|host| {
            let schemes = ["https", "http"];
            schemes
                .iter()
                .any(|scheme| parse(&format!("{scheme}://{host}")).as_ref() == Some(&origin))
        }),
    };
    is_own || is_listed(&origin, listed)
}

/// Returns whether a request comes from a page that may send it, or from no page at all.
///
/// A page can make a browser send requests to a server that only the user can reach. The browser names
/// the page's origin. `Host` proves nothing: the page may have chosen a name that leads here.
#[cfg(feature = "mcp")]
pub(crate) fn is_known(
    request: &Request<'_>,
    public_url: Option<&str>,
    options: &HttpOptions,
) -> bool {
    request.headers.get_all("origin").all(|value| {
        let origin = str::from_utf8(value).ok().and_then(parse);
        origin.is_some_and(|origin| {
            is_own(&origin, public_url) || is_listed(&origin, &options.mcp_origins)
        })
    })
}

/// Returns whether an origin is that of the service's public URL.
fn is_own(origin: &url::Origin, public_url: Option<&str>) -> bool {
    public_url
        .and_then(|url| Url::parse(url).ok())
        .is_some_and(|url| url.origin() == *origin)
}

/// Returns whether an origin is one of those that the options allow.
fn is_listed(origin: &url::Origin, listed: &[String]) -> bool {
    listed
        .iter()
        .any(|listed| parse(listed).as_ref() == Some(origin))
}

/// Returns whether a text is an origin that a page can have, such as `https://example.com`. `*` is a character of a
/// host for the URL standard, and stands for no others.
pub(crate) fn is_origin(text: &str) -> bool {
    match parse(text) {
        Some(url::Origin::Tuple(scheme, ..)) => {
            matches!(&*scheme, "http" | "https") && !text.contains('*')
        }
        _ => false,
    }
}

/// Parses an origin: a URL with nothing after the authority. Returns `None` for origins without a
/// host, which are equal to no other.
fn parse(text: &str) -> Option<url::Origin> {
    let (_, authority) = text.split_once("://")?;
    if authority.contains(['/', '?', '#', '@', '\\']) {
        return None;
    }
    let origin = Url::parse(text).ok()?.origin();
    origin.is_tuple().then_some(origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_an_authority() {
        for (one, other) in [
            ("https://example.com", "https://example.com:443"),
            ("http://LOCALHOST:8080", "http://localhost:8080"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert!(parse(one).is_some() && parse(one) == parse(other), "{one}");
        }
        for text in [
            "",
            "null",
            "example.com",
            "https://example.com/",
            "https://example.com/path",
            "https://user@example.com",
            "https://example.com?x",
            "https://",
            "file://",
            "data://x",
            "ftp://example.com",
            "https://*.example.com",
            "*",
        ] {
            assert!(!is_origin(text), "{text}");
        }
    }
}
