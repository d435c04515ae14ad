//! A call: its procedure, its permit, its span in the log, and the context that its handler sees.
//!
//! Nothing here runs a call: the service does, one layer above.

mod access;
#[cfg_attr(not(feature = "rate-limits"), path = "no_attempts.rs")]
mod attempts;
mod callee;
mod context;
mod gates;
mod gauge;
mod meta;
mod outcome;
mod own_limits;
mod permit;
#[cfg(feature = "rate-limits")]
mod rate;
mod shared;
mod span;

pub(crate) use access::{Access, Authority};
pub(crate) use attempts::Attempt;
#[cfg(feature = "rate-limits")]
pub(crate) use attempts::Attempts;
pub(crate) use callee::{Callee, UNKNOWN};
pub use context::Cx;
pub(crate) use gates::Gates;
pub(crate) use gauge::Gauge;
pub use gauge::OccupiedPlace;
pub(crate) use meta::Meta;
pub(crate) use outcome::{Ended, Started};
pub(crate) use own_limits::OwnLimits;
pub(crate) use permit::Permit;
#[cfg(feature = "rate-limits")]
pub(crate) use rate::Rate;
pub(crate) use shared::Call;
