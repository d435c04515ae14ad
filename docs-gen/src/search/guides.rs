//! The entries of guides in the search index.
//!
//! A guide belongs to the site and not to a service. The text below a heading leads to that heading.

use super::entries::{SearchEntry, SearchKind};
use super::texts::{PROSE, SearchTexts};
use crate::markdown;
use crate::plan::PageTarget;
use crate::site::Site;

/// Returns the guides of a site and their headings, each with the texts below it.
pub(super) fn guides<'a>(site: &'a Site, texts: &mut SearchTexts) -> Vec<SearchEntry<'a>> {
    let mut found = Vec::new();
    for (at, guide) in site.guides.iter().enumerate() {
        let target = PageTarget::Guide(at);
        let start = found.len();
        found.push(SearchEntry::new(SearchKind::Guide, target, &guide.title));
        for heading in &guide.headings {
            found.push(SearchEntry {
                anchor: Some(heading.anchor()),
                ..SearchEntry::new(SearchKind::Part, target, &heading.text)
            });
        }
        // The first section is the text before all headings.
        let sections = markdown::sections(guide.body());
        for (entry, section) in found[start..].iter_mut().zip(&sections) {
            for text in section {
                texts.add(&mut entry.texts, PROSE, text);
            }
        }
    }
    found
}
