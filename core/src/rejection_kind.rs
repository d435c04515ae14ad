//! The kinds of rejections, for the transport.
//!
//! A kind travels with the fault, but is not written into the response's body: callers see a challenge only
//! where the transport has a place for it, as HTTP has with `WWW-Authenticate`. Making rejections is the
//! business of [`Rejection`](crate::Rejection).

use std::borrow::Cow;

/// The reason why a call was rejected by a guard or an authenticator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RejectionKind {
    /// The caller showed no valid credentials.
    Unauthorized {
        /// Says how to authenticate.
        challenge: Cow<'static, str>,
    },
    /// The caller is not allowed to make this call, and authentication would not help.
    Forbidden,
}

impl RejectionKind {
    /// Returns the challenge, which says how to authenticate; `None` if that would not help.
    pub fn challenge(&self) -> Option<&str> {
        match self {
            Self::Unauthorized { challenge } => Some(challenge),
            Self::Forbidden => None,
        }
    }
}
