//! Writes strings into JSON, as serde_json does. Most strings have nothing to escape and are copied in
//! one piece. `docent_describe::json::push_quoted` is for texts that people read: it also escapes
//! invisible characters.

use docent_describe::json::plain_length;

/// Appends a string, with its quotation marks.
pub(crate) fn push(out: &mut String, text: &str) {
    out.push('"');
    for_each_piece(text, |piece| out.push_str(piece));
    out.push('"');
}

/// Appends a string, with its quotation marks, to a response.
pub(crate) fn push_bytes(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for_each_piece(text, |piece| out.extend_from_slice(piece.as_bytes()));
    out.push(b'"');
}

/// Visits the pieces of a text that need no escape, and the escapes between them.
#[inline]
fn for_each_piece(mut text: &str, mut visit: impl FnMut(&str)) {
    loop {
        let (plain, rest) = text.split_at(plain_length(text));
        visit(plain);
        let Some(special) = rest.bytes().next() else {
            return;
        };
        let control;
        visit(match special {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            b'\x08' => "\\b",
            b'\x0c' => "\\f",
            other => {
                control = format!("\\u{other:04x}");
                &control
            }
        });
        text = &rest[1..];
    }
}

/// Appends a member to an object: a name that needs no escapes, and a string.
pub(crate) fn push_member(out: &mut String, name: &str, value: &str) {
    out.push_str(if out.ends_with('{') { "\"" } else { ",\"" });
    out.push_str(name);
    out.push_str("\":");
    push(out, value);
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
