//! The results of checking a live service.

use super::show::Shown;
use crate::check::rule::Rule;
use crate::failure::Failure;

/// The results of all calls to a service.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) lies: Vec<Shortfall>,
    /// The number of findings left out because a procedure has too many of the same rule.
    pub(crate) further: usize,
    /// The procedures that were not called, each with the reason.
    pub(crate) not_tried: Vec<(String, String)>,
    pub(crate) calls: usize,
    pub(crate) procedures: usize,
    /// The number of inconclusive responses: the service was too busy or too slow.
    pub(crate) undecided: usize,
    /// True if the check ended before everything was tried.
    pub(crate) is_cut: bool,
    /// The failure after which the service could no longer be called.
    pub(crate) failure: Option<Failure>,
}

/// A promise of the description that the service breaks.
#[derive(Debug, Clone)]
pub(crate) struct Shortfall {
    pub(crate) rule: Rule,
    pub(crate) procedure: String,
    pub(crate) message: String,
    pub(crate) shown: Shown,
}
