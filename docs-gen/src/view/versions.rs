//! The other versions of a service, and the same page in each of them.

use serde_json::Value;

use super::scope::{PageScope, named_link};
use crate::links::Medium;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::service::SiteService;
use crate::site::PageSource;

/// The most versions that are listed, the newest first, with a link to the list of all.
const LISTED: usize = 60;

impl<'a> PageScope<'a> {
    /// Returns the switch between versions, if the service has several.
    pub(super) fn versions(&self) -> Option<Value> {
        let all = &self.service.version.all;
        if all.is_empty() {
            return None;
        }
        let links = all.iter().rev().take(LISTED).map(|&at| {
            let other = &self.site.services[at];
            let (href, lacks) = self.to_version(other);
            let is_here = other.plan.prefix == self.service.plan.prefix;
            view!({
                "name": &*other.version.name,
                "href": (!is_here).then_some(href),
                "older": other.version.newest.is_some(),
                "lacks": lacks && !is_here,
            })
        });
        let more = (all.len() > LISTED).then(|| {
            let name = self.text.strings.count("versions.all", all.len());
            named_link(name, self.site.home(&self.text.links.to_root()))
        });
        let name = &self.service.version.name;
        Some(view!({
            "label": self.text.strings.with("versions.this", name),
            "links": links.collect::<Value>(),
            "more": more,
        }))
    }

    /// Returns the address of this page in the newest version and the text of a link to it, unless
    /// this is the newest.
    pub(super) fn newest(&self) -> Option<(String, String)> {
        let newest = &self.site.services[self.service.version.newest?];
        let name = &newest.version.name;
        let (href, _) = self.to_version(newest);
        Some((href, self.text.strings.with("version.newest", name)))
    }

    /// Returns the other versions, the newest first.
    pub(super) fn other_versions(&self) -> impl Iterator<Item = &'a SiteService> {
        let (site, own) = (self.site, &self.service.plan.prefix);
        self.service
            .version
            .all
            .iter()
            .rev()
            .map(|&at| &site.services[at])
            .filter(move |other| other.plan.prefix != *own)
    }

    /// Returns links to the overviews of the other versions.
    pub(super) fn links_to_versions(&self) -> Option<Markup> {
        let links = self.other_versions().take(LISTED).map(|other| {
            let href = self.text.links.across(&other.plan, PageTarget::Overview);
            self.text
                .written(|link| link.link(&href, &other.version.name))
        });
        let text = self.text.markup().joined(", ", links);
        (!text.is_empty()).then_some(text)
    }

    /// Returns the name of the page of changes, if there is one.
    pub(super) fn changes_name(&self) -> Option<String> {
        let before = self.before().filter(|_| self.service.plan.has_changes)?;
        Some(
            self.text
                .strings
                .with("changes.since", &before.version.name),
        )
    }

    /// Returns the previous version.
    pub(super) fn before(&self) -> Option<&'a SiteService> {
        Some(&self.site.services[self.service.version.before?])
    }

    /// Returns the address of the same page in another version, or of its overview if it does not have
    /// the page. Also returns whether it lacks the page.
    fn to_version(&self, other: &SiteService) -> (String, bool) {
        let target = match self.target {
            PageTarget::Group(group, _) => PageTarget::Group(group, 0),
            target => target,
        };
        let stem = self.service.plan.stem(target);
        let path = format!("{}{stem}.html", other.plan.prefix);
        let found = match self.site.source(&path) {
            Some(PageSource::Page(_, target)) => Some(target),
            _ => None,
        };
        // In a single file, only overviews name other versions.
        let target = found
            .filter(|_| self.text.links.medium != Medium::Single)
            .unwrap_or(PageTarget::Overview);
        (self.text.links.across(&other.plan, target), found.is_none())
    }
}
