//! Changes as a table for a pull request.
//!
//! Texts of a description may come from somebody who opens a pull request, so none of them may become
//! markup, or call people's attention.

use std::fmt::Write as _;

use super::{DiffReport, merged};
use crate::terminal::one_line;

/// Returns the summary, and a table of the changes.
pub(super) fn text(report: &DiffReport<'_>) -> String {
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "**{}**", report.summary());
    if report.changes.is_empty() {
        return text;
    }
    text.push_str("\n| verdict | rule | procedure | change |\n|---|---|---|---|\n");
    for (reported, procedures) in merged(report.changes.iter()) {
        let mut verdict = reported.verdict.as_str();
        let mut message = reported.message();
        if let Some(reason) = &reported.allowed {
            verdict = "allowed";
            message = format!("{message} Allowed: {reason}");
        }
        let _ = writeln!(
            text,
            "| {verdict} | `{}` | {} | {} |",
            reported.change.rule,
            escaped(&report.about(reported, &procedures)),
            escaped(&message)
        );
    }
    text
}

/// Escapes text so that Markdown shows it unchanged: nothing in it becomes a cell, a link, HTML, or a
/// mention of a person or an issue.
fn escaped(text: &str) -> String {
    let line = one_line(text);
    let mut escaped = String::with_capacity(line.len() + 16);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // The comment keeps the text after the sign from becoming a mention, a number or an address.
            '@' | '#' | ':' => {
                escaped.push(character);
                if characters.peek().is_some_and(|next| !next.is_whitespace()) {
                    escaped.push_str("<!-- -->");
                }
            }
            '.' if characters.peek().is_some_and(|next| next.is_alphanumeric()) => {
                escaped.push_str(".<!-- -->");
            }
            other if other.is_ascii_punctuation() && !".,;'\"/=-".contains(other) => {
                escaped.push('\\');
                escaped.push(other);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_of_a_document_becomes_markup() {
        for (text, expected) in [
            ("a | b\nc", "a \\| b c"),
            ("<img src=x>", "&lt;img src=x&gt;"),
            ("[a](b)", "\\[a\\]\\(b\\)"),
            ("`a`", "\\`a\\`"),
            ("@you #1", "@<!-- -->you #<!-- -->1"),
            ("http://a", "http:<!-- -->//a"),
            ("www.a", "www.<!-- -->a"),
            ("a. b", "a. b"),
            ("\u{202e}", "\\[U\\+202E\\]"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }
}
