//! Procedures in lists, their marks, such as "GET" or "deprecated", and links to the pages before and after one.
//!
//! The overview, groups, codes and `llms.txt` list procedures as [`ProcedureItem`]s, which the template `items` writes.
//! The legend of the overview explains the marks ([`PageScope::all_marks`]).

use docent_describe::ProcedureDescription;
use docent_describe::render::TOOL;
use serde::Serialize;

use super::scope::{Link, PageScope, PageText};
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::service::SiteService;
use crate::strings::Strings;
use crate::text::display_name;

/// A procedure in a list.
#[derive(Serialize)]
pub(super) struct ProcedureItem {
    name: String,
    href: String,
    /// The summary.
    text: Option<Markup>,
    marks: Vec<Mark>,
}

/// A mark of a procedure.
#[derive(Serialize)]
pub(super) struct Mark {
    class: &'static str,
    name: String,
    meaning: String,
    /// The address of the explanation of the mark.
    href: String,
}

/// The link to the page before or after this one.
#[derive(Serialize)]
pub(super) struct Neighbour<'a> {
    class: &'static str,
    label: &'a str,
    #[serde(flatten)]
    page: Link,
}

impl<'a> PageText<'a> {
    /// Returns links to the pages before and after this one, as far as there are any.
    pub(super) fn neighbours(
        &self,
        before: Option<Link>,
        after: Option<Link>,
    ) -> Vec<Neighbour<'a>> {
        let mut neighbours = Vec::new();
        for (class, page) in [("before", before), ("after", after)] {
            if let Some(page) = page {
                neighbours.push(Neighbour {
                    class,
                    label: self.strings.get(class),
                    page,
                });
            }
        }
        neighbours
    }
}

impl Mark {
    /// Creates the mark of what a version has added (`since`) or changed (`changed`).
    pub(super) fn of_version(
        strings: &Strings,
        class: &'static str,
        service: &SiteService,
        href: String,
    ) -> Self {
        let version = &*service.version.name;
        let date = service.options.date.as_deref().unwrap_or_default();
        let meaning = strings.with_all(&format!("mark.{class}.meaning"), &[version, date]);
        Self {
            class,
            name: strings.with(&format!("mark.{class}"), version),
            meaning: meaning.trim_end().to_owned(),
            href,
        }
    }

    /// Returns its name, for text.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Adds the mark to a line of HTML.
    pub(super) fn add_to(&self, line: &mut Markup) {
        line.html(
            " <a class=\"mark {}\" href=\"{}\" title=\"{}\">{}</a>",
            &[self.class, &self.href, &self.meaning, &self.name],
        );
    }
}

impl PageScope<'_> {
    /// Returns a procedure in a list, with a link to its page.
    pub(super) fn item(&self, index: usize) -> ProcedureItem {
        self.item_at(index, self.text.links.to(PageTarget::Procedure(index)))
    }

    /// Returns a procedure in a list, with a link to a part of its page.
    pub(super) fn item_at(&self, index: usize, href: String) -> ProcedureItem {
        let procedure = self.procedure(index);
        ProcedureItem {
            name: display_name(&procedure.name),
            href,
            text: self.text.phrase(procedure.summary.as_deref()),
            marks: self.marks(index),
        }
    }

    /// Returns a procedure in a list of plain text.
    pub(super) fn plain_item(&self, index: usize) -> ProcedureItem {
        let summary = self.procedure(index).summary.as_deref();
        ProcedureItem {
            text: summary.map(|summary| self.text.escaped(&phrase::plain(summary))),
            ..self.item(index)
        }
    }

    /// Returns the marks that a procedure has.
    pub(super) fn marks(&self, index: usize) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (class, is_held) in self.all_marks(index) {
            if is_held {
                marks.push(self.mark(class));
            }
        }
        marks.extend(self.since(index));
        marks
    }

    /// Returns the mark of a class, with a link to its meaning.
    fn mark(&self, class: &'static str) -> Mark {
        let PageText { strings, links, .. } = &self.text;
        // A procedure's own page explains its access itself.
        let is_here = class == "restricted" && matches!(self.target, PageTarget::Procedure(_));
        let href = if is_here {
            links.same_page("access")
        } else {
            links.to_overview(&format!("mark-{class}"))
        };
        Mark {
            class,
            name: strings.get(&format!("mark.{class}")).to_owned(),
            meaning: self.meaning(class).to_owned(),
            href,
        }
    }

    /// Returns the mark of a procedure that a later version of the service than the first has added.
    fn since(&self, index: usize) -> Option<Mark> {
        let PageText { strings, links, .. } = &self.text;
        let name = &self.procedure(index).name;
        let mut versions = self
            .service
            .version
            .all
            .iter()
            .map(|&at| &self.site.services[at]);
        let first = versions.next()?;
        if first.plan.procedure(name).is_some() {
            return None;
        }
        let added = versions.find(|service| service.plan.procedure(name).is_some())?;
        let href = links.across(&added.plan, PageTarget::Overview);
        Some(Mark::of_version(strings, "since", added, href))
    }

    /// Returns all marks in the order of the legend, each with whether the procedure has it.
    pub(super) fn all_marks(&self, index: usize) -> [(&'static str, bool); 8] {
        let procedure = self.procedure(index);
        let get = self.service.plan.takes_get(index);
        [
            ("get", get),
            ("idempotent", procedure.idempotent && !get),
            ("subscription", procedure.subscription.is_some()),
            ("sent", !procedure.is_called_by_clients()),
            ("restricted", procedure.is_restricted()),
            (
                "notification",
                procedure.notification && procedure.is_called_by_clients(),
            ),
            ("tool", tool(procedure).is_some()),
            ("old", procedure.deprecated.is_some()),
        ]
    }

    /// Returns the meaning of a mark.
    pub(super) fn meaning(&self, class: &str) -> &str {
        // Only of Docent's services is it known that deprecated procedures still work.
        let is_foreign = class == "old" && self.is_foreign();
        let suffix = if is_foreign { "foreign" } else { "meaning" };
        self.text
            .strings
            .find(&format!("mark.{class}.{suffix}"))
            .unwrap_or_default()
    }
}

/// Returns the name of the tool of the Model Context Protocol if the procedure is one.
pub(super) fn tool(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.extensions.get_str(TOOL)
}
