//! Things to try with a procedure: one call, two with the same meaning, or a rule of the protocol.

use docent_describe::json::{Json, Object};

use super::caller::Form;
use crate::check::rule::Rule;

/// A task for one procedure.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// The index of the procedure.
    pub(super) subject: usize,
    pub(super) task: Task,
}

#[derive(Debug, Clone)]
pub(super) enum Task {
    /// A single call.
    Call(Trial),
    /// Two calls with the same meaning.
    Same {
        one: Trial,
        two: Trial,
        rule: Rule,
    },
    /// A call with GET, to check the caching headers.
    Caching(Object),
    Notification(Option<Json>),
    Batch(Option<Json>),
    /// Repeated calls, to find out whether one changes the outcome of the next.
    Steady(Option<Json>),
    /// More calls than the published limit allows.
    Limits(Option<Json>),
    /// A call that is repeated with the same key.
    Key(Option<Json>),
    /// GET for a procedure that must not run with GET.
    GetOfWrite,
    /// GET with a malformed parameter.
    BadQuery {
        name: String,
        text: &'static str,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Trial {
    pub(super) form: Form,
    pub(super) params: Option<Json>,
    pub(super) expect: Expect,
    pub(super) ends: Ends,
    /// An outline of the value that is tried.
    pub(super) focus: String,
}

/// The response that a call should get, by its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// The description allows the parameters.
    Taken,
    /// The description does not allow the parameters.
    Refused,
}

/// The outcome that an example shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Anyhow,
    WithResult,
    WithError(i64),
}

impl Task {
    /// Returns a single call that is expected to give a result.
    pub(super) fn taken(&self) -> Option<&Trial> {
        match self {
            Self::Call(trial) => {
                let is_error = matches!(trial.ends, Ends::WithError(_));
                let is_meant = trial.form == Form::Post && trial.expect == Expect::Taken;
                (is_meant && !is_error).then_some(trial)
            }
            _ => None,
        }
    }
}

impl Trial {
    pub(super) fn new(form: Form, params: Option<Json>, expect: Expect) -> Self {
        Self {
            form,
            params,
            expect,
            ends: Ends::Anyhow,
            focus: String::new(),
        }
    }
}
