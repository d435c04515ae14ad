//! From a schema to the one word that JSON-RPC 1.1 has for it.

use std::collections::HashMap;
use std::ops::{BitAnd, BitOr};

use indexmap::IndexMap;

use super::resolve;
use crate::TypeCode;
use crate::json::Json;

/// The type of a schema's values in the words of JSON-RPC 1.1, section 10.2.1.
///
/// Integers and numbers are `num`; a nullable type is its other branch; references into
/// `components` are followed; a mixture is `any`. Where only null is left the answer is `nil`,
/// which the draft allows for returns only: for a parameter it means `any`.
pub fn type_code(schema: &Json, components: &IndexMap<String, Json>) -> TypeCode {
    let kinds = Kinds::of(schema, components);
    match kinds & !Kinds::NULL {
        Kinds::BOOLEAN => TypeCode::Bit,
        Kinds::NUMBER => TypeCode::Num,
        Kinds::STRING => TypeCode::Str,
        Kinds::ARRAY => TypeCode::Arr,
        Kinds::OBJECT => TypeCode::Obj,
        Kinds::NONE if kinds == Kinds::NULL => TypeCode::Nil,
        _ => TypeCode::Any,
    }
}

/// The kinds of JSON value that a schema may let through: never too few, sometimes too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    const NONE: Self = Self(0);
    const NULL: Self = Self(1);
    const BOOLEAN: Self = Self(2);
    const NUMBER: Self = Self(4);
    const STRING: Self = Self(8);
    const ARRAY: Self = Self(16);
    const OBJECT: Self = Self(32);
    const ALL: Self = Self(63);

    /// The kinds that `schema` may let through.
    pub(crate) fn of(schema: &Json, components: &IndexMap<String, Json>) -> Self {
        Search {
            components,
            references_left: 100,
            known: HashMap::new(),
        }
        .kinds(schema)
    }

    /// Whether null is one of them.
    pub(crate) fn has_null(self) -> bool {
        self & Self::NULL == Self::NULL
    }

    fn of_word(word: &str) -> Self {
        match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "number" | "integer" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::ALL,
        }
    }

    fn union(kinds: impl Iterator<Item = Self>) -> Self {
        kinds.fold(Self::NONE, BitOr::bitor)
    }
}

impl BitOr for Kinds {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Kinds {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl std::ops::Not for Kinds {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

struct Search<'j> {
    components: &'j IndexMap<String, Json>,
    /// How many references may still be followed inside each other. A document may have a chain
    /// that is longer than the call stack.
    references_left: usize,
    /// The result for each reference; `NONE` while it is being resolved, since a cycle adds
    /// nothing. This also keeps diamonds of references linear.
    known: HashMap<&'j str, Kinds>,
}

impl<'j> Search<'j> {
    fn kinds(&mut self, schema: &'j Json) -> Kinds {
        let members = match schema {
            Json::Object(members) => members,
            Json::Bool(false) => return Kinds::NONE,
            _ => return Kinds::ALL,
        };
        let mut kinds = Kinds::ALL;
        for (keyword, value) in members {
            kinds = kinds & self.keyword(keyword, value);
        }
        kinds
    }

    fn keyword(&mut self, keyword: &str, value: &'j Json) -> Kinds {
        match (keyword, value) {
            ("type", Json::String(word)) => Kinds::of_word(word),
            ("type", Json::Array(words)) => {
                Kinds::union(words.iter().filter_map(Json::as_str).map(Kinds::of_word))
            }
            ("const", value) => Kinds::of_word(value.kind()),
            ("enum", Json::Array(values)) => {
                Kinds::union(values.iter().map(|value| Kinds::of_word(value.kind())))
            }
            ("$ref", Json::String(reference)) => self.reference(reference),
            ("anyOf" | "oneOf", Json::Array(schemas)) => {
                Kinds::union(schemas.iter().map(|schema| self.kinds(schema)))
            }
            ("allOf", Json::Array(schemas)) => schemas
                .iter()
                .fold(Kinds::ALL, |kinds, schema| kinds & self.kinds(schema)),
            _ => Kinds::ALL,
        }
    }

    fn reference(&mut self, reference: &'j str) -> Kinds {
        if let Some(kinds) = self.known.get(reference) {
            return *kinds;
        }
        let (Some(schema), Some(left)) = (
            resolve(reference, self.components),
            self.references_left.checked_sub(1),
        ) else {
            return Kinds::ALL;
        };
        self.references_left = left;
        self.known.insert(reference, Kinds::NONE);
        let kinds = self.kinds(schema);
        self.known.insert(reference, kinds);
        self.references_left += 1;
        kinds
    }
}
