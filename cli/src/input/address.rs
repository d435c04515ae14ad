//! Removes the parts of URLs that are not sent, and those that must not be shown.

use url::Url;

/// Returns a URL without the parts that are not sent as part of it.
pub(super) fn bare(url: &Url) -> Url {
    let mut url = url.clone();
    // A URL with a host, as every http URL has, can lose its user name.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url
}

/// Returns a URL without what must not be shown or stored: user names, passwords, queries (which
/// may contain tokens) and fragments.
pub(super) fn without_secrets(url: &Url) -> Url {
    let mut url = bare(url);
    url.set_query(None);
    url
}
