//! Checks strings, numbers, `true`, `false` and `null`.

use docent_describe::json::Cursor;

use super::failure::{Cause, Failure};
use super::node::Node;
use super::walk::Outcome;
use docent_describe::schema::Kinds;

/// Checks a scalar value against the keywords of a schema itself.
#[inline]
pub(super) fn scalar<'a>(node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
    if let Some(choices) = &node.choices {
        choices.check(*cursor).map_err(Failure::new)?;
    }
    let start = *cursor;
    let (kind, outcome) = match cursor.peek() {
        b'"' => {
            let quoted = cursor.string();
            let rule = node.string.as_ref();
            (
                Kinds::STRING,
                rule.map_or(Ok(()), |rule| rule.check(quoted)),
            )
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

/// The kind of the number at the cursor, and whether it follows the rules for numbers.
#[inline]
fn number<'a>(node: &'a Node, cursor: &mut Cursor<'a>) -> (Kinds, bool) {
    let rule = node.number.as_ref();
    if let Some(value) = cursor.plain_i64() {
        let fits = rule.is_none_or(|rule| rule.admits_integer(value));
        return (Kinds::INTEGER, fits);
    }
    let text = cursor.value();
    let fits = rule.is_none_or(|rule| rule.admits(text));
    (Kinds::of_number(text), fits)
}
