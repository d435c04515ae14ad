//! An HTTP server that listens, serves, and shuts down gracefully.
//!
//! ```text
//! Server (settings) ─ bind ─► BoundServer (listener) ─ run ─► workers, each with its connections
//!                                                      │
//!        signal, ServerHandle::stop ─► shutdown: 503 for new calls, running ones end, connections close
//!                                      after_shutdown: 503 for all who connect until the process exits
//!
//! listener ─► stream ─► connection::serve(stream, peer, Worker { RouteTable, times, own routes }), until it ends
//! ```
//!
//! It does what an `App` needs code for: listeners, timeouts for heads, and a graceful end. [`settings`] are those that
//! belong to a listener; all others are those of [`Routes`](crate::Routes). [`serve`] starts the workers, and
//! [`shutdown`] stops them. TCP, TLS and Unix sockets differ only in [`listener`] and in the streams of their
//! connections.
//!
//! It reads connections itself (`connection/`), because actix-http's own loop decodes requests that wait and gives only the
//! first head a timeout; `server/docs/actix-http.md` has the measurements. Workers, listeners and signals are
//! actix-server's. Routes of one's own beside the services are an `App` in each worker ([`own_routes`]).

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
