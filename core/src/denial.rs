//! What a carrier tells a caller whom a guard has refused.

use std::borrow::Cow;

/// What a carrier says when a guard has refused a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Denial {
    /// How the caller can prove who they are. None where they may not make the call whoever they are.
    pub challenge: Option<Cow<'static, str>>,
}

impl Denial {
    pub(crate) fn new(challenge: Option<Cow<'static, str>>) -> Self {
        Self { challenge }
    }
}
