//! A call: its procedure, its permit to run, its span in the log, and the context that
//! its handler sees.
//!
//! Nothing here runs a call: the service does, one layer above.

mod access;
mod callee;
mod context;
mod gates;
mod gauge;
#[cfg(feature = "keys")]
mod key;
mod running;
mod span;

pub(crate) use access::{Access, RegisteredAuthenticator};
pub(crate) use callee::{Callee, OwnLimits, UNKNOWN_PROCEDURE};
pub use context::Cx;
pub(crate) use gates::Gates;
pub(crate) use gauge::Gauge;
pub use gauge::Permit;
pub(crate) use running::{Call, Meta};
