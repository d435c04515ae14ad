//! A schema in the form in which values are checked against it.

use std::sync::OnceLock;

use super::choices::Choices;
use super::number::NumberRule;
use super::string::{Count, PatternRule, StringRule};
use crate::json::{Cursor, unescape_lossy};
use crate::schema::Kinds;

/// The compiled components, shared by all checks of a compiler.
///
/// Nodes refer to them by slot, so recursive types need no cycle of pointers that would never be
/// freed. There is one slot a component and [`Mode`](super::compile::Mode); it is filled before a
/// check that reaches it is handed out.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) slots: Vec<OnceLock<Link>>,
}

impl Shared {
    /// What stands in a slot.
    #[inline]
    pub(super) fn component(&self, slot: usize) -> &Link {
        self.slots
            .get(slot)
            .and_then(OnceLock::get)
            .unwrap_or(&Link::Any)
    }
}

/// What a value has to satisfy.
#[derive(Debug)]
pub(super) enum Link {
    /// Nothing.
    Any,
    /// Nothing can.
    Never,
    /// These assertions.
    Node(Box<Node>),
    /// Those of the component in this slot.
    Component(usize),
}

impl Link {
    /// Whether there is nothing to satisfy.
    pub(super) fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}

/// The assertions of a schema. Those about one kind of values do not touch values of another.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kinds: Kinds,
    pub(super) choices: Option<Choices>,
    pub(super) number: Option<NumberRule>,
    pub(super) string: Option<StringRule>,
    pub(super) array: Option<Box<ArrayRule>>,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) in_place: Vec<InPlace>,
    /// What it expects, in words that are found when a value first breaks it. They depend on whether
    /// [widths](super::phrase::Phrases::widths) are worth one.
    pub(super) phrases: [OnceLock<Box<str>>; 2],
}

impl Node {
    /// Asserts that a value is of one of some kinds.
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

    /// Whether a value is a scalar that nothing but these rules apply to.
    #[inline]
    pub(super) fn is_only_scalar(&self, value: &Cursor<'_>) -> bool {
        self.in_place.is_empty() && !value.is_at_container()
    }
}

/// A schema that the same value has to satisfy as well.
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
    /// What each name has to satisfy, as a string.
    pub(super) names: Link,
    pub(super) additional: Link,
    /// Sorted.
    pub(super) required: Vec<Box<str>>,
}

/// What a property has to satisfy.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    /// Whether the name is written differently in JSON.
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
    /// What the property with a name, written as JSON, has to satisfy.
    #[inline]
    pub(super) fn property(&self, written: &str) -> Option<&Link> {
        const FEW: usize = 8;
        if self.properties.len() <= FEW
            && let [b'"', plain @ .., b'"'] = written.as_bytes()
        {
            // Names differ in length more often than not, which is the cheapest thing to compare.
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

    /// The index of a name among those that are required.
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
    /// Whether a second alternative that fits is a mistake (`oneOf`).
    pub(super) exactly_one: bool,
    pub(super) branches: Vec<Branch>,
    /// How to tell the objects among the alternatives apart without trying them.
    pub(super) selector: Option<Selector>,
}

/// One of several alternatives.
#[derive(Debug)]
pub(super) struct Branch {
    /// The kinds of values that can fit; others need not be tried.
    pub(super) kinds: Kinds,
    pub(super) link: Link,
}

/// Tells from one word of an object which alternative it can only be.
#[derive(Debug)]
pub(super) struct Selector {
    pub(super) by: By,
    /// The word and the branch's index, sorted by word.
    pub(super) words: Vec<(Box<str>, usize)>,
    /// The words, for a message.
    pub(super) phrase: Box<str>,
}

/// Where the word stands.
#[derive(Debug)]
pub(super) enum By {
    /// It is the value of the member with this name, as in an enum that is tagged internally.
    Tag(Box<str>),
    /// It is the name of the only member, as in an enum that is tagged externally.
    Member,
}

impl Selector {
    /// The name of the member that tells, where it is a tag.
    pub(super) fn tag(&self) -> Option<&str> {
        match &self.by {
            By::Tag(tag) => Some(tag),
            By::Member => None,
        }
    }

    /// The index of the branch that a word stands for.
    pub(super) fn branch(&self, word: &str) -> Option<usize> {
        let at = self
            .words
            .binary_search_by(|(candidate, _)| candidate.as_ref().cmp(word))
            .ok()?;
        Some(self.words[at].1)
    }
}
