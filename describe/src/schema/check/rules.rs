//! Compiled schemas, as checks use them.
//!
//! They have only the constraints that decide whether a value matches, in the form that is the fastest to check: a
//! [node](crate::schema::tree::Node) of the tree is a schema as it is written, a [`CompiledSchema`] has a rule for
//! each kind of value. A [`Link`] leads to one. The compiler makes them, and nothing changes them afterwards.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use foldhash::fast::FixedState;

use super::choices::Choices;
use super::number::NumberRule;
use super::string::{Count, StringRule};
use crate::json::unescape_lossy;
use crate::pattern::Pattern;
use crate::schema::kinds::Kinds;

/// The maximum number of properties that are compared with a name one by one, which is then faster
/// than a search.
const MAX_COMPARED_ONE_BY_ONE: usize = 8;

/// A map for keys that callers do not choose, or whose number the length of a text limits.
pub(super) type FastMap<K, V> = HashMap<K, V, FixedState>;

/// The compiled components, shared by all checks of a compiler.
///
/// Compiled schemas refer to components by index, so recursive types need no cycle of pointers that would
/// never be freed. A component is compiled before a check that reaches it is returned.
#[derive(Debug)]
pub(super) struct CompiledComponents {
    /// The constraints of each component, once it has been compiled.
    pub(super) links: Vec<OnceLock<Link>>,
}

impl CompiledComponents {
    /// Returns the constraints of a component.
    #[inline]
    pub(super) fn link(&self, component: usize) -> &Link {
        self.links
            .get(component)
            .and_then(OnceLock::get)
            .unwrap_or(&Link::Unknown)
    }
}

/// The constraints on a value.
#[derive(Debug)]
pub(super) enum Link {
    /// No constraints.
    Any,
    /// No value matches.
    Never,
    /// It is unknown whether a value matches.
    Unknown,
    /// The constraints of this schema.
    Schema(Box<CompiledSchema>),
    /// The constraints of the component with this index.
    Component(usize),
}

impl Link {
    /// Returns whether there are no constraints.
    pub(super) fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}

/// The constraints of a schema. Those for one kind of value do not apply to other kinds. They are boxed, because most
/// schemas have few of them, and a description may have very many schemas.
#[derive(Debug, Default)]
pub(super) struct CompiledSchema {
    pub(super) kinds: Kinds,
    /// The list of values, one of which a value must be.
    pub(super) choices: Option<Box<Choices>>,
    /// The rules for a number.
    pub(super) number: Option<Box<NumberRule>>,
    /// The rules for a string.
    pub(super) string: Option<Box<StringRule>>,
    /// The rules for an array.
    pub(super) array: Option<Box<ArrayRule>>,
    /// The rules for an object.
    pub(super) object: Option<Box<ObjectRule>>,
    /// The constraints that consist of schemas for the same value.
    pub(super) in_place: Vec<InPlace>,
    /// Set if there are constraints, at any depth, that serde's decoding does not enforce.
    pub(super) is_beyond_decoding: bool,
}

impl CompiledSchema {
    /// Creates a schema that accepts values of some kinds.
    pub(super) fn of_kinds(kinds: Kinds) -> Self {
        Self {
            kinds,
            is_beyond_decoding: true,
            ..Self::default()
        }
    }

    /// Returns whether there are constraints beside those that consist of schemas for the same
    /// value.
    pub(super) fn has_own_rules(&self) -> bool {
        self.kinds != Kinds::ALL || self.choices.is_some() || self.has_rules_for_kinds()
    }

    /// Returns whether there is a list of values, and nothing else.
    pub(super) fn is_list(&self) -> bool {
        self.choices.is_some() && self.in_place.is_empty() && !self.has_rules_for_kinds()
    }

    /// Returns whether there are constraints on the values of single kinds.
    fn has_rules_for_kinds(&self) -> bool {
        self.number.is_some()
            || self.string.is_some()
            || self.array.is_some()
            || self.object.is_some()
    }
}

/// A constraint on the same value that consists of schemas.
#[derive(Debug)]
pub(super) enum InPlace {
    /// `$ref` and a branch of `allOf`.
    All(Link),
    /// `anyOf` and `oneOf`.
    Union(CompiledUnion),
    /// `not`.
    Not(Link),
    /// `if`, `then` and `else`.
    If(Box<[Link; 3]>),
    /// A constraint on objects that have the member with this name.
    With(Box<str>, Link),
    /// `unevaluatedProperties`.
    Unevaluated(Evaluated, Link),
}

/// The members that the keywords of a schema evaluate.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    /// Set if all members are evaluated.
    pub(super) all: bool,
    /// Sorted.
    pub(super) names: Vec<Box<str>>,
    /// The patterns of names whose members are evaluated.
    pub(super) patterns: Vec<Pattern>,
    /// The members that other schemas for the same object evaluate.
    pub(super) parts: Vec<EvaluatedPart>,
}

/// The members that a schema evaluates, if an object matches it.
#[derive(Debug)]
pub(super) struct EvaluatedPart {
    pub(super) schema: Link,
    pub(super) evaluated: Evaluated,
}

/// The rules for an array.
#[derive(Debug)]
pub(super) struct ArrayRule {
    pub(super) count: Count,
    /// True if no two elements may be equal.
    pub(super) unique: bool,
    /// The constraints on the elements at the first positions.
    pub(super) prefix: Vec<Link>,
    /// The constraints on the elements after them.
    pub(super) items: Link,
    /// The constraints on some elements, and the number of those.
    pub(super) contains: Option<(Link, Count)>,
}

/// The rules for an object.
#[derive(Debug)]
pub(super) struct ObjectRule {
    pub(super) count: Count,
    /// The members that are declared or required, sorted by name.
    pub(super) properties: Vec<PropertyRule>,
    /// The number of properties that are required.
    pub(super) required: usize,
    /// The constraints on members whose names match a pattern.
    pub(super) patterns: Vec<(Pattern, Link)>,
    /// The constraints on each name, as a string.
    pub(super) names: Link,
    /// The constraints on members that are undeclared and match no pattern.
    pub(super) additional: Link,
}

/// The constraints on a property.
#[derive(Debug)]
pub(super) struct PropertyRule {
    pub(super) name: Box<str>,
    /// True if the name is written with escapes in JSON.
    pub(super) is_escaped: bool,
    /// The schema; `None` if the property is required but not declared.
    pub(super) link: Option<Link>,
    pub(super) is_required: bool,
}

impl ObjectRule {
    /// Returns the index of the property with a name, which is written as JSON.
    #[inline]
    pub(super) fn property(&self, written: &str) -> Option<usize> {
        if self.properties.len() <= MAX_COMPARED_ONE_BY_ONE
            && let [b'"', plain @ .., b'"'] = written.as_bytes()
        {
            // Names often differ in length, and lengths are the cheapest to compare.
            let found = self
                .properties
                .iter()
                .position(|property| property.name.as_bytes() == plain && !property.is_escaped);
            if found.is_some() || !plain.contains(&b'\\') {
                return found;
            }
        }
        let name = unescape_lossy(written);
        self.properties
            .binary_search_by(|property| property.name.as_ref().cmp(&*name))
            .ok()
    }
}

/// Alternatives.
#[derive(Debug)]
pub(super) struct CompiledUnion {
    /// True if only one alternative may match (`oneOf`).
    pub(super) exactly_one: bool,
    /// True if an alternative extends the schema that lists it. Within one of them, no alternative is chosen again.
    pub(super) is_of_base: bool,
    /// The alternatives that are tried, in this order.
    pub(super) branches: Vec<Branch>,
    /// Tells the objects among the alternatives apart without trying them.
    pub(super) selector: Option<Selector>,
}

/// One of several alternatives.
#[derive(Debug)]
pub(super) struct Branch {
    /// The kinds of values that can match. For other values, the branch is not tried.
    pub(super) kinds: Kinds,
    pub(super) link: Link,
}

/// Selects the only possible alternative by a text in an object.
#[derive(Debug)]
pub(super) struct Selector {
    /// The name of the member whose value is the text, as in an internally tagged enum. Without
    /// one, the text is the name of the only member, as in an externally tagged enum.
    pub(super) tag: Option<Box<str>>,
    /// The indexes of the branches, by their texts.
    pub(super) branches: BTreeMap<Box<str>, usize>,
    /// The texts, for a message.
    pub(super) phrase: Box<str>,
}

impl Selector {
    /// Returns the index of the branch for a text.
    pub(super) fn branch(&self, text: &str) -> Option<usize> {
        self.branches.get(text).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::CompiledSchema;

    #[test]
    fn a_compiled_schema_without_rules_takes_few_bytes() {
        assert!(
            size_of::<CompiledSchema>() <= 80,
            "{}",
            size_of::<CompiledSchema>()
        );
    }
}
