//! Decides which redirects to follow.

use ureq::http::StatusCode;
use url::Url;

use super::address::{Origin, bare, without_secrets};

pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Returns the URL to follow a redirect to, or an error if it must not be followed. With `stays`, the
/// request must not go to another origin.
pub(super) fn next(from: &Url, to: &Url, stays: bool) -> Result<Url, String> {
    match (from.scheme(), to.scheme()) {
        ("https", "http") => Err(format!(
            "a redirect from https to http, to {}",
            without_secrets(to)
        )),
        (_, "http" | "https") if stays && from.origin() != to.origin() => Err(format!(
            "a redirect from {} to {}, which calls do not follow",
            Origin(from),
            Origin(to)
        )),
        (_, "http" | "https") => Ok(bare(to)),
        (_, scheme) => Err(format!("a redirect to a URL with the scheme {scheme}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("an address")
    }

    #[test]
    fn what_was_encrypted_stays_encrypted() {
        assert!(
            next(&url("https://a/"), &url("http://a/x?secret"), false)
                .is_err_and(|reason| !reason.contains("secret"))
        );
        assert_eq!(
            next(&url("http://a/"), &url("https://b/"), false),
            Ok(url("https://b/"))
        );
        assert!(next(&url("http://a/"), &url("file:///etc/passwd"), false).is_err());
    }

    #[test]
    fn a_redirect_brings_no_name_of_its_own() {
        assert_eq!(
            next(&url("http://a/"), &url("http://me:pass@a/x#y"), true),
            Ok(url("http://a/x"))
        );
    }
}
