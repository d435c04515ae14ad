//! The other versions of a service, and the same page in each of them.

use serde::Serialize;

use super::scope::Scope;
use super::shell;
use crate::links::Medium;
use crate::markup::Markup;
use crate::plan::Target;
use crate::service::Service;

/// The most versions that are listed, the newest first, with a link to the list of all.
const LISTED: usize = 60;

/// The switch between versions.
#[derive(Debug, Serialize)]
pub(super) struct Versions {
    /// The version of the page.
    label: String,
    links: Vec<Link>,
    more: Option<More>,
}

#[derive(Debug, Serialize)]
struct Link {
    name: String,
    /// The address of the same page in that version, or of its overview; `None` for the current
    /// version.
    href: Option<String>,
    /// True if there is a newer version.
    older: bool,
    /// True if that version does not have the page.
    lacks: bool,
}

#[derive(Debug, Serialize)]
struct More {
    name: String,
    href: String,
}

/// A link to the newest version.
#[derive(Debug, Serialize)]
pub(crate) struct Newest {
    pub(super) href: String,
    pub(super) text: String,
}

impl<'a> Scope<'a> {
    /// Returns the switch, if the service has several versions.
    pub(super) fn versions(&self) -> Option<Versions> {
        let all = &self.service.version.all;
        if all.is_empty() {
            return None;
        }
        let links = all.iter().rev().take(LISTED).map(|&at| {
            let other = &self.site.services[at];
            let (href, lacks) = self.to_version(other);
            let is_here = other.plan.prefix == self.service.plan.prefix;
            Link {
                name: other.version.name.clone(),
                href: (!is_here).then_some(href),
                older: other.version.newest.is_some(),
                lacks: lacks && !is_here,
            }
        });
        let more = (all.len() > LISTED).then(|| More {
            name: self.strings.count("versions.all", all.len()),
            href: shell::home(self.site, &self.links.to_root()),
        });
        Some(Versions {
            label: self
                .strings
                .with("versions.this", &self.service.version.name),
            links: links.collect(),
            more,
        })
    }

    /// Returns a link to this page in the newest version, unless this is the newest.
    pub(super) fn newest(&self) -> Option<Newest> {
        let newest = &self.site.services[self.service.version.newest?];
        Some(Newest {
            href: self.to_version(newest).0,
            text: self.strings.with("version.newest", &newest.version.name),
        })
    }

    /// Returns links to the overviews of the other versions, the newest first.
    pub(super) fn other_versions(&self) -> Option<Markup> {
        let others = self.service.version.all.iter().rev();
        let others = others.map(|&at| &self.site.services[at]);
        let others = others.filter(|other| other.plan.prefix != self.service.plan.prefix);
        let mut text = Markup::new(self.form());
        for (place, other) in others.take(LISTED).enumerate() {
            if place > 0 {
                text.text(", ");
            }
            let href = self.links.across(&other.plan, Target::Overview);
            text.link(&href, &other.version.name);
        }
        (!text.as_str().is_empty()).then_some(text)
    }

    /// Returns the name of the page of changes, if there is one.
    pub(super) fn changes_name(&self) -> Option<String> {
        let before = self.before()?;
        Some(self.strings.with("changes.since", &before.version.name))
    }

    /// Returns the previous version.
    pub(super) fn before(&self) -> Option<&'a Service> {
        Some(&self.site.services[self.service.version.before?])
    }

    /// Returns the address of the same page in another version, or of its overview if it does not have
    /// the page. Also returns whether it lacks the page.
    fn to_version(&self, other: &Service) -> (String, bool) {
        let found = counterpart(self.service, other, self.target);
        let target = match self.links.medium {
            // In a single file, only overviews name other versions.
            Medium::Single => Target::Overview,
            Medium::Folder | Medium::Twins => found.unwrap_or(Target::Overview),
        };
        (self.links.across(&other.plan, target), found.is_none())
    }
}

/// Returns the page of another version with the same subject.
fn counterpart(own: &Service, service: &Service, target: Target) -> Option<Target> {
    let other = &service.plan;
    match target {
        Target::Overview | Target::Names => Some(target),
        Target::Changes => other.has_changes.then_some(target),
        Target::Idempotent => (!other.idempotent.is_empty()).then_some(target),
        Target::Group(group, _) => {
            let name = &own.plan.groups[group].name;
            let found = other.group_names.get(name)?;
            Some(Target::Group(*found, 0))
        }
        Target::Procedure(index) => {
            let found = other
                .names
                .get(&own.options.description.procs[index].name)?;
            Some(Target::Procedure(*found))
        }
        Target::Code(index) => {
            let (code, _) = own.plan.codes.get_index(index)?;
            other.codes.get_index_of(code).map(Target::Code)
        }
        Target::Type(index) => {
            let (name, _) = own.plan.types.get_index(index)?;
            other.types.get_index_of(name).map(Target::Type)
        }
        // Guides belong to the site, and not to a version.
        Target::Guide(_) => None,
    }
}
