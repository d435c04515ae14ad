//! Holds responses against what is published.

use docent_describe::json::{Json, Pointer};
use docent_describe::schema::Validator;
use docent_describe::{ErrorDescription, ProcedureDescription};

use super::caller::Form;
use super::quote::value;
use super::response::{Outcome, Response};
use super::subject::Subject;
use crate::check::rule::Rule;

const INVALID_PARAMS: i64 = -32602;

/// What a call shows.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    /// Nothing is wrong.
    Fine(Outcome),
    /// The service was busy, or too slow, or the response too large: nothing can be said.
    Undecided,
    /// The caller is not let in.
    Refused(String),
    Lie(Lie),
}

/// Something that is not as it is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lie {
    pub(super) rule: Rule,
    pub(super) message: String,
}

impl Lie {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
        }
    }
}

/// What to expect of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// Its parameters are what the description asks for.
    Taken,
    /// They are not.
    Refused,
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
        form: Form,
        expect: Expect,
        response: &Response,
    ) -> Verdict {
        match response.status {
            status @ (401 | 403 | 407) => return Verdict::Refused(format!("HTTP {status}")),
            408 | 413 | 414 | 429 | 502..=504 => {
                return Verdict::Undecided;
            }
            // The method is not there for this address.
            404 | 405 | 501 if form == Form::Get && !self.is_docent => {
                return Verdict::Undecided;
            }
            _ => {}
        }
        let outcome = match response.outcome(self.is_docent) {
            Ok(outcome) => outcome,
            Err(reason) => return Verdict::Lie(Lie::new(Rule::BadResponse, reason)),
        };
        if let Some(lie) = self.status(subject, form, response, &outcome) {
            return Verdict::Lie(lie);
        }
        match &outcome {
            Outcome::Result(result) => match expect {
                Expect::Refused => Verdict::Lie(Lie::new(
                    Rule::Wider,
                    format!(
                        "the schema does not allow this, and the service answered {}",
                        value(result)
                    ),
                )),
                Expect::Taken => self.result(subject.procedure, result, outcome.clone()),
            },
            Outcome::Error {
                code,
                message,
                data,
            } => self.error(subject, expect, (*code, message, data.as_ref()), &outcome),
        }
    }

    fn result(
        &self,
        procedure: &'d ProcedureDescription,
        result: &Json,
        outcome: Outcome,
    ) -> Verdict {
        let Some(returns) = &procedure.returns else {
            return Verdict::Fine(outcome);
        };
        match self.breach(&returns.schema, result) {
            Some(what) => Verdict::Lie(Lie::new(Rule::Result, format!("the result {what}"))),
            None => Verdict::Fine(outcome),
        }
    }

    /// Says how a value breaks a schema, if it does.
    fn breach(&self, schema: &'d Json, found: &Json) -> Option<String> {
        let (pointer, asked) = self.validator.breach(schema, found)?;
        let at = Pointer::resolve(pointer.as_str(), found).unwrap_or(found);
        let (at, asked) = (value(at), value(&asked));
        Some(if pointer.is_root() {
            format!("{at} is not {asked}")
        } else {
            format!("has {at} at {pointer}, which is not {asked}")
        })
    }

    fn error(
        &self,
        subject: &Subject<'d>,
        expect: Expect,
        (code, message, data): (i64, &str, Option<&Json>),
        outcome: &Outcome,
    ) -> Verdict {
        let fine = || Verdict::Fine(outcome.clone());
        let lie = |rule, message: String| Verdict::Lie(Lie::new(rule, message));
        match (code, expect) {
            (INVALID_PARAMS, Expect::Refused) => fine(),
            (INVALID_PARAMS, Expect::Taken) if subject.is_unchecked() => fine(),
            (INVALID_PARAMS, Expect::Taken) => lie(
                Rule::Narrower,
                format!(
                    "the schema allows this, and the service answered -32602{}",
                    reason(data)
                ),
            ),
            (-32001 | -32002 | -32003 | -32004 | -32008 | -32009, _) => Verdict::Undecided,
            (-32007, _) if self.is_docent => Verdict::Refused(format!("error {code}")),
            (-32601, _) => lie(
                Rule::NotFound,
                format!("the service answered {code} ({message})"),
            ),
            (-32600 | -32700, _) => lie(
                Rule::Invalid,
                format!("a well-formed call was answered with {code} ({message})"),
            ),
            (-32603, _) => lie(
                Rule::InternalError,
                format!("the service answered {code} ({message})"),
            ),
            (-32006, _) if self.is_docent => lie(
                Rule::GetRefused,
                format!("the service answered {code} ({message})"),
            ),
            (_, Expect::Refused) => lie(
                Rule::Wider,
                format!(
                    "the schema does not allow this, and the service answered {code} ({message}) instead of -32602"
                ),
            ),
            (_, Expect::Taken) => self
                .declared(subject.procedure, code, message, data)
                .map_or_else(fine, Verdict::Lie),
        }
    }

    /// Holds an error of a procedure's own against what it declares.
    fn declared(
        &self,
        procedure: &'d ProcedureDescription,
        code: i64,
        message: &str,
        data: Option<&Json>,
    ) -> Option<Lie> {
        let same: Vec<&ErrorDescription> = procedure
            .errors
            .iter()
            .filter(|error| error.code == code)
            .collect();
        if same.is_empty() {
            let own = !(-32768..=-32000).contains(&code)
                || code == -32000
                || (-32099..=-32032).contains(&code)
                || !self.is_docent;
            if procedure.errors_open && own {
                return None;
            }
            let message =
                format!("the service answered error {code} ({message}), which is not declared");
            return Some(Lie::new(Rule::UndeclaredError, message));
        }
        let exact: Vec<_> = same
            .iter()
            .copied()
            .filter(|it| it.message == message)
            .collect();
        if exact.is_empty() && self.is_docent && !procedure.errors_open {
            let declared = value(&Json::from(same[0].message.as_str()));
            let message = value(&Json::from(message));
            let message = format!(
                "error {code} is declared with the message {declared}, and came with {message}"
            );
            return Some(Lie::new(Rule::ErrorMessage, message));
        }
        let declared = if exact.is_empty() { same } else { exact };
        let problems = declared.iter().map(|error| match (&error.data, data) {
            (None, None) => None,
            (None, Some(data)) => {
                let what = format!(
                    "error {code} is declared without data, and came with {}",
                    value(data)
                );
                self.is_docent.then_some(what)
            }
            // Data that may be null may be left out.
            (Some(schema), data) => {
                let what = self.breach(schema, data.unwrap_or(&Json::Null))?;
                Some(match data {
                    Some(_) => format!("the data of error {code} {what}"),
                    None => format!("error {code} came without the data that is declared"),
                })
            }
        });
        // One of those with the code has to fit.
        let mut problems: Vec<Option<String>> = problems.collect();
        if problems.iter().any(Option::is_none) {
            return None;
        }
        Some(Lie::new(Rule::ErrorData, problems.swap_remove(0)?))
    }
}

/// The reason in the data of a refusal.
fn reason(data: Option<&Json>) -> String {
    let text = |name| data?.get(name)?.as_str().filter(|text| !text.is_empty());
    let Some(reason) = text("reason") else {
        return data.map_or(String::new(), |data| format!(": {}", value(data)));
    };
    let parameter = text("parameter").unwrap_or_default();
    let pointer = text("pointer").unwrap_or_default();
    let place = format!("{parameter}{pointer}");
    let place = if place.is_empty() {
        place
    } else {
        format!("{place}: ")
    };
    format!(": {place}{reason}")
}
