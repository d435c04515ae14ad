//! The URL of a proxy.

use url::Url;

use super::credentials::basic;
use crate::failure::Failure;

/// Parses the URL of a proxy.
pub(super) fn parse(text: &str) -> Result<Url, Failure> {
    let scheme = if text.contains("://") { "" } else { "http://" };
    // The text may contain a password, so the message does not quote it.
    let url = Url::parse(&format!("{scheme}{text}"))
        .map_err(|error| Failure::usage(format_args!("--proxy: not a URL: {error}")))?;
    // This masks the password from here on.
    basic(&url);
    match url.scheme() {
        "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h" => Ok(url),
        other => Err(Failure::usage(format_args!(
            "--proxy: {other}:// is no proxy; use http://, https://, socks4:// or socks5://"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        let refused = parse("ftp://me:swordfish@a").expect_err("no proxy");
        assert!(!refused.messages[0].contains("fish"));
        let bare = parse("proxy:3128").expect("a proxy");
        assert_eq!(bare.as_str(), "http://proxy:3128/");
    }
}
