//! The lines of the search index: an entry or a text as fields with tabs between them.

use docent_describe::json::shorten;

use super::entries::SearchEntry;
use crate::links::Links;
use crate::text;

/// The maximum number of characters of a summary in the index.
const MAX_SUMMARY_LENGTH: usize = 120;

/// The maximum number of characters of any other field that are searched.
const MAX_FIELD_LENGTH: usize = 2000;

/// Adds the line of an entry. `label` names the service.
pub(super) fn add_entry(out: &mut String, links: &Links<'_>, label: &str, entry: &SearchEntry<'_>) {
    let SearchEntry { kind, name, .. } = entry;
    let letter = kind.letter();
    let texts = entry
        .texts
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    if kind.is_part() {
        let anchor = entry.anchor.as_deref().unwrap_or_default();
        add_line(out, &["", anchor, name, &texts, letter]);
    } else {
        let href = entry.href(links);
        add_line(
            out,
            &[
                letter,
                &href,
                name,
                &shorten(&entry.summary, MAX_SUMMARY_LENGTH),
                label,
                &texts,
            ],
        );
    }
}

/// Adds a line. A field has neither tabs nor line ends, so a reader of the index can split it.
pub(super) fn add_line(lines: &mut String, fields: &[&str]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            lines.push('\t');
        }
        lines.push_str(&shorten(&text::one_line(field), MAX_FIELD_LENGTH));
    }
    lines.push('\n');
}
