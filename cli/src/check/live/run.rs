//! Runs jobs: makes calls and judges the responses.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::IntoIter;

use docent_describe::json::Json;

use super::caller::{Caller, Form};
use super::checked::{Checked, Shortfall};
use super::judge::{Judge, Verdict};
use super::lie::Lie;
use super::reduce::reduce;
use super::response::{Outcome, Response};
use super::show::Shown;
use super::subject::Subject;
use super::task::{Ends, Expect, Job, Task, Trial};
use super::{quote, show};
use crate::check::rule::Rule;

/// The maximum number of findings of one rule that are reported for a procedure.
const ALIKE: usize = 12;
/// The maximum number of reductions that may end in a call that is already reported.
const REPEATED: usize = 5;

/// The data that each thread works with.
pub(super) struct Runner<'r, 'd> {
    pub(super) caller: &'r Caller<'r>,
    pub(super) judge: Judge<'d>,
    pub(super) subjects: &'r [Subject<'d>],
    pub(super) results: &'r Mutex<Checked>,
}

/// A signal to end the checks of a procedure, or all checks.
pub(super) struct Stop;

impl<'d> Runner<'_, 'd> {
    /// Runs jobs until there are no more, or no more calls are allowed.
    pub(super) fn work(&self, queue: &Mutex<IntoIter<Job>>) {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = next else {
                return;
            };
            if self.caller.is_done() {
                return;
            }
            let subject = &self.subjects[job.subject];
            if subject.given_up().is_none() {
                // A call that could not be sent proves nothing.
                let _ = self.run(subject, job.task);
            }
        }
    }

    fn run(&self, subject: &Subject<'d>, task: Task) -> Result<(), Stop> {
        match task {
            Task::Call(trial) => self.single(subject, &trial),
            Task::Same { one, two, rule } => self.same(subject, &one, &two, rule),
            Task::Caching(params) => self.caching(subject, &params),
            Task::Notification(params) => self.notification(subject, params.as_ref()),
            Task::Steady(params) => self.steady(subject, params),
            Task::Limits(params) => self.limits(subject, params),
            Task::Key(params) => self.key(subject, params.as_ref()),
            Task::Batch(params) => self.batch(subject, params.as_ref()),
            Task::GetOfWrite => self.get_of_write(subject),
            Task::BadQuery { name, text } => self.bad_query(subject, &name, text),
        }
    }

    fn single(&self, subject: &Subject<'d>, trial: &Trial) -> Result<(), Stop> {
        match self.judged(subject, trial)? {
            Verdict::Fine(outcome) => {
                if let Some(lie) = ends_otherwise(trial, &outcome) {
                    self.found(subject, trial.form, trial.params.as_ref(), lie);
                }
            }
            Verdict::Lies(lies) => {
                for lie in lies {
                    if self.is_new(subject, trial, &lie) {
                        let trial = trial.clone();
                        let (trial, lie) = reduce(self.caller, &self.judge, subject, trial, lie);
                        let rule = lie.rule;
                        let params = trial.params.as_ref();
                        if !self.found(subject, trial.form, params, lie) {
                            subject.met().repeat(rule);
                        }
                    }
                }
            }
            Verdict::Undecided | Verdict::Refused(_) => {}
        }
        Ok(())
    }

    /// Makes a call and judges the response.
    pub(super) fn judged(&self, subject: &Subject<'d>, trial: &Trial) -> Result<Verdict, Stop> {
        let response = self.call(subject, trial.form, trial.params.as_ref())?;
        Ok(self.verdict(subject, trial, &response))
    }

    /// Judges a response. Counts undecided responses, and gives up a procedure that denies the caller
    /// access.
    pub(super) fn verdict(
        &self,
        subject: &Subject<'d>,
        trial: &Trial,
        response: &Response,
    ) -> Verdict {
        let verdict = self.judge.judge(subject, trial, response);
        match &verdict {
            Verdict::Undecided => self.results().undecided += 1,
            Verdict::Refused(why) => {
                let why = format!("the service does not let the caller in ({why})");
                subject.give_up(why);
            }
            _ => {}
        }
        verdict
    }

    pub(super) fn call(
        &self,
        subject: &Subject<'d>,
        form: Form,
        params: Option<&Json>,
    ) -> Result<Response, Stop> {
        self.caller.call(subject, form, params).ok_or(Stop)
    }

    /// Returns the outcome of a call if it is correct. Otherwise reports the findings.
    pub(super) fn outcome(&self, subject: &Subject<'d>, trial: &Trial) -> Result<Outcome, Stop> {
        match self.judged(subject, trial)? {
            Verdict::Fine(outcome) => Ok(outcome),
            Verdict::Lies(lies) => {
                for lie in lies {
                    if self.is_new(subject, trial, &lie) {
                        self.found(subject, trial.form, trial.params.as_ref(), lie);
                    }
                }
                Err(Stop)
            }
            _ => Err(Stop),
        }
    }

    /// Compares two calls with the same meaning. A difference counts only if it persists when both
    /// calls are repeated, since some results change by themselves.
    fn same(
        &self,
        subject: &Subject<'d>,
        one: &Trial,
        two: &Trial,
        rule: Rule,
    ) -> Result<(), Stop> {
        let first = self.outcome(subject, one)?;
        let second = self.outcome(subject, two)?;
        if first.is_like(&second) || !subject.procedure.idempotent {
            return Ok(());
        }
        for _ in 0..2 {
            let again = [self.outcome(subject, one)?, self.outcome(subject, two)?];
            if !again[0].is_like(&first) || !again[1].is_like(&second) {
                return Ok(());
            }
        }
        let (first, second) = (first.shown(), second.shown());
        let said = |trial: &Trial| {
            trial
                .params
                .as_ref()
                .map_or("none".to_owned(), quote::value)
        };
        let (one_said, two_said) = (said(one), said(two));
        let message = match rule {
            Rule::GetDiffers => format!("POST with {one_said} gives {first}, GET gives {second}"),
            _ => format!("params {one_said} give {first}, and {two_said} give {second}"),
        };
        self.found(
            subject,
            two.form,
            two.params.as_ref(),
            Lie::new(rule, message),
        );
        Ok(())
    }

    pub(super) fn results(&self) -> MutexGuard<'_, Checked> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a finding is new, and may still be reported.
    fn is_new(&self, subject: &Subject<'d>, trial: &Trial, lie: &Lie) -> bool {
        let focus = if is_about_value(lie.rule) {
            &*trial.focus
        } else {
            ""
        };
        let mut met = subject.met();
        if met.repeated(lie.rule) >= REPEATED || !met.add(lie.rule, &lie.key, focus) {
            return false;
        }
        let is_full = met.count(lie.rule) > ALIKE;
        drop(met);
        if is_full {
            self.results().further += 1;
        }
        !is_full
    }

    /// Reports a finding about a call, and returns whether it is new.
    pub(super) fn found(
        &self,
        subject: &Subject<'d>,
        form: Form,
        params: Option<&Json>,
        lie: Lie,
    ) -> bool {
        let shown = show::call(self.caller, subject, form, params);
        self.note(subject, lie, shown)
    }

    /// Reports a finding, and returns whether it is new.
    pub(super) fn note(&self, subject: &Subject<'d>, lie: Lie, shown: Shown) -> bool {
        let shortfall = Shortfall {
            rule: lie.rule,
            procedure: subject.procedure.name.clone(),
            message: lie.message,
            shown,
        };
        let mut results = self.results();
        let mut of_rule = results
            .lies
            .iter()
            .filter(|known| known.rule == shortfall.rule && known.procedure == shortfall.procedure);
        let is_said = |known: &Shortfall| known.message == shortfall.message;
        let is_shown = |known: &Shortfall| known.shown == shortfall.shown;
        let is_known = |known: &Shortfall| match known.rule {
            rule if is_about_value(rule) => is_shown(known),
            // A call that is wrongly accepted is one finding, however its message is worded.
            Rule::Wider => is_said(known) || is_shown(known),
            _ => is_said(known),
        };
        let is_new = !of_rule.any(is_known);
        if is_new {
            results.lies.push(shortfall);
        }
        is_new
    }
}

/// Returns whether a rule applies to single values. Each value that breaks it is then a separate
/// finding, even if the message is the same.
fn is_about_value(rule: Rule) -> bool {
    matches!(rule, Rule::Narrower | Rule::InternalError)
}

/// Returns a finding if a call ends differently from what its example says.
fn ends_otherwise(trial: &Trial, outcome: &Outcome) -> Option<Lie> {
    let found = match outcome {
        Outcome::Result(_) => Ends::WithResult,
        Outcome::Error { code, .. } => Ends::WithError(*code),
    };
    if found == trial.ends || trial.expect == Expect::Refused {
        return None;
    }
    let said = match trial.ends {
        Ends::Anyhow => return None,
        Ends::WithResult => "a result".to_owned(),
        Ends::WithError(code) => format!("error {code}"),
    };
    let message = format!(
        "the example says {said}, and the service answered {}",
        outcome.shown()
    );
    Some(Lie::new(Rule::ExampleOutcome, message))
}
