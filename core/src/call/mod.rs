//! A call: its procedure, its permit to run, its span in the log, and what everybody else sees of it.
//!
//! Nothing here runs a call: [`service`](crate::service) does, one layer above, by these steps. Types in brackets are
//! of this folder:
//!
//! ```text
//! build()       RegisteredProcedure ─► Callable { [Callee], handler, plan of the parameters }
//!                                      [Gates] of the service ─► its guards, its [Access]
//! wire          bytes, those of a PreparedCall in process too ─► ParsedRequest
//! Dispatch      enter: takes a permit of the [Gauge] ─► OpenCall { RunningCall { [Call] }, output }, or a Reply: busy
//!               admit: CredentialChecks asks guards and authenticators, if the call has conditions
//!               start: checks limits, claims the key if there is one, and polls the handler with its [Cx]
//!               end ─► Reply
//! RunningCall   dropped, because the caller has left: a call that may change something runs on by itself
//! ```
//!
//! A [`Call`] is shared by all of them, and each sees a part of it:
//!
//! | who | sees |
//! |---|---|
//! | the call itself | [`Callee`], its procedure without the handler, so that a call ends without the handler's types |
//! | guards and rules | [`CallInfo`](crate::CallInfo): the procedure and the credentials |
//! | the handler | [`Cx`], with the [`Caller`](crate::Caller) of the type that its [`CallerArg`](crate::CallerArg) names |
//! | a key store | [`KeyedCall`](crate::KeyedCall): caller, key and fingerprint, and no parameters |
//! | observers | [`CallRecord`](crate::CallRecord), once, at the end |
//! | the log | `CallSpan`, around all that happens during it |
//!
//! A call releases its permit when its last reference is dropped; a subscription does so earlier. A permit that is a value
//! of its own would be one more allocation, and a handler that outlives its caller could lose it.

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
