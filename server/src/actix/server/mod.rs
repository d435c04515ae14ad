//! An HTTP server that listens, serves, and shuts down gracefully.
//!
//! It does what an `App` needs code for: listeners, timeouts for heads, and a graceful end. It
//! reads connections itself, for reasons that `server/docs/actix-http.md` gives.

mod after_shutdown;
mod backlog;
mod bound;
mod connection;
mod descriptors;
#[cfg(feature = "__fuzzing")]
pub(crate) mod fuzzing;
mod handle;
mod listener;
mod own_routes;
mod serve;
mod settings;
mod shutdown;
#[cfg(unix)]
mod socket_file;

pub use bound::BoundServer;
pub use handle::ServerHandle;
pub use settings::Server;
