//! The adapter: what it takes to have actix-web carry the contract.

pub(crate) mod closing;
pub(crate) mod empty;
mod mount;
pub(crate) mod offer;
mod places;
pub(crate) mod server;
pub(crate) mod upload;

pub use mount::Mount;
pub use server::{BoundServer, Server};
