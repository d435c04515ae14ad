//! JSON as a description stores it: in order, and with every number as it was written.
//!
//! `serde_json::Value` rejects `1e400`, turns large integers into doubles, and sorts or keeps
//! members depending on a feature that any crate in a build may enable. A description must say what
//! its author wrote, so it has its own tree.
//!
//! Everything that reads JSON text without a tree is here as well, for the wire and for binding:
//! the grammar ([`Scanner`]), walking over checked text ([`Cursor`]), numbers ([`Decimal`],
//! [`Whole`]), strings ([`unescape`]) and locations ([`Pointer`]).

use std::hash::{Hash, Hasher};

mod cursor;
mod number;
mod object;
mod parse;
mod pointer;
mod scan;
mod short;
mod shorten;
mod string;
mod write;

pub use cursor::{Cursor, Quoted};
pub use number::{Decimal, NotWhole, Whole, is_number};
pub use object::Object;
pub use parse::MAX_DEPTH;
pub use pointer::Pointer;
pub(crate) use pointer::inner;
pub use scan::{Scanner, SyntaxError, SyntaxErrorKind};
pub use short::{Name, Number};
pub use shorten::{push_shortened, shorten, shorten_bytes, shorten_quoted};
pub use string::{
    LoneSurrogate, is_deceptive, plain_length, push_quoted, unescape, unescape_lossy,
};

/// A JSON value.
///
/// `==` compares like JSON Schema: numbers by value (`1.0` equals `1`), objects regardless of the
/// order of their members.
///
/// ```
/// use docent_describe::json::Json;
///
/// // Numbers keep their text.
/// let json: Json = r#"{"big": 12345678901234567890123, "one": 1.0}"#.parse()?;
/// assert_eq!(json.to_string(), r#"{"big":12345678901234567890123,"one":1.0}"#);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Number),
    /// A string, decoded.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object. If a name is repeated, the last value counts.
    Object(Object),
}

impl Json {
    /// Returns a member of an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// Returns the characters of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a Boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the value of an integer that fits into an `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(text) => Decimal::new(text).to_i128()?.try_into().ok(),
            _ => None,
        }
    }

    /// Returns the elements of an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the members of an object, mutably.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the type, in the words of JSON Schema's `type` (never `integer`).
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b || Decimal::new(a) == Decimal::new(b),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Json {}

/// Equal values have the same hash, however they are written.
impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Self::Null => {}
            Self::Bool(value) => value.hash(state),
            Self::Number(text) => Decimal::new(text).hash(state),
            Self::String(text) => text.hash(state),
            Self::Array(elements) => elements.hash(state),
            Self::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_unstable_by_key(|(name, _)| *name);
                members.hash(state);
            }
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Number(value.to_string().into())
    }
}

impl From<&Json> for Json {
    fn from(value: &Json) -> Self {
        value.clone()
    }
}

impl From<Object> for Json {
    fn from(members: Object) -> Self {
        Self::Object(members)
    }
}

impl From<&Object> for Json {
    fn from(members: &Object) -> Self {
        Self::Object(members.clone())
    }
}

impl From<Vec<Json>> for Json {
    fn from(elements: Vec<Json>) -> Self {
        Self::Array(elements)
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.to_string().into()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(elements) => Self::Array(elements.iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(name, value)| (name, value.into()))
                    .collect(),
            ),
        }
    }
}
