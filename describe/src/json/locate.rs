//! Finds the pointer to a value by its byte offset, and the other way round.
//!
//! The decoder knows only the offset at which it failed. The pointer is found afterwards, by walking
//! over the text once more, because hardly any call needs it.

use super::cursor::Cursor;
use super::pointer::Pointer;
use super::string::unescape_lossy;

/// The maximum length of a pointer in a response.
const MAX_POINTER_LENGTH: usize = 1024;

/// One step from a container to a value in it.
enum Step<'t> {
    Element(usize),
    /// The text of a member's name, once it has been read.
    Member(Option<&'t str>),
}

/// Returns the pointer from the value at a cursor to the value, or the member's name, at `target`.
///
/// Reads the text once, however deep the target is. If names would make a pointer too long, it ends
/// at a value that contains the target.
pub fn pointer_to(mut cursor: Cursor<'_>, target: usize) -> Pointer {
    let mut steps = Vec::new();
    loop {
        let next = cursor.next_token();
        if next == 0 || cursor.offset() >= target && !matches!(next, b',' | b':' | b'"') {
            break;
        }
        match next {
            b'[' => steps.push(Step::Element(0)),
            b'{' => steps.push(Step::Member(None)),
            b']' | b'}' => _ = steps.pop(),
            b',' => match steps.last_mut() {
                Some(Step::Element(index)) => *index += 1,
                Some(Step::Member(name)) => *name = None,
                None => break,
            },
            b':' => {}
            _ => {
                let is_target = cursor.offset() >= target;
                let token = cursor.value();
                if let Some(Step::Member(name @ None)) = steps.last_mut() {
                    *name = Some(token);
                }
                if is_target || target < cursor.offset() {
                    break;
                }
                continue;
            }
        }
        cursor.step();
    }
    let mut pointer = Pointer::root();
    for step in steps {
        match step {
            Step::Element(index) => pointer.push(index),
            Step::Member(Some(name))
                if pointer.as_str().len() + name.len() <= MAX_POINTER_LENGTH =>
            {
                pointer.push(unescape_lossy(name));
            }
            Step::Member(_) => break,
        }
    }
    pointer
}

/// Returns a cursor at the value in a text that a pointer leads to.
pub(crate) fn cursor_at<'t>(text: &'t str, pointer: &Pointer) -> Option<Cursor<'t>> {
    let mut cursor = Cursor::new(text);
    for token in pointer.tokens() {
        cursor = inner(cursor, &token)?;
    }
    Some(cursor)
}

/// Returns a cursor at the member or element of the value at `cursor` that a token names.
fn inner<'t>(mut cursor: Cursor<'t>, token: &str) -> Option<Cursor<'t>> {
    match cursor.peek() {
        b'[' => {
            let index: usize = token.parse().ok()?;
            cursor.step();
            for _ in 0..index {
                if !cursor.next_element() {
                    return None;
                }
                cursor.value();
            }
            cursor.next_element().then_some(cursor)
        }
        b'{' => {
            cursor.step();
            while cursor.next_member()?.unescape() != token {
                cursor.value();
            }
            Some(cursor)
        }
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::{Cursor, Pointer, cursor_at, pointer_to};

    #[test]
    fn a_pointer_and_an_offset_lead_to_the_same_value() {
        let text = r#" {"a": [1, {"b/c": "x", "\u0064": [[], null]}], "": -2.5} "#;
        for (tokens, value) in [
            (&[][..], text.trim()),
            (&["a"], r#"[1, {"b/c": "x", "\u0064": [[], null]}]"#),
            (&["a", "0"], "1"),
            (&["a", "1", "b/c"], "\"x\""),
            (&["a", "1", "d", "0"], "[]"),
            (&["a", "1", "d", "1"], "null"),
            (&[""], "-2.5"),
        ] {
            let mut pointer = Pointer::root();
            for token in tokens {
                pointer.push(token);
            }
            let mut cursor = cursor_at(text, &pointer).unwrap();
            assert_eq!(pointer_to(Cursor::new(text), cursor.offset()), pointer);
            assert_eq!(cursor.value(), value);
        }
    }

    #[test]
    fn a_pointer_to_nothing_has_no_cursor() {
        let text = r#"[[1], {"a": 2}, 3]"#;
        for pointer in [
            &["3"][..],
            &["0", "1"],
            &["0", "a"],
            &["1", "b"],
            &["2", "0"],
        ] {
            let mut nowhere = Pointer::root();
            for token in pointer {
                nowhere.push(token);
            }
            assert!(cursor_at(text, &nowhere).is_none(), "{nowhere}");
        }
    }
}
