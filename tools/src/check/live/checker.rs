//! Runs tasks: makes calls, checks the responses and reports findings.
//!
//! A finding is reduced before it is reported: the call with the fewest and simplest parameters that still leads to it
//! is what its reader can understand. Calls that take long, or end the service, count for more.

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use docent_describe::schema::Validator;
use url::Url;

use super::caller::{CallForm, LiveReply, TrialCall, TrialCaller, USUAL_ID};
use super::reduce::smaller;
use super::report::LiveReport;
use super::response::{LiveOutcome, LiveResponse};
use super::tested::TestedProcedure;
use crate::check::finding::{Finding, ReproducingCall, short_json};
use crate::check::rule::Rule;

/// The maximum number of findings of one rule that are reported for a procedure.
const MAX_FINDINGS_OF_RULE: usize = 12;
/// The number of rounds in which two calls that ended differently are compared again.
const FURTHER_ROUNDS: usize = 5;
/// The maximum number of calls that reducing one call may take.
const MAX_REDUCING_CALLS: usize = 60;
/// The number of these calls that one without a response in time counts as.
const COST_OF_TIME: usize = 5;
/// The number of these calls that one counts as which ends a server of MCP, which is then started again.
const COST_OF_RESTART: usize = 20;
/// The number of calls without a response in time after which a procedure is no longer called.
const MAX_TIMED_OUT: usize = 4;
/// The number of calls that end a server of MCP after which a procedure is no longer called.
const MAX_ENDED: usize = 8;

/// The data with which a thread tries a procedure.
pub(super) struct Checker<'c, 'd> {
    /// The caller that all threads share.
    pub(super) caller: &'c TrialCaller<'c>,
    /// The procedure that is tried.
    pub(super) tested: &'c TestedProcedure<'d>,
    pub(super) validator: &'c Validator<'d>,
    /// Leaves values undecided that have an unknown format.
    pub(super) with_formats: &'c Validator<'d>,
    /// The report that all threads add to.
    pub(super) report: &'c Mutex<LiveReport>,
}

/// The content of a response, if it is correct and conclusive; otherwise its findings, of which there are none if the
/// response proves nothing.
pub(super) type CheckResult<T> = Result<T, Vec<Finding>>;

impl Checker<'_, '_> {
    pub(super) fn report(&self) -> MutexGuard<'_, LiveReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the procedure is no longer called.
    pub(super) fn has_given_up(&self) -> bool {
        self.report()
            .given_up
            .contains_key(&self.tested.procedure.name)
    }

    /// Calls the procedure no longer, for this reason.
    pub(super) fn give_up(&self, reason: String) {
        let name = self.tested.procedure.name.clone();
        self.report().given_up.entry(name).or_insert(reason);
    }

    /// Makes a call, and reports its findings.
    pub(super) fn single(&self, mut call: TrialCall) -> Option<()> {
        call.id = self.caller.next_id();
        let outcome = self.reported_outcome(&call)?;
        if let Some(finding) = ends_otherwise(&call, &outcome) {
            self.add(&call, finding);
        } else if let Some(finding) = gives_another_result(&call, &outcome)
            // The writes of a check change what others give.
            && !self.caller.options.with_writes
            && outcome.is_like(&self.outcome(&call)?)
        {
            let finding = finding.in_procedure(&self.tested.procedure.name);
            self.report().notes.push(finding);
        }
        Some(())
    }

    /// Returns the outcome of a call if it is correct, and otherwise reports its findings.
    fn reported_outcome(&self, call: &TrialCall) -> Option<LiveOutcome> {
        match self.check_call(call)? {
            Ok(outcome) => Some(outcome),
            Err(findings) => {
                for finding in findings {
                    if self.is_new(call, &finding) {
                        let (call, finding) = self.reduce(call.clone(), finding);
                        self.add(&call, finding);
                    }
                }
                None
            }
        }
    }

    /// Makes a call and checks the response. Returns `None` if the call was not made.
    pub(super) fn check_call(&self, call: &TrialCall) -> Option<CheckResult<LiveOutcome>> {
        Some(match self.caller.call(self.tested, call)? {
            Ok(response) => {
                let result = self.check_response(call, &response);
                self.count_decided(call, &result);
                result
            }
            Err(missing) => {
                let finding = Finding::from(missing);
                self.count_unanswered(finding.rule);
                Err(vec![finding])
            }
        })
    }

    /// Counts a call that shows whether the description holds: one that is allowed, and ends with a result or
    /// a declared error. A service that answers everything with one error shows nothing.
    fn count_decided(&self, call: &TrialCall, result: &CheckResult<LiveOutcome>) {
        let procedure = self.tested.procedure;
        let mut report = self.report();
        match result {
            Err(findings) => report.decided += usize::from(!findings.is_empty()),
            Ok(LiveOutcome::Result(_)) => {
                report.decided += usize::from(call.is_valid);
                report.with_results.insert(procedure.name.clone());
            }
            Ok(LiveOutcome::Error(_)) if !call.is_valid => {}
            Ok(outcome @ LiveOutcome::Error(error)) => {
                let is_declared = procedure
                    .errors
                    .iter()
                    .any(|declared| declared.code == error.code);
                report.decided += usize::from(is_declared);
                report.last_error = Some(outcome.summary());
            }
        }
    }

    /// Gives up a procedure that keeps the check waiting, or ends a server of MCP again and again.
    fn count_unanswered(&self, rule: Rule) {
        let (max_calls, how) = match rule {
            Rule::TimedOut => (MAX_TIMED_OUT, "had no response in time"),
            Rule::Closed if self.caller.can_be_ended() => (MAX_ENDED, "ended the server"),
            _ => return,
        };
        let name = &self.tested.procedure.name;
        let mut report = self.report();
        let count = report.unanswered.entry((name.clone(), rule)).or_default();
        *count += 1;
        if *count >= max_calls {
            let reason = format!("{count} calls {how}, so it was left alone");
            report.given_up.entry(name.clone()).or_insert(reason);
        }
    }

    /// Returns the number of calls that one counts as when a call is reduced.
    fn cost(&self, result: &CheckResult<LiveOutcome>) -> usize {
        result
            .as_ref()
            .err()
            .into_iter()
            .flatten()
            .map(|finding| match finding.rule {
                Rule::TimedOut => COST_OF_TIME,
                Rule::Closed if self.caller.can_be_ended() => COST_OF_RESTART,
                _ => 1,
            })
            .max()
            .unwrap_or(1)
    }

    /// Returns the response to a message that is not checked as a call. Reports if there is none.
    pub(super) fn post(&self, message: &str) -> Option<LiveResponse> {
        let reply = self.caller.post(message);
        self.answered(reply, &|rule| self.reproduce_post(message, rule))
    }

    /// Returns the response to a GET that is not checked as a call. Reports if there is none.
    pub(super) fn get(&self, url: &Url, etag: Option<&str>) -> Option<LiveResponse> {
        let reply = self.caller.get(url, etag);
        self.answered(reply, &|rule| self.reproduce_get(url, etag, rule))
    }

    /// Returns a response, and reports one that is missing or of a server that failed.
    pub(super) fn answered(
        &self,
        reply: LiveReply,
        show: &dyn Fn(Rule) -> ReproducingCall,
    ) -> Option<LiveResponse> {
        let finding = match reply? {
            Ok(response) => match response.server_error() {
                None => return Some(response),
                Some(finding) => finding,
            },
            Err(missing) => missing.into(),
        };
        self.count_unanswered(finding.rule);
        let call = show(finding.rule);
        self.add_with_call(finding, call);
        None
    }

    /// Returns the outcome of a call if it is correct. Its findings are reported by the task that
    /// makes this call alone.
    pub(super) fn outcome(&self, call: &TrialCall) -> Option<LiveOutcome> {
        self.check_call(call)?.ok()
    }

    /// Compares two calls with the same meaning: one, the other, and the first one again, because some results change
    /// by themselves. If only the other ends differently, further such rounds follow. It is a finding if all ends of
    /// the one call agree, and all of the other.
    pub(super) fn same(&self, one: &TrialCall, two: &TrialCall, rule: Rule) -> Option<()> {
        let first = self.reported_outcome(one)?;
        let second = self.reported_outcome(two)?;
        if first.is_like(&second)
            || !self.tested.procedure.idempotent
            || !first.is_like(&self.outcome(one)?)
        {
            return Some(());
        }
        for _ in 0..FURTHER_ROUNDS {
            for (call, end) in [(one, &first), (two, &second), (one, &first)] {
                if !end.is_like(&self.outcome(call)?) {
                    return Some(());
                }
            }
        }
        if !second.is_like(&self.outcome_without_cache(two)?) {
            return Some(());
        }
        let first = first.summary();
        let second = second.summary();
        let params = params_text(one);
        let message = if rule == Rule::GetDiffers {
            format!("POST with {params} gives {first}, GET gives {second}")
        } else {
            let others = params_text(two);
            format!("params {params} give {first}, and {others} give {second}")
        };
        self.add(two, Finding::new(rule, message));
        Some(())
    }

    /// Returns the outcome of a call that no cache has stored: one by GET has another URL of the same meaning.
    fn outcome_without_cache(&self, call: &TrialCall) -> Option<LiveOutcome> {
        if call.form != CallForm::Get {
            return self.outcome(call);
        }
        let mut url = self.caller.query(self.tested, call.params.as_ref())?;
        let mut query = String::new();
        for (index, letter) in url.query().unwrap_or_default().char_indices() {
            // One letter at least has to differ. Capital letters may be those of an encoded one.
            if letter.is_ascii_alphabetic() && index == 0
                || letter.is_ascii_lowercase() && fastrand::bool()
            {
                let _ = write!(query, "%{:02X}", u32::from(letter));
            } else {
                query.push(letter);
            }
        }
        url.set_query(Some(&query));
        let response = self.caller.get(&url, None)?.ok()?;
        self.check_response(call, &response).ok()
    }

    /// Returns the smallest call that was found to lead to the same finding.
    fn reduce(&self, mut call: TrialCall, mut finding: Finding) -> (TrialCall, Finding) {
        let mut left = MAX_REDUCING_CALLS;
        let mut tried = Vec::new();
        'smaller: loop {
            let mut next_calls = Vec::new();
            if call.id != USUAL_ID {
                next_calls.push(TrialCall {
                    id: USUAL_ID,
                    ..call.clone()
                });
            }
            for params in call.params.iter().flat_map(smaller) {
                let is_new = !tried.contains(&params);
                if is_new && self.tested.allows(&params, self.validator) == Some(call.is_valid) {
                    next_calls.push(TrialCall {
                        params: Some(params),
                        ..call.clone()
                    });
                }
            }
            for next in next_calls {
                let Some(result) = self.check_call(&next).filter(|_| left > 1) else {
                    break 'smaller;
                };
                left = left.saturating_sub(self.cost(&result));
                tried.extend(next.params.clone());
                // Ignore other findings: they are reported separately, and must not replace this one.
                for found in result.err().into_iter().flatten() {
                    if found.is_like(&finding) {
                        call = next;
                        finding = found;
                        continue 'smaller;
                    }
                }
            }
            break;
        }
        (call, finding)
    }

    /// Returns whether a finding is new, and may still be reported.
    pub(super) fn is_new(&self, call: &TrialCall, finding: &Finding) -> bool {
        let focus = if is_about_value(finding.rule) {
            call.focus.clone()
        } else {
            String::new()
        };
        let of_rule = (self.tested.procedure.name.clone(), finding.rule);
        let mut report = self.report();
        let known = report.known.entry(of_rule).or_default();
        if !known.insert((finding.key.clone(), focus)) {
            return false;
        }
        let is_full = known.len() > MAX_FINDINGS_OF_RULE;
        report.further += usize::from(is_full);
        !is_full
    }

    /// Reports a finding about a call, unless it is known.
    pub(super) fn add(&self, call: &TrialCall, finding: Finding) {
        let reproducing = self.reproduce(call, finding.rule);
        self.add_with_call(finding, reproducing);
    }

    /// Reports a finding with the call that reproduces it, unless it is known.
    pub(super) fn add_with_call(&self, finding: Finding, call: ReproducingCall) {
        let mut finding = finding.in_procedure(&self.tested.procedure.name);
        finding.call = Some(call);
        let mut report = self.report();
        if !report.findings.iter().any(|known| covers(known, &finding)) {
            report.findings.push(finding);
        }
    }
}

/// Returns whether a reader who knows of one finding learns nothing from the other.
fn covers(known: &Finding, finding: &Finding) -> bool {
    if known.rule != finding.rule || known.procedure != finding.procedure {
        return false;
    }
    let has_message = known.message == finding.message;
    let has_call = known.call == finding.call;
    match known.rule {
        rule if is_about_value(rule) => has_call,
        // A call that is wrongly accepted is one finding, however its message is worded.
        Rule::Wider => has_message || has_call,
        _ => has_message,
    }
}

/// Returns the parameters of a call for a message.
fn params_text(call: &TrialCall) -> String {
    match &call.params {
        Some(params) => short_json(params),
        None => "none".to_owned(),
    }
}

/// Returns whether a rule applies to single values. Each value that breaks it is then a separate
/// finding, even if the message is the same.
fn is_about_value(rule: Rule) -> bool {
    matches!(rule, Rule::Narrower | Rule::InternalError)
}

/// Returns a finding if a call ends differently from what its example says.
fn ends_otherwise(call: &TrialCall, outcome: &LiveOutcome) -> Option<Finding> {
    let example = call.example.as_ref().filter(|_| call.is_valid)?;
    if example.as_ref().err().copied() == outcome.code() {
        return None;
    }
    let expected = match example {
        Ok(_) => "a result".to_owned(),
        Err(code) => format!("error {code}"),
    };
    let answered = outcome.summary();
    let message = format!("the example says {expected}, and the service answered {answered}");
    Some(Finding::new(Rule::ExampleOutcome, message))
}

/// Returns a finding if a call gives a result other than its example says.
fn gives_another_result(call: &TrialCall, outcome: &LiveOutcome) -> Option<Finding> {
    let (Some(Ok(example)), LiveOutcome::Result(result)) = (&call.example, outcome) else {
        return None;
    };
    let message = format!(
        "the example says {}, and the service gave {} twice",
        short_json(example),
        short_json(result)
    );
    (call.is_valid && example != result).then(|| Finding::new(Rule::ExampleResult, message))
}
