//! A call: the procedure that it calls, its place among the running calls, what the log says about
//! it, and what its handler sees of all that.
//!
//! Nothing here runs a call. That is up to the service, which is one layer above.

mod callee;
mod context;
mod gauge;
mod meta;
mod outcome;
mod permit;
mod shared;
mod span;

pub(crate) use callee::Callee;
pub use context::Cx;
pub(crate) use gauge::Gauge;
pub(crate) use meta::Meta;
pub(crate) use outcome::{Ended, Started};
pub(crate) use permit::Permit;
pub(crate) use shared::Call;
