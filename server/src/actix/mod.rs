//! The adapter that carries the contract with actix-web.
//!
//! ```text
//! actix-web's request ─ message ─► docent_http::Request ─► RouteTable, Endpoint ─► Response ─ body ─► actix-web's
//!       its payload   ─ upload  ─► docent_http::Upload  ─┘
//! ```
//!
//! `docent-http` decides what a request means. Only what actix does in its own way is here: reading, sending, and closing
//! connections. There are two hosts: a [`Server`] of its own (`server/`), and services inside a user's `App` ([`mount`],
//! [`pages`]), where actix-web reads, writes and closes.
//!
//! Only this folder names types of actix. Statuses, methods and fields of the contract are those of the `http` crate, of
//! which actix uses an old version, so they are converted here.

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
