//! Checks strings, numbers, `true`, `false` and `null`.

use crate::json::{Cursor, Quoted};
use crate::schema::Kinds;

use super::failure::{Cause, Failure, Outcome};
use super::node::Node;
use super::string::{Count, StringRule};

/// Checks a scalar value against the keywords of the schema itself.
#[inline]
pub(super) fn scalar<'a>(node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
    choice(node, cursor)?;
    let start = *cursor;
    let (kind, outcome) = match cursor.peek() {
        b'"' => {
            let quoted = cursor.string();
            let outcome = match &node.string {
                Some(rule) => string(rule, quoted),
                None => Ok(()),
            };
            (Kinds::STRING, outcome.and_then(|()| whole(node, quoted)))
        }
        b'-' | b'0'..=b'9' => {
            let (kind, fits) = number(node, cursor);
            let outcome = if fits {
                Ok(())
            } else {
                Err(Cause::Kind(node, start))
            };
            (kind, outcome)
        }
        word => {
            cursor.value();
            let kind = if word == b'n' {
                Kinds::NULL
            } else {
                Kinds::BOOLEAN
            };
            (kind, Ok(()))
        }
    };
    if node.kinds.meet(kind) {
        outcome.map_err(Failure::new)
    } else {
        Err(Failure::new(Cause::Kind(node, start)))
    }
}

/// Returns the kind of the number at the cursor, and whether it follows the rules for numbers.
fn number<'a>(node: &'a Node, cursor: &mut Cursor<'a>) -> (Kinds, bool) {
    let text = cursor.value();
    let rule = node.number.as_ref();
    let fits = rule.is_none_or(|rule| rule.admits(text));
    (Kinds::of_number(text), fits)
}

/// Checks that a value is in the list, if there is one. The cursor does not move.
#[inline]
pub(super) fn choice<'a>(node: &'a Node, cursor: &Cursor<'a>) -> Outcome<'a> {
    match &node.choices {
        Some(choices) if !choices.has(*cursor) => {
            Err(Failure::new(Cause::Choice(choices, *cursor)))
        }
        _ => Ok(()),
    }
}

/// Checks that a string is valid text, if the schema is about strings: half of a surrogate pair is
/// not.
fn whole<'a>(node: &Node, quoted: Quoted<'a>) -> Result<(), Cause<'a>> {
    match quoted.try_unescape() {
        Err(_) if node.kinds != Kinds::ALL => Err(Cause::Surrogate),
        _ => Ok(()),
    }
}

fn string<'a>(rule: &'a StringRule, quoted: Quoted<'a>) -> Result<(), Cause<'a>> {
    // Half of a surrogate pair is one code point, and so is its replacement character.
    let text = quoted.unescape();
    if rule.length != Count::ANY {
        let count = text.chars().count();
        if !rule.length.admits(count) {
            return Err(Cause::Length(rule.length, count));
        }
    }
    // After the length, because a text that is too long is not matched.
    if let Some(rule) = &rule.pattern {
        match rule.is_match(&text) {
            Ok(true) => {}
            Ok(false) => return Err(Cause::Pattern(&rule.pattern, quoted.as_written())),
            Err(length) => return Err(Cause::PatternText(rule.longest, length)),
        }
    }
    match rule.format {
        Some(format) if !format.admits(&text) => Err(Cause::Format(format, quoted.as_written())),
        _ => Ok(()),
    }
}
