//! Rejections: errors for calls that may not run.
//!
//! A rejection is made by code that decides about access. It is a fault with one more piece of
//! information: whether showing other credentials may help.

use std::borrow::Cow;
use std::time::Duration;

use crate::code;
use crate::fault::Fault;
use crate::rejection_kind::RejectionKind;

/// The rejection of a call by a guard, an authenticator or a rule.
///
/// ```
/// use docent::{Fault, Rejection};
///
/// fn admit(is_known: bool, has_paid: bool) -> Result<(), Rejection> {
///     match (is_known, has_paid) {
///         (false, _) => Err(Rejection::unauthorized("Bearer")),
///         (true, false) => Err(Rejection::forbidden().with_fault(Fault::new(1402, "Not paid"))),
///         (true, true) => Ok(()),
///     }
/// }
/// # assert!(admit(true, true).is_ok());
/// ```
#[derive(Debug, Clone)]
pub struct Rejection(pub(crate) Fault);

impl Rejection {
    /// Rejects a caller without valid credentials. The challenge says how to authenticate: over HTTP,
    /// text such as `Bearer realm="library"` (RFC 9110, section 11.6.1).
    pub fn unauthorized(challenge: impl Into<Cow<'static, str>>) -> Self {
        Self::new(RejectionKind::Unauthorized {
            challenge: challenge.into(),
        })
    }

    /// Rejects a caller that lacks permission for this call.
    pub fn forbidden() -> Self {
        Self::new(RejectionKind::Forbidden)
    }

    /// Rejects the call because the check itself failed. The caller gets an Internal error, and the
    /// cause is logged.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Fault::internal(cause).into()
    }

    /// Rejects the call because the check cannot be made now, such as while another service does not answer. The caller
    /// gets a Busy error (-32002) with the reason, and may repeat the call after `wait`. This says nothing about the
    /// credentials, so it does not count as a failed login.
    pub fn busy(reason: &str, wait: Duration) -> Self {
        Fault::later(code::BUSY, Some(reason), wait).into()
    }

    /// Rejects a caller with a challenge. If it is empty, authentication would not help.
    pub(crate) fn challenged(challenge: impl Into<Cow<'static, str>>) -> Self {
        let challenge = challenge.into();
        if challenge.is_empty() {
            return Self::forbidden();
        }
        Self::unauthorized(challenge)
    }

    fn new(kind: RejectionKind) -> Self {
        Self(Fault::protocol(code::REFUSED).rejected(kind))
    }

    /// Adds a challenge to that of a caller without valid credentials. Other rejections stay as they are.
    pub(crate) fn or_challenge(mut self, other: &str) -> Self {
        match self.0.take_rejection().as_deref() {
            Some(RejectionKind::Unauthorized { challenge }) => {
                let challenge = joined(challenge, other).into();
                Self(self.0.rejected(RejectionKind::Unauthorized { challenge }))
            }
            Some(kind) => Self(self.0.rejected(kind.clone())),
            None => self,
        }
    }

    /// Sets the error to return. The guard must [declare](crate::Guard::declare) its code
    /// unless the code is [left to servers](crate::code::is_implementation_defined).
    pub fn with_fault(self, fault: Fault) -> Self {
        Self(self.0.replaced(fault))
    }
}

impl From<Fault> for Rejection {
    /// Fails the call with this error, as a handler does. It says nothing about the credentials, so that it does not
    /// count as a failed login.
    fn from(fault: Fault) -> Self {
        Self(fault)
    }
}

/// Returns both challenges as one list (RFC 9110, section 11.6.1).
pub(crate) fn joined(first: &str, second: &str) -> String {
    match (first, second) {
        ("", only) | (only, "") => only.to_owned(),
        (first, second) => format!("{first}, {second}"),
    }
}
