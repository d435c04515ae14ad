//! The wire contract over HTTP: addresses, methods, media types, bodies, statuses and caching.
//!
//! Nothing here knows the carrier. A carrier reads a `Request`, passes its body as an `Upload`, and
//! sends the `Response` that it gets; see `actix/`.

pub(crate) mod accept;
pub(crate) mod address;
pub(crate) mod cache;
pub(crate) mod catalog;
pub(crate) mod coding;
mod dispatch;
mod endpoint;
mod front_door;
mod get;
mod headers;
mod inflate;
#[cfg(feature = "mcp")]
mod mcp;
mod media;
#[cfg(feature = "mcp")]
mod origin;
pub(crate) mod pieces;
mod post;
mod proxies;
mod quality;
pub(crate) mod refusal;
pub(crate) mod request;
pub(crate) mod response;
mod status;
#[cfg(test)]
mod tests;
pub(crate) mod traffic;
#[cfg(feature = "docs")]
pub(crate) mod unpacking;
pub(crate) mod upload;
pub(crate) mod waiting;

pub(crate) use endpoint::Endpoint;
pub(crate) use headers::OverUnix;
pub use headers::{Headers, Peer};
#[cfg(feature = "mcp")]
pub(crate) use origin::is_origin;
pub use proxies::{InvalidProxy, TrustedProxy};
