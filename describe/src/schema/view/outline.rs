//! The outline of a value, with which most readers of a view begin.
//!
//! Words, forms, clients and renderings all begin with the same question: is this a list of values, a choice between
//! alternatives, or a value of one kind? They match on [`Outline`], whose rungs are tried in this order:
//!
//! ```text
//! {"$ref": "#/lost"}                          Unknown
//! {"type": "integer", "minimum": 2, "maximum": 1}   Nothing
//! {"type": "null"}                            Null
//! {"enum": ["a", "b", null]}                  Listed: "a", "b"; null is accepted beside them
//! {"oneOf": [Cat, Dog]}                       Alternatives, with the common members beside them
//! {"type": "object"}                          Object
//! {"type": ["array", "null"]}                 Array; null is accepted beside it
//! {"type": "string"}                          Scalar
//! {"type": ["string", "object"]}              Mixed
//! ```
//!
//! Null stands beside each of them ([`View::takes_null`]), since most readers write it in the same way for all values.
//! An outline has no depth: readers limit themselves how far they follow members, elements and alternatives, and how many
//! of them. The outline does not contain the members of an object ([`View::properties`], [`View::other_properties`]) or
//! the elements of an array ([`View::elements`]), because finding them takes far longer.

use super::model::{ListedValue, Union, View};
use crate::schema::kinds::Kinds;

/// The sort of a value, besides null.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{Outline, SchemaContext, SchemaViews};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let size: Json = r#"{"type": ["string", "null"], "enum": ["small", "large", null]}"#.parse()?;
///
/// let views = SchemaViews::new(context);
/// let Outline::Listed(values) = views.view_of_schema(&size).outline() else {
///     panic!("the values are listed");
/// };
/// assert_eq!(values.len(), 2);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Outline<'v, 't> {
    /// A value of which some schema could not be read ([`View::unread`]), so that not all is known of it.
    Unknown,
    /// No value at all.
    Nothing,
    /// Null alone.
    Null,
    /// One of these values. A constant is a list of one.
    Listed(&'v [ListedValue<'t>]),
    /// A value with alternatives: one or several unions side by side, beside the members that all alternatives have.
    Alternatives(&'v [Union<'t>]),
    /// An object, with its described members and all others.
    Object,
    /// An array, with its first elements and the rest.
    Array,
    /// A value of one kind without parts: a Boolean, a number, an integer or a string.
    Scalar(Kinds),
    /// A value of any of several kinds.
    Mixed(Kinds),
}

impl<'t> View<'t> {
    /// Returns the outline of the value.
    pub fn outline(&self) -> Outline<'_, 't> {
        self.outline_of(self.kinds)
    }

    /// Returns the outline of the value for a reader who knows that it is null or of one of these kinds. Lists and
    /// alternatives are not narrowed to them.
    pub fn outline_of(&self, kinds: Kinds) -> Outline<'_, 't> {
        if !self.is_complete() {
            return Outline::Unknown;
        }
        if kinds == Kinds::NONE {
            return if self.takes_null == Some(false) {
                Outline::Nothing
            } else {
                Outline::Null
            };
        }
        if let Some(values) = &self.listed {
            return Outline::Listed(values);
        }
        if !self.unions.is_empty() {
            return Outline::Alternatives(&self.unions);
        }
        match kinds {
            Kinds::OBJECT => Outline::Object,
            Kinds::ARRAY => Outline::Array,
            // Numbers are integers and fractions, and one kind all the same.
            _ if kinds.type_names().count() == 1 => Outline::Scalar(kinds),
            _ => Outline::Mixed(kinds),
        }
    }
}
