//! The reasons why a value does not match a schema, for readers who know only JSON.
//!
//! Messages quote values from callers, who may be hostile, so the length of every quotation and
//! list is limited.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::brief::{self, MAX_QUOTED_CHARS, abbreviate};
use crate::json::{Cursor, Pointer, shorten};
use crate::schema::bounds::type_of_format;
use crate::schema::facts::{self, fact};
use crate::schema::kinds::Kinds;
use crate::schema::trial::digits::range_of_names;

use super::number::{ComparedNumber, NumberRule};
use super::rules::{CompiledComponents, CompiledUnion, InPlace, Link, ObjectRule};
use super::string::Count;

/// The maximum number of items in a list.
const MAX_LISTED: usize = 6;

/// The maximum number of schemas inside each other that a phrase looks into.
const MAX_FOLLOWED: usize = 4;

/// A value's violation of its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The location in the value. It ends before a member whose name has more than 256 bytes.
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

/// Returns the reason for refusing an unexpected value.
pub(super) fn expected(wanted: &str, found: Cursor<'_>) -> String {
    ["expected ", wanted, ", found ", &display(found)].concat()
}

/// Returns the value at a cursor as messages display it.
fn display(mut cursor: Cursor<'_>) -> Cow<'_, str> {
    match cursor.peek() {
        b'{' => "an object".into(),
        b'[' => "an array".into(),
        _ => shorten(cursor.value(), MAX_QUOTED_CHARS),
    }
}

/// Describes values of some kinds: `an integer from 1 to 10 or null`.
pub(super) fn values(kinds: Kinds, numbers: Option<&NumberRule>) -> String {
    let number = match numbers {
        Some(rule) if !is_double(rule) => number(kinds, rule),
        _ => noun(kinds).to_owned(),
    };
    let phrases = [
        (Kinds::NUMBER, &*number),
        (Kinds::STRING, "a string"),
        (Kinds::ARRAY, "an array"),
        (Kinds::OBJECT, "an object"),
        (Kinds::BOOLEAN, "true or false"),
        (Kinds::NULL, "null"),
    ];
    let mut expected = Vec::new();
    for (kind, phrase) in phrases {
        if kinds.meet(kind) {
            expected.push(phrase.to_owned());
        }
    }
    list(expected, "or")
}

/// Returns whether a rule states the bounds of all doubles, which no reader needs.
fn is_double(rule: &NumberRule) -> bool {
    type_of_format("double", Kinds::NUMBER)
        .is_some_and(|double| rule.is_implied_by(double.least, double.greatest))
}

/// Describes the values that match one of some alternatives.
pub(super) fn alternatives(union: &CompiledUnion, components: &CompiledComponents) -> String {
    let mut phrases = Vec::new();
    collect_branches(union, components, MAX_FOLLOWED, &mut phrases);
    phrases.sort_by_key(|phrase| phrase == "null");
    phrases.dedup();
    list(phrases, "or")
}

/// Adds phrases for the values that match one of some alternatives.
fn collect_branches(
    union: &CompiledUnion,
    components: &CompiledComponents,
    levels_left: usize,
    phrases: &mut Vec<String>,
) {
    for branch in &union.branches {
        // The selector describes its branches itself.
        let is_selected = union.selector.is_some() && branch.kinds == Kinds::OBJECT;
        if !is_selected {
            collect_phrases(&branch.link, branch.kinds, components, levels_left, phrases);
        }
    }
    if let Some(selector) = &union.selector {
        phrases.push(match &selector.tag {
            Some(tag) => format!("an object whose \"{tag}\" is {}", selector.phrase),
            None => format!("an object whose only member is {}", selector.phrase),
        });
    }
}

/// Adds phrases for the values of some kinds that match a schema.
fn collect_phrases(
    link: &Link,
    kinds: Kinds,
    components: &CompiledComponents,
    levels_left: usize,
    phrases: &mut Vec<String>,
) {
    let Some(levels_left) = levels_left.checked_sub(1) else {
        return phrases.push(values(kinds, None));
    };
    let schema = match link {
        Link::Component(component) => {
            let link = components.link(*component);
            return collect_phrases(link, kinds, components, levels_left, phrases);
        }
        Link::Schema(schema) => schema,
        _ => return phrases.push(values(kinds, None)),
    };
    match &*schema.in_place {
        _ if let Some(choices) = &schema.choices => phrases.push(choices.phrase.to_string()),
        [InPlace::Union(union)] if !schema.has_own_rules() => {
            collect_branches(union, components, levels_left, phrases);
        }
        _ => phrases.push(values(kinds & schema.kinds, schema.number.as_deref())),
    }
}

/// Returns the name of numbers of these kinds.
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

/// Describes one end of a range: `above 1`, `of at least 1`.
fn end(bound: &ComparedNumber, exclusive: &str, inclusive: &str) -> String {
    if bound.exclusive {
        fact(&format!("fact.{exclusive}"), &[&bound.text])
    } else {
        format!("of {}", fact(&format!("fact.{inclusive}"), &[&bound.text]))
    }
}

/// Returns the reason for a wrong number of things, such as `expected at least 1 element, found 0`.
pub(super) fn count(count: Count, unit: &str, found: usize) -> String {
    let min = count.min.to_string();
    let max = count.max.to_string();
    let mut least = Some(&*min);
    let mut most = Some(&*max);
    if count.max == usize::MAX {
        most = None;
    } else if count.min == 0 && count.max > 0 {
        least = None;
    }
    let (key, values) = facts::count(unit, least, most).unwrap_or_default();
    format!("expected {}, found {found}", fact(&key, &values))
}

/// Returns the reason for a member that an object must not have.
pub(super) fn unknown(rule: &ObjectRule, name: &str) -> String {
    let mut expected: Vec<String> = rule
        .properties
        .iter()
        .filter(|property| property.link.is_some())
        .map(|property| format!("\"{}\"", property.name))
        .collect();
    expected.extend(rule.patterns.iter().map(|(pattern, _)| {
        let pattern = pattern.as_str();
        match range_of_names(pattern) {
            Some(range) => format!("an integer {range}"),
            None => format!("a name that matches the pattern {}", abbreviate(pattern)),
        }
    }));
    let found = shorten(name, MAX_QUOTED_CHARS);
    if expected.is_empty() {
        return format!("unknown member {found}");
    }
    format!("unknown member {found}; expected {}", list(expected, "or"))
}

/// Returns a list such as `a, b or c`, with the number of items that are left out.
fn list(items: Vec<String>, conjunction: &str) -> String {
    let items = items.into_iter().map(|item| abbreviate(&item).into_owned());
    let conjunction = format!(" {conjunction} ");
    brief::list(items, MAX_LISTED, &conjunction, &conjunction)
}
