//! Checks the values of keywords.

use super::keyword::Holds;
use super::kinds::Kinds;
use crate::json::{Decimal, Json, Object};

impl Holds {
    /// Returns whether there are schemas in the value.
    pub fn has_schemas(self) -> bool {
        matches!(self, Self::Schema | Self::Schemas | Self::Named)
    }

    /// Returns a description of the values that a keyword may have if this is not one of them.
    pub fn expected(self, value: &Json) -> Option<&'static str> {
        let zero = || Decimal::new("0");
        let (fits, expected) = match self {
            Self::Schema | Self::Value => return None,
            Self::Schemas => (
                value.as_array().is_some_and(|schemas| !schemas.is_empty()),
                "a non-empty array",
            ),
            Self::Named => (value.as_object().is_some(), "an object"),
            Self::NameLists => {
                let are_lists = |lists: &Object| {
                    lists
                        .values()
                        .all(|names| Self::Names.expected(names).is_none())
                };
                (
                    value.as_object().is_some_and(are_lists),
                    "an object with arrays of names",
                )
            }
            Self::Reference | Self::Text => (value.as_str().is_some(), "a string"),
            Self::Number => (value.as_number().is_some(), "a number"),
            Self::Step => (
                number(value).is_some_and(|number| number > zero()),
                "a number greater than 0",
            ),
            Self::Count => (
                number(value).is_some_and(|number| number.is_integer() && number >= zero()),
                "an integer from 0",
            ),
            Self::Flag => (value.as_bool().is_some(), "a boolean"),
            Self::Values => (value.as_array().is_some(), "an array"),
            Self::Types => (
                Kinds::of_type(value).is_some_and(|kinds| kinds != Kinds::NONE),
                "a type of JSON Schema, or several",
            ),
            // Each has to be there once, but writers list names twice, and what that means is clear.
            Self::Names => (
                value
                    .as_array()
                    .is_some_and(|names| names.iter().all(|name| name.as_str().is_some())),
                "an array of names",
            ),
        };
        (!fits).then_some(expected)
    }
}

fn number(value: &Json) -> Option<Decimal> {
    value.as_number().map(Decimal::new)
}
