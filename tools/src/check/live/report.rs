//! The report about a live service.

use std::collections::{HashMap, HashSet};

use docent_describe::ServiceDescription;

use super::caller::TrialCaller;
use crate::check::finding::Finding;
use crate::check::rule::Rule;

/// The results of all calls to a service.
#[derive(Default)]
pub struct LiveReport {
    /// The findings, in the order of the description.
    pub findings: Vec<Finding>,
    /// The number of findings left out because a procedure has too many of the same rule.
    pub further: usize,
    /// The procedures that were not called, each with the reason.
    pub not_tried: Vec<(String, String)>,
    /// The number of calls.
    pub calls: usize,
    /// The number of procedures that were called.
    pub procedures: usize,
    /// The number of inconclusive responses: the service was too busy or too slow.
    pub undecided: usize,
    /// True if the check ended before everything was tried.
    pub is_cut: bool,
    /// The failure after which the service could no longer be called.
    pub failure: Option<String>,
    /// The keys of the findings so far, each with the value that was tried, by procedure and rule.
    pub(super) known: HashMap<(String, Rule), HashSet<(String, String)>>,
    /// The procedures that are no longer called, each with the reason.
    pub(super) given_up: HashMap<String, String>,
}

impl LiveReport {
    /// Puts the findings into the order of the description, and adds the figures.
    pub(super) fn finish(
        &mut self,
        service: &ServiceDescription,
        caller: &TrialCaller<'_>,
        tested: usize,
    ) {
        let order = |name: &Option<String>| {
            let mut names = service.procs.iter().map(|it| &it.name);
            names.position(|known| Some(known) == name.as_ref())
        };
        self.findings
            .sort_by_cached_key(|it| (order(&it.procedure), it.rule.as_str()));
        self.procedures = tested - self.given_up.len();
        self.not_tried.extend(self.given_up.drain());
        self.not_tried
            .sort_by_cached_key(|(name, _)| order(&Some(name.clone())));
        self.calls = caller.sent();
        self.is_cut = caller.is_done();
        self.failure = caller.failure();
    }
}
