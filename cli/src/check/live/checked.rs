//! What came of calling a service.

use super::show::Shown;
use crate::check::rule::Rule;
use crate::failure::Failure;

/// What calls have shown.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) lies: Vec<Shortfall>,
    /// How many more there are of rules of which a procedure breaks too much.
    pub(crate) further: usize,
    /// The procedures that were not called, and why.
    pub(crate) not_tried: Vec<(String, String)>,
    pub(crate) calls: usize,
    pub(crate) procedures: usize,
    /// Responses that prove nothing: the service was busy, or too slow.
    pub(crate) undecided: usize,
    /// Whether there was more to try.
    pub(crate) is_cut: bool,
    /// Why the service could no longer be called.
    pub(crate) failure: Option<Failure>,
}

/// Something that a service does not keep.
#[derive(Debug, Clone)]
pub(crate) struct Shortfall {
    pub(crate) rule: Rule,
    pub(crate) procedure: String,
    pub(crate) message: String,
    pub(crate) shown: Shown,
}
