//! Checks the HTTP statuses that belong to the outcomes of calls.

use docent_describe::ProcedureDescription;

use super::caller::Form;
use super::judge::Judge;
use super::lie::Lie;
use super::response::{Outcome, Response};
use super::subject::Subject;
use crate::check::rule::Rule;

impl Judge<'_> {
    /// Checks the status: 200 with POST, and the one that the contract requires with GET.
    pub(super) fn status(
        &self,
        subject: &Subject<'_>,
        form: Form,
        response: &Response,
        outcome: &Outcome,
    ) -> Option<Lie> {
        if !self.is_docent {
            return None;
        }
        let expected = match (form, outcome) {
            (Form::Get, Outcome::Error { code, .. }) => get_status(subject.procedure, *code)?,
            (
                _,
                Outcome::Error {
                    code: -32002 | -32008,
                    ..
                },
            ) => return None,
            _ => 200,
        };
        if response.status == expected {
            return None;
        }
        let rule = if form == Form::Get {
            Rule::GetStatus
        } else {
            Rule::BadResponse
        };
        let message = format!(
            "HTTP {} instead of {expected} with {}",
            response.status,
            outcome.shown()
        );
        let key = match outcome {
            Outcome::Result(_) => String::new(),
            Outcome::Error { code, .. } => code.to_string(),
        };
        Some(Lie::new(rule, message).about(key))
    }
}

/// Returns the status that an error must have with GET. Returns `None` if the contract leaves it open.
fn get_status(procedure: &ProcedureDescription, code: i64) -> Option<u16> {
    Some(match code {
        -32600 | -32602 => 400,
        -32601 => 404,
        -32603 | -32004 => 500,
        -32001 => 504,
        -32002 => 503,
        -32006 => 405,
        // Guards may choose any status.
        -32768..=-32000 => return None,
        code => {
            let mut declared = procedure.errors.iter().filter(|error| error.code == code);
            declared
                .next()
                .and_then(|error| error.status)
                .unwrap_or(500)
        }
    })
}
