//! The HTTP contract of Docent: addresses, methods, media types, bodies, statuses and caching.
//!
//! Nothing here knows the carrier. A carrier reads a [`Request`](request::Request), passes its body as
//! an [`Upload`](upload::Upload) to an [`Endpoint`], and sends the [`Response`](response::Response) that
//! it gets. `docent-server` does that with actix-web.
//!
//! Services find the public types in `docent-server`. The hidden modules are for carriers, and may change
//! in any version.

#[doc(hidden)]
pub mod accept;
#[doc(hidden)]
pub mod address;
#[doc(hidden)]
pub mod cache;
#[doc(hidden)]
pub mod catalog;
#[doc(hidden)]
pub mod coding;
mod cors;
mod dispatch;
#[doc(hidden)]
pub mod endpoint;
#[doc(hidden)]
pub mod front_door;
mod get;
mod headers;
mod inflate;
#[doc(hidden)]
pub mod link;
#[cfg(feature = "mcp")]
mod mcp;
mod media;
mod options;
#[doc(hidden)]
pub mod origin;
mod own_fields;
#[doc(hidden)]
pub mod pieces;
mod post;
mod proxies;
mod quality;
#[doc(hidden)]
pub mod request;
#[doc(hidden)]
pub mod request_error;
#[doc(hidden)]
pub mod response;
mod status;
#[cfg(test)]
mod tests;
#[doc(hidden)]
pub mod traffic;
#[doc(hidden)]
pub mod unpacking;
#[doc(hidden)]
pub mod upload;
#[doc(hidden)]
pub mod waiting;

pub use docent_core::Fields;
#[doc(hidden)]
pub use endpoint::Endpoint;
pub use headers::{Headers, Peer};
#[doc(hidden)]
pub use headers::{OverUnix, is_value};
pub use options::HttpOptions;
pub use proxies::TrustedProxy;
