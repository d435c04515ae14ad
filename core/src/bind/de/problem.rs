//! What can be wrong with a value, as plain facts.

use crate::check::Violation;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The parameters' names or their number are wrong. The text says how: finding out is left to
    /// those who have to explain it.
    Names,
    /// A parameter's check found fault, which is kept where the check was run.
    Check(Box<Violation>),
    /// A value of another type.
    Type {
        /// What stands in the value's place.
        found: Found,
        /// What the target says it expects.
        expected: String,
    },
    /// A value of the right type that is none of those allowed.
    Value {
        /// What stands in the value's place.
        found: Found,
        /// What the target says it expects.
        expected: String,
    },
    /// Too few elements, or too many.
    Length {
        /// How many there are.
        found: usize,
        /// What the target says it expects.
        expected: String,
    },
    /// More elements than the target takes.
    LeftOver {
        /// How many bytes, counted from the opening bracket, the target has taken.
        taken: usize,
    },
    /// A string, or an object's only name, that is none of the choices.
    UnknownVariant {
        /// The choice.
        found: String,
        /// The choices there are.
        allowed: &'static [&'static str],
    },
    /// A choice that was made without saying what it needs.
    BareVariant,
    /// An object that should have had exactly one member.
    NotOneMember,
    /// A member that the target does not know.
    UnknownField {
        /// Its name.
        found: String,
        /// The names that the target knows.
        allowed: &'static [&'static str],
    },
    /// A member that is missing.
    MissingField(&'static str),
    /// A member that was given twice.
    DuplicateField(&'static str),
    /// Half of a surrogate pair in a string.
    LoneSurrogate,
    /// More containers are open than this decoder takes.
    TooDeep,
    /// The text is not JSON. Only a mistake in this library leads here.
    Malformed,
    /// The type's own words.
    Custom(String),
}

/// What stood where something else was expected.
#[derive(Debug)]
pub(crate) enum Found {
    /// Whatever stands at the error's offset.
    Here,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Unsigned(u64),
    /// A whole number, mostly below zero.
    Signed(i64),
    /// A number.
    Float(f64),
    /// A string, perhaps only its beginning.
    Text(String),
    /// An array.
    Array,
    /// An object.
    Object,
    /// Something that only the type knows.
    Other(String),
}
