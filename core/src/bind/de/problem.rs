//! What can be wrong with a value, as plain facts.

use std::borrow::Cow;

use super::own_words::OwnWords;
use crate::check::Violation;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The names or the number of the parameters are wrong. The code that explains the error
    /// derives the details from the text.
    Names,
    /// Checks of parameters failed.
    Checks {
        /// What they found, each with the index of its parameter.
        violations: Vec<(usize, Violation)>,
        /// Whether nothing else is wrong: all parameters were decoded, these included.
        only: bool,
    },
    /// The value has another type.
    Type {
        /// The value that was found.
        found: Found,
        /// What the target expects, in its own words.
        expected: OwnWords,
    },
    /// The value has the right type but is not an allowed one.
    Value {
        /// The value that was found.
        found: Found,
        /// What the target expects, in its own words.
        expected: OwnWords,
    },
    /// There are too few or too many elements.
    Length {
        /// The number of elements.
        found: usize,
        /// What the target expects, in its own words.
        expected: OwnWords,
    },
    /// There are more elements than the target reads.
    LeftOver {
        /// How many bytes the target has read, from the opening bracket on.
        taken: usize,
    },
    /// A string, or an object's only name, is not one of the variants.
    UnknownVariant {
        /// The name that was found.
        found: String,
        /// The names of the variants.
        allowed: &'static [&'static str],
    },
    /// A variant with content was named without its content.
    BareVariant,
    /// An object should have exactly one member.
    NotOneMember,
    /// The target does not know a member.
    UnknownField {
        /// The member's name.
        found: String,
        /// The names that the target knows.
        allowed: &'static [&'static str],
    },
    /// A member is missing.
    MissingField(&'static str),
    /// A member occurs twice.
    DuplicateField(Cow<'static, str>),
    /// A string contains a lone surrogate.
    LoneSurrogate,
    /// More containers are open than the decoder allows.
    TooDeep,
    /// The text is not JSON. Only a bug in this library leads here.
    Malformed,
    /// A message from the type itself.
    Custom(String),
}

/// The value that was found in place of the expected one.
#[derive(Debug)]
pub(crate) enum Found {
    /// The value at the error's offset.
    Here,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Unsigned(u64),
    /// An integer, usually a negative one.
    Signed(i64),
    /// A number.
    Float(f64),
    /// A string, or only its start.
    Text(String),
    /// An array.
    Array,
    /// An object.
    Object,
    /// Something that only the type can name.
    Other(String),
}
