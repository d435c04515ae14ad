//! Everything that a host serves for services: their mounts, the reference site, tools for agents, documents and
//! health, and the addresses of these.
//!
//! ```text
//! Routes::new(service).websocket(true)       settings, of any host              (settings)
//!     └─► RouteTable::new                    checks them, and lists             (paths, mount_path, table)
//!             /rpc  /rpc/{procedure}  /docs/…  /mcp  /health  /metrics  …
//!         .respond(request, upload) ─► the first path that covers the address:
//!             Endpoint::respond for a mount, respond_mcp for tools, a page otherwise ─► Response
//! ```
//!
//! A host takes [`Routes`], which has every setting that does not belong to a listener, and reports settings without an
//! effect (`idle`). A carrier asks a [`RouteTable`] made of them for each response. A table of its own in each carrier
//! would be the usual way, and the hosts would differ in which address wins; a host with a router of its own can take
//! the [`Mounts`] alone, as an `App` of actix-web does.
//!
//! Paths are compared as segments, each decoded by itself ([`mount_path`]), so `%2F` never separates two. Two things at one
//! address are a mistake that the host reports before it listens ([`paths`]).
//!
//! How bytes arrive and leave is up to the carrier, and what a service says at its address to its
//! [`Endpoint`](crate::Endpoint).

#[cfg(feature = "mcp")]
mod agents;
mod idle;
pub(crate) mod mount_path;
pub(crate) mod mounted;
mod paths;
mod settings;
#[cfg(feature = "docs")]
mod site;
mod table;

pub use mounted::{MountedService, Mounts};
pub use settings::Routes;
pub use table::RouteTable;
