//! Runs tasks: makes calls, judges the responses and reports findings.

use std::sync::{Mutex, MutexGuard, PoisonError};

use docent_describe::schema::Validator;

use super::caller::{TrialCall, TrialCaller};
use super::reduce::smaller;
use super::report::LiveReport;
use super::response::LiveOutcome;
use super::show;
use super::tested::TestedProcedure;
use crate::check::finding::{Finding, ReproducingCall, shown};
use crate::check::rule::Rule;

/// The maximum number of findings of one rule that are reported for a procedure.
const ALIKE: usize = 12;
/// The maximum number of calls that reducing one call may take.
const REDUCING: usize = 25;

/// The data that each thread works with.
pub(super) struct Checker<'c, 'd> {
    pub(super) caller: &'c TrialCaller<'c>,
    pub(super) validator: Validator<'d>,
    pub(super) report: &'c Mutex<LiveReport>,
}

/// The outcome of a call, if the response is correct and conclusive; otherwise its findings.
pub(super) type JudgedOutcome = Result<LiveOutcome, Vec<Finding>>;

impl<'d> Checker<'_, 'd> {
    pub(super) fn report(&self) -> MutexGuard<'_, LiveReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the procedure is no longer called.
    pub(super) fn has_given_up(&self, tested: &TestedProcedure<'d>) -> bool {
        let name = &tested.procedure.name;
        self.report().given_up.contains_key(name)
    }

    /// Makes a call, and reports its findings.
    pub(super) fn single(&self, tested: &TestedProcedure<'d>, call: &TrialCall) -> Option<()> {
        match self.verdict(tested, call)? {
            Ok(outcome) => {
                if let Some(finding) = ends_otherwise(call, &outcome) {
                    self.add(tested, call, finding);
                }
            }
            Err(findings) => {
                for finding in findings {
                    if self.is_new(tested, call, &finding) {
                        let (call, finding) = self.reduce(tested, call.clone(), finding);
                        self.add(tested, &call, finding);
                    }
                }
            }
        }
        Some(())
    }

    /// Makes a call and judges the response.
    fn verdict(&self, tested: &TestedProcedure<'d>, call: &TrialCall) -> Option<JudgedOutcome> {
        let response = self.caller.call(tested, call.form, call.params.as_ref())?;
        Some(self.judge(tested, call, &response))
    }

    /// Returns the outcome of a call if it is correct. Its findings are reported by the task that
    /// makes this call alone.
    pub(super) fn outcome(
        &self,
        tested: &TestedProcedure<'d>,
        call: &TrialCall,
    ) -> Option<LiveOutcome> {
        self.verdict(tested, call)?.ok()
    }

    /// Compares two calls with the same meaning. A difference counts only if it persists when both
    /// calls are repeated, since some results change by themselves.
    pub(super) fn same(
        &self,
        tested: &TestedProcedure<'d>,
        one: &TrialCall,
        two: &TrialCall,
        rule: Rule,
    ) -> Option<()> {
        let mut ends = Vec::new();
        for _ in 0..3 {
            let mut end = Vec::new();
            for call in [one, two] {
                match self.verdict(tested, call)? {
                    Ok(outcome) => end.push(outcome),
                    Err(findings) => {
                        for finding in findings {
                            if self.is_new(tested, call, &finding) {
                                self.add(tested, call, finding);
                            }
                        }
                        return None;
                    }
                }
            }
            let first: &Vec<LiveOutcome> = ends.first().unwrap_or(&end);
            let is_stable = end.iter().zip(first).all(|(now, first)| now.is_like(first));
            if end[0].is_like(&end[1]) || !is_stable || !tested.procedure.idempotent {
                return Some(());
            }
            ends.push(end);
        }
        let [first, second] = [0, 1].map(|at| ends[0][at].shown());
        let said = |call: &TrialCall| call.params.as_ref().map_or("none".to_owned(), shown);
        let (one, said) = (said(one), said(two));
        let message = match rule {
            Rule::GetDiffers => format!("POST with {one} gives {first}, GET gives {second}"),
            _ => format!("params {one} give {first}, and {said} give {second}"),
        };
        self.add(tested, two, Finding::new(rule, message));
        Some(())
    }

    /// Returns the smallest call that was found to lead to the same finding.
    fn reduce(
        &self,
        tested: &TestedProcedure<'d>,
        mut call: TrialCall,
        mut finding: Finding,
    ) -> (TrialCall, Finding) {
        let mut left = REDUCING;
        'smaller: while let Some(params) = &call.params {
            for params in smaller(params) {
                if tested.takes(&params, &self.validator) != Some(call.is_valid) {
                    continue;
                }
                let params = Some(params);
                let next = TrialCall {
                    params,
                    ..call.clone()
                };
                left -= 1;
                let Some(verdict) = self.verdict(tested, &next).filter(|_| left > 0) else {
                    break 'smaller;
                };
                // Ignore other findings: they are reported separately, and must not replace this one.
                let found = verdict.err().into_iter().flatten();
                if let Some(found) = found.into_iter().find(|found| found.is_like(&finding)) {
                    (call, finding) = (next, found);
                    continue 'smaller;
                }
            }
            break;
        }
        (call, finding)
    }

    /// Returns whether a finding is new, and may still be reported.
    fn is_new(&self, tested: &TestedProcedure<'d>, call: &TrialCall, finding: &Finding) -> bool {
        let focus = if is_about_value(finding.rule) {
            &call.focus
        } else {
            ""
        };
        let of_rule = (tested.procedure.name.clone(), finding.rule);
        let mut report = self.report();
        let known = report.known.entry(of_rule).or_default();
        if !known.insert((finding.key.clone(), focus.to_owned())) {
            return false;
        }
        let is_full = known.len() > ALIKE;
        report.further += usize::from(is_full);
        !is_full
    }

    /// Reports a finding about a call, unless it is known.
    pub(super) fn add(&self, tested: &TestedProcedure<'d>, call: &TrialCall, finding: Finding) {
        let shown = show::call(self.caller, tested, call.form, call.params.as_ref());
        self.add_shown(tested, finding, shown);
    }

    pub(super) fn add_shown(
        &self,
        tested: &TestedProcedure<'d>,
        finding: Finding,
        call: ReproducingCall,
    ) {
        let mut finding = finding.in_procedure(&tested.procedure.name);
        finding.call = Some(call);
        let is_known = |known: &Finding| {
            let is_said = known.message == finding.message;
            let is_shown = known.call == finding.call;
            match known.rule {
                rule if is_about_value(rule) => is_shown,
                // A call that is wrongly accepted is one finding, however its message is worded.
                Rule::Wider => is_said || is_shown,
                _ => is_said,
            }
        };
        let mut report = self.report();
        let of_rule =
            |known: &&Finding| known.rule == finding.rule && known.procedure == finding.procedure;
        if !report.findings.iter().filter(of_rule).any(is_known) {
            report.findings.push(finding);
        }
    }
}

/// Returns whether a rule applies to single values. Each value that breaks it is then a separate
/// finding, even if the message is the same.
fn is_about_value(rule: Rule) -> bool {
    matches!(rule, Rule::Narrower | Rule::InternalError)
}

/// Returns a finding if a call ends differently from what its example says.
fn ends_otherwise(call: &TrialCall, outcome: &LiveOutcome) -> Option<Finding> {
    let end = match outcome {
        LiveOutcome::Result(_) => Ok(()),
        LiveOutcome::Error(error) => Err(error.code),
    };
    let example = call
        .example
        .filter(|example| call.is_valid && *example != end)?;
    let said = match example {
        Ok(()) => "a result".to_owned(),
        Err(code) => format!("error {code}"),
    };
    let answered = outcome.shown();
    let message = format!("the example says {said}, and the service answered {answered}");
    Some(Finding::new(Rule::ExampleOutcome, message))
}
