//! The reasons why a value does not match a schema: first as data, then as sentences for readers
//! who know only JSON.
//!
//! Messages quote values from callers, who may be hostile, so the length of every quotation and
//! list is limited.

use std::borrow::Cow;

use crate::json::{Cursor, Pointer, shorten, unescape_lossy};
use crate::pattern::Pattern;
use crate::schema::range_of_names;

use super::choices::Choices;
use super::format::Format;
use super::key::MAX_DEPTH;
use super::node::{Node, ObjectRule, Selector, Shared, Union};
use super::phrase::{Phrases, count_phrase, list};
use super::string::Count;
use super::violation::Violation;
use crate::brief::{QUOTED, abbreviate, bounded};

/// The maximum length of a name in a pointer. The pointer ends before a longer one.
const NAME: usize = 256;
/// The maximum length of a pointer, in bytes.
const POINTER: usize = 1024;

/// The result of checking a value.
pub(super) type Outcome<'a> = Result<(), Failure<'a>>;

/// The failure of a check. It is a single pointer, because most values match and outcomes are
/// passed up many levels.
#[derive(Debug, Clone)]
pub(super) struct Failure<'a>(Box<Parts<'a>>);

#[derive(Debug, Clone)]
struct Parts<'a> {
    /// The steps to the value, the innermost first.
    path: Vec<Step<'a>>,
    cause: Cause<'a>,
    /// Further failures that were found after this one.
    others: Vec<Failure<'a>>,
    /// True if the failure has been counted toward the maximum.
    is_counted: bool,
}

/// A step into a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    /// To an element.
    Element(usize),
    /// To a member, by its name as it is written.
    Member(&'a str),
}

/// The reason why a value does not match.
#[derive(Debug, Clone)]
pub(super) enum Cause<'a> {
    /// No value would match.
    Never,
    /// The value is of another kind, or is a number that breaks a rule.
    Kind(&'a Node, Cursor<'a>),
    /// The value is not in a list.
    Choice(&'a Choices, Cursor<'a>),
    /// The value is a string of this length.
    Length(Count, usize),
    /// The value is a string that does not match this pattern.
    Pattern(&'a Pattern, &'a str),
    /// The value is longer than texts that are matched against a pattern, so the answer is unknown.
    PatternText(usize, usize),
    /// The value is a string with half of a surrogate pair.
    Surrogate,
    /// The value is a string with another format.
    Format(Format, &'a str),
    /// The value is an array of this length.
    Elements(Count, usize),
    /// The elements at these indexes are equal.
    Equal([usize; 2]),
    /// The value has no member with this name.
    Missing(&'a str),
    /// The value has an unknown member.
    Unknown(&'a ObjectRule, &'a str),
    /// The value is a tag of no alternative.
    Tag(&'a Selector, Cursor<'a>),
    /// The first member of the value, if it has one, belongs to no alternative.
    Member(&'a Selector, Option<&'a str>),
    /// The value matches none of the alternatives. There is a reason for each that was tried.
    NoneFits(&'a Union, Cursor<'a>, Vec<Failure<'a>>),
    /// The value matches two of the alternatives.
    TwoFit(&'a Union, [usize; 2]),
    /// The value is nested too deeply to be checked.
    TooDeep,
}

impl<'a> Failure<'a> {
    #[cold]
    pub(super) fn new(cause: Cause<'a>) -> Self {
        Self(Box::new(Parts {
            path: Vec::new(),
            cause,
            others: Vec::new(),
            is_counted: false,
        }))
    }

    /// Adds a step, so that the failure is that of the container.
    #[cold]
    pub(super) fn within(mut self, step: Step<'a>) -> Self {
        self.0.path.push(step);
        for other in &mut self.0.others {
            other.0.path.push(step);
        }
        self
    }

    /// Appends a failure that was found later, with its further failures.
    #[cold]
    pub(super) fn and(mut self, mut other: Self) -> Self {
        let further = std::mem::take(&mut other.0.others);
        self.0.others.push(other);
        self.0.others.extend(further);
        self
    }

    /// Counts the failure, and returns whether it had not been counted before.
    pub(super) fn is_counted_first(&mut self) -> bool {
        !std::mem::replace(&mut self.0.is_counted, true)
    }

    /// Returns whether the check was given up, so that nothing is known about the value.
    pub(super) fn is_no_verdict(&self) -> bool {
        matches!(self.0.cause, Cause::TooDeep)
    }

    /// Returns the failure and the further ones as violations, at most `most`.
    pub(super) fn into_violations(mut self, shared: &'a Shared, most: usize) -> Vec<Violation> {
        let others = std::mem::take(&mut self.0.others);
        let all = std::iter::once(self).chain(others).take(most);
        all.map(|failure| failure.into_violation(shared)).collect()
    }

    /// Returns the failure as a violation.
    pub(super) fn into_violation(self, shared: &'a Shared) -> Violation {
        let phrases = Phrases {
            shared,
            widths: true,
        };
        let (inner, reason) = match &self.0.cause {
            Cause::NoneFits(union, found, failures) => none_fits(&phrases, union, *found, failures),
            cause => (None, cause.reason(&phrases)),
        };
        let inner = inner.map_or([].as_slice(), |failure| &failure.0.path);
        Violation {
            pointer: pointer(self.0.path.iter().rev().chain(inner.iter().rev())),
            reason: bounded(reason),
        }
    }
}

/// Returns the pointer that consists of some steps, the outermost first.
fn pointer<'a>(steps: impl Iterator<Item = &'a Step<'a>>) -> Pointer {
    let mut pointer = Pointer::root();
    for step in steps {
        match step {
            Step::Element(index) => pointer.push(index),
            // A pointer that is cut in the middle of a name would be wrong. One that ends at the
            // container is true.
            Step::Member(name) if name.len() > NAME => break,
            Step::Member(name) if pointer.as_str().len() + name.len() > POINTER => break,
            Step::Member(name) => pointer.push(unescape_lossy(name)),
        }
    }
    pointer
}

impl<'a> Cause<'a> {
    fn reason(&self, phrases: &Phrases<'a>) -> String {
        match self {
            Self::Never => "no value is allowed here".to_owned(),
            Self::Kind(node, found) => expected(phrases.against(*found).node(node), &shown(*found)),
            Self::Choice(choices, found) => expected(choices.phrase(), &shown(*found)),
            Self::Length(length, found) => format!(
                "expected {}, found {found}",
                count_phrase(*length, "length")
            ),
            Self::Pattern(pattern, found) => {
                let pattern = abbreviate(pattern.as_str());
                let found = shorten(found, QUOTED);
                ["must match the pattern ", &pattern, ", found ", &found].concat()
            }
            Self::Format(format, found) => expected(format.phrase, &shorten(found, QUOTED)),
            Self::PatternText(longest, found) => format!(
                "expected at most {longest} characters (longer text is not matched against a \
                 pattern), found {found}"
            ),
            Self::Elements(count, found) => {
                format!("expected {}, found {found}", count_phrase(*count, "items"))
            }
            Self::Equal([first, second]) => {
                format!("the elements must be unique: elements {first} and {second} are equal")
            }
            Self::Missing(name) => format!("the member \"{}\" is missing", abbreviate(name)),
            Self::Unknown(rule, name) => unknown(rule, name),
            Self::Tag(selector, found) => expected(&selector.phrase, &shown(*found)),
            Self::Member(selector, found) => match found {
                Some(name) => format!(
                    "expected an object whose only member is {}, found {}",
                    selector.phrase,
                    shorten(name, QUOTED)
                ),
                None => format!(
                    "expected an object whose only member is {}, found none",
                    selector.phrase
                ),
            },
            Self::NoneFits(union, found, _) => {
                expected(&phrases.against(*found).union(union), &shown(*found))
            }
            Self::TwoFit(union, [first, second]) => {
                let phrase = |index: usize| {
                    let branch = union.branches.get(index);
                    branch.map_or_else(String::new, |branch| phrases.link(&branch.link))
                };
                format!(
                    "must match exactly one alternative, but matches two: {} and {}",
                    phrase(*first),
                    phrase(*second)
                )
            }
            Self::Surrogate => "the string contains an unpaired surrogate".to_owned(),
            Self::TooDeep => format!("nested more than {MAX_DEPTH} levels deep"),
        }
    }
}

/// Returns the reason why no alternative matches, and the failure that all of them share, if there
/// is one.
fn none_fits<'f, 'a>(
    phrases: &Phrases<'a>,
    union: &'a Union,
    found: Cursor<'a>,
    failures: &'f [Failure<'a>],
) -> (Option<&'f Failure<'a>>, String) {
    let mut reasons: Vec<String> = Vec::new();
    for failure in failures {
        let at = pointer(failure.0.path.iter().rev());
        let reason = failure.0.cause.reason(phrases);
        let reason = abbreviate(&reason);
        let reason = if at.is_root() {
            reason.into_owned()
        } else {
            format!("at {}: {reason}", shorten(at.as_str(), QUOTED))
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    match (failures, reasons.as_slice()) {
        ([first, ..], [_]) => (Some(first), first.0.cause.reason(phrases)),
        _ if refused_as_a_whole(failures) => {
            let all = Cause::NoneFits(union, found, Vec::new());
            (None, all.reason(phrases))
        }
        _ => (
            None,
            format!("no alternative matches: {}", reasons.join("; or ")),
        ),
    }
}

/// Returns whether all alternatives reject the value itself, and not something inside it.
fn refused_as_a_whole(failures: &[Failure<'_>]) -> bool {
    failures.iter().all(|failure| {
        failure.0.path.is_empty()
            && matches!(failure.0.cause, Cause::Kind(..) | Cause::NoneFits(..))
    })
}

fn unknown(rule: &ObjectRule, name: &str) -> String {
    let found = shorten(name, QUOTED);
    let properties = rule.properties.iter();
    let mut expected: Vec<String> = properties.map(|it| format!("\"{}\"", it.name)).collect();
    if rule.patterns.is_empty() {
        let mut text = format!("unknown member {found}");
        if !expected.is_empty() {
            text.push_str("; expected ");
            text.push_str(&list(expected.into_iter(), "or"));
        }
        return text;
    }
    expected.extend(rule.patterns.iter().map(|(rule, _)| {
        let pattern = rule.pattern.as_str();
        match range_of_names(pattern) {
            Some(range) => format!("an integer {range}"),
            None => format!("a string that matches the pattern {}", abbreviate(pattern)),
        }
    }));
    let expected = list(expected.into_iter(), "or");
    format!("in the member's name: expected {expected}, found {found}")
}

fn expected(wanted: &str, found: &str) -> String {
    ["expected ", wanted, ", found ", found].concat()
}

/// Returns the value at a cursor as messages show it.
fn shown(mut cursor: Cursor<'_>) -> Cow<'_, str> {
    match cursor.peek() {
        b'{' => "an object".into(),
        b'[' => "an array".into(),
        _ => shorten(cursor.value(), QUOTED),
    }
}
