//! What a call is: the procedure that it calls, its place among those that run, what the log says
//! of it, and what its handler sees of all that.
//!
//! Nothing here runs a call. That is the service's, which stands above.

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
