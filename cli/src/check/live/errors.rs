//! Checks errors against the description.

use docent_describe::json::Json;
use docent_describe::{ErrorDescription, ProcedureDescription};

use super::judge::{Judge, Verdict};
use super::lie::{Lie, place, without_values};
use super::quote::value;
use super::response::{Outcome, place_and_reason};
use super::subject::Subject;
use super::task::{Expect, Trial};
use crate::check::rule::Rule;

const INVALID_PARAMS: i64 = -32602;

impl<'d> Judge<'d> {
    pub(super) fn error(
        &self,
        subject: &Subject<'d>,
        trial: &Trial,
        (code, message, data): (i64, &str, Option<&Json>),
        outcome: &Outcome,
    ) -> Verdict {
        let fine = || Verdict::Fine(outcome.clone());
        let lie = |rule, key: &str, message: String| {
            Verdict::Lies(vec![Lie::new(rule, message).about(key)])
        };
        match (code, trial.expect) {
            (INVALID_PARAMS, Expect::Refused) => fine(),
            (INVALID_PARAMS, Expect::Taken) if subject.is_unchecked() => fine(),
            (INVALID_PARAMS, Expect::Taken) => lie(
                Rule::Narrower,
                &key_of(data),
                format!(
                    "the schema allows this, and the service answered -32602{}",
                    reason(data)
                ),
            ),
            (-32001 | -32002 | -32003 | -32004 | -32008 | -32009, _) => Verdict::Undecided,
            (-32007, _) if self.is_docent => Verdict::Refused(format!("error {code}")),
            (-32601, _) => lie(
                Rule::NotFound,
                "",
                format!("the service answered {code} ({message})"),
            ),
            (-32600 | -32700, _) => lie(
                Rule::Invalid,
                "",
                format!("a well-formed call was answered with {code} ({message})"),
            ),
            (-32603, _) => lie(
                Rule::InternalError,
                "",
                format!("the service answered {code} ({message})"),
            ),
            (-32006, _) if self.is_docent => lie(
                Rule::GetRefused,
                "",
                format!("the service answered {code} ({message})"),
            ),
            (_, Expect::Refused) => {
                let (why, key) = self.not_allowed(subject, trial);
                let message =
                    format!("{why}, and the service answered {code} ({message}) instead of -32602");
                lie(Rule::Wider, &key, message)
            }
            (_, Expect::Taken) => Verdict::of(
                self.declared(subject.procedure, code, message, data),
                outcome.clone(),
            ),
        }
    }

    /// Checks an error of the procedure's own against those that it declares.
    fn declared(
        &self,
        procedure: &'d ProcedureDescription,
        code: i64,
        message: &str,
        data: Option<&Json>,
    ) -> Vec<Lie> {
        let of_code = |rule, message: String| Lie::new(rule, message).about(code.to_string());
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
                return Vec::new();
            }
            let message =
                format!("the service answered error {code} ({message}), which is not declared");
            return vec![of_code(Rule::UndeclaredError, message)];
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
            return vec![of_code(Rule::ErrorMessage, message)];
        }
        let declared = if exact.is_empty() { same } else { exact };
        let mut problems = declared
            .iter()
            .map(|error| self.wrong_data(error, data))
            .collect::<Vec<_>>();
        // One of the declared errors with this code must match.
        if problems.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let problems = problems.swap_remove(0).into_iter();
        let lie = |(message, key): (String, String)| {
            Lie::new(Rule::ErrorData, message).about(format!("{code} {key}"))
        };
        problems.map(lie).collect()
    }

    /// Describes what is wrong with the data of an error. Each problem comes with a key that identifies
    /// it.
    fn wrong_data(
        &self,
        error: &'d ErrorDescription,
        data: Option<&Json>,
    ) -> Vec<(String, String)> {
        let code = error.code;
        match (&error.data, data) {
            (None, Some(data)) if self.is_docent => {
                let data = value(data);
                let what = format!("error {code} is declared without data, and came with {data}");
                vec![(what, "undeclared".to_owned())]
            }
            (None, _) => Vec::new(),
            // Data that may be null may also be left out.
            (Some(schema), None) => {
                if self.breaches(schema, &Json::Null).is_empty() {
                    return Vec::new();
                }
                let what = format!("error {code} came without the data that is declared");
                vec![(what, "missing".to_owned())]
            }
            (Some(schema), Some(data)) => {
                let breaches = self.breaches(schema, data).into_iter();
                let what = |what| format!("the data of error {code} {what}");
                breaches.map(|(it, key)| (what(it), key)).collect()
            }
        }
    }
}

/// Returns the reason in the data of a refusal, with its pointer.
fn reason(data: Option<&Json>) -> String {
    match place_and_reason(data) {
        Some((place, reason)) if place.is_empty() => format!(": {reason}"),
        Some((place, reason)) => format!(": {place}: {reason}"),
        None => data.map_or(String::new(), |data| format!(": {}", value(data))),
    }
}

/// Returns the key that distinguishes a refusal from others.
fn key_of(data: Option<&Json>) -> String {
    match place_and_reason(data) {
        Some((at, reason)) => format!("{} {}", place(&at), without_values(&reason)),
        None => data.map_or(String::new(), |data| without_values(&data.to_string())),
    }
}
