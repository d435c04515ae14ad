//! Splits the documentation of an author into a summary and the rest.
//!
//! Doc comments in Rust and `description` of documents are one text, while lists of procedures have
//! room for one sentence. This looks at lines only; pages parse the Markdown.

/// Splits Markdown documentation into a summary and the rest.
///
/// The summary is the first paragraph, or the text of a heading at the start, on one line.
/// Documentation that starts with anything else (a list, a table, a code block or a quotation) has
/// no summary, because a single line of these is not a sentence. The rest is the description.
///
/// ```
/// use docent_describe::split_documentation;
///
/// let (summary, description) = split_documentation("Lends a book.\n\nFor *four* weeks.");
/// assert_eq!(summary.as_deref(), Some("Lends a book."));
/// assert_eq!(description.as_deref(), Some("For *four* weeks."));
/// ```
pub fn split_documentation(markdown: &str) -> (Option<String>, Option<String>) {
    let text = markdown.trim();
    let mut end = 0;
    let mut summary = String::new();
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let is_first = summary.is_empty();
        let heading = heading(content);
        if content.is_empty() || begins_block(content) || (heading.is_some() && !is_first) {
            break;
        }
        end += line.len();
        if !is_first {
            summary.push(' ');
        }
        summary.push_str(heading.unwrap_or(content));
        if heading.is_some() {
            break;
        }
    }
    let rest = text[end..].trim_matches(['\n', '\r']).trim_end();
    (none_if_empty(&summary), none_if_empty(rest))
}

fn none_if_empty(text: &str) -> Option<String> {
    if text.is_empty() {
        None
    } else {
        Some(text.to_owned())
    }
}

/// Returns the text of an ATX heading.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=6).contains(&level) && text.starts_with([' ', '\t']);
    is_heading.then(|| text.trim().trim_end_matches('#').trim_end())
}

/// Returns whether a line begins a list, a table, a block of code or a quotation.
fn begins_block(line: &str) -> bool {
    const BLOCK_MARKS: [&str; 8] = ["```", "~~~", "- ", "* ", "+ ", "> ", "|", "<!--"];
    if BLOCK_MARKS.iter().any(|mark| line.starts_with(mark)) {
        return true;
    }
    let after_digits = line.trim_start_matches(|first: char| first.is_ascii_digit());
    let has_number = after_digits.len() < line.len();
    has_number && (after_digits.starts_with(". ") || after_digits.starts_with(") "))
}
