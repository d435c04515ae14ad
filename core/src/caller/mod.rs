//! Callers: how a service finds out who is calling, and how handlers get the result.
//!
//! Authentication and authorisation are two steps. An [`Authenticator`] turns the credentials of a
//! request into a value of the author's type, at most once for all calls of a request, and may be
//! asynchronous. Authorisation is synchronous and runs for each call: it sees that value and the
//! procedure.

mod argument;
mod authenticator;
mod either;
mod scheme;

pub use argument::{CallerArg, CallerRequirement};
pub(crate) use authenticator::Verdict;
pub use authenticator::{Authentication, Authenticator};
pub use either::{Either, either};
pub(crate) use scheme::{add_scheme, scheme_name};
