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
mod lines;
mod sections;
mod texts;

use docent_describe::json::push_quoted;

use crate::links::{Links, Medium};
use crate::part::SitePart;
use crate::site::Site;
use crate::text;
#[cfg(feature = "publish")]
pub(crate) use brief::brief;
use entries::find_entries;
use guides::guides;
use lines::{add_entry, add_line};
use texts::SearchTexts;

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
