//! The page that introduces the service and explains how to call it.

use serde_json::Value;

use super::scope::{Content, PageScope, named_link, tool};
use crate::call::ShownCall;
use crate::json_text::{self, text_of};
use crate::links::Medium;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::slug::Slugs;
use crate::text::{plain, shown_name};

/// The most procedures that are listed. A service with more lists only its groups.
const LISTED: usize = 300;

/// The most procedures that are tried to find a call to show.
const TRIED: usize = 20;

impl PageScope<'_> {
    pub(super) fn overview(&self) -> Content {
        let description = self.description();
        // Samples follow JSON-RPC 2.0. Further facts about calls are known only of Docent's services.
        let mut conventions = self.text_of_kind("conventions").to_owned();
        if !self.service.plan.idempotent.is_empty() {
            conventions.push_str("\n\n");
            conventions.push_str(self.text.strings.get("conventions.get"));
        }
        let prose = |text: &Option<String>| text.as_deref().map(|text| self.text.prose(text, 2));
        let limits = self
            .service
            .options
            .limits
            .iter()
            .map(|(name, text)| view!({ "name": &**name, "text": &**text }));
        let own = |text: &str| markdown::render(self.text.form(), text, 3);
        let view = view!({
            "name": shown_name(&self.service.label),
            "summary": prose(&description.summary),
            "description": prose(&description.description),
            "about": self.about(),
            "groups": self.groups(),
            "calling": own(self.text_of_kind("calling")),
            "sample": self.sample(),
            "legend": self.legend(),
            "conventions": own(&conventions),
            "limits": limits.collect::<Value>(),
            "schemes": self.schemes(),
            "protocol_note": self.text_of_kind("errors.protocol"),
            "repeat_known": !self.is_foreign(),
            "openapi": !self.is_foreign(),
            "protocol_errors": self.protocol_errors(),
            "answered": self.answered(),
            "tools": self.tools(),
            "types": self.types(),
            "single": self.text.links.medium == Medium::Single,
        });
        let summary = description.summary.as_deref().map(plain);
        self.page("overview", summary, view)
    }

    fn groups(&self) -> Vec<Value> {
        let plan = &self.service.plan;
        let listed = self.description().procs.len() <= LISTED;
        let group = |at: usize| {
            let members = &plan.groups[at].members;
            // A procedure of several groups is listed only in its first.
            let own = members
                .iter()
                .filter(|it| listed && plan.group_of[**it] == at);
            view!({
                "name": shown_name(self.group_name(at)),
                "href": self.text.links.to(PageTarget::Group(at, 0)),
                "text": self.tag(at),
                // The name of the only group would not help as a heading.
                "headed": plan.groups.len() > 1,
                "count": self.text.strings.count("count.procedures", members.len()),
                "items": own.map(|&member| self.item(member)).collect::<Value>(),
            })
        };
        (0..plan.groups.len()).map(group).collect()
    }

    /// Returns a call that changes nothing, or any other if there is none.
    pub(super) fn sample(&self) -> Option<Markup> {
        let first = self.service.plan.idempotent.iter().take(TRIED).copied();
        let any = 0..self.description().procs.len().min(TRIED);
        let mut calls = first.chain(any).map(|index| {
            let procedure = self.procedure(index);
            (procedure, ShownCall::of(procedure, self.schemas))
        });
        let (procedure, call) = calls.find(|(_, call)| !call.lacks)?;
        self.samples(procedure, &call)?
            .into_iter()
            .next()
            .map(|sample| sample.code)
    }

    /// Returns the meanings of the marks that any procedure has.
    pub(super) fn legend(&self) -> Vec<Value> {
        let kinds: Vec<_> = self
            .description()
            .procs
            .iter()
            .map(|procedure| self.kinds(procedure))
            .collect();
        let used = kinds
            .first()
            .into_iter()
            .flatten()
            .enumerate()
            .filter(|(at, _)| kinds.iter().any(|kinds| kinds[*at].1));
        used.map(|(_, (class, _))| {
            view!({
                "id": self.text.links.id(&format!("mark-{class}")),
                "class": *class,
                "name": self.text.strings.get(&format!("mark.{class}")),
                "meaning": self.meaning(class),
                "more": self.more(class),
            })
        })
        .collect()
    }

    /// Returns a link to more about the procedures that have a mark.
    fn more(&self, class: &str) -> Option<Value> {
        let (href, name) = match class {
            "get" => (self.text.links.to(PageTarget::Idempotent), "get.list"),
            "tool" => (self.text.links.same_page("tools"), "tools"),
            "restricted" if !self.description().security_schemes.is_empty() => {
                (self.text.links.same_page("access"), "access")
            }
            _ => return None,
        };
        Some(named_link(self.text.strings.get(name), href))
    }

    pub(super) fn schemes(&self) -> Vec<Value> {
        let mut ids = Slugs::default();
        let schemes = &self.description().security_schemes;
        let entries = schemes.iter().map(|(name, scheme)| {
            let mut rest = scheme.clone();
            if let Some(members) = rest.as_object_mut() {
                members.shift_remove("description");
            }
            view!({
                "id": self.text.links.id(&ids.assign(&format!("scheme.{name}"))),
                "name": shown_name(name),
                "text": text_of(scheme, "description").map(|text| self.text.prose(text, 3)),
                "json": json_text::block(self.text.form(), &json_text::pretty(&rest, 4000).text),
            })
        });
        entries.collect()
    }

    /// Returns the tools for agents, each with its procedure if that has another name.
    fn tools(&self) -> Vec<Value> {
        let procedures = self.description().procs.iter().enumerate();
        let tools = procedures.filter_map(|(index, procedure)| {
            let name = tool(procedure)?;
            let other = (name != procedure.name).then(|| shown_name(&procedure.name));
            Some(view!({
                "name": shown_name(name),
                "href": self.text.links.to(PageTarget::Procedure(index)),
                "procedure": other,
                "text": procedure.summary.as_deref().map(plain),
            }))
        });
        tools.collect()
    }

    /// Returns links to the pages of shared types, in alphabetical order.
    pub(super) fn types(&self) -> Vec<Value> {
        let mut types: Vec<_> = self
            .service
            .plan
            .types
            .keys()
            .enumerate()
            .map(|(at, name)| (shown_name(name), at))
            .collect();
        types.sort_by_cached_key(|(name, _)| (name.to_lowercase(), name.clone()));
        types
            .into_iter()
            .map(|(name, at)| self.text.link(&name, PageTarget::Type(at)))
            .collect()
    }
}
