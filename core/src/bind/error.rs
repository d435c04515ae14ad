//! A problem with the parameters of a call, in the form in which callers get it.
//!
//! Every problem names its parameter or position, and a pointer inside it, as far as it is known.
//! Codes and messages are decided where it becomes a [`Fault`].

use std::fmt;

use docent_describe::brief::bounded;
use docent_describe::json::Pointer;
use serde::Serialize;

use crate::code;
use crate::fault::Fault;

/// The reason why parameters are invalid, in words for the caller: a problem, and perhaps others.
///
/// As JSON, it is the `data` of an Invalid params error. Its quotations from the call are short,
/// however long the call is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct BindError(Box<Detail>);

/// The members of `data`. They are boxed, because a result has room for an error whether there is one or not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
struct Detail {
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    /// Set if `parameter` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
    reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<BindError>,
}

impl BindError {
    /// Creates a problem without a parameter.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self(Box::new(Detail {
            reason: bounded(reason.into()),
            ..Detail::default()
        }))
    }

    /// Sets the other problems of the same call.
    pub(super) fn with_others(mut self, others: Vec<Self>) -> Self {
        self.0.others = others;
        self
    }

    /// Sets the parameter with the problem.
    pub(crate) fn for_parameter(mut self, parameter: impl Into<String>) -> Self {
        self.0.parameter = Some(parameter.into());
        self.0.pointer.get_or_insert_default();
        self
    }

    /// Sets the position of the value with the problem.
    pub(super) fn at_position(mut self, position: usize) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Sets the pointer to the value with the problem, inside the parameter.
    pub(super) fn with_pointer(mut self, pointer: &Pointer) -> Self {
        self.0.pointer = Some(pointer.to_string());
        self
    }

    /// Returns the first problem of the parameter with this name, or without a parameter.
    #[cfg(feature = "testing")]
    pub(crate) fn concerning(&self, name: &str) -> Option<&Self> {
        std::iter::once(self)
            .chain(&self.0.others)
            .find(|fault| fault.parameter().is_none_or(|parameter| parameter == name))
    }

    /// Returns the name of the parameter, if the problem belongs to one.
    pub(crate) fn parameter(&self) -> Option<&str> {
        self.0.parameter.as_deref()
    }

    /// Returns the pointer to the value with the problem, inside the parameter.
    pub(crate) fn pointer(&self) -> &str {
        self.0.pointer.as_deref().unwrap_or_default()
    }

    /// Returns the reason.
    #[cfg(feature = "testing")]
    pub(crate) fn reason(&self) -> &str {
        &self.0.reason
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parameter) = self.parameter() {
            write!(f, "parameter `{parameter}`")?;
            if !self.pointer().is_empty() {
                write!(f, " at {}", self.pointer())?;
            }
            f.write_str(": ")?;
        } else if let Some(position) = self.0.position {
            write!(f, "position {position}: ")?;
        }
        f.write_str(&self.0.reason)?;
        self.0
            .others
            .iter()
            .try_for_each(|other| write!(f, "; {other}"))
    }
}

impl std::error::Error for BindError {}

#[diagnostic::do_not_recommend]
impl From<BindError> for Fault {
    fn from(error: BindError) -> Self {
        Self::protocol(code::INVALID_PARAMS).set_data(&error)
    }
}
