//! What is tried with a procedure: one call, two that mean the same, or a rule of the protocol.

use docent_describe::json::{Json, Object};

use super::caller::Form;
use crate::check::rule::Rule;

/// One thing to try.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Which procedure.
    pub(super) subject: usize,
    pub(super) task: Task,
}

#[derive(Debug, Clone)]
pub(super) enum Task {
    /// One call.
    Call(Trial),
    /// Two calls that mean the same.
    Same {
        one: Trial,
        two: Trial,
        rule: Rule,
    },
    /// How responses to GET may be stored.
    Caching(Object),
    Notification(Option<Json>),
    Batch(Option<Json>),
    /// The same call several times, to see whether one changes what the next one gives.
    Steady(Option<Json>),
    /// As many calls as the published limit allows, and more.
    Limits(Option<Json>),
    /// A call twice, with the same key.
    Key(Option<Json>),
    /// GET, for a procedure that it must not run.
    GetOfWrite,
    /// GET with a parameter that makes no sense.
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
    /// The value that is tried, in outline.
    pub(super) focus: String,
}

/// What to expect of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// Its parameters are what the description asks for.
    Taken,
    /// They are not.
    Refused,
}

/// How an example says that its call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Anyhow,
    WithResult,
    WithError(i64),
}

impl Task {
    /// A single call that is expected to give a result.
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
