//! The findings of a check, from a description itself and from calls to its service.
//!
//! A finding has a key beside its message: the same mistake shows in many calls, with other values each time, and is
//! reported once.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::check::Violation;

use super::rule::Rule;
use crate::plain::plain_json;

/// The maximum length of a value in a message.
const MAX_VALUE_LENGTH: usize = 120;

/// A way in which a description is wrong or incomplete, or in which its service departs from it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// The name of the procedure that it is about.
    pub procedure: Option<String>,
    /// The finding in one sentence.
    pub message: String,
    /// A suggestion of how to fix it.
    pub advice: Option<String>,
    /// The call that reproduces it.
    pub call: Option<ReproducingCall>,
    /// The reason for which the user accepts it. The checks leave it empty.
    pub allowed: Option<String>,
    /// A key that tells it from others of its rule, and is the same each time it is found.
    pub(super) key: String,
}

/// A call that can be typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReproducingCall {
    /// The call as `docent call`, if a shell can pass it.
    pub docent: Option<String>,
    /// The call as `curl`. It is empty for a tool of MCP, whose calls need a session.
    pub curl: String,
}

impl Finding {
    /// Creates a finding with the advice of its rule.
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        let message = message.into().replace('\n', " ");
        Self {
            rule,
            procedure: None,
            key: without_values(&message),
            message,
            advice: Some(rule.advice().to_owned()).filter(|advice| !advice.is_empty()),
            call: None,
            allowed: None,
        }
    }

    /// Sets the key, for messages with values that vary from call to call.
    pub(super) fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Sets the procedure, and puts its name in front of the message.
    pub(super) fn in_procedure(mut self, procedure: &str) -> Self {
        self.message = format!("procedure `{procedure}`: {}", self.message);
        self.procedure = Some(procedure.to_owned());
        self
    }

    /// Returns whether two calls led to the same finding.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.rule == other.rule && self.key == other.key
    }
}

/// Returns a value as JSON for a sentence, shortened.
pub(super) fn short_json(value: &Json) -> String {
    plain_json(&shorten(&value.to_string(), MAX_VALUE_LENGTH))
}

/// Describes how a value violates a schema.
pub(super) fn violated(violation: &Violation) -> String {
    plain_json(&violation.to_string())
}

/// Leaves out numbers and quoted texts, which may differ from call to call.
pub(super) fn without_values(text: &str) -> String {
    text.split('"')
        .step_by(2)
        .flat_map(str::chars)
        .filter(|character| !character.is_ascii_digit())
        .collect()
}
