//! Errors of decoding: the kind of the error, and the offset of its value.
//!
//! Creating one has to be cheap, because untagged enums try one variant after the other and drop
//! the errors. The text for callers is made at the end, by [`wording`](super::wording).

use std::borrow::Cow;
use std::fmt;

use serde::de::{Expected, Unexpected};

use super::wording;
use crate::brief::{choices, quote};

/// The reason why decoding failed, and its offset. It is one pointer wide, because every step of
/// decoding returns it.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.reason(""))]
pub struct DecodeError(Box<Inner>);

/// The contents of the error, behind its pointer.
#[derive(Debug)]
struct Inner {
    offset: Option<usize>,
    /// Set if the name of a member is at the offset.
    is_name: bool,
    problem: DecodeProblem,
}

/// The kind of a decoding error.
#[derive(Debug)]
pub enum DecodeProblem {
    /// The caller of the decoder has refused a part, and explains itself why: binding, for example, refuses
    /// parameters because of their names, their number, or a check.
    Unexplained,
    /// A value is not what the type expects.
    Expected {
        /// The expectation in words.
        expected: String,
        /// The value that was found; `None` for the one at the error's offset.
        found: Option<String>,
    },
    /// A member is missing.
    Missing(&'static str),
    /// A member occurs twice.
    Twice(Cow<'static, str>),
    /// A member is there that the type does not know.
    UnknownMember {
        /// The name of the member.
        name: String,
        /// The names that the type knows.
        known: &'static [&'static str],
    },
    /// Anything else, in words.
    Other(String),
}

impl DecodeError {
    /// Creates an error whose offset is set [later](Self::with_offset).
    #[cold]
    pub fn new(problem: DecodeProblem) -> Self {
        Self(Box::new(Inner {
            offset: None,
            is_name: false,
            problem,
        }))
    }

    /// Creates an error with a reason.
    #[cold]
    pub(super) fn because(reason: impl Into<String>) -> Self {
        Self::new(DecodeProblem::Other(reason.into()))
    }

    /// Creates the error for a value inside too many others.
    #[cold]
    pub(super) fn too_deep() -> Self {
        Self::because("nested too deeply")
    }

    /// Sets the offset unless it is set already: that of the innermost value counts.
    #[cold]
    pub fn with_offset(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Sets the offset to that of a member's name, unless there is one already.
    #[cold]
    pub(super) fn at_name(mut self, offset: usize) -> Self {
        self.0.is_name |= self.0.offset.is_none();
        self.with_offset(offset)
    }

    /// Creates the error for a value of a type other than `expected`.
    #[cold]
    pub fn mismatch(expected: &dyn Expected) -> Self {
        Self::expected(expected, false, None)
    }

    /// Creates the error for a number outside the range of `expected`.
    #[cold]
    pub(super) fn out_of_range(expected: &dyn Expected) -> Self {
        Self::expected(expected, true, None)
    }

    fn expected(expected: &dyn Expected, is_right_kind: bool, found: Option<String>) -> Self {
        Self::new(DecodeProblem::Expected {
            expected: wording::expectation(&expected.to_string(), is_right_kind).into_owned(),
            found,
        })
    }

    /// Returns the byte offset of the offending value.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Returns the kind of the error.
    pub fn problem(&self) -> &DecodeProblem {
        &self.0.problem
    }

    /// Returns whether the caller of the decoder explains the error.
    pub fn is_unexplained(&self) -> bool {
        matches!(self.0.problem, DecodeProblem::Unexplained)
    }

    /// Returns the reason in words for a caller who sent `text`.
    pub fn reason(&self, text: &str) -> String {
        let reason = match &self.0.problem {
            DecodeProblem::Unexplained => "the parameters are refused".to_owned(),
            DecodeProblem::Expected { expected, found } => {
                let found = found.clone().unwrap_or_else(|| {
                    let offset = self.0.offset.unwrap_or(text.len());
                    wording::found_in(text.get(offset..).unwrap_or_default())
                });
                format!("expected {expected}, found {found}")
            }
            DecodeProblem::Missing(name) => format!("the member {} is missing", quote(name)),
            DecodeProblem::Twice(name) => format!("the member {} is given twice", quote(name)),
            DecodeProblem::UnknownMember { name, known } => {
                // This sentence names the member itself.
                return format!(
                    "unknown member {}; expected {}",
                    quote(name),
                    choices(known)
                );
            }
            DecodeProblem::Other(reason) => reason.clone(),
        };
        if self.0.is_name {
            return format!("in the member's name: {reason}");
        }
        reason
    }
}

impl serde::de::Error for DecodeError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::because(wording::custom(&message.to_string()))
    }

    #[cold]
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::expected(expected, false, wording::found(unexpected))
    }

    #[cold]
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::expected(expected, true, wording::found(unexpected))
    }

    #[cold]
    fn invalid_length(found: usize, _: &dyn Expected) -> Self {
        Self::because(format!(
            "expected a different number of elements, found {found}"
        ))
    }

    #[cold]
    fn unknown_variant(variant: &str, allowed: &'static [&'static str]) -> Self {
        let allowed = choices(allowed);
        Self::because(format!("expected {allowed}, found {}", quote(variant)))
    }

    #[cold]
    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self::new(DecodeProblem::UnknownMember {
            name: field.to_owned(),
            known,
        })
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        Self::new(DecodeProblem::Missing(field))
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Self {
        Self::new(DecodeProblem::Twice(field.into()))
    }
}
