//! The context of one page: everything that its parts are made from.

use std::borrow::Cow;

use docent_describe::{ProcedureDescription, ServiceDescription};
use serde::Serialize;

use super::row::Row;
use crate::call::{self, Address};
use crate::links::{Links, Medium};
use crate::markup::{Form, Markup};
use crate::plan::Target;
use crate::problem::Problem;
use crate::service::Service;
use crate::site::Site;
use crate::strings::Strings;
use crate::text::{plain, shown_name};

/// The context of one page of one service.
pub(crate) struct Scope<'a> {
    pub(crate) site: &'a Site,
    pub(crate) service: &'a Service,
    pub(crate) strings: &'a Strings,
    pub(crate) links: Links<'a>,
    pub(crate) target: Target,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(
        site: &'a Site,
        service: &'a Service,
        medium: Medium,
        target: Target,
    ) -> Self {
        let links = Links::new(&service.plan, medium, target);
        Self {
            site,
            service,
            strings: &site.strings,
            links,
            target,
        }
    }

    /// Returns the form that the page is written in.
    pub(super) fn form(&self) -> Form {
        self.links.medium.form()
    }

    pub(super) fn description(&self) -> &'a ServiceDescription {
        &self.service.options.description
    }

    /// Returns the address for calls.
    pub(super) fn address(&self) -> Option<Cow<'a, Address>> {
        let address = self.service.address.as_ref()?;
        Some(match self.links.medium {
            Medium::Single => Cow::Owned(address.for_anywhere()),
            Medium::Folder | Medium::Twins => Cow::Borrowed(address),
        })
    }

    pub(super) fn procedure(&self, index: usize) -> &'a ProcedureDescription {
        &self.service.options.description.procs[index]
    }

    /// Returns the `id` of the page's own section in the single file.
    pub(super) fn section(&self) -> Option<String> {
        (self.links.medium == Medium::Single).then(|| self.service.plan.section(self.target))
    }

    /// Returns the prefix of each `id` in the templates.
    pub(super) fn prefix(&self) -> String {
        self.links.id("")
    }

    /// Returns a group's name as it is shown.
    pub(super) fn group_name(&self, group: usize) -> &'a str {
        let groups = &self.service.plan.groups;
        match &groups[group].name {
            Some(name) => name,
            None if groups.len() == 1 => self.strings.get("group.all"),
            None => self.strings.get("group.others"),
        }
    }

    pub(super) fn marks(&self, procedure: &ProcedureDescription) -> Vec<Mark> {
        self.kinds(procedure)
            .into_iter()
            .filter(|(_, holds)| *holds)
            .map(|(class, _)| Mark {
                class,
                name: self.strings.get(&format!("mark.{class}")).to_owned(),
                meaning: self.meaning(class).to_owned(),
                href: self
                    .links
                    .to_anchor(Target::Overview, &format!("mark-{class}")),
            })
            .collect()
    }

    /// Returns all marks, each with whether the procedure has it.
    pub(crate) fn kinds(&self, procedure: &ProcedureDescription) -> [(&'static str, bool); 6] {
        let get = call::takes_get(self.description(), procedure);
        [
            ("get", get),
            ("idempotent", procedure.idempotent && !get),
            ("restricted", procedure.is_restricted()),
            ("notification", procedure.notification),
            ("tool", super::tools::name(procedure).is_some()),
            ("old", procedure.deprecated.is_some()),
        ]
    }

    /// Returns the meaning of a mark.
    pub(crate) fn meaning(&self, class: &str) -> &'a str {
        let strings = self.strings;
        match class {
            "get" => strings.get("mark.get.meaning"),
            "idempotent" => strings.get("mark.idempotent.meaning"),
            "restricted" => strings.get("mark.restricted.meaning"),
            "notification" => strings.get("mark.notification.meaning"),
            "tool" => strings.get("mark.tool.meaning"),
            // Only of Docent's services is it known that deprecated procedures still work.
            _ if self.is_foreign() => strings.get("mark.old.foreign"),
            _ => strings.get("mark.old.meaning"),
        }
    }

    /// Returns whether nothing is known of the service except its description.
    pub(crate) fn is_foreign(&self) -> bool {
        self.service.options.is_foreign()
    }

    pub(super) fn item(&self, index: usize) -> Item {
        let procedure = self.procedure(index);
        Item {
            name: shown_name(&procedure.name),
            href: self.links.to(Target::Procedure(index)),
            text: procedure.summary.as_deref().map(plain),
            marks: self.marks(procedure),
            current: self.target == Target::Procedure(index),
        }
    }

    /// Renders a page whose main part is this view.
    pub(super) fn page(
        &self,
        template: &'static str,
        title: &str,
        summary: Option<String>,
        view: &impl Serialize,
    ) -> Content {
        let (main, problem) = self.render(template, view);
        Content {
            title: title.to_owned(),
            summary,
            main,
            problem,
        }
    }

    pub(super) fn render(
        &self,
        template: &'static str,
        view: &impl Serialize,
    ) -> (Markup, Option<Problem>) {
        let templates = &self.site.templates;
        let problem = match self.form() {
            Form::Html => templates.try_render(template, view),
            Form::Markdown => None,
        };
        (templates.render(self.form(), template, view), problem)
    }
}

/// The main part of a page.
pub(crate) struct Content {
    pub(crate) title: String,
    pub(crate) summary: Option<String>,
    pub(crate) main: Markup,
    /// The failure of a replaced template.
    pub(crate) problem: Option<Problem>,
}

/// A link to a procedure, with its summary.
#[derive(Debug, Serialize)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) text: Option<String>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) current: bool,
}

/// A word for the kind of a procedure.
#[derive(Debug, Serialize)]
pub(crate) struct Mark {
    pub(crate) class: &'static str,
    pub(crate) name: String,
    pub(crate) meaning: String,
    pub(crate) href: String,
}

/// The rows of a tree, in the form that a template expects.
#[derive(Debug, Serialize)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
}
