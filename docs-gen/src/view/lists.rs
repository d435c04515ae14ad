//! Pages that list procedures, and a guide's page.

use serde_json::Value;

use super::scope::{Content, PageScope};
use crate::guides::Guide;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::text::{plain, shown_name};

impl PageScope<'_> {
    pub(super) fn group(&self, group: usize, part: usize) -> Content {
        let plan = &self.service.plan.groups[group];
        let members = plan.members.iter().skip(part * LIST_LENGTH);
        let parts = (0..plan.parts()).filter(|_| plan.parts() > 1).map(|at| {
            view!({
                "name": (at + 1).to_string(),
                "href": self.text.links.to(PageTarget::Group(group, at)),
                "current": at == part,
            })
        });
        let view = view!({
            "name": shown_name(self.group_name(group)),
            "lead": self.text.strings.count("group.lead", plan.members.len()),
            "text": self.tag(group),
            "items": self.items(members.take(LIST_LENGTH)),
            "parts": parts.collect::<Value>(),
        });
        self.page("group", None, view)
    }

    pub(super) fn idempotent(&self) -> Content {
        let name = self.text.strings.get("get.title");
        let view = view!({
            "name": name,
            "lead": self.text.strings.get("mark.get.meaning"),
            "text": Value::Null,
            "items": self.items(&self.service.plan.idempotent),
            "parts": Vec::<Value>::new(),
        });
        self.page("group", None, view)
    }

    fn items<'i>(&self, indices: impl IntoIterator<Item = &'i usize>) -> Vec<Value> {
        indices.into_iter().map(|&index| self.item(index)).collect()
    }

    pub(super) fn guide(&self, at: usize) -> Content {
        let guide = &self.site.guides[at];
        let text = Guide::render(&self.site.guides, at, &self.text.links);
        let view = view!({ "name": shown_name(&guide.title), "text": text });
        self.page("guide", None, view)
    }

    /// Renders `llms.txt`: a summary of the service, and links to the twins of its pages.
    pub(crate) fn everything(&self) -> Markup {
        let description = self.description();
        let guides = self
            .site
            .guides
            .iter()
            .enumerate()
            .map(|(at, guide)| self.text.link(&guide.title, PageTarget::Guide(at)));
        let root = self.text.links.to_root();
        let versions = self.other_versions().map(|other| {
            view!({
                "name": &*other.version.name,
                "href": format!("{root}{}llms.txt", other.plan.prefix),
                "older": other.version.newest.is_some(),
            })
        });
        let changes = self.changes_name();
        let own = |text: &str| markdown::render(self.text.form(), text, 3);
        let has_get = !self.service.plan.idempotent.is_empty();
        let view = view!({
            "name": shown_name(&self.service.label),
            "summary": description.summary.as_deref().map(plain),
            "address": self.about_address(self.service.address.as_ref()),
            "mcp": self.about_address(self.service.mcp.as_ref()),
            "calling": own(self.text_of_kind("calling")),
            "sample": self.sample(),
            "get": has_get.then(|| own(self.text.strings.get("conventions.get"))),
            "schemes": self.schemes(),
            "legend": self.legend(),
            "openapi": !self.is_foreign(),
            "overview": self.text.links.to(PageTarget::Overview),
            "changes": changes.map(|name| self.text.link(&name, PageTarget::Changes)),
            "guides": guides.collect::<Value>(),
            "versions": versions.collect::<Value>(),
            "items": (0..description.procs.len()).map(|at| self.item(at)).collect::<Value>(),
            "types": self.types(),
        });
        self.render("llms", view)
    }
}
