use std::fmt;
use std::sync::Arc;

use docent_describe::json::Pointer;

use crate::code;
use crate::fault::Fault;
use crate::json_string::push_member;
use docent_describe::brief::bounded;

/// The reason why parameters are refused, in words for the caller: a problem, and perhaps others.
///
/// It becomes the `data` of an Invalid params error. Its quotations from the call are short,
/// however long the call is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BindError(Box<Detail>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Detail {
    parameter: Option<Arc<str>>,
    position: Option<usize>,
    pointer: Pointer,
    reason: String,
    others: Vec<BindError>,
}

impl BindError {
    /// Creates a problem that does not belong to a parameter.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self(Box::new(Detail {
            parameter: None,
            position: None,
            pointer: Pointer::root(),
            reason: bounded(reason.into()),
            others: Vec::new(),
        }))
    }

    /// Adds another problem of the same call.
    pub(super) fn add(&mut self, other: Self) {
        self.0.others.push(other);
    }

    /// Returns this problem and the others.
    pub(super) fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.0.others)
    }

    /// Returns the number of problems.
    pub(super) fn count(&self) -> usize {
        1 + self.0.others.len()
    }

    /// Sets the parameter with the problem.
    pub(crate) fn of(mut self, parameter: impl Into<Arc<str>>) -> Self {
        self.0.parameter = Some(parameter.into());
        self
    }

    /// Sets the position of the value with the problem.
    pub(super) fn at_position(mut self, position: usize) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Sets the pointer to the value with the problem, inside the parameter.
    pub(super) fn inside(mut self, pointer: Pointer) -> Self {
        self.0.pointer = pointer;
        self
    }

    /// Returns the first problem of the parameter with this name, or the first that does not belong
    /// to a parameter.
    pub(crate) fn concerning(&self, name: &str) -> Option<&Self> {
        let mut all = self.all();
        all.find(|fault| fault.parameter().is_none_or(|it| it == name))
    }

    /// Returns the name of the parameter, if the problem belongs to one.
    pub(crate) fn parameter(&self) -> Option<&str> {
        self.0.parameter.as_deref()
    }

    /// Returns the position of the value, if it was given by position.
    pub(crate) fn position(&self) -> Option<usize> {
        self.0.position
    }

    /// Returns the pointer to the value with the problem, inside the parameter.
    pub(crate) fn pointer(&self) -> &Pointer {
        &self.0.pointer
    }

    /// Returns the reason.
    pub(crate) fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Returns the problem and the others as JSON.
    pub(super) fn to_json(&self) -> String {
        // Enough for one problem, which is the usual case: its texts, and everything around them.
        let texts = self.reason().len() + self.pointer().as_str().len();
        let mut json = String::with_capacity(texts + 128);
        self.write(&mut json);
        json
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        if let Some(parameter) = self.parameter() {
            push_member(out, "parameter", parameter);
        }
        if let Some(position) = self.position() {
            let comma = if out.ends_with('{') { "" } else { "," };
            out.push_str(comma);
            out.push_str("\"position\":");
            out.push_str(itoa::Buffer::new().format(position));
        }
        if self.parameter().is_some() {
            push_member(out, "pointer", self.pointer().as_str());
        }
        push_member(out, "reason", self.reason());
        if let Some((first, others)) = self.0.others.split_first() {
            out.push_str(",\"others\":[");
            first.write(out);
            for other in others {
                out.push(',');
                other.write(out);
            }
            out.push(']');
        }
        out.push('}');
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parameter) = self.parameter() {
            write!(f, "parameter `{parameter}`")?;
            if !self.pointer().is_root() {
                write!(f, " at {}", self.pointer())?;
            }
            f.write_str(": ")?;
        } else if let Some(position) = self.position() {
            write!(f, "position {position}: ")?;
        }
        f.write_str(self.reason())?;
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
        Self::protocol(code::INVALID_PARAMS).with_json(error.to_json())
    }
}
