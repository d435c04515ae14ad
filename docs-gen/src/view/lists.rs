//! Pages that list procedures, and a guide's page.
//!
//! A list that is too long for one page continues on further ones, which the plan has already counted.

use pulldown_cmark::HeadingLevel;
use serde_json::Value;

use super::scope::{Content, PageScope};
use crate::guides::Guide;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::text::shown_name;

/// The deepest level of headings in the contents of a guide.
const MAX_CONTENTS_LEVEL: HeadingLevel = HeadingLevel::H3;

/// Returns a part of the list of a group.
pub(super) fn group(scope: &PageScope<'_>, group: usize, part: usize) -> Content {
    let plan = &scope.service.plan.groups[group];
    let members = plan.members.iter().skip(part * LIST_LENGTH);
    let items = members.take(LIST_LENGTH);
    let parts = (0..plan.parts()).filter(|_| plan.parts() > 1).map(|at| {
        view!({
            "name": (at + 1).to_string(),
            "href": scope.text.links.to(PageTarget::Group(group, at)),
            "current": at == part,
        })
    });
    let view = view!({
        "name": shown_name(scope.group_name(group)),
        "lead": scope.text.strings.count("group.lead", plan.members.len()),
        "text": scope.tag(group),
        "items": items.map(|&index| scope.item(index)).collect::<Value>(),
        "parts": parts.collect::<Value>(),
    });
    scope.page("group", None, view)
}

/// Returns the list of procedures that can be called with GET.
pub(super) fn idempotent(scope: &PageScope<'_>) -> Content {
    let items = scope.service.plan.idempotent.iter();
    let view = view!({
        "name": scope.text.strings.get("get.title"),
        "lead": scope.text.strings.get("mark.get.meaning"),
        "text": Value::Null,
        "items": items.map(|&index| scope.item(index)).collect::<Value>(),
        "parts": Vec::<Value>::new(),
    });
    scope.page("group", None, view)
}

/// Returns a guide's page.
pub(super) fn guide(scope: &PageScope<'_>, at: usize) -> Content {
    let guide = &scope.site.guides[at];
    let text = Guide::render(&scope.site.guides, at, &scope.text.links);
    let listed = guide
        .headings
        .iter()
        .filter(|heading| heading.level <= MAX_CONTENTS_LEVEL);
    let contents = listed.map(|heading| {
        view!({
            "name": shown_name(&heading.text),
            "href": scope.text.links.same_page(&heading.anchor()),
            "nested": heading.level == MAX_CONTENTS_LEVEL,
        })
    });
    let view = view!({
        "name": shown_name(&guide.title),
        "text": text,
        "contents": contents.collect::<Value>(),
    });
    scope.page("guide", None, view)
}
