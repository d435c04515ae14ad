//! The page that introduces the service and explains how to call it.

use serde::Serialize;

use super::about::Entry;
use super::errors::{Answered, Protocol, protocol_errors};
use super::scope::{Content, Item, Scope};
use super::tools::Tool;
use crate::access;
use crate::call::{self, Call};
use crate::json_text;
use crate::links::Medium;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::Target;
use crate::samples;
use crate::text::{plain, shown_name};

/// The most procedures that are listed. A service with more lists only its groups.
const LISTED: usize = 300;

/// The most procedures that are tried to find a call to show.
const TRIED: usize = 20;

/// All marks, in the order of the legend.
const MARKS: [&str; 6] = [
    "get",
    "idempotent",
    "restricted",
    "notification",
    "tool",
    "old",
];

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    prefix: String,
    name: String,
    summary: Option<Markup>,
    description: Option<Markup>,
    about: Vec<Entry>,
    groups: Vec<GroupView>,
    calling: Markup,
    sample: Option<Markup>,
    legend: Vec<Legend>,
    conventions: Markup,
    limits: Vec<Limit>,
    schemes: Vec<Scheme>,
    protocol_note: String,
    /// True if the table of errors has a column on whether repeating helps.
    repeat_known: bool,
    protocol_errors: Vec<Protocol>,
    /// The errors that procedures declare, with the procedures.
    answered: Vec<Answered>,
    tools: Vec<Tool>,
    types: Vec<PageLink>,
    single: bool,
}

#[derive(Debug, Serialize)]
struct GroupView {
    name: String,
    href: String,
    /// The description of its tag.
    text: Option<Markup>,
    /// True if there are several groups, so that the name is useful as a heading.
    headed: bool,
    count: String,
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct Legend {
    id: String,
    class: &'static str,
    name: String,
    meaning: String,
    more: Option<More>,
}

#[derive(Debug, Serialize)]
struct More {
    href: String,
    name: String,
}

#[derive(Debug, Serialize)]
struct Limit {
    name: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct Scheme {
    id: String,
    name: String,
    text: Option<Markup>,
    json: Markup,
}

#[derive(Debug, Serialize)]
pub(super) struct PageLink {
    pub(super) name: String,
    pub(super) href: String,
}

impl Scope<'_> {
    pub(super) fn overview(&self) -> Content {
        let description = self.description();
        let options = &self.service.options;
        let has_get = !self.service.plan.idempotent.is_empty();
        // Samples follow JSON-RPC 2.0. Further facts about calls are known only of Docent's services.
        let (calling, conventions, errors) = if self.is_foreign() {
            (
                "calling.foreign",
                "conventions.foreign",
                "errors.protocol.foreign",
            )
        } else {
            ("calling.text", "conventions.text", "errors.protocol.text")
        };
        let mut conventions = self.strings.get(conventions).to_owned();
        if has_get {
            conventions.push_str("\n\n");
            conventions.push_str(self.strings.get("conventions.get"));
        }
        let view = View {
            section: self.section(),
            prefix: self.prefix(),
            name: shown_name(&self.service.label),
            summary: description
                .summary
                .as_deref()
                .map(|text| self.links.prose(markdown::render(self.form(), text, 2))),
            description: description
                .description
                .as_deref()
                .map(|text| self.links.prose(markdown::render(self.form(), text, 2))),
            about: self.about(),
            groups: self.groups(),
            calling: markdown::render(self.form(), self.strings.get(calling), 3),
            sample: self.sample(),
            legend: self.legend(),
            conventions: markdown::render(self.form(), &conventions, 3),
            limits: options
                .limits
                .iter()
                .map(|(name, text)| Limit {
                    name: name.clone(),
                    text: text.clone(),
                })
                .collect(),
            schemes: self.schemes(),
            protocol_note: self.strings.get(errors).to_owned(),
            repeat_known: !self.is_foreign(),
            protocol_errors: protocol_errors(self.strings, self.is_foreign(), |id| {
                self.links.id(id)
            }),
            answered: self.answered(),
            tools: self.tools(),
            types: self.types(),
            single: self.links.medium == Medium::Single,
        };
        let summary = description.summary.as_deref().map(plain);
        self.page("overview", &view.name, summary, &view)
    }

    fn groups(&self) -> Vec<GroupView> {
        let plan = &self.service.plan;
        let listed = self.description().procs.len() <= LISTED;
        plan.groups
            .iter()
            .enumerate()
            .map(|(index, group)| GroupView {
                name: shown_name(self.group_name(index)),
                href: self.links.to(Target::Group(index, 0)),
                text: self.tag(index),
                headed: plan.groups.len() > 1,
                count: self.strings.count("count.procedures", group.members.len()),
                // A procedure of several groups is listed only in its first.
                items: group
                    .members
                    .iter()
                    .filter(|&&member| listed && plan.group_of[member] == index)
                    .map(|&member| self.item(member))
                    .collect(),
            })
            .collect()
    }

    /// Returns a call that changes nothing, or any other if there is none.
    fn sample(&self) -> Option<Markup> {
        let shared = &self.description().components.schemas;
        let first = self.service.plan.idempotent.iter().take(TRIED).copied();
        let any = 0..self.description().procs.len().min(TRIED);
        let mut calls = first.chain(any).filter_map(|index| {
            let procedure = self.description().procs.get(index)?;
            Some((procedure, Call::of(procedure, shared)))
        });
        let (procedure, call) = calls.find(|(_, call)| !call.lacks)?;
        let request = call::request(self.description(), procedure, call.params.as_ref());
        let takes_token = access::takes_token(self.description(), procedure);
        let address = self.address();
        let all = samples::all(self.form(), address.as_deref(), &request, takes_token)?;
        all.into_iter().next().map(|sample| sample.code)
    }

    fn legend(&self) -> Vec<Legend> {
        let procs = &self.description().procs;
        let kinds: Vec<_> = procs
            .iter()
            .map(|procedure| self.kinds(procedure))
            .collect();
        MARKS
            .into_iter()
            .filter(|class| kinds.iter().flatten().any(|kind| *kind == (*class, true)))
            .map(|class| Legend {
                id: self.links.id(&format!("mark-{class}")),
                class,
                name: self.strings.get(&format!("mark.{class}")).to_owned(),
                meaning: self.meaning(class).to_owned(),
                more: self.more(class),
            })
            .collect()
    }

    /// Returns a link to more about the procedures that have a mark.
    fn more(&self, class: &str) -> Option<More> {
        let (href, key) = match class {
            "get" => (self.links.to(Target::Idempotent), "get.list"),
            "tool" => (self.links.same_page("tools"), "tools"),
            "restricted" if !self.description().security_schemes.is_empty() => {
                (self.links.same_page("access"), "access")
            }
            _ => return None,
        };
        let name = self.strings.get(key).to_owned();
        Some(More { href, name })
    }

    fn schemes(&self) -> Vec<Scheme> {
        let mut ids = crate::links::Ids::new();
        self.description()
            .security_schemes
            .iter()
            .map(|(name, scheme)| {
                let rest = json_text::pretty(&access::without_words(scheme), 4000);
                Scheme {
                    id: self.links.id(&ids.assign(&format!("scheme.{name}"))),
                    name: shown_name(name),
                    text: access::words(scheme)
                        .map(|words| self.links.prose(markdown::render(self.form(), words, 3))),
                    json: json_text::block(self.form(), &rest.text),
                }
            })
            .collect()
    }

    pub(super) fn types(&self) -> Vec<PageLink> {
        let mut types: Vec<_> = self
            .service
            .plan
            .types
            .keys()
            .enumerate()
            .map(|(index, name)| PageLink {
                name: shown_name(name),
                href: self.links.to(Target::Type(index)),
            })
            .collect();
        types.sort_by(|a, b| {
            a.name
                .to_lowercase()
                .cmp(&b.name.to_lowercase())
                .then_with(|| a.href.cmp(&b.href))
        });
        types
    }
}
