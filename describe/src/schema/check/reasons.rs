//! The reasons why a value does not match a schema, for readers who know only JSON.
//!
//! Messages quote values from callers, who may be hostile, so the length of every quotation and
//! list is limited.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::brief::{self, QUOTED, abbreviate};
use crate::json::{Cursor, Pointer, shorten};
use crate::schema::facts::{self, fact};
use crate::schema::kinds::Kinds;
use crate::schema::trial::digits::range_of_names;

use super::node::{Branch, InPlace, Link, ObjectRule, SharedNode, Union};
use super::number::{Bound, NumberRule};
use super::string::Count;

/// The maximum number of items in a list.
const LISTED: usize = 6;
/// The maximum number of schemas inside each other that a phrase looks into.
const FOLLOWED: usize = 4;

/// A value's violation of its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The location in the value. Below a member with an excessively long name, it is the object
    /// with that member.
    pub pointer: Pointer,
    /// The reason, for people who know JSON but not the service:
    /// `expected an integer from 1 to 10, found 11`.
    pub reason: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_root() {
            f.write_str(&self.reason)
        } else {
            write!(f, "at {}: {}", self.pointer, self.reason)
        }
    }
}

impl std::error::Error for Violation {}

/// Returns the reason for a value that is not what is wanted.
pub(super) fn expected(wanted: &str, found: Cursor<'_>) -> String {
    ["expected ", wanted, ", found ", &shown(found)].concat()
}

/// Returns the value at a cursor as messages show it.
fn shown(mut cursor: Cursor<'_>) -> Cow<'_, str> {
    match cursor.peek() {
        b'{' => "an object".into(),
        b'[' => "an array".into(),
        _ => shorten(cursor.value(), QUOTED),
    }
}

/// Describes values of some kinds: `an integer from 1 to 10 or null`.
pub(super) fn values(kinds: Kinds, numbers: Option<&NumberRule>) -> String {
    // The bounds of all doubles tell a reader nothing.
    let is_double = |rule: &NumberRule| rule.is_implied_by(DOUBLES.0, DOUBLES.1);
    let number = match numbers.filter(|rule| !is_double(rule)) {
        Some(rule) => number(kinds, rule),
        None => noun(kinds).to_owned(),
    };
    let words = [
        (Kinds::NUMBER, &*number),
        (Kinds::STRING, "a string"),
        (Kinds::ARRAY, "an array"),
        (Kinds::OBJECT, "an object"),
        (Kinds::BOOLEAN, "true or false"),
        (Kinds::NULL, "null"),
    ];
    let words = words.into_iter().filter(|(kind, _)| kinds.meet(*kind));
    list(words.map(|(_, word)| word.to_owned()).collect(), "or")
}

/// Describes the values that match one of some alternatives.
pub(super) fn alternatives(union: &Union, shared: &SharedNode) -> String {
    let mut phrases = Vec::new();
    collect_branches(union, shared, FOLLOWED, &mut phrases);
    phrases.sort_by_key(|phrase| phrase == "null");
    phrases.dedup();
    list(phrases, "or")
}

fn collect_branches(union: &Union, shared: &SharedNode, left: usize, phrases: &mut Vec<String>) {
    let is_selected = |branch: &&Branch| union.selector.is_some() && branch.kinds == Kinds::OBJECT;
    for branch in union.branches.iter().filter(|it| !is_selected(it)) {
        collect_phrases(&branch.link, branch.kinds, shared, left, phrases);
    }
    phrases.extend(union.selector.as_ref().map(|selector| match &selector.tag {
        Some(tag) => format!("an object whose \"{tag}\" is {}", selector.phrase),
        None => format!("an object whose only member is {}", selector.phrase),
    }));
}

fn collect_phrases(
    link: &Link,
    kinds: Kinds,
    shared: &SharedNode,
    left: usize,
    phrases: &mut Vec<String>,
) {
    let Some(left) = left.checked_sub(1) else {
        return phrases.push(values(kinds, None));
    };
    let node = match link {
        Link::Component(slot) => {
            let link = shared.component(*slot);
            return collect_phrases(link, kinds, shared, left, phrases);
        }
        Link::Node(node) => node,
        _ => return phrases.push(values(kinds, None)),
    };
    match &*node.in_place {
        _ if let Some(choices) = &node.choices => phrases.push(choices.phrase.to_string()),
        [InPlace::Union(union)] if !node.has_own_rules() => {
            collect_branches(union, shared, left, phrases);
        }
        _ => phrases.push(values(kinds & node.kinds, node.number.as_ref())),
    }
}

/// The least and the greatest double.
const DOUBLES: (&str, &str) = ("-1.7976931348623157e308", "1.7976931348623157e308");

fn noun(kinds: Kinds) -> &'static str {
    if kinds.meet(Kinds::FRACTION) {
        "a number"
    } else {
        "an integer"
    }
}

/// Describes the numbers of these kinds that follow a rule.
pub(super) fn number(kinds: Kinds, rule: &NumberRule) -> String {
    let mut text = noun(kinds).to_owned();
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
    text
}

fn end(bound: &Bound, exclusive: &str, inclusive: &str) -> String {
    if bound.exclusive {
        fact(&format!("fact.{exclusive}"), &[&bound.text])
    } else {
        format!("of {}", fact(&format!("fact.{inclusive}"), &[&bound.text]))
    }
}

/// Returns the reason for a wrong number of things, such as `expected at least 1 element, found 0`.
pub(super) fn count(count: Count, unit: &str, found: usize) -> String {
    let least = count.min.to_string();
    let most = count.max.to_string();
    let most = (count.max != usize::MAX).then_some(&*most);
    let least = (count.min > 0 || most.is_none_or(|most| most == least)).then_some(&*least);
    let (key, values) = facts::count(unit, least, most).unwrap_or_default();
    format!("expected {}, found {found}", fact(&key, &values))
}

/// Returns the reason for a member that an object must not have.
pub(super) fn unknown(rule: &ObjectRule, name: &str) -> String {
    let mut expected: Vec<String> = rule
        .properties
        .iter()
        .filter(|it| it.link.is_some())
        .map(|it| format!("\"{}\"", it.name))
        .collect();
    expected.extend(rule.patterns.iter().map(|(pattern, _)| {
        let pattern = pattern.as_str();
        match range_of_names(pattern) {
            Some(range) => format!("an integer {range}"),
            None => format!("a name that matches the pattern {}", abbreviate(pattern)),
        }
    }));
    let found = shorten(name, QUOTED);
    if expected.is_empty() {
        return format!("unknown member {found}");
    }
    format!("unknown member {found}; expected {}", list(expected, "or"))
}

/// Returns a list such as `a, b or c`, with the number of items that are left out.
pub(super) fn list(items: Vec<String>, word: &str) -> String {
    let items = items.into_iter().map(|item| abbreviate(&item).into_owned());
    let word = format!(" {word} ");
    brief::list(items, LISTED, &word, &word)
}
