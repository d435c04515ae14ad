//! Runs jobs: calls, and judges the responses.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::IntoIter;

use docent_describe::json::{Json, Object};

use super::caller::{Caller, Form, message};
use super::checked::{Checked, Shortfall};
use super::jobs::{Ends, Job, Task, Trial};
use super::judge::{Expect, Judge, Lie, Verdict};
use super::reduce::reduce;
use super::response::{Outcome, Response};
use super::show::Shown;
use super::subject::Subject;
use super::{caching, quote, show};
use crate::check::rule::Rule;

/// How many findings of one rule a procedure gets: the others mostly say the same again.
const ALIKE: usize = 3;

/// What a thread needs.
pub(super) struct Runner<'r, 'd> {
    pub(super) caller: &'r Caller<'r>,
    pub(super) judge: Judge<'d>,
    pub(super) subjects: &'r [Subject<'d>],
    pub(super) results: &'r Mutex<Checked>,
}

/// The end of a procedure's checks, or of all.
pub(super) struct Stop;

impl<'d> Runner<'_, 'd> {
    /// Works until there are no more jobs, or no more calls.
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
            if given_up(subject).is_none() {
                // A call that could not be sent proves nothing.
                let _ = self.run(subject, job.task);
            }
        }
    }

    fn run(&self, subject: &Subject<'d>, task: Task) -> Result<(), Stop> {
        match task {
            Task::Call(trial) => self.single(subject, trial),
            Task::Same { one, two, rule } => self.same(subject, &one, &two, rule),
            Task::Caching(params) => self.caching(subject, &params),
            Task::Notification(params) => self.notification(subject, params.as_ref()),
            Task::Batch(params) => self.batch(subject, params.as_ref()),
            Task::GetOfWrite => self.get_of_write(subject),
            Task::BadQuery { name, text } => self.bad_query(subject, &name, text),
        }
    }

    fn single(&self, subject: &Subject<'d>, trial: Trial) -> Result<(), Stop> {
        let response = self.call(subject, trial.form, trial.params.as_ref())?;
        match self.verdict(subject, &trial, &response) {
            Verdict::Fine(outcome) => {
                if let Some(lie) = ends_otherwise(&trial, &outcome) {
                    self.found(subject, trial.form, trial.params.as_ref(), lie);
                }
            }
            Verdict::Lie(lie) => {
                if self.is_new(subject, lie.rule) {
                    let (trial, lie) = reduce(self.caller, &self.judge, subject, trial, lie);
                    self.found(subject, trial.form, trial.params.as_ref(), lie);
                }
            }
            Verdict::Undecided | Verdict::Refused(_) => {}
        }
        Ok(())
    }

    /// Calls, and judges. What cannot be decided is counted, and a procedure that does not let the
    /// caller in is given up.
    pub(super) fn verdict(
        &self,
        subject: &Subject<'d>,
        trial: &Trial,
        response: &Response,
    ) -> Verdict {
        let verdict = self
            .judge
            .judge(subject, trial.form, trial.expect, response);
        match &verdict {
            Verdict::Undecided => self.results().undecided += 1,
            Verdict::Refused(why) => {
                let why = format!("the service does not let the caller in ({why})");
                let mut given_up = subject
                    .given_up
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                given_up.get_or_insert(why);
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

    /// The outcome of a call, if it is as it should be; what is wrong with it is noted.
    fn outcome(&self, subject: &Subject<'d>, trial: &Trial) -> Result<Outcome, Stop> {
        let response = self.call(subject, trial.form, trial.params.as_ref())?;
        match self.verdict(subject, trial, &response) {
            Verdict::Fine(outcome) => Ok(outcome),
            Verdict::Lie(lie) => {
                self.found(subject, trial.form, trial.params.as_ref(), lie);
                Err(Stop)
            }
            _ => Err(Stop),
        }
    }

    /// Makes two calls that mean the same. A difference counts only if each of them always ends in
    /// the same way: some results change by themselves.
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

    fn notification(&self, subject: &Subject<'d>, params: Option<&Json>) -> Result<(), Stop> {
        let response = self.call(subject, Form::Notification, params)?;
        let body = response
            .text
            .as_deref()
            .unwrap_or("something that is not UTF-8");
        let is_refused = response.status >= 400;
        let wrong_status = self.judge.is_docent && response.status != 204 && !is_refused;
        let message = if !body.trim().is_empty() && !is_refused {
            let body = quote::value(&Json::from(body));
            format!("a notification was answered with {body}")
        } else if wrong_status {
            format!(
                "a notification was answered with HTTP {}, not 204",
                response.status
            )
        } else {
            return Ok(());
        };
        let lie = Lie::new(Rule::Notification, message);
        self.found(subject, Form::Notification, params, lie);
        Ok(())
    }

    fn batch(&self, subject: &Subject<'d>, params: Option<&Json>) -> Result<(), Stop> {
        let name = &subject.procedure.name;
        let ids = ["\"first\"", "2"];
        let calls = ids.map(|id| message(name, params, Some(id)));
        let response = self.caller.batch(&calls).ok_or(Stop)?;
        if response.status >= 400 {
            return Ok(());
        }
        let json = response
            .text
            .as_deref()
            .and_then(|text| text.parse::<Json>().ok());
        let answers = json.as_ref().and_then(Json::as_array).unwrap_or_default();
        let mut found: Vec<String> = answers
            .iter()
            .filter_map(|answer| answer.get("id").map(Json::to_string))
            .collect();
        // Only a contract such as Docent's promises an order.
        if !self.judge.is_docent {
            found.sort();
        }
        if found == ids {
            return Ok(());
        }
        let message = format!(
            "a batch with the ids {} was answered with {}",
            ids.join(" and "),
            if found.is_empty() {
                "none".to_owned()
            } else {
                found.join(", ")
            }
        );
        self.found(subject, Form::Post, params, Lie::new(Rule::Batch, message));
        Ok(())
    }

    fn caching(&self, subject: &Subject<'d>, params: &Object) -> Result<(), Stop> {
        let report = |params: &Json, lie| self.found(subject, Form::Get, Some(params), lie);
        caching::check(self.caller, self.judge.is_docent, subject, params, report).ok_or(Stop)
    }

    /// A procedure that is not idempotent must not run with GET. This is tried only where it may be
    /// called at all.
    fn get_of_write(&self, subject: &Subject<'d>) -> Result<(), Stop> {
        let url = crate::http::below(self.caller.address, &subject.procedure.name);
        let response = self.caller.get(&url, None).ok_or(Stop)?;
        let is_error = response
            .text
            .as_deref()
            .and_then(|text| text.parse::<Json>().ok())
            .is_none_or(|json| json.get("result").is_none());
        let is_refused = match response.status {
            405 => true,
            // Whatever answers there is not the service.
            status => !self.judge.is_docent && (status >= 400 || is_error),
        };
        if !is_refused && !matches!(response.status, 401 | 403 | 429 | 500..) {
            let message = format!(
                "it is not idempotent, and GET was answered with HTTP {} instead of 405",
                response.status
            );
            self.found(subject, Form::Get, None, Lie::new(Rule::GetRuns, message));
        }
        Ok(())
    }

    /// A query that makes no sense is rejected, with the status of the code, and not stored.
    fn bad_query(&self, subject: &Subject<'d>, name: &str, text: &str) -> Result<(), Stop> {
        if !self.judge.is_docent || subject.is_unchecked() {
            return Ok(());
        }
        let mut url = crate::http::below(self.caller.address, &subject.procedure.name);
        url.query_pairs_mut().append_pair(name, text);
        let response = self.caller.get(&url, None).ok_or(Stop)?;
        let trial = Trial {
            form: Form::Get,
            params: None,
            expect: Expect::Refused,
            ends: Ends::Anyhow,
        };
        let lie = match self.verdict(subject, &trial, &response) {
            Verdict::Lie(lie) => lie,
            Verdict::Fine(_) if !response.cache_control.contains("no-store") => {
                let control = quote::value(&Json::from(response.cache_control.as_str()));
                let message = format!("an error came with Cache-Control {control}");
                Lie::new(Rule::CacheControl, message)
            }
            _ => return Ok(()),
        };
        self.note(subject, lie, show::query(self.caller, &url));
        Ok(())
    }

    pub(super) fn results(&self) -> MutexGuard<'_, Checked> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a finding would say something new.
    fn is_new(&self, subject: &Subject<'d>, rule: Rule) -> bool {
        let results = self.results();
        let name = &subject.procedure.name;
        let alike = |lie: &&Shortfall| lie.rule == rule && lie.procedure == *name;
        results.lies.iter().filter(alike).count() < ALIKE
    }

    pub(super) fn found(&self, subject: &Subject<'d>, form: Form, params: Option<&Json>, lie: Lie) {
        let shown = show::call(self.caller, subject, form, params);
        self.note(subject, lie, shown);
    }

    fn note(&self, subject: &Subject<'d>, lie: Lie, shown: Shown) {
        if !self.is_new(subject, lie.rule) {
            return;
        }
        let shortfall = Shortfall {
            rule: lie.rule,
            procedure: subject.procedure.name.clone(),
            message: lie.message,
            shown,
        };
        let mut results = self.results();
        let is_known = results.lies.iter().any(|known| {
            known.rule == shortfall.rule
                && known.procedure == shortfall.procedure
                && (known.message == shortfall.message || known.shown == shortfall.shown)
        });
        if !is_known {
            results.lies.push(shortfall);
        }
    }
}

/// What an example says of how its call ends, if that is not true.
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

pub(super) fn given_up(subject: &Subject<'_>) -> Option<String> {
    subject
        .given_up
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}
