//! JSON for display: indented if it is long, on one line if it fits, with numbers as they were
//! written, and without invisible characters.

use docent_describe::json::{Cursor, Json, push_quoted, shorten_bytes};

use crate::markup::{Form, Markup};

/// The widest line of an array or object, in UTF-16 units. Longer ones are broken. A page's script
/// lays values out by the same rule.
const WIDTH: usize = 48;

/// The width up to which a value is never broken, however full the line is.
const NARROW: usize = 12;

/// The deepest level with an indentation of its own. Deeper values stay on one line: if each level had
/// more indentation, the text would grow with the square of its depth.
const DEEPEST: usize = 24;

/// JSON text, and whether it contains the whole value.
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) whole: bool,
}

/// Prints the value; stops once the text is longer than `limit` bytes.
pub(crate) fn pretty(value: &Json, limit: usize) -> Printed {
    let mut printer = Printer {
        out: String::new(),
        limit,
        whole: true,
    };
    printer.value(value, 0);
    Printed {
        text: printer.out,
        whole: printer.whole,
    }
}

/// Returns the value on one line, however long.
pub(crate) fn compact(value: &Json) -> String {
    let mut printer = Printer {
        out: String::new(),
        limit: usize::MAX,
        whole: true,
    };
    printer.compact(value);
    printer.out
}

/// Returns a value on one line of at most about `limit` bytes, for a table or a signature.
pub(crate) fn brief(value: &Json, limit: usize) -> String {
    let mut printer = Printer {
        out: String::new(),
        limit,
        whole: true,
    };
    printer.compact(value);
    let text = printer.out;
    if text.len() > limit {
        return shorten_bytes(&text, limit).into_owned();
    }
    if printer.whole { text } else { text + "…" }
}

struct Printer {
    out: String,
    limit: usize,
    whole: bool,
}

impl Printer {
    fn is_full(&mut self) -> bool {
        if self.out.len() > self.limit {
            self.whole = false;
        }
        !self.whole
    }

    fn value(&mut self, value: &Json, indent: usize) {
        if self.is_full() {
            return;
        }
        match value {
            Json::Array(elements) if self.is_broken(value, indent) => {
                self.out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    if self.is_full() {
                        break;
                    }
                    self.next_line(at, indent + 2);
                    self.value(element, indent + 2);
                }
                self.last_line(indent, ']');
            }
            Json::Object(members) if self.is_broken(value, indent) => {
                self.out.push('{');
                for (at, (name, member)) in members.iter().enumerate() {
                    if self.is_full() {
                        break;
                    }
                    self.next_line(at, indent + 2);
                    push_quoted(&mut self.out, name);
                    self.out.push_str(": ");
                    self.value(member, indent + 2);
                }
                self.last_line(indent, '}');
            }
            other => self.compact(other),
        }
    }

    /// Returns whether a container is wider than the rest of the line.
    fn is_broken(&self, value: &Json, indent: usize) -> bool {
        let start = self.out.rfind('\n').map_or(0, |at| at + 1);
        let taken = self.out[start..].encode_utf16().count();
        let room = WIDTH.saturating_sub(taken).max(NARROW);
        indent < 2 * DEEPEST && left(value, room).is_none()
    }

    fn next_line(&mut self, at: usize, indent: usize) {
        if at > 0 {
            self.out.push(',');
        }
        self.new_line(indent);
    }

    fn last_line(&mut self, indent: usize, bracket: char) {
        if !self.whole {
            self.new_line(indent + 2);
            self.out.push('…');
        }
        self.new_line(indent);
        self.out.push(bracket);
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn compact(&mut self, value: &Json) {
        if self.is_full() {
            return;
        }
        match value {
            Json::Null => self.out.push_str("null"),
            Json::Bool(true) => self.out.push_str("true"),
            Json::Bool(false) => self.out.push_str("false"),
            Json::Number(text) => self.out.push_str(text),
            Json::String(text) => self.string(text),
            Json::Array(elements) => {
                self.out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    if at > 0 {
                        self.out.push_str(", ");
                    }
                    self.compact(element);
                    if !self.whole {
                        return;
                    }
                }
                self.out.push(']');
            }
            Json::Object(members) => {
                self.out.push('{');
                for (at, (name, member)) in members.iter().enumerate() {
                    if at > 0 {
                        self.out.push_str(", ");
                    }
                    push_quoted(&mut self.out, name);
                    self.out.push_str(": ");
                    self.compact(member);
                    if !self.whole {
                        return;
                    }
                }
                self.out.push('}');
            }
        }
    }

    fn string(&mut self, text: &str) {
        let room = self.limit.saturating_sub(self.out.len()).max(16);
        match text.char_indices().nth(room) {
            Some((at, _)) => {
                push_quoted(&mut self.out, &text[..at]);
                self.whole = false;
            }
            None => push_quoted(&mut self.out, text),
        }
    }
}

/// Returns how many of these UTF-16 units are left after the value on one line, or `None` if it does
/// not fit.
fn left(value: &Json, room: usize) -> Option<usize> {
    match value {
        Json::Null | Json::Bool(true) => room.checked_sub(4),
        Json::Bool(false) => room.checked_sub(5),
        Json::Number(text) => room.checked_sub(text.len()),
        Json::String(text) => left_beside(text, room),
        Json::Array(elements) => {
            let separators = elements.len().saturating_sub(1).checked_mul(2)?;
            let room = room.checked_sub(separators)?.checked_sub(2)?;
            elements.iter().try_fold(room, |room, it| left(it, room))
        }
        Json::Object(members) => {
            let room = room.checked_sub(members.len().checked_mul(4)?.max(2))?;
            members.iter().try_fold(room, |room, (name, member)| {
                left(member, left_beside(name, room)?)
            })
        }
    }
}

fn left_beside(text: &str, room: usize) -> Option<usize> {
    // A UTF-16 unit takes up to three bytes.
    if text.len() > 3 * room {
        return None;
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    push_quoted(&mut quoted, text);
    room.checked_sub(quoted.encode_utf16().count())
}

/// Renders JSON text as a block of code.
pub(crate) fn block(form: Form, text: &str) -> Markup {
    match form {
        Form::Html => highlight(text),
        Form::Markdown => Markup::block(form, "json", text),
    }
}

/// Renders JSON text with its names, strings and other scalars marked. Other languages spell their
/// scalars differently, so everything but brackets and separators counts as one.
pub(crate) fn highlight(text: &str) -> Markup {
    let mut markup = Markup::new(Form::Html);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                let mut cursor = Cursor::at(text, at);
                cursor.string();
                at = cursor.offset();
                let is_name = bytes.get(at) == Some(&b':');
                markup.raw(if is_name {
                    "<span class=\"k\">"
                } else {
                    "<span class=\"s\">"
                });
                markup.text(&text[start..at]).raw("</span>");
            }
            byte if is_scalar(byte) => {
                at = run_end(bytes, at, is_scalar);
                markup
                    .raw("<span class=\"n\">")
                    .text(&text[start..at])
                    .raw("</span>");
            }
            _ => {
                at = run_end(bytes, at, |byte| byte != b'"' && !is_scalar(byte));
                markup.text(&text[start..at]);
            }
        }
    }
    markup
}

/// Returns the end of a run of similar bytes.
fn run_end(bytes: &[u8], from: usize, is_like: impl Fn(u8) -> bool) -> usize {
    let run = bytes[from..].iter().take_while(|byte| is_like(**byte));
    from + run.count()
}

/// Returns whether a byte belongs to a scalar: ASCII outside of strings that neither separates nor
/// encloses.
fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"{}[],:\"".contains(&byte)
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
        assert_eq!(printed.lines().count(), 2 * DEEPEST + 1, "{printed}");
    }

    #[test]
    fn a_giant_value_is_cut() {
        let giant = Json::Array(vec![Json::from("x".repeat(1000)); 10_000]);
        let printed = pretty(&giant, 2000);
        assert!(!printed.whole && printed.text.len() < 5000);
        let long = Json::from("y".repeat(10_000_000));
        assert!(pretty(&long, 2000).text.len() < 5000);
        assert!(brief(&long, 60).len() < 80);
    }

    #[test]
    fn highlighting_changes_no_character() {
        let text = "{\n  \"a<b\": [1, true, \"x\\\"y\"],\n  \"n\": null\n}";
        let html = highlight(text);
        assert!(
            html.as_str()
                .contains("<span class=\"k\">&quot;a&lt;b&quot;</span>")
        );
        assert!(html.as_str().contains("<span class=\"n\">true</span>"));
    }
}
