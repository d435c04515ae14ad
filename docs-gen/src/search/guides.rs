//! The entries of guides in the search index.
//!
//! A guide belongs to the site and not to a service. What is said below a heading is found there.

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
        let page = SearchEntry::new(SearchKind::Guide, target, &guide.title);
        let headings = guide.headings.iter().map(|heading| SearchEntry {
            anchor: Some(heading.anchor()),
            ..SearchEntry::new(SearchKind::Part, target, &heading.text)
        });
        let start = found.len();
        found.extend([page].into_iter().chain(headings));
        let sections = markdown::sections(guide.body());
        for (entry, section) in found[start..].iter_mut().zip(&sections) {
            for text in section {
                texts.add(&mut entry.texts, PROSE, text);
            }
        }
    }
    found
}
