//! Compiled schemas, as checks use them.

use std::sync::OnceLock;

use super::choices::Choices;
use super::number::NumberRule;
use super::string::{Count, PatternRule, StringRule};
use crate::json::{Cursor, unescape_lossy};
use crate::schema::Kinds;

/// The compiled components, shared by all checks of a compiler.
///
/// Nodes refer to components by slot, so recursive types need no cycle of pointers that would never
/// be freed. There is one slot for each component and [`Mode`](super::compile::Mode). It is filled
/// before a check that reaches it is returned.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) slots: Vec<OnceLock<Link>>,
}

impl Shared {
    /// Returns the contents of a slot.
    #[inline]
    pub(super) fn component(&self, slot: usize) -> &Link {
        self.slots
            .get(slot)
            .and_then(OnceLock::get)
            .unwrap_or(&Link::Any)
    }
}

/// The constraints on a value.
#[derive(Debug)]
pub(super) enum Link {
    /// No constraints.
    Any,
    /// No value matches.
    Never,
    /// The constraints of this node.
    Node(Box<Node>),
    /// The constraints of the component in this slot.
    Component(usize),
}

impl Link {
    /// Returns whether there are no constraints.
    pub(super) fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}

/// The constraints of a schema. Those for one kind of value do not apply to other kinds.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kinds: Kinds,
    pub(super) choices: Option<Choices>,
    pub(super) number: Option<NumberRule>,
    pub(super) string: Option<StringRule>,
    pub(super) array: Option<Box<ArrayRule>>,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) in_place: Vec<InPlace>,
    /// A description of the values that match, made when a value first breaks the constraints. It
    /// depends on whether to mention [widths](super::phrase::Phrases::widths).
    pub(super) phrases: [OnceLock<Box<str>>; 2],
}

impl Node {
    /// Creates a node that accepts values of some kinds.
    pub(super) fn of_kinds(kinds: Kinds) -> Self {
        Self {
            kinds,
            choices: None,
            number: None,
            string: None,
            array: None,
            object: None,
            in_place: Vec::new(),
            phrases: Default::default(),
        }
    }

    /// Returns whether a value is a scalar to which only these rules apply.
    #[inline]
    pub(super) fn is_only_scalar(&self, value: &Cursor<'_>) -> bool {
        self.in_place.is_empty() && !value.is_at_container()
    }
}

/// A schema that applies to the same value.
#[derive(Debug)]
pub(super) enum InPlace {
    /// `$ref` and a branch of `allOf`.
    All(Link),
    /// `anyOf` and `oneOf`.
    Union(Union),
}

/// The rules for an array.
#[derive(Debug)]
pub(super) struct ArrayRule {
    pub(super) count: Count,
    pub(super) unique: bool,
    pub(super) prefix: Vec<Link>,
    pub(super) items: Link,
}

/// The rules for an object.
#[derive(Debug)]
pub(super) struct ObjectRule {
    /// Sorted by name.
    pub(super) properties: Vec<Property>,
    pub(super) patterns: Vec<(PatternRule, Link)>,
    /// The constraints on each name, as a string.
    pub(super) names: Link,
    pub(super) additional: Link,
    /// Sorted.
    pub(super) required: Vec<Box<str>>,
}

/// The constraints on a property.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    /// True if the name is written with escapes in JSON.
    is_escaped: bool,
    pub(super) link: Link,
}

impl Property {
    pub(super) fn new(name: &str, link: Link) -> Self {
        Self {
            name: name.into(),
            is_escaped: name.contains(['\\', '"']),
            link,
        }
    }
}

impl ObjectRule {
    /// Returns the constraints on the property with a name, which is written as JSON.
    #[inline]
    pub(super) fn property(&self, written: &str) -> Option<&Link> {
        const FEW: usize = 8;
        if self.properties.len() <= FEW
            && let [b'"', plain @ .., b'"'] = written.as_bytes()
        {
            // Names often differ in length, and lengths are the cheapest to compare.
            for property in &self.properties {
                if property.name.as_bytes() == plain && !property.is_escaped {
                    return Some(&property.link);
                }
            }
            if !plain.contains(&b'\\') {
                return None;
            }
        }
        self.search(&unescape_lossy(written))
    }

    /// Returns the index of a name among the required ones.
    pub(super) fn requirement(&self, name: &str) -> Option<usize> {
        let required = self.required.as_slice();
        required
            .binary_search_by(|required| required.as_ref().cmp(name))
            .ok()
    }

    fn search(&self, name: &str) -> Option<&Link> {
        let at = self
            .properties
            .binary_search_by(|property| property.name.as_ref().cmp(name))
            .ok()?;
        Some(&self.properties[at].link)
    }
}

/// Alternatives.
#[derive(Debug)]
pub(super) struct Union {
    /// True if only one alternative may match (`oneOf`).
    pub(super) exactly_one: bool,
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

/// Selects the only possible alternative by a word in an object.
#[derive(Debug)]
pub(super) struct Selector {
    pub(super) by: By,
    /// The words with the indexes of their branches, sorted by word.
    pub(super) words: Vec<(Box<str>, usize)>,
    /// The words, for a message.
    pub(super) phrase: Box<str>,
}

/// The location of the word.
#[derive(Debug)]
pub(super) enum By {
    /// The value of the member with this name, as in an internally tagged enum.
    Tag(Box<str>),
    /// The name of the only member, as in an externally tagged enum.
    Member,
}

impl Selector {
    /// Returns the name of the member with the word, if it is a tag.
    pub(super) fn tag(&self) -> Option<&str> {
        match &self.by {
            By::Tag(tag) => Some(tag),
            By::Member => None,
        }
    }

    /// Returns the index of the branch for a word.
    pub(super) fn branch(&self, word: &str) -> Option<usize> {
        let at = self
            .words
            .binary_search_by(|(candidate, _)| candidate.as_ref().cmp(word))
            .ok()?;
        Some(self.words[at].1)
    }
}
