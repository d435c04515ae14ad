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
//! A [`Call`] is shared by all of them, and each sees a part of it: the call itself its [`Callee`], guards a
//! [`CallInfo`](crate::CallInfo), the handler a [`Cx`], a key store a [`KeyedCall`](crate::KeyedCall), observers a
//! [`CallRecord`](crate::CallRecord). None but the handler sees the handler's types, so all the others are compiled once.
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
