//! Pages that list procedures: those of a group, and those that can be called with GET.
//!
//! A list that is too long for one page continues on further ones, which the plan has already counted.

use serde::Serialize;

use super::items::ProcedureItem;
use super::scope::{Content, PageScope};
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::templates::TemplateData;
use crate::text::shown_name;

/// The data of a page that lists procedures.
#[derive(Serialize)]
struct GroupPage {
    name: String,
    /// The sentence above the list.
    lead: String,
    /// The description of the group's tag.
    text: Option<Markup>,
    items: Vec<ProcedureItem>,
    /// The pages of the list, if it has several.
    parts: Vec<ListPart>,
}

/// The link to one of the pages of a list.
#[derive(Serialize)]
struct ListPart {
    name: String,
    href: String,
    /// True on this page itself.
    current: bool,
}

impl TemplateData for GroupPage {
    const TEMPLATE: &'static str = "group";
}

/// Returns a part of the list of a group.
pub(super) fn group(scope: &PageScope<'_>, group: usize, part: usize) -> Content {
    let plan = &scope.service.plan.groups[group];
    let members = plan.members.iter().skip(part * LIST_LENGTH);
    let items = members.take(LIST_LENGTH);
    let mut parts = Vec::new();
    if plan.parts() > 1 {
        parts.extend((0..plan.parts()).map(|at| ListPart {
            name: (at + 1).to_string(),
            href: scope.text.links.to(PageTarget::Group(group, at)),
            current: at == part,
        }));
    }
    let page = GroupPage {
        name: shown_name(scope.group_name(group)),
        lead: scope.text.strings.count("group.lead", plan.members.len()),
        text: scope.tag(group),
        items: items.map(|&index| scope.item(index)).collect(),
        parts,
    };
    scope.page(page.name.clone(), None, &page)
}

/// Returns the list of procedures that can be called with GET.
pub(super) fn idempotent(scope: &PageScope<'_>) -> Content {
    let items = scope.service.plan.idempotent.iter();
    let page = GroupPage {
        name: scope.text.strings.get("get.title").to_owned(),
        lead: scope.text.strings.get("mark.get.meaning").to_owned(),
        text: None,
        items: items.map(|&index| scope.item(index)).collect(),
        parts: Vec::new(),
    };
    scope.page(page.name.clone(), None, &page)
}
