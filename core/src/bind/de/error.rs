//! Why a text cannot be decoded, as plain facts.
//!
//! serde reports errors through the hooks of [`serde::de::Error`]. They are stored as facts and
//! become words only when decoding finally fails: an untagged enum produces errors on its way to a
//! success, and those must stay cheap.

use std::fmt;

use serde::de::{Expected, Unexpected};

use super::own_words::OwnWords;
use super::problem::{Found, Problem};
use crate::bind::words;

/// Why decoding failed, and where. It is one pointer wide, because every step of decoding returns
/// it.
#[derive(Debug)]
pub(crate) struct DecodeError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    offset: Option<usize>,
    problem: Problem,
}

impl DecodeError {
    /// Creates an error whose offset is set [later](Self::at).
    #[cold]
    pub(crate) fn new(problem: Problem) -> Self {
        Self(Box::new(Inner {
            offset: None,
            problem,
        }))
    }

    /// Sets the offset unless there is one already: the innermost value counts.
    #[cold]
    pub(crate) fn at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Creates the error for a value of a type other than `expected`.
    #[cold]
    pub(super) fn mismatch(expected: &dyn Expected) -> Self {
        Self::new(Problem::Type {
            found: Found::Here,
            expected: OwnWords::of(expected),
        })
    }

    /// Creates the error for a number outside the range of `expected`.
    #[cold]
    pub(super) fn out_of_range(expected: &dyn Expected) -> Self {
        Self::new(Problem::Value {
            found: Found::Here,
            expected: OwnWords::of(expected),
        })
    }

    /// Returns the byte offset of the offending value.
    pub(crate) fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Returns what went wrong, to add to it.
    pub(crate) fn problem_mut(&mut self) -> &mut Problem {
        &mut self.0.problem
    }

    /// Returns what went wrong, and drops the rest.
    pub(crate) fn into_problem(self) -> Problem {
        self.0.problem
    }

    /// Returns what went wrong.
    pub(crate) fn problem(&self) -> &Problem {
        &self.0.problem
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::reason(&self.0.problem, ""))
    }
}

impl std::error::Error for DecodeError {}

impl serde::de::Error for DecodeError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Problem::Custom(message.to_string()))
    }

    #[cold]
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Problem::Type {
            found: unexpected.into(),
            expected: OwnWords::of(expected),
        })
    }

    #[cold]
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Problem::Value {
            found: unexpected.into(),
            expected: OwnWords::of(expected),
        })
    }

    #[cold]
    fn invalid_length(found: usize, expected: &dyn Expected) -> Self {
        Self::new(Problem::Length {
            found,
            expected: OwnWords::of(expected),
        })
    }

    #[cold]
    fn unknown_variant(variant: &str, allowed: &'static [&'static str]) -> Self {
        Self::new(Problem::UnknownVariant {
            found: words::beginning(variant).into_owned(),
            allowed,
        })
    }

    #[cold]
    fn unknown_field(field: &str, allowed: &'static [&'static str]) -> Self {
        Self::new(Problem::UnknownField {
            found: words::beginning(field).into_owned(),
            allowed,
        })
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        Self::new(Problem::MissingField(field))
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Self {
        Self::new(Problem::DuplicateField(field.into()))
    }
}

impl From<Unexpected<'_>> for Found {
    fn from(unexpected: Unexpected<'_>) -> Self {
        match unexpected {
            Unexpected::Bool(value) => Self::Bool(value),
            Unexpected::Unsigned(value) => Self::Unsigned(value),
            Unexpected::Signed(value) => Self::Signed(value),
            Unexpected::Float(value) => Self::Float(value),
            Unexpected::Char(value) => Self::Text(value.to_string()),
            // Keep one character more than is shown, so that the text can be marked as cut.
            Unexpected::Str(text) => Self::Text(words::beginning(text).into_owned()),
            Unexpected::Unit => Self::Null,
            Unexpected::Seq | Unexpected::TupleVariant => Self::Array,
            Unexpected::Map | Unexpected::NewtypeVariant | Unexpected::StructVariant => {
                Self::Object
            }
            Unexpected::Other(text) => Self::Other(words::beginning(text).into_owned()),
            // The rest (bytes, an option, a newtype, a unit variant) are not kinds of JSON values,
            // so the text itself is the better description.
            _ => Self::Here,
        }
    }
}
