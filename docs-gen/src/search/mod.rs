//! The search index: a line for each page, followed by lines for its parts.
//!
//! A site comes in ([`index`]), and one string goes out, which [`script`] makes a file that pages load. It is a single
//! string, so that no name in a description becomes a member's name in the reader's browser. The browser splits it on
//! first use; `assets/search.js` does the searching.
//!
//! A catalogue that is built service by service has two kinds of index. `assets/index.js` has the pages of all services
//! ([`brief`]), without their parts and texts; `SERVICE/assets/index.js` has everything of one service. A page loads
//! both.
//!
//! The fields of a line are separated by tabs:
//!
//! - a text: `=`, kind, the text; its number is that of the texts before it;
//! - a page: kind, address relative to the site's root, name, summary, service, the numbers of its texts;
//! - a part of the page above: nothing, anchor, name, the numbers of its texts, kind.
//!
//! So a procedure with one parameter is these lines, with `→` for a tab:
//!
//! ```text
//! =→→Some novels have an author.
//! =→→at most 100
//! p→book.find.html→book.find→Finds books.→→0
//! →param.limit→limit→1→a
//! ```
//!
//! `entries` finds the entries page by page, from the same data and rows as the pages (`crate::view`), so that readers
//! find what a page says. `texts` numbers the texts, because many pages say the same.

#[cfg(feature = "publish")]
mod brief;
mod entries;
mod guides;
mod sections;
mod texts;

use docent_describe::json::{push_quoted, shorten};

use crate::links::{Links, Medium};
use crate::part::SitePart;
use crate::site::Site;
use crate::text;
#[cfg(feature = "publish")]
pub(crate) use brief::brief;
use entries::{SearchEntry, find_entries};
use guides::guides;
use texts::SearchTexts;

/// The maximum number of characters of a summary in the index.
const MAX_SUMMARY_LENGTH: usize = 120;

/// The maximum number of characters of any other field that are searched.
const MAX_FIELD_LENGTH: usize = 2000;

/// Returns the lines of all services and guides.
pub(crate) fn index(site: &Site, medium: Medium) -> String {
    let mut texts = SearchTexts::default();
    let mut pages = String::new();
    if let Some(front) = site.front() {
        pages.push_str(&front.index);
    } else {
        for service in site.ordered() {
            let links = Links::new(&service.plan, medium, None);
            let label = if site.is_catalogue() {
                &*service.label
            } else {
                ""
            };
            for entry in find_entries(site, service, Some(medium), &mut texts) {
                add_entry(&mut pages, &links, label, &entry);
            }
        }
    }
    if !matches!(site.part, SitePart::Service(_)) {
        let links = Links::new(&site.lead().plan, medium, None);
        for entry in guides(site, &mut texts) {
            add_entry(&mut pages, &links, "", &entry);
        }
    }
    let mut out = String::new();
    for (kind, text) in texts.iter() {
        add_line(&mut out, &["=", kind, text]);
    }
    out + &pages
}

/// Adds the line of an entry. `label` names the service.
fn add_entry(out: &mut String, links: &Links<'_>, label: &str, entry: &SearchEntry<'_>) {
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
fn add_line(lines: &mut String, fields: &[&str]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            lines.push('\t');
        }
        lines.push_str(&shorten(&text::one_line(field), MAX_FIELD_LENGTH));
    }
    lines.push('\n');
}

/// Returns the script that loads the index. A page opened from a folder cannot fetch files, but it
/// can load scripts.
pub(crate) fn script(index: &str) -> String {
    format!("docentIndex({});\n", literal(index))
}

/// Returns the index as a JSON string that is safe inside a script.
pub(crate) fn literal(index: &str) -> String {
    let mut literal = String::with_capacity(index.len() + index.len() / 16);
    push_quoted(&mut literal, index);
    text::script_data(&literal)
}
