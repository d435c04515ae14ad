//! The adapter that carries the contract with actix-web.

mod body;
mod message;
mod mount;
mod mount_path;
mod pages;
mod server;
mod testing;
mod time_limit;
mod upload;

pub use mount::Mount;
#[cfg(feature = "fuzzing")]
pub(crate) use server::fuzzing;
pub use server::{BoundServer, Server, ServerHandle};
pub use testing::TestServer;
