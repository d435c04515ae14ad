//! Writes strings into JSON. Most have nothing to escape, and are copied in one piece.

/// Appends a string, with its quotation marks.
pub(crate) fn push(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // A string can always be serialised.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

/// Appends a member of an object: a plain name and a string.
pub(crate) fn push_member(out: &mut String, name: &str, value: &str) {
    out.push_str(if out.ends_with('{') { "\"" } else { ",\"" });
    out.push_str(name);
    out.push_str("\":");
    push(out, value);
}

/// Whether a text stands for itself in JSON. No early return: all bytes are compared at once.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_special = |byte| byte < b' ' || byte == b'"' || byte == b'\\';
    !text
        .bytes()
        .fold(false, |found, byte| found | is_special(byte))
}

#[cfg(test)]
mod tests {
    use super::{push, push_member};

    #[test]
    fn a_string_is_written_as_serde_json_writes_it() {
        for text in ["", "plain", "ä \u{7f}\u{202e}", "a\"b", "\\", "tab\t", "\0"] {
            let mut written = String::new();
            push(&mut written, text);
            let expected = serde_json::to_string(text).expect("JSON");
            assert_eq!(written, expected, "{text:?}");
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
