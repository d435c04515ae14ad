//! Writes strings into JSON, as serde_json does. Most have nothing to escape, and are copied in one
//! piece. `docent_describe::json::push_quoted` is for people to read: it also escapes what is invisible.

use std::fmt::Write as _;

/// Appends a string, with its quotation marks.
pub(crate) fn push(out: &mut String, text: &str) {
    out.push('"');
    if is_plain(text) {
        out.push_str(text);
    } else {
        push_escaped(out, text);
    }
    out.push('"');
}

/// Appends a string, with its quotation marks, to a response.
pub(crate) fn push_bytes(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    if is_plain(text) {
        out.extend_from_slice(text.as_bytes());
    } else {
        let mut escaped = String::new();
        push_escaped(&mut escaped, text);
        out.extend_from_slice(escaped.as_bytes());
    }
    out.push(b'"');
}

fn push_escaped(out: &mut String, mut text: &str) {
    while let Some(at) = text.bytes().position(is_special) {
        let (plain, rest) = text.split_at(at);
        out.push_str(plain);
        // Writing to a `String` cannot fail.
        let _ = match rest.as_bytes()[0] {
            b'"' => out.write_str("\\\""),
            b'\\' => out.write_str("\\\\"),
            b'\n' => out.write_str("\\n"),
            b'\r' => out.write_str("\\r"),
            b'\t' => out.write_str("\\t"),
            b'\x08' => out.write_str("\\b"),
            b'\x0c' => out.write_str("\\f"),
            control => write!(out, "\\u{control:04x}"),
        };
        text = &rest[1..];
    }
    out.push_str(text);
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Appends a member of an object: a plain name and a string.
pub(crate) fn push_member(out: &mut String, name: &str, value: &str) {
    out.push_str(if out.ends_with('{') { "\"" } else { ",\"" });
    out.push_str(name);
    out.push_str("\":");
    push(out, value);
}

/// Whether a text stands for itself in JSON. No early return: all bytes are compared at once.
fn is_plain(text: &str) -> bool {
    !text
        .bytes()
        .fold(false, |found, byte| found | is_special(byte))
}

#[cfg(test)]
mod tests {
    use super::{push, push_bytes, push_member};

    #[test]
    fn a_string_is_written_as_serde_json_writes_it() {
        let mut texts: Vec<String> = ["", "plain", "ä\u{202e}ü", "a\"b\\", "\"\"ß"]
            .map(str::to_owned)
            .into();
        texts.extend((0..=0x80).map(|byte| format!("a{}é", char::from(byte))));
        for text in &texts {
            let mut written = String::new();
            push(&mut written, text);
            let expected = serde_json::to_string(text).expect("JSON");
            assert_eq!(written, expected, "{text:?}");
            let mut bytes = Vec::new();
            push_bytes(&mut bytes, text);
            assert_eq!(bytes, expected.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn members_are_separated() {
        let mut written = String::from("{");
        push_member(&mut written, "a", "x");
        push_member(&mut written, "b", "{");
        push_member(&mut written, "c", "");
        assert_eq!(written, r#"{"a":"x","b":"{","c":"""#);
    }
}
