//! A trial of a procedure: a call, two calls that mean the same, or a rule with requests of its own.

use super::caller::TrialCall;
use super::checker::Checker;
use crate::check::rule::Rule;

/// Something to try with a procedure.
#[derive(Clone)]
pub(super) enum PlannedTask {
    /// A single call.
    Call(TrialCall),
    /// Two calls with the same meaning, and the rule that they break if they end differently.
    Same(TrialCall, TrialCall, Rule),
    /// The check of a rule, which takes several requests or one of its own kind.
    Rule(RuleCheck),
}

/// Sends requests about a procedure and reports findings. Returns `None` if it has to stop early.
pub(super) type RuleCheck = fn(&Checker<'_, '_>) -> Option<()>;

impl PlannedTask {
    /// Tries it. Returns `None` if a call could not be made, which proves nothing.
    pub(super) fn run(self, checker: &Checker<'_, '_>) -> Option<()> {
        if checker.has_given_up() {
            return None;
        }
        match self {
            Self::Call(call) => checker.single(call),
            Self::Same(one, two, rule) => checker.same(&one, &two, rule),
            Self::Rule(check) => check(checker),
        }
    }
}
