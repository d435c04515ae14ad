//! Addresses without what is not sent, and without what is not shown.

use url::Url;

/// An address without the parts that are not sent as such.
pub(super) fn bare(url: &Url) -> Url {
    let mut url = url.clone();
    // An address with a host, as every http address is, can have its user taken away.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url
}

/// An address without what must not be shown or kept: names, passwords, queries (which hold
/// tokens) and fragments.
pub(super) fn without_secrets(url: &Url) -> Url {
    let mut url = bare(url);
    url.set_query(None);
    url
}
