//! What every text of a description goes through before it is shown.

use std::borrow::Cow;
use std::fmt::Write;

use docent_describe::json::{is_deceptive, shorten};

use crate::markup::{Form, Markup};

/// The text with every deceptive character spelt out, as in `[U+202E]`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    // Nearly all text is plain ASCII, which is told without looking at characters.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.chars().any(is_deceptive) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_deceptive(character) {
            // Writing to a `String` cannot fail.
            let _ = write!(clean, "[U+{:04X}]", u32::from(character));
        } else {
            clean.push(character);
        }
    }
    Cow::Owned(clean)
}

/// Appends the text to `html` so that it is text in an element and in a quoted attribute alike.
pub(crate) fn escape_into(text: &str, html: &mut String) {
    let text = visible(text);
    let mut rest = text.as_ref();
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        html.push_str(&rest[..at]);
        html.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &rest[at + 1..];
    }
    html.push_str(rest);
}

/// A name that can be broken where a reader would break it: behind a separator and before a capital.
pub(crate) fn breakable(form: Form, name: &str) -> Markup {
    let mut markup = Markup::new(form);
    let mut start = 0;
    let mut before = ' ';
    for (at, character) in name.char_indices() {
        let is_start = "._/:-".contains(before) && !"._/:-".contains(character)
            || before.is_lowercase() && character.is_uppercase();
        if at > 0 && is_start {
            markup.text(&name[start..at]).raw("<wbr>");
            start = at;
        }
        before = character;
    }
    markup.text(&name[start..]);
    markup
}

/// Appends the text to `markdown` so that it is text of a line.
pub(crate) fn escape_markdown_into(text: &str, markdown: &mut String) {
    for character in visible(text).chars() {
        match character {
            '\\' | '[' | ']' | '<' | '`' => markdown.extend(['\\', character]),
            '\n' | '\r' => markdown.push(' '),
            other => markdown.push(other),
        }
    }
}

/// As many backticks as it takes to have the text between them, and no fewer than `least`.
pub(crate) fn fence(text: &str, least: usize) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    "`".repeat(runs.max().map_or(least, |longest| least.max(longest + 1)))
}

/// The text on one line: names and summaries may hold line ends, headings and list rows may not.
pub(crate) fn one_line(text: &str) -> String {
    visible(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// JSON text that can stand inside a `<script>` element: no `<` can end it.
pub(crate) fn script_data(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A name at a length that a page can bear; the whole of it is in the samples and the description.
pub(crate) fn shown_name(name: &str) -> String {
    if name.trim().is_empty() {
        return format!("{name:?}");
    }
    shorten(name, 300).into_owned()
}

/// A summary where Markdown cannot be shown.
pub(crate) fn plain(text: &str) -> String {
    shorten(&one_line(text), 240).into_owned()
}
