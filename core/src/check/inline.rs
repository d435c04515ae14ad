//! Checks values while they are decoded, so that their text is read once.
//!
//! This covers what most schemas of structs and lists say: what each member or element has to satisfy
//! by itself. The [walker](super::walk) checks everything else at once. Only a positive answer counts:
//! after any other, the whole value is checked on its own, which also finds the reasons.

use docent_describe::json::Cursor;
use docent_describe::schema::Kinds;

use super::failure::Outcome;
use super::node::{ArrayRule, Link, Node, ObjectRule, Shared};
use super::scalar::scalar;
use super::walk::Walker;

/// What a value has to satisfy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'c> {
    link: &'c Link,
    shared: &'c Shared,
}

/// What is known about a value before it is decoded.
#[derive(Debug)]
pub(crate) enum Verdict<'c> {
    Fits,
    /// It fits if its parts do.
    Parts(Parts<'c>),
    Unknown,
}

/// What the parts of a container have to satisfy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts<'c> {
    rule: Rule<'c>,
    shared: &'c Shared,
}

#[derive(Debug, Clone, Copy)]
enum Rule<'c> {
    Object(&'c ObjectRule),
    Array(&'c ArrayRule),
}

impl<'c> Expected<'c> {
    pub(super) fn new(link: &'c Link, shared: &'c Shared) -> Self {
        Self { link, shared }
    }

    /// Checks the value at a cursor, or says that its parts have to be checked.
    pub(crate) fn look(self, value: Cursor<'c>) -> Verdict<'c> {
        let link = match self.link {
            Link::Component(slot) => self.shared.component(*slot),
            link => link,
        };
        let verdict = match link {
            Link::Any => Some(Verdict::Fits),
            Link::Node(node) if node.in_place.is_empty() && value.is_at_container() => {
                self.shallow(node, value)
            }
            _ => None,
        };
        verdict.unwrap_or_else(|| {
            let whole = Self { link, ..self }.outcome(value);
            Verdict::of(whole.is_ok())
        })
    }

    /// Checks the value at a cursor with all of its parts.
    #[inline]
    pub(super) fn outcome(self, mut value: Cursor<'c>) -> Outcome<'c> {
        match self.link {
            // Most parameters are scalars, for which there is nothing to walk through.
            Link::Node(node) if node.is_only_scalar(&value) => scalar(node, &mut value),
            link => Walker::new(self.shared).link(link, &mut value),
        }
    }

    /// Checks a container, without its parts. `None` if they cannot be checked one by one.
    fn shallow(self, node: &'c Node, value: Cursor<'_>) -> Option<Verdict<'c>> {
        if node.choices.is_some() {
            return None;
        }
        let kind = Kinds::at(&value);
        if !node.kinds.meet(kind) {
            return Some(Verdict::Unknown);
        }
        let rule = match (&node.object, &node.array) {
            (Some(rule), _) if kind == Kinds::OBJECT => {
                let is_plain =
                    rule.names.is_any() && rule.patterns.is_empty() && rule.required.is_empty();
                Rule::Object(is_plain.then_some(rule)?)
            }
            (_, Some(rule)) if kind == Kinds::ARRAY => Rule::Array((!rule.unique).then_some(rule)?),
            _ => return Some(Verdict::Fits),
        };
        let shared = self.shared;
        Some(Verdict::Parts(Parts { rule, shared }))
    }
}

impl Verdict<'_> {
    fn of(fits: bool) -> Self {
        if fits { Self::Fits } else { Self::Unknown }
    }
}

impl<'c> Parts<'c> {
    /// What the member with a name, written as JSON, has to satisfy, if anything.
    #[inline]
    pub(crate) fn member(self, written: &str) -> Option<Expected<'c>> {
        match self.rule {
            Rule::Object(rule) => self.expected(rule.property(written).unwrap_or(&rule.additional)),
            Rule::Array(_) => None,
        }
    }

    /// What an element has to satisfy, if anything.
    #[inline]
    pub(crate) fn element(self, index: usize) -> Option<Expected<'c>> {
        match self.rule {
            Rule::Array(rule) => self.expected(rule.prefix.get(index).unwrap_or(&rule.items)),
            Rule::Object(_) => None,
        }
    }

    #[inline]
    fn expected(self, link: &'c Link) -> Option<Expected<'c>> {
        (!link.is_any()).then(|| Expected::new(link, self.shared))
    }

    /// Whether there may be so many elements.
    pub(crate) fn admits(self, count: usize) -> bool {
        match self.rule {
            Rule::Array(rule) => rule.count.admits(count),
            Rule::Object(_) => true,
        }
    }
}
