//! The findings of a check, from a description itself and from calls to its service.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::check::Violation;

use super::rule::Rule;
use crate::terminal::{plain_json, text_or_null};

/// The maximum length of a value in a message.
const SHOWN: usize = 120;

/// A way in which a description is wrong or incomplete, or in which its service departs from it.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) rule: Rule,
    pub(super) procedure: Option<String>,
    pub(super) message: String,
    /// A suggestion of how to fix it.
    pub(super) advice: Option<String>,
    /// The call that reproduces it.
    pub(super) call: Option<ReproducingCall>,
    /// The reason that the allow-list gives for accepting it.
    pub(super) allowed: Option<String>,
    /// A key that tells it from others of its rule, and is the same each time it is found.
    pub(super) key: String,
}

/// A call that can be typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReproducingCall {
    /// The call as `docent call`, if a shell can pass it.
    pub(super) docent: Option<String>,
    pub(super) curl: String,
}

impl Finding {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
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

    /// Returns one line of text that locates and describes the finding in an input.
    pub(super) fn line(&self, input: &str) -> String {
        match self.rule {
            // The reader's warnings have a line and a column in front.
            Rule::Warning => self.message.clone(),
            rule => format!("{input}: {}: {}", rule.as_str(), self.message),
        }
    }

    /// Returns the finding as JSON, for programs.
    pub(super) fn to_json(&self, input: &str) -> Json {
        let call = self.call.as_ref().map_or(Json::Null, |call| {
            Json::from(Object::from([
                ("docent", text_or_null(call.docent.as_ref())),
                ("curl", Json::from(call.curl.as_str())),
            ]))
        });
        Json::from(Object::from([
            ("rule", Json::from(self.rule.as_str())),
            ("procedure", text_or_null(self.procedure.as_ref())),
            ("message", Json::from(self.line(input))),
            ("advice", text_or_null(self.advice.as_ref())),
            ("call", call),
            ("allowed", text_or_null(self.allowed.as_ref())),
        ]))
    }
}

/// Shortens a value for use in a sentence.
pub(super) fn shown(value: &Json) -> String {
    plain_json(&shorten(&value.to_string(), SHOWN))
}

/// Describes how a value violates a schema.
pub(super) fn violated(violation: &Violation) -> String {
    plain_json(&violation.to_string())
}

/// Leaves out numbers and quoted texts, which may differ from call to call.
pub(super) fn without_values(text: &str) -> String {
    let outside_quotes = text.split('"').step_by(2).flat_map(str::chars);
    outside_quotes.filter(|it| !it.is_ascii_digit()).collect()
}
