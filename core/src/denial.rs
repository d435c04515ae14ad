//! What a transport tells a caller whose call a guard has rejected.

use std::borrow::Cow;

/// What a transport should tell a caller that a guard has rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Denial {
    /// How the caller can authenticate. `None` if authentication would not help.
    pub challenge: Option<Cow<'static, str>>,
}

impl Denial {
    pub(crate) fn new(challenge: Option<Cow<'static, str>>) -> Self {
        Self { challenge }
    }
}
