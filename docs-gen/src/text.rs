//! The treatment of every text of a description before it is on a page.
//!
//! Characters that deceive readers are spelt out, those that are syntax in HTML or Markdown are
//! escaped, and names and summaries are cut. Texts that authors write in Markdown are rendered in
//! `markdown`, and JSON is printed in `json_text`.

use std::borrow::Cow;
use std::fmt::Write;

use docent_describe::json::{is_deceptive, shorten};

/// Returns the text with every deceptive character spelt out, as in `[U+202E]`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    // Nearly all text is plain ASCII, which can be checked without decoding characters.
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
        || !text.chars().any(is_deceptive)
    {
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

/// Appends the text to `html`, escaped for the content of an element and for a quoted attribute alike.
pub(crate) fn escape_into(text: &str, html: &mut String) {
    let visible = visible(text);
    let mut rest = visible.as_ref();
    while let Some(at) = rest
        .bytes()
        .position(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\''))
    {
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

/// Appends the text to `markdown`, escaped for text on a line.
pub(crate) fn escape_markdown_into(text: &str, markdown: &mut String) {
    if begins_block(text) {
        markdown.push('\\');
    }
    escape_line_into(text, markdown);
}

/// Appends the text to `markdown`, escaped for the middle of a line.
pub(crate) fn escape_line_into(text: &str, markdown: &mut String) {
    for character in visible(text).chars() {
        match character {
            '\\' | '[' | ']' | '<' | '`' => markdown.extend(['\\', character]),
            '\n' | '\r' => markdown.push(' '),
            other => markdown.push(other),
        }
    }
}

/// Returns whether a line that begins with the text would be a heading, a quote, a list or code.
fn begins_block(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| {
        word.starts_with("~~~")
            || word
                .trim_start_matches(['#', '>', '-', '+', '*'])
                .is_empty()
    })
}

/// Returns enough backticks to enclose the text, and at least `least`.
pub(crate) fn fence(text: &str, least: usize) -> String {
    let longest_run = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    "`".repeat(least.max(longest_run + 1))
}

/// Returns the text on one line. Names and summaries may contain line ends; headings and list rows may
/// not.
pub(crate) fn one_line(text: &str) -> String {
    visible(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns whether an address has this scheme, in upper or lower case, and goes on after it.
pub(crate) fn has_scheme(address: &str, scheme: &str) -> bool {
    address
        .split_at_checked(scheme.len())
        .is_some_and(|(start, rest)| start.eq_ignore_ascii_case(scheme) && !rest.is_empty())
}

/// Returns JSON text that is safe inside a `<script>` element: it contains no `<`, which could end it.
pub(crate) fn script_data(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// Returns a name that is short enough for a page. The samples and the description contain all of it.
pub(crate) fn display_name(name: &str) -> String {
    if name.trim().is_empty() {
        return format!("{name:?}");
    }
    shorten(name, 300).into_owned()
}

/// Returns a text that is not Markdown, such as a version, on one line that is short enough for a page.
pub(crate) fn plain(text: &str) -> String {
    shorten(&one_line(text), 240).into_owned()
}

/// Returns whether two names have the same letters and digits, so that only their spelling differs: `due_date`,
/// `dueDate` and "Due date".
fn is_same_name(a: &str, b: &str) -> bool {
    let mut letters = letters(a).peekable();
    // Signs alone are names, too.
    a == b || letters.peek().is_some() && letters.eq(self::letters(b))
}

/// Returns whether a title says more than the name of its value and the descriptions beside it. A title that is the
/// name in another spelling, or the beginning of a description, does not.
pub(crate) fn adds_title<'t>(
    title: &str,
    name: &str,
    descriptions: impl IntoIterator<Item = &'t str>,
) -> bool {
    !is_same_name(title, name)
        && !descriptions
            .into_iter()
            .any(|description| description.starts_with(title))
}

/// Returns the letters and digits of a name in lower case.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
}
