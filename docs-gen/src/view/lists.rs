//! Pages that list procedures.

use serde::Serialize;

use super::overview::PageLink;
use super::scope::{Content, Item, Scope};
use crate::markup::Markup;
use crate::plan::LIST_LENGTH;
use crate::plan::Target;
use crate::text::{plain, shown_name};

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    overview: String,
    name: String,
    lead: String,
    /// The description of the group's tag.
    text: Option<Markup>,
    items: Vec<Item>,
    parts: Vec<Part>,
}

/// The view of `llms.txt`: a summary of the service, and links to the twins of its pages.
#[derive(Debug, Serialize)]
struct Everything {
    name: String,
    summary: Option<String>,
    /// The address for calls.
    address: Option<Markup>,
    overview: String,
    changes: Option<PageLink>,
    guides: Vec<PageLink>,
    versions: Vec<OtherVersion>,
    items: Vec<Item>,
    types: Vec<PageLink>,
}

/// The list of another version.
#[derive(Debug, Serialize)]
struct OtherVersion {
    name: String,
    href: String,
    older: bool,
}

#[derive(Debug, Serialize)]
struct Part {
    name: String,
    href: String,
    current: bool,
}

impl Scope<'_> {
    pub(super) fn group(&self, group: usize, part: usize) -> Content {
        let plan = &self.service.plan.groups[group];
        let members = plan
            .members
            .iter()
            .skip(part * LIST_LENGTH)
            .take(LIST_LENGTH);
        let name = shown_name(self.group_name(group));
        let parts = if plan.parts() > 1 {
            self.parts(group, part, plan.parts())
        } else {
            Vec::new()
        };
        let lead = self.strings.count("group.lead", plan.members.len());
        self.list(name, (lead, self.tag(group)), members, parts)
    }

    pub(super) fn idempotent(&self) -> Content {
        let all = &self.service.plan.idempotent;
        let name = self.strings.get("get.title").to_owned();
        let lead = self.strings.get("mark.get.meaning").to_owned();
        self.list(name, (lead, None), all.iter(), Vec::new())
    }

    /// Renders `llms.txt`.
    pub(crate) fn everything(&self) -> Markup {
        let description = self.description();
        let view = Everything {
            name: shown_name(&self.service.label),
            summary: description.summary.as_deref().map(plain),
            address: self.about_address(),
            overview: self.links.to(Target::Overview),
            changes: self.changes_name().map(|name| PageLink {
                name,
                href: self.links.to(Target::Changes),
            }),
            guides: self.guide_links(),
            versions: self.lists_of_versions(),
            items: (0..description.procs.len())
                .map(|index| self.item(index))
                .collect(),
            types: self.types(),
        };
        self.render("llms", &view).0
    }

    fn guide_links(&self) -> Vec<PageLink> {
        let guides = self.site.guides.iter().enumerate();
        guides
            .map(|(at, guide)| PageLink {
                name: shown_name(&guide.title),
                href: self.links.to(Target::Guide(at)),
            })
            .collect()
    }

    fn lists_of_versions(&self) -> Vec<OtherVersion> {
        let all = self.service.version.all.iter().rev();
        let others = all.map(|&at| &self.site.services[at]);
        let others = others.filter(|other| other.plan.prefix != self.service.plan.prefix);
        let root = self.links.to_root();
        others
            .map(|other| OtherVersion {
                name: other.version.name.clone(),
                href: format!("{root}{}llms.txt", other.plan.prefix),
                older: other.version.newest.is_some(),
            })
            .collect()
    }

    fn parts(&self, group: usize, current: usize, parts: usize) -> Vec<Part> {
        (0..parts)
            .map(|part| Part {
                name: (part + 1).to_string(),
                href: self.links.to(Target::Group(group, part)),
                current: part == current,
            })
            .collect()
    }

    fn list<'i>(
        &self,
        name: String,
        (lead, text): (String, Option<Markup>),
        indices: impl Iterator<Item = &'i usize>,
        parts: Vec<Part>,
    ) -> Content {
        let view = View {
            section: self.section(),
            overview: self.links.to(Target::Overview),
            name,
            lead,
            text,
            items: indices.map(|&index| self.item(index)).collect(),
            parts,
        };
        self.page("group", &view.name, None, &view)
    }
}
