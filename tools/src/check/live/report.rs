//! The report about a live service: what was found, what was not tried, and why.
//!
//! All threads write into one report while the check goes on. At its end, findings are put into the order of the
//! description, so that the same calls lead to the same report.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use docent_describe::ServiceDescription;

use super::caller::TrialCaller;
use super::tested::TestedProcedure;
use crate::check::finding::Finding;
use crate::check::rule::Rule;

/// A procedure that was not tried.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NotTried {
    /// The name of the procedure.
    pub procedure: String,
    /// The reason, with the cure if there is one.
    pub reason: String,
    /// How to have it tried, or nothing.
    pub cure: &'static str,
}

impl NotTried {
    /// Creates one without a cure.
    pub fn new(procedure: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            procedure: procedure.into(),
            reason: reason.into(),
            cure: "",
        }
    }
}

/// The reason for which a procedure was not tried, and how to have it tried.
#[derive(Clone, Copy)]
pub(super) struct WhyNotTried {
    pub(super) reason: &'static str,
    pub(super) cure: &'static str,
}

impl WhyNotTried {
    /// Returns the entry of a procedure in a report.
    pub(super) fn for_procedure(self, procedure: String) -> NotTried {
        let separator = if self.cure.is_empty() { "" } else { "; " };
        NotTried {
            cure: self.cure,
            ..NotTried::new(
                procedure,
                format!("{}{separator}{}", self.reason, self.cure),
            )
        }
    }
}

/// The results of all calls to a service.
#[derive(Default)]
#[non_exhaustive]
pub struct LiveReport {
    /// The findings, in the order of the description.
    pub findings: Vec<Finding>,
    /// The number of findings left out because a procedure has too many of the same rule.
    pub further: usize,
    /// Results of examples that the service does not give. Examples may only show what a result looks like.
    pub notes: Vec<Finding>,
    /// The procedures that were not called, or of which nothing was seen.
    pub not_tried: Vec<NotTried>,
    /// The number of calls.
    pub calls: usize,
    /// The number of procedures that were called.
    pub procedures: usize,
    /// The time that all calls took together.
    pub time: Duration,
    /// The number of inconclusive responses: the service was too busy or too slow, or answered only when
    /// it was asked again.
    pub undecided: usize,
    /// True if the check ended before everything was tried.
    pub is_cut: bool,
    /// The keys of the findings so far, each with the value that was tried, by procedure and rule.
    pub(super) known: HashMap<(String, Rule), HashSet<(String, String)>>,
    /// The procedures that are no longer called, each with the reason.
    pub(super) given_up: HashMap<String, String>,
    /// The number of calls whose responses prove something.
    pub(super) decided: usize,
    /// The procedures of which a call gave a result.
    pub(super) with_results: HashSet<String>,
    /// The error of the last call that the description allows.
    pub(super) last_error: Option<String>,
    /// The number of calls of each procedure that had no response, by the rule that they broke.
    pub(super) unanswered: HashMap<(String, Rule), usize>,
}

impl LiveReport {
    /// Puts the findings into the order of the description, and adds the figures.
    pub(super) fn finish(
        &mut self,
        service: &ServiceDescription,
        caller: &TrialCaller<'_>,
        tested: &[TestedProcedure<'_>],
    ) {
        let log = caller.log();
        self.findings.extend(log.lost.clone().map(Finding::from));
        self.findings.sort_by_cached_key(|finding| {
            let name = finding.procedure.as_ref();
            (position(service, name), finding.rule.as_str())
        });
        self.procedures = tested.len() - self.given_up.len();
        for (name, reason) in self.given_up.drain() {
            self.not_tried.push(NotTried::new(name, reason));
        }
        for tested in tested {
            let name = &tested.procedure.name;
            let is_subscription = tested.procedure.subscription.is_some();
            if (is_subscription || tested.procedure.returns.is_some())
                && !self.with_results.contains(name)
                && !self.not_tried.iter().any(|known| known.procedure == *name)
                && !self
                    .findings
                    .iter()
                    .any(|finding| finding.procedure.as_ref() == Some(name))
            {
                let why_not = if is_subscription {
                    WhyNotTried {
                        reason: "no items came, so its items were not checked",
                        cure: "give it an example that has items",
                    }
                } else {
                    WhyNotTried {
                        reason: "no call gave a result, so its results were not checked",
                        cure: "give it an example that succeeds",
                    }
                };
                self.not_tried.push(why_not.for_procedure(name.clone()));
            }
        }
        self.not_tried
            .sort_by_cached_key(|known| position(service, Some(&known.procedure)));
        self.calls = log.sent;
        self.is_cut |= log.is_over(caller.options.max_calls);
        self.undecided += log.unanswered;
        if self.findings.is_empty() && self.decided == 0 {
            let mut message = "no response shows whether the description holds".to_owned();
            if let Some(error) = &self.last_error {
                message += ": no call gave a result, and the last one gave ";
                message += error;
            }
            self.findings
                .push(Finding::new(Rule::NothingTried, message));
        }
    }
}

/// Returns the position of a procedure in the description. Findings about no procedure come first.
fn position(service: &ServiceDescription, name: Option<&String>) -> Option<usize> {
    service
        .procs
        .iter()
        .position(|procedure| Some(&procedure.name) == name)
}
