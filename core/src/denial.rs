//! The information that a transport passes on when a guard has rejected a call.
//!
//! It travels with the fault, but is not written into the response's body: callers see a challenge only
//! where the transport has a place for it, as HTTP has with `WWW-Authenticate`.

use std::borrow::Cow;

/// The information that a transport should pass on to a caller whose call a guard has rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Denial {
    /// The challenge that says how to authenticate. `None` if authentication would not help.
    pub challenge: Option<Cow<'static, str>>,
}
