//! An HTTP server that listens, serves, and shuts down gracefully.

mod bound;
mod connection;
mod descriptors;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod handle;
mod late;
mod leave;
mod listener;
#[cfg(feature = "mcp")]
mod mcp;
mod paths;
#[cfg(feature = "docs")]
mod reference;
mod routes;
mod serve;
mod settings;
mod signals;
#[cfg(unix)]
mod socket_file;

pub use bound::BoundServer;
pub use handle::ServerHandle;
pub use settings::Server;
