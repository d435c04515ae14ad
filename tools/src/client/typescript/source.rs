//! Text and comments in TypeScript's source code, where `*/` ends a comment and `@` begins a tag.

use crate::client::text;
use std::fmt::Write as _;

/// Writes a documentation comment.
pub(super) fn docs(out: &mut String, indent: &str, docs: &str) {
    write_comment(out, indent, &comment_lines(docs));
}

/// Returns text as the lines of a comment, in which nothing is a tag.
pub(super) fn comment_lines(docs: &str) -> Vec<String> {
    text::lines(docs)
        .iter()
        .map(|line| line.replace("*/", "*\\/").replace('@', "\\@"))
        .collect()
}

/// Writes a comment, on one line if it fits there.
pub(super) fn write_comment(out: &mut String, indent: &str, lines: &[String]) {
    match lines {
        [] => {}
        [line] => _ = writeln!(out, "{indent}/** {line} */"),
        lines => {
            let _ = writeln!(out, "{indent}/**");
            text::write_lines(out, &format!("{indent} * "), lines);
            let _ = writeln!(out, "{indent} */");
        }
    }
}

/// Writes a literal, with the escapes that JSON has too.
pub(super) fn quoted(text: &str) -> String {
    text::quoted(text, |character| {
        let mut units = [0; 2];
        let mut escapes = String::new();
        for unit in character.encode_utf16(&mut units) {
            let _ = write!(escapes, "\\u{unit:04x}");
        }
        escapes
    })
}
