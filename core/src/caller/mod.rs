//! Callers: how a service finds out who is calling, and how handlers get the result.
//!
//! In come the credentials of a request, out comes a value of the author's own type:
//!
//! ```text
//! Credentials ─ Authenticator::authenticate ─► User ─ scopes, rules ─► Cx<State, User>
//!               once for a request or              for each call,
//!               a connection, may wait             never waits
//! ```
//!
//! Authentication and authorisation are two steps, because they are asked at different times. Who is calling is the same
//! for all calls of a batch, and a look-up may take long. What a caller may do depends on the procedure.
//!
//! A handler takes its caller as a type ([`CallerArg`]): `Cx<State, User>` needs one, `Cx<State, Option<User>>` takes one
//! if there is one. An extension that a handler looks up at run time would be the usual way, and would be missing where an
//! author forgets the authenticator; this way, `build()` finds that.
//!
//! When authenticators are asked, and that they are asked once, is up to `service/credential_checks.rs`; guards, which
//! decide without knowing the caller, are in [`guard`](crate::guard).

mod argument;
mod authenticator;
mod either;
mod scheme;

pub use argument::{CallerArg, CallerRequirement};
pub(crate) use authenticator::Verdict;
pub use authenticator::{Authentication, Authenticator};
pub use either::{Either, either};
pub(crate) use scheme::{add_scheme, scheme_name};
