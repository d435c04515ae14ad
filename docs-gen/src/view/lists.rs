//! Pages that list procedures.

use serde::Serialize;

use super::scope::{Content, Item, Scope};
use crate::plan::LIST_LENGTH;
use crate::plan::Target;
use crate::text::shown_name;

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    overview: String,
    name: String,
    lead: String,
    items: Vec<Item>,
    parts: Vec<Part>,
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
        self.list(name, lead, members, parts)
    }

    pub(super) fn idempotent(&self) -> Content {
        let all = &self.service.plan.idempotent;
        let name = self.strings.get("get.title").to_owned();
        let lead = self.strings.get("mark.get.meaning").to_owned();
        self.list(name, lead, all.iter(), Vec::new())
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
        lead: String,
        indices: impl Iterator<Item = &'i usize>,
        parts: Vec<Part>,
    ) -> Content {
        let view = View {
            section: self.section(),
            overview: self.links.to(Target::Overview),
            name,
            lead,
            items: indices.map(|&index| self.item(index)).collect(),
            parts,
        };
        let (main, problem) = self.render("group", &view);
        Content {
            title: view.name,
            summary: None,
            main,
            problem,
        }
    }
}
