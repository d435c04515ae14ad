//! Everything that a host serves for services: their mounts, the reference site, tools for agents, documents and
//! health, and the addresses of these.
//!
//! A host takes [`Routes`], which has every setting that does not belong to a listener. A carrier asks a [`RouteTable`] made
//! of them for each response, so that every host serves the same addresses; one with a router of its own can take the
//! [`Mounts`] alone. How bytes arrive and leave is up to the carrier.

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
