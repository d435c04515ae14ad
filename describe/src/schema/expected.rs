//! The contents of keywords: the values that each may have.
//!
//! This is about the keyword alone: `minLength` holds a count, whatever `maxLength` says. Readers of
//! descriptions report other values as findings, and the tree marks such keywords as malformed.

use super::kinds::Kinds;
use crate::json::{Decimal, Json};

/// The contents of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordValue {
    /// One schema, or (in older drafts) an array of them.
    Schema,
    /// An array of schemas.
    Schemas,
    /// Schemas by name.
    Named,
    /// Lists of names by name.
    NameLists,
    /// The reference to a schema.
    Reference,
    /// A text.
    Text,
    /// A number.
    Number,
    /// A number greater than 0.
    Step,
    /// A whole number from 0.
    Count,
    /// True or false.
    Flag,
    /// An array of values.
    Values,
    /// The name of a kind of values, or several.
    Types,
    /// An array of names.
    Names,
    /// Any value.
    Value,
}

impl KeywordValue {
    /// Returns whether there are schemas in the value.
    pub fn has_schemas(self) -> bool {
        matches!(self, Self::Schema | Self::Schemas | Self::Named)
    }

    /// Returns a phrase for the values that the keyword may have, or `None` if this is one of them.
    pub fn expected(self, value: &Json) -> Option<&'static str> {
        if self.admits(value) {
            None
        } else {
            Some(self.description())
        }
    }

    /// Returns whether a keyword may have this value.
    fn admits(self, value: &Json) -> bool {
        match self {
            Self::Schema | Self::Value => true,
            Self::Schemas => value.as_array().is_some_and(|schemas| !schemas.is_empty()),
            Self::Named => value.as_object().is_some(),
            Self::NameLists => value
                .as_object()
                .is_some_and(|lists| lists.values().all(|names| Self::Names.admits(names))),
            Self::Reference | Self::Text => value.as_str().is_some(),
            Self::Number => value.as_number().is_some(),
            Self::Step => number(value).is_some_and(|number| number > Decimal::new("0")),
            Self::Count => number(value)
                .is_some_and(|number| number.is_integer() && number >= Decimal::new("0")),
            Self::Flag => value.as_bool().is_some(),
            Self::Values => value.as_array().is_some(),
            Self::Types => Kinds::of_type(value).is_some_and(|kinds| kinds != Kinds::NONE),
            // Each has to be there once, but some writers list names twice, and the meaning is
            // clear.
            Self::Names => value
                .as_array()
                .is_some_and(|names| names.iter().all(|name| name.as_str().is_some())),
        }
    }

    /// Describes the values that a keyword may have, for messages.
    fn description(self) -> &'static str {
        match self {
            Self::Schema => "a schema",
            Self::Value => "a value",
            Self::Schemas => "a non-empty array",
            Self::Named => "an object",
            Self::NameLists => "an object with arrays of names",
            Self::Reference | Self::Text => "a string",
            Self::Number => "a number",
            Self::Step => "a number greater than 0",
            Self::Count => "an integer from 0",
            Self::Flag => "a boolean",
            Self::Values => "an array",
            Self::Types => "a type of JSON Schema, or several",
            Self::Names => "an array of names",
        }
    }
}

/// Returns a number, exactly.
fn number(value: &Json) -> Option<Decimal> {
    value.as_number().map(Decimal::new)
}
