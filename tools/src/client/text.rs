//! Puts text of a description into source code as comments and string literals, which it cannot end.
//!
//! This is the only way for text of others into generated code. Each language adds the escapes of its own comments
//! (`source.rs`).

use crate::plain::plain;

/// The characters that end a line in any of the languages.
const LINE_ENDS: [char; 6] = ['\n', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Returns the lines of a comment, without characters that end a comment or are invisible. There are
/// none in an empty text.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if text.is_empty() {
        return Vec::new();
    }
    text.trim()
        .split(LINE_ENDS)
        .map(|line| plain(&line.trim_end().replace('\t', " ")))
        .collect()
}

/// Writes the lines of a comment, each after `start`.
pub(crate) fn write_lines(out: &mut String, start: &str, lines: &[String]) {
    for line in lines {
        out.push_str(format!("{start}{line}").trim_end());
        out.push('\n');
    }
}

/// Returns a string literal between double quotes. `escape` writes the characters that are not plain
/// text.
pub(crate) fn quoted(text: &str, escape: fn(char) -> String) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            _ => out.push_str(&escape(character)),
        }
    }
    out.push('"');
    out
}

/// Joins paragraphs.
pub(crate) fn paragraphs<'t>(parts: impl IntoIterator<Item = &'t str>) -> String {
    parts
        .into_iter()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_comment_holds_nothing_that_ends_it() {
        let found = lines(" a\r\nb\rc\u{2028}d\u{b}e\u{202e}\0\tf ");
        assert_eq!(found, ["a", "b", "c", "d", "e[U+202E][U+0000] f"]);
    }

    #[test]
    fn a_literal_has_only_plain_text_and_escapes() {
        fn escape(character: char) -> String {
            format!("<{:x}>", u32::from(character))
        }
        assert_eq!(
            quoted("é\"\\\n\u{2028}\u{202e}$", escape),
            "\"é\\\"\\\\<a><2028><202e>$\""
        );
    }
}
