//! Judges responses by the description.

use docent_describe::json::{Json, Pointer};
use docent_describe::schema::Validator;

use super::caller::Form;
use super::lie::{Lie, place, without_values};
use super::quote::value;
use super::response::{Outcome, Response};
use super::subject::Subject;
use super::task::{Expect, Trial};
use crate::check::rule::Rule;

/// The maximum number of violations that are looked for in one response.
const BREACHES: usize = 40;

/// The verdict on the response to a call.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    /// The response is correct.
    Fine(Outcome),
    /// The service was busy or too slow, or the response too large to judge.
    Undecided,
    /// The service denies the caller access.
    Refused(String),
    /// The response contradicts the description in at least one way.
    Lies(Vec<Lie>),
}

/// Judges responses by a description.
pub(super) struct Judge<'d> {
    pub(super) validator: Validator<'d>,
    pub(super) is_docent: bool,
}

impl<'d> Judge<'d> {
    pub(super) fn judge(
        &self,
        subject: &Subject<'d>,
        trial: &Trial,
        response: &Response,
    ) -> Verdict {
        match response.status {
            status @ (401 | 403 | 407) => return Verdict::Refused(format!("HTTP {status}")),
            408 | 413 | 414 | 429 | 502..=504 => {
                return Verdict::Undecided;
            }
            // The service does not serve GET at this address.
            404 | 405 | 501 if trial.form == Form::Get && !self.is_docent => {
                return Verdict::Undecided;
            }
            _ => {}
        }
        let outcome = match response.outcome(self.is_docent) {
            Ok(outcome) => outcome,
            Err(reason) => {
                let key = without_values(&reason);
                let lie = Lie::new(Rule::BadResponse, reason).about(key);
                return Verdict::Lies(vec![lie]);
            }
        };
        let status = self.status(subject, trial.form, response, &outcome);
        let verdict = match &outcome {
            Outcome::Result(result) => Verdict::of(self.result(subject, trial, result), outcome),
            Outcome::Error {
                code,
                message,
                data,
            } => self.error(subject, trial, (*code, message, data.as_ref()), &outcome),
        };
        match (status, verdict) {
            (None, verdict) => verdict,
            (Some(status), Verdict::Lies(lies)) => {
                Verdict::Lies(std::iter::once(status).chain(lies).collect())
            }
            (Some(status), _) => Verdict::Lies(vec![status]),
        }
    }

    fn result(&self, subject: &Subject<'d>, trial: &Trial, result: &Json) -> Vec<Lie> {
        if trial.expect == Expect::Refused {
            let (why, key) = self.not_allowed(subject, trial);
            let answered = value(result);
            let message = format!("{why}, and the service answered {answered}");
            return vec![Lie::new(Rule::Wider, message).about(key)];
        }
        let Some(returns) = &subject.procedure.returns else {
            return Vec::new();
        };
        let breaches = self.breaches(&returns.schema, result).into_iter();
        let lie = |(what, key): (String, String)| {
            Lie::new(Rule::Result, format!("the result {what}")).about(key)
        };
        breaches.map(lie).collect()
    }

    /// Explains why the description does not allow a call. Also returns a key that distinguishes the
    /// reason from others.
    pub(super) fn not_allowed(&self, subject: &Subject<'d>, trial: &Trial) -> (String, String) {
        match subject.objection(trial.params.as_ref(), &self.validator) {
            Some((why, key)) => (format!("the schema does not allow this ({why})"), key),
            None => ("the schema does not allow this".to_owned(), String::new()),
        }
    }

    /// Describes how a value violates a schema, with a key that distinguishes each violation from
    /// others.
    pub(super) fn breaches(&self, schema: &'d Json, found: &Json) -> Vec<(String, String)> {
        let breaches = self.validator.breaches(schema, found, BREACHES).into_iter();
        let mut said: Vec<(String, String)> = Vec::new();
        for (pointer, asked) in breaches {
            // A violation by one element stands for all elements.
            let key = format!("{} {asked}", place(pointer.as_str()));
            if said.iter().any(|(_, other)| *other == key) {
                continue;
            }
            let at = Pointer::resolve(pointer.as_str(), found).unwrap_or(found);
            let (at, asked) = (value(at), value(&asked));
            let what = if pointer.is_root() {
                format!("{at} is not {asked}")
            } else {
                format!("has {at} at {pointer}, which is not {asked}")
            };
            said.push((what, key));
        }
        said
    }
}

impl Verdict {
    /// Returns the verdict for an outcome with these findings, of which there may be none.
    pub(super) fn of(lies: Vec<Lie>, outcome: Outcome) -> Self {
        if lies.is_empty() {
            Self::Fine(outcome)
        } else {
            Self::Lies(lies)
        }
    }
}
