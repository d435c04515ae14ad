//! The adapter that carries the contract with actix-web.
//!
//! `docent-http` decides what a request means. Only what actix does in its own way is here:
//! reading, sending, and closing connections.

mod body;
mod forward;
mod message;
mod mount;
mod pages;
mod server;
mod testing;
mod upload;

pub use mount::Mount;
pub use pages::{AppPage, AppRoutes};
#[cfg(feature = "__fuzzing")]
pub(crate) use server::fuzzing;
pub use server::{BoundServer, Server, ServerHandle};
pub use testing::TestServer;
