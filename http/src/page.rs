//! A page that a host serves by itself, besides its services.
//!
//! [`Routes`](crate::Routes) serve all pages; a host with a router of its own may want only one of them.

use std::future::Future;

use crate::request::Request;
use crate::response::Response;

/// A page of a host: its [`Health`](crate::Health), its metrics, or its reference site.
///
/// Carriers use it. It is hidden, because the crates that re-export the pages have no requests and responses of
/// this kind.
#[doc(hidden)]
pub trait HttpPage {
    /// Returns the path at which the page is served.
    fn path(&self) -> &str;

    /// Returns whether the addresses below the path belong to the page, too.
    fn is_tree(&self) -> bool {
        false
    }

    /// Responds to any request for the page. The body of the request is ignored.
    fn respond(&self, request: &Request<'_>) -> impl Future<Output = Response>;
}
