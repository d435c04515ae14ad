//! JSON for display: indented if it is long, on one line if it fits, with numbers as they were
//! written, and without invisible characters.
//!
//! [`pretty`] is for messages and schemas, [`brief`] for a value within a line, and [`compact`] for a script:
//!
//! ```text
//! pretty   {                                        brief   {"id": 7, "tags": ["new", …
//!            "id": 7,                               compact {"id": 7, "tags": ["new", "signed"]}
//!            "tags": ["new", "signed"]
//!          }
//! ```
//!
//! The text has a limit, because a value of a description may be of any size: printing stops there, and the page says
//! that the text is not complete.

use std::iter;

use docent_describe::json::{Json, push_quoted, shorten_bytes};

/// The maximum width of an array or object on one line, in UTF-16 units. A wider one is broken. A page's
/// script lays values out by the same rule.
const MAX_WIDTH: usize = 48;

/// The minimum room for a value: a narrower one is never broken, however full the line is.
const MIN_ROOM: usize = 12;

/// The maximum depth at which values are broken and indented. Deeper values stay on one line: if each
/// level had more indentation, the text would grow with the square of its depth.
const MAX_INDENTED_DEPTH: usize = 24;

/// JSON text that is being printed, or is printed.
pub(crate) struct Printed {
    /// The text so far.
    pub(crate) text: String,
    /// True if the text contains all of the value.
    pub(crate) is_complete: bool,
    /// The length of the text, in bytes, after which printing stops.
    limit: usize,
}

/// Prints the value; stops once the text is longer than `limit` bytes.
pub(crate) fn pretty(value: &Json, limit: usize) -> Printed {
    print(value, limit, Some(0))
}

/// Returns the value on one line, however long.
pub(crate) fn compact(value: &Json) -> String {
    print(value, usize::MAX, None).text
}

/// Returns a member of an object if it is a string that is not blank.
pub(crate) fn text_member<'j>(object: &'j Json, member: &str) -> Option<&'j str> {
    object
        .get_str(member)
        .filter(|text| !text.trim().is_empty())
}

/// Returns a value on one line of at most about `limit` bytes, for a table or a signature.
pub(crate) fn brief(value: &Json, limit: usize) -> String {
    let Printed {
        text, is_complete, ..
    } = print(value, limit, None);
    if text.len() > limit {
        return shorten_bytes(&text, limit).into_owned();
    }
    if is_complete { text } else { text + "…" }
}

/// Prints a value on one line, or indented where it is long.
fn print(value: &Json, limit: usize, indent: Option<usize>) -> Printed {
    let mut printed = Printed {
        text: String::new(),
        is_complete: true,
        limit,
    };
    printed.value(value, indent);
    printed
}

impl Printed {
    /// Returns whether the limit is exceeded, so that nothing more is printed.
    fn is_full(&mut self) -> bool {
        self.is_complete &= self.text.len() <= self.limit;
        !self.is_complete
    }

    /// Appends a text.
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Prints a value. It is laid out from `indent` on, or on one line if that is `None` or if it fits.
    fn value(&mut self, value: &Json, indent: Option<usize>) {
        if self.is_full() {
            return;
        }
        let indent = indent.filter(|indent| self.is_broken(value, *indent));
        match value {
            Json::Null => self.push("null"),
            Json::Bool(true) => self.push("true"),
            Json::Bool(false) => self.push("false"),
            Json::Number(text) => self.push(text),
            Json::String(text) => self.string(text),
            Json::Array(elements) => {
                self.push("[");
                let elements = elements.iter().map(|element| (None, element));
                self.members(elements, indent, "]");
            }
            Json::Object(members) => {
                self.push("{");
                let members = members
                    .iter()
                    .map(|(name, member)| (Some(name.as_str()), member));
                self.members(members, indent, "}");
            }
        }
    }

    /// Prints the elements of an array, or the members of an object with their names.
    fn members<'j>(
        &mut self,
        members: impl Iterator<Item = (Option<&'j str>, &'j Json)>,
        indent: Option<usize>,
        end: &str,
    ) {
        for (index, (name, member)) in members.enumerate() {
            if self.is_full() {
                break;
            }
            match indent {
                Some(indent) => {
                    self.push(if index > 0 { "," } else { "" });
                    self.new_line(indent + 2);
                }
                None => self.push(if index > 0 { ", " } else { "" }),
            }
            if let Some(name) = name {
                push_quoted(&mut self.text, name);
                self.push(": ");
            }
            self.value(member, indent.map(|indent| indent + 2));
        }
        match indent {
            Some(indent) => {
                if !self.is_complete {
                    self.new_line(indent + 2);
                    self.push("…");
                }
                self.new_line(indent);
                self.push(end);
            }
            None if self.is_complete => self.push(end),
            None => {}
        }
    }

    /// Returns whether a container is wider than the rest of the line.
    fn is_broken(&self, value: &Json, indent: usize) -> bool {
        if !matches!(value, Json::Array(_) | Json::Object(_)) || indent >= 2 * MAX_INDENTED_DEPTH {
            return false;
        }
        let line_start = self.text.rfind('\n').map_or(0, |line_end| line_end + 1);
        let width_so_far = self.text[line_start..].encode_utf16().count();
        let room = MAX_WIDTH.saturating_sub(width_so_far).max(MIN_ROOM);
        // A UTF-16 unit takes up to three bytes.
        let line = print(value, 3 * room, None);
        !line.is_complete || line.text.encode_utf16().count() > room
    }

    /// Begins a line.
    fn new_line(&mut self, indent: usize) {
        self.push("\n");
        self.text.extend(iter::repeat_n(' ', indent));
    }

    /// Prints a string, or as much of it as the limit allows.
    fn string(&mut self, text: &str) {
        let room = self.limit.saturating_sub(self.text.len()).max(16);
        match text.char_indices().nth(room) {
            Some((end, _)) => {
                push_quoted(&mut self.text, &text[..end]);
                self.is_complete = false;
            }
            None => push_quoted(&mut self.text, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        text.parse().expect("JSON")
    }

    #[test]
    fn numbers_are_printed_as_they_were_written() {
        let text = "[1e400, 12345678901234567890, 1.0, -0]";
        assert_eq!(pretty(&json(text), 1000).text, text);
    }

    #[test]
    fn what_cannot_be_seen_is_an_escape() {
        assert_eq!(compact(&Json::from("a\u{202e}b\0")), r#""a\u202eb\u0000""#);
    }

    #[test]
    fn a_line_is_broken_where_it_would_be_too_wide() {
        for (text, lines) in [
            ("{}", 1),
            (r#"{"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"#, 1),
            (r#"{"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"#, 3),
            (r#"{"a": "éééééééééééééééééééééééééééééééééééééé"}"#, 1),
            (r#"["\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"]"#, 3),
            (
                r#"{"one": 1, "two": [true, false, null], "three": {"x": [2]}}"#,
                5,
            ),
        ] {
            assert_eq!(
                pretty(&json(text), 1000).text.lines().count(),
                lines,
                "{text}"
            );
        }
        let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
        let printed = pretty(&json(&deep), 100_000).text;
        assert_eq!(
            printed.lines().count(),
            2 * MAX_INDENTED_DEPTH + 1,
            "{printed}"
        );
    }

    #[test]
    fn a_giant_value_is_cut() {
        let giant = Json::Array(vec![Json::from("x".repeat(1000)); 10_000]);
        let printed = pretty(&giant, 2000);
        assert!(!printed.is_complete && printed.text.len() < 5000);
        let long = Json::from("y".repeat(10_000_000));
        assert!(pretty(&long, 2000).text.len() < 5000);
        assert!(brief(&long, 60).len() < 80);
    }
}
