//! The lines of a service in the index of a whole catalogue: its pages by name and summary, without their contents.

use super::entries::{SearchKind, find_entries};
use super::lines::add_entry;
use super::texts::SearchTexts;
use crate::links::{Links, Medium};
use crate::service::SiteService;
use crate::site::Site;

/// Returns the lines of a service for the index of all services.
pub(crate) fn brief(site: &Site, service: &SiteService) -> String {
    let mut out = String::new();
    let links = Links::new(&service.plan, Medium::Folder, None);
    let name = &service.options.description.name;
    let mut texts = SearchTexts::default();
    for entry in find_entries(site, service, None, &mut texts) {
        let label = match entry.kind {
            SearchKind::Service => "",
            _ => name,
        };
        add_entry(&mut out, &links, label, &entry);
    }
    out
}
