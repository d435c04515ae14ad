//! Describes the values that match a schema, for messages.

use std::fmt::Write as _;

use crate::json::Cursor;
use crate::schema::Kinds;
use crate::schema::facts::{self, fact};

use super::node::{ArrayRule, By, InPlace, Link, Node, ObjectRule, Shared, Union};
use super::number::{Bound, NumberRule};
use super::string::{Count, StringRule};
use crate::brief::{self, abbreviate};

/// The maximum number of items in a list.
const LISTED: usize = 6;
/// The maximum depth of nested schemas in a phrase. Recursive types have no end.
const DEPTH: usize = 6;

/// Describes schemas in words.
pub(super) struct Phrases<'a> {
    pub(super) shared: &'a Shared,
    /// True if the bounds of doubles are mentioned, as for a value that may be beyond them.
    pub(super) widths: bool,
}

impl<'a> Phrases<'a> {
    /// Returns the phrases for a schema that this value does not match.
    pub(super) fn against(&self, found: Cursor<'_>) -> Self {
        Self {
            shared: self.shared,
            widths: matches!(found.peek(), b'-' | b'0'..=b'9'),
        }
    }

    /// Describes the values that match a node: `an integer from 1 to 10 or null`.
    pub(super) fn node(&self, node: &'a Node) -> &'a str {
        let words = || join(self.node_parts(node, DEPTH)).into();
        node.phrases[usize::from(self.widths)].get_or_init(words)
    }

    /// Describes the values that match any of the alternatives.
    pub(super) fn union(&self, union: &'a Union) -> String {
        join(self.union_parts(union, DEPTH))
    }

    /// Describes the values that match a link.
    pub(super) fn link(&self, link: &'a Link) -> String {
        join(self.link_parts(link, DEPTH))
    }

    fn link_parts(&self, link: &'a Link, depth: usize) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Vec::new();
        };
        match link {
            Link::Any => Vec::new(),
            Link::Never => vec!["nothing".to_owned()],
            Link::Node(node) => self.node_parts(node, depth),
            Link::Component(slot) => self.link_parts(self.shared.component(*slot), depth),
        }
    }

    fn union_parts(&self, union: &'a Union, depth: usize) -> Vec<String> {
        let mut parts = Vec::new();
        for branch in &union.branches {
            if union.selector.is_some() && branch.kinds == Kinds::OBJECT {
                continue;
            }
            let mut branch_parts = self.link_parts(&branch.link, depth);
            if branch_parts.is_empty() {
                branch_parts = kinds_parts(branch.kinds);
            }
            for part in branch_parts {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        if let Some(selector) = &union.selector {
            parts.retain(|part| !part.starts_with(OBJECT));
            parts.push(match &selector.by {
                By::Tag(tag) => format!("an object whose \"{tag}\" is {}", selector.phrase),
                By::Member => format!("an object whose only member is {}", selector.phrase),
            });
        }
        parts
    }

    fn node_parts(&self, node: &'a Node, depth: usize) -> Vec<String> {
        if let Some(choices) = &node.choices {
            return vec![choices.phrase().to_owned()];
        }
        let own = own_parts(node, self.widths);
        if own.is_empty() {
            // The schema has no constraints of its own, so a nested one describes the values.
            let mut elsewhere = node.in_place.iter().map(|in_place| match in_place {
                InPlace::All(link) => self.link_parts(link, depth),
                InPlace::Union(union) => self.union_parts(union, depth),
            });
            return elsewhere.find(|parts| !parts.is_empty()).unwrap_or(own);
        }
        own
    }
}

const OBJECT: &str = "an object";

/// The least and the greatest double.
const DOUBLES: (&str, &str) = ("-1.7976931348623157e308", "1.7976931348623157e308");

fn own_parts(node: &Node, widths: bool) -> Vec<String> {
    let mut ruled = Kinds::NONE;
    for (rule, kinds) in [
        (node.number.is_some(), Kinds::NUMBER),
        (node.string.is_some(), Kinds::STRING),
        (node.array.is_some(), Kinds::ARRAY),
        (node.object.is_some(), Kinds::OBJECT),
    ] {
        ruled = if rule { ruled | kinds } else { ruled };
    }
    // If any kind matches, the reader needs to know about the kinds with rules.
    let kinds = if node.kinds == Kinds::ALL {
        ruled
    } else {
        node.kinds
    };
    let mut parts = Vec::new();
    let number = kinds & Kinds::NUMBER;
    if number != Kinds::NONE {
        let is_double = |rule: &&NumberRule| rule.is_implied_by(DOUBLES.0, DOUBLES.1);
        let rule = node.number.as_ref();
        parts.push(number_phrase(
            number,
            rule.filter(|rule| widths || !is_double(rule)),
        ));
    }
    if kinds.meet(Kinds::STRING) {
        parts.push(string_phrase(node.string.as_ref()));
    }
    if kinds.meet(Kinds::ARRAY) {
        parts.push(array_phrase(node.array.as_deref()));
    }
    if kinds.meet(Kinds::OBJECT) {
        parts.push(object_phrase(node.object.as_deref()));
    }
    parts.extend(kinds_parts(kinds & (Kinds::BOOLEAN | Kinds::NULL)));
    parts
}

fn kinds_parts(kinds: Kinds) -> Vec<String> {
    if kinds == Kinds::ALL {
        return Vec::new();
    }
    let words = [
        (Kinds::FRACTION, "a number"),
        (Kinds::STRING, "a string"),
        (Kinds::ARRAY, "an array"),
        (Kinds::OBJECT, OBJECT),
        (Kinds::BOOLEAN, "true or false"),
        (Kinds::NULL, "null"),
    ];
    let integer = kinds.meet(Kinds::INTEGER) && !kinds.meet(Kinds::FRACTION);
    let integer = integer.then(|| "an integer".to_owned());
    let others = words
        .into_iter()
        .filter(|(kind, _)| kinds.meet(*kind))
        .map(|(_, word)| word.to_owned());
    integer.into_iter().chain(others).collect()
}

fn number_phrase(kinds: Kinds, rule: Option<&NumberRule>) -> String {
    let noun = if kinds == Kinds::INTEGER {
        "an integer"
    } else {
        "a number"
    };
    let Some(rule) = rule else {
        return noun.to_owned();
    };
    let mut text = noun.to_owned();
    // Writing to a `String` cannot fail.
    let _ = match (&rule.low, &rule.high) {
        (Some(low), Some(high)) if low.value == high.value => {
            write!(text, " equal to {}", low.text)
        }
        (Some(low), Some(high)) if !low.exclusive && !high.exclusive => {
            let range = fact("fact.between", &[&low.text, &high.text]);
            write!(text, " from {range}")
        }
        (low, high) => {
            let low = low.as_ref().map(|low| end(low, "above", "minimum"));
            let high = high.as_ref().map(|high| end(high, "below", "maximum"));
            let both: Vec<String> = low.into_iter().chain(high).collect();
            let space = if both.is_empty() { "" } else { " " };
            write!(text, "{space}{}", both.join(" and "))
        }
    };
    if let Some(step) = &rule.step {
        let step = fact("fact.multiple", &[&step.text]);
        let _ = write!(text, " that is {step}");
    }
    if rule.not_zero {
        text.push_str(" other than 0");
    }
    text
}

fn end(bound: &Bound, exclusive: &str, inclusive: &str) -> String {
    if bound.exclusive {
        fact(&format!("fact.{exclusive}"), &[&bound.text])
    } else {
        format!("of {}", fact(&format!("fact.{inclusive}"), &[&bound.text]))
    }
}

fn string_phrase(rule: Option<&StringRule>) -> String {
    let format = rule.and_then(|rule| rule.format);
    let mut text = format.map_or("a string", |format| format.phrase).to_owned();
    let Some(rule) = rule else {
        return text;
    };
    if rule.length != Count::ANY {
        let _ = write!(text, " of {}", count_phrase(rule.length, "length"));
    }
    if let Some(rule) = &rule.pattern {
        let pattern = abbreviate(rule.pattern.as_str());
        let _ = write!(text, " that {}", fact("fact.pattern", &[&pattern]));
    }
    text
}

fn array_phrase(rule: Option<&ArrayRule>) -> String {
    match rule {
        Some(rule) if rule.count != Count::ANY => {
            format!("an array of {}", count_phrase(rule.count, "items"))
        }
        _ => "an array".to_owned(),
    }
}

fn object_phrase(rule: Option<&ObjectRule>) -> String {
    match rule {
        Some(rule) if !rule.required.is_empty() => {
            let names = rule.required.iter().map(|name| format!("\"{name}\""));
            format!("{OBJECT} with {}", list(names, "and"))
        }
        _ => OBJECT.to_owned(),
    }
}

/// Returns a number of things, such as `1 to 100 characters` or `at least 1 element`.
pub(super) fn count_phrase(count: Count, unit: &str) -> String {
    let least = count.min.to_string();
    let most = count.max.to_string();
    let most = (count.max != usize::MAX).then_some(&*most);
    let least = (count.min > 0 || most.is_none_or(|most| most == least)).then_some(&*least);
    let (key, values) = facts::count(unit, least, most).unwrap_or_default();
    fact(&key, &values)
}

/// Returns a list such as `a, b or c`, with the number of items that are left out.
pub(super) fn list(items: impl ExactSizeIterator<Item = String>, word: &str) -> String {
    let items = items.map(|item| abbreviate(&item).into_owned());
    let word = format!(" {word} ");
    brief::list(items, LISTED, &word, &word)
}

fn join(parts: Vec<String>) -> String {
    if parts.is_empty() {
        return "another value".to_owned();
    }
    list(parts.into_iter(), "or")
}
