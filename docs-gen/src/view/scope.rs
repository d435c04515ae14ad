//! The context of one page: everything that its parts are made from.

use docent_describe::render::TOOL;
use docent_describe::{ProcedureDescription, ServiceDescription};
use serde_json::Value;

use crate::call::{self, CallAddress};
use crate::links::{Links, Medium};
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::plan::PageTarget;
use crate::schema::ServiceSchemas;
use crate::service::SiteService;
use crate::site::Site;
use crate::strings::Strings;
use crate::text::{plain, shown_name};

/// What text is written with: the words of the page's language, and the links from it in the form of the page.
pub(super) struct PageText<'a> {
    pub(super) strings: &'a Strings,
    pub(super) links: Links<'a>,
}

impl PageText<'_> {
    /// Returns the form that the page is written in.
    pub(super) fn form(&self) -> PageForm {
        self.links.medium.form()
    }

    /// Returns empty markup in the page's form.
    pub(super) fn markup(&self) -> Markup {
        Markup::new(self.form())
    }

    /// Returns a text as it is.
    pub(super) fn of_text(&self, text: &str) -> Markup {
        Markup::of_text(self.form(), text)
    }

    /// Returns markup in the page's form, as `write` writes it.
    pub(super) fn written(&self, write: impl FnOnce(&mut Markup) -> &mut Markup) -> Markup {
        let mut markup = self.markup();
        write(&mut markup);
        markup
    }

    /// Returns a text with a link.
    pub(super) fn linked(&self, href: &str, text: &str) -> Markup {
        self.written(|link| link.link(href, text))
    }

    /// Renders Markdown by an author, with its top-level headings at level `top`.
    pub(super) fn prose(&self, text: &str, top: u8) -> Markup {
        let named = |name: &str| self.links.named_elsewhere(name);
        markdown::linked(self.form(), text, top, &named)
    }

    /// Renders Markdown by an author for the middle of a line.
    pub(super) fn inline(&self, text: &str) -> Markup {
        let named = |name: &str| self.links.named_elsewhere(name);
        markdown::inline(self.form(), text, &named)
    }

    /// Returns a link to a page, for a template.
    pub(super) fn link(&self, name: &str, target: PageTarget) -> Value {
        named_link(shown_name(name), self.links.to(target))
    }

    /// Completes an address as far as the readers of the text need it.
    pub(super) fn completed(&self, address: &CallAddress) -> CallAddress {
        match self.links.medium {
            Medium::Single => address.for_anywhere(),
            Medium::Twins | Medium::Folder => address.at_host(),
        }
    }
}

/// Returns a link, for a template.
pub(super) fn named_link(name: impl Into<String>, href: String) -> Value {
    let name: String = name.into();
    view!({ "name": name, "href": href })
}

/// The context of one page of one service.
pub(crate) struct PageScope<'a> {
    pub(super) site: &'a Site,
    pub(super) service: &'a SiteService,
    pub(super) text: PageText<'a>,
    pub(super) target: PageTarget,
    pub(super) schemas: &'a ServiceSchemas<'a>,
}

impl<'a> PageScope<'a> {
    pub(crate) fn new(
        site: &'a Site,
        service: &'a SiteService,
        medium: Medium,
        target: PageTarget,
        schemas: &'a ServiceSchemas<'a>,
    ) -> Self {
        Self {
            site,
            service,
            text: PageText {
                strings: &site.strings,
                links: Links::new(&service.plan, medium, target),
            },
            target,
            schemas,
        }
    }

    pub(super) fn description(&self) -> &'a ServiceDescription {
        &self.service.options.description
    }

    /// Returns the address for calls.
    pub(super) fn address(&self) -> Option<CallAddress> {
        Some(self.text.completed(self.service.address.as_ref()?))
    }

    pub(super) fn procedure(&self, index: usize) -> &'a ProcedureDescription {
        &self.service.options.description.procs[index]
    }

    /// Returns a group's name as it is shown.
    pub(super) fn group_name(&self, group: usize) -> &'a str {
        let groups = &self.service.plan.groups;
        match &groups[group].name {
            Some(name) => name,
            None if groups.len() == 1 => self.text.strings.get("group.all"),
            None => self.text.strings.get("group.others"),
        }
    }

    pub(super) fn marks(&self, procedure: &ProcedureDescription) -> Vec<Value> {
        self.kinds(procedure)
            .into_iter()
            .filter(|(_, holds)| *holds)
            .map(|(class, _)| self.mark(class))
            .collect()
    }

    fn mark(&self, class: &str) -> Value {
        // A procedure's own page explains its access itself.
        let is_here = class == "restricted" && matches!(self.target, PageTarget::Procedure(_));
        let href = if is_here {
            self.text.links.same_page("access")
        } else {
            let anchor = format!("mark-{class}");
            self.text.links.to_anchor(PageTarget::Overview, &anchor)
        };
        view!({
            "class": class,
            "name": self.text.strings.get(&format!("mark.{class}")),
            "meaning": self.meaning(class),
            "href": href,
        })
    }

    /// Returns all marks in the order of the legend, each with whether the procedure has it.
    pub(crate) fn kinds(&self, procedure: &ProcedureDescription) -> [(&'static str, bool); 6] {
        let get = call::takes_get(self.description(), procedure);
        [
            ("get", get),
            ("idempotent", procedure.idempotent && !get),
            ("restricted", procedure.is_restricted()),
            ("notification", procedure.notification),
            ("tool", tool(procedure).is_some()),
            ("old", procedure.deprecated.is_some()),
        ]
    }

    /// Returns the meaning of a mark.
    pub(crate) fn meaning(&self, class: &str) -> &'a str {
        // Only of Docent's services is it known that deprecated procedures still work.
        let is_foreign = class == "old" && self.is_foreign();
        let what = if is_foreign { "foreign" } else { "meaning" };
        self.text
            .strings
            .find(&format!("mark.{class}.{what}"))
            .unwrap_or_default()
    }

    /// Returns the text of a key about Docent's own services, or about others.
    pub(super) fn text_of_kind(&self, key: &str) -> &'a str {
        let kind = if self.is_foreign() { "foreign" } else { "text" };
        self.text
            .strings
            .find(&format!("{key}.{kind}"))
            .unwrap_or_default()
    }

    /// Returns whether nothing is known of the service except its description.
    pub(crate) fn is_foreign(&self) -> bool {
        self.service.options.is_foreign()
    }

    /// Returns a procedure in a list, with a link to its page.
    pub(super) fn item(&self, index: usize) -> Value {
        self.item_at(index, &self.text.links.to(PageTarget::Procedure(index)))
    }

    /// Returns a procedure in a list, with a link to a part of its page.
    pub(super) fn item_at(&self, index: usize, href: &str) -> Value {
        let procedure = self.procedure(index);
        view!({
            "name": shown_name(&procedure.name),
            "href": href,
            "text": procedure.summary.as_deref().map(plain),
            "marks": self.marks(procedure),
        })
    }

    /// Renders a page whose main part is this view and whose title is its `name`. The view gets what every page has: the `id` of
    /// its section in the single file, the prefix of each `id`, and a link to the overview.
    pub(super) fn page(
        &self,
        template: &'static str,
        summary: Option<String>,
        mut view: Value,
    ) -> Content {
        let is_single = self.text.links.medium == Medium::Single;
        view["section"] = Value::from(is_single.then(|| self.service.plan.section(self.target)));
        view["prefix"] = Value::from(self.text.links.id(""));
        if view.get("overview").is_none() {
            view["overview"] = Value::from(self.text.links.to(PageTarget::Overview));
        }
        Content {
            title: view["name"].as_str().unwrap_or_default().to_owned(),
            summary,
            main: self.render(template, view),
        }
    }

    pub(super) fn render(&self, template: &'static str, view: Value) -> Markup {
        self.site.templates.render(self.text.form(), template, view)
    }
}

/// The main part of a page.
pub(crate) struct Content {
    pub(crate) title: String,
    pub(crate) summary: Option<String>,
    pub(crate) main: Markup,
}

/// Returns the name of the tool of the Model Context Protocol if the procedure is one.
pub(super) fn tool(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.extensions.get(TOOL)?.as_str()
}
