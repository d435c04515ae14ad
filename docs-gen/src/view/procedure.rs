//! A procedure's page.

use docent_describe::ProcedureDescription;
use serde::Serialize;

use super::calls::{CallForm, Failure, Shown};
use super::errors::{Declared, declared};
use super::related::Related;
use super::row::Slot;
use super::scope::{Content, Mark, Rows, Scope};
use super::terms::Scheme;
use super::tree::Tree;
use crate::access;
use crate::call::{self, Call};
use crate::links::Ids;
use crate::markdown;
use crate::markup::{Form, Markup};
use crate::plan::Target;
use crate::samples::{self, Sample};
use crate::text::{self, plain, shown_name};

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    prefix: String,
    name: String,
    heading: Markup,
    group: Link,
    signature: Markup,
    marks: Vec<Mark>,
    summary: Option<Markup>,
    deprecated: Option<Deprecated>,
    description: Option<Markup>,
    help: Option<String>,
    toc: Vec<Link>,
    params: Rows,
    params_note: Option<String>,
    returns: Rows,
    returns_note: Option<String>,
    security: Vec<Scheme>,
    security_note: Option<String>,
    security_refusal: Option<String>,
    limits: Vec<String>,
    links: Vec<Related>,
    tags: Vec<Link>,
    repeating: Option<String>,
    errors: Vec<Declared>,
    errors_note: String,
    protocol_errors: String,
    samples: Option<Vec<Sample>>,
    samples_note: Option<String>,
    get: Option<Markup>,
    examples: Vec<Shown>,
    failures: Vec<Failure>,
    /// `None` in Markdown, which has no form to fill in.
    call: Option<CallForm>,
    around: Vec<Neighbour>,
}

#[derive(Debug, Serialize)]
struct Link {
    name: String,
    href: String,
}

#[derive(Debug, Serialize)]
struct Deprecated {
    title: String,
    reason: Option<Markup>,
    instead: Option<Markup>,
}

#[derive(Debug, Serialize)]
struct Neighbour {
    class: &'static str,
    label: String,
    href: String,
    name: String,
}

impl Scope<'_> {
    pub(super) fn procedure_page(&self, index: usize) -> Content {
        let procedure = self.procedure(index);
        let shared = &self.description().components.schemas;
        let mut ids = Ids::new();
        let mut tree = Tree::new(&self.links, shared, self.strings);
        Self::params(&mut tree, &mut ids, procedure);
        let params = Rows { rows: tree.take() };
        self.returns(&mut tree, &mut ids, procedure);
        let returns = Rows { rows: tree.take() };
        let call = Call::of(procedure, shared);
        let request = call::request(self.description(), procedure, call.params.as_ref());
        let address = self.address();
        let address = address.as_deref();
        let takes_token = access::takes_token(self.description(), procedure);
        let samples = (!call.lacks)
            .then(|| samples::all(self.form(), address, &request, takes_token))
            .flatten();
        let group = self.service.plan.group_of[index];
        let errors = declared(self, &mut tree, &mut ids, procedure);
        let view = View {
            section: self.section(),
            prefix: self.prefix(),
            name: shown_name(&procedure.name),
            heading: text::breakable(self.form(), &shown_name(&procedure.name)),
            toc: self.contents(procedure),
            group: Link {
                name: shown_name(self.group_name(group)),
                href: self.links.to(Target::Group(group, 0)),
            },
            signature: self.signature(procedure),
            marks: self.own_marks(procedure),
            summary: procedure
                .summary
                .as_deref()
                .map(|text| self.links.prose(markdown::render(self.form(), text, 2))),
            deprecated: self.deprecated(procedure),
            description: procedure
                .description
                .as_deref()
                .map(|text| self.links.prose(markdown::render(self.form(), text, 2))),
            help: self.help(procedure),
            params,
            params_note: self.params_note(procedure),
            returns,
            returns_note: self.returns_note(procedure),
            security: self.security(procedure),
            security_note: self.security_note(procedure),
            security_refusal: (!self.is_foreign())
                .then(|| self.strings.get("access.refused").to_owned()),
            limits: self.limits(procedure),
            links: self.related(procedure),
            tags: self.other_groups(group, index),
            repeating: self.repeating(procedure),
            failures: self.failures(&mut ids, procedure, &errors),
            errors,
            errors_note: self.errors_note(procedure),
            protocol_errors: self.links.to_anchor(Target::Overview, "errors"),
            samples_note: samples.is_none().then(|| {
                let key = if call.lacks {
                    "samples.unknown"
                } else {
                    "samples.long"
                };
                self.strings.get(key).to_owned()
            }),
            samples,
            get: (!call.lacks && call::takes_get(self.description(), procedure))
                .then(|| call::get(procedure, call.params.as_ref()))
                .flatten()
                .and_then(|target| samples::get(self.form(), address, &target, takes_token)),
            examples: self.examples(&mut ids, procedure, &call),
            call: (self.form() == Form::Html).then(|| self.call_form(procedure, &call)),
            around: self.around(group, index),
        };
        let summary = procedure.summary.as_deref().map(plain);
        self.page("procedure", &view.name, summary, &view)
    }

    fn params(tree: &mut Tree<'_>, ids: &mut Ids, procedure: &ProcedureDescription) {
        for param in &procedure.params {
            let slot = Slot {
                name: &param.name,
                required: param.required,
                deprecated: param.deprecated,
                default: param.default.as_ref(),
                aliases: &param.aliases,
                text: param
                    .description
                    .as_deref()
                    .filter(|text| !text.trim().is_empty()),
                ..Slot::default()
            };
            tree.value(
                ids,
                &format!("param.{}", param.name),
                slot,
                &param.schema,
                0,
            );
        }
    }

    fn returns(&self, tree: &mut Tree<'_>, ids: &mut Ids, procedure: &ProcedureDescription) {
        let Some(returns) = procedure
            .returns
            .as_ref()
            .filter(|_| !procedure.notification)
        else {
            return;
        };
        let text = returns
            .description
            .as_deref()
            .filter(|text| !text.trim().is_empty());
        let slot = Slot {
            name: self.strings.get("result"),
            label: true,
            text,
            ..Slot::default()
        };
        tree.value(ids, "return", slot, &returns.schema, 0);
    }

    /// Returns the page's own table of contents.
    fn contents(&self, procedure: &ProcedureDescription) -> Vec<Link> {
        let is_restricted = procedure.is_restricted();
        let parts = [
            ("params", true),
            ("returns", true),
            ("access", is_restricted),
            ("limits.own", procedure.limits.is_some()),
            ("repeating", procedure.repeatable.is_some()),
            ("errors", true),
            ("call", true),
        ];
        let parts = parts.into_iter().filter(|(_, is_there)| *is_there);
        let link = |key: &str| Link {
            name: self.strings.get(key).to_owned(),
            href: self.links.same_page(key.split('.').next().unwrap_or(key)),
        };
        parts.map(|(key, _)| link(key)).collect()
    }

    /// Returns the marks. A mark that this page explains links to its own section.
    fn own_marks(&self, procedure: &ProcedureDescription) -> Vec<Mark> {
        let mut marks = self.marks(procedure);
        for mark in &mut marks {
            if mark.class == "restricted" {
                mark.href = self.links.same_page("access");
            }
        }
        marks
    }

    fn deprecated(&self, procedure: &ProcedureDescription) -> Option<Deprecated> {
        let deprecated = procedure.deprecated.as_ref()?;
        let instead = deprecated.instead.as_deref().map(|instead| {
            match self.service.plan.names.get(instead) {
                Some(&index) => {
                    let mut link = Markup::new(self.form());
                    link.link(&self.links.to(Target::Procedure(index)), instead);
                    link
                }
                None => self.links.prose(markdown::inline(self.form(), instead)),
            }
        });
        Some(Deprecated {
            title: match &deprecated.since {
                Some(since) => self.strings.with("deprecated.since", since),
                None => self.strings.get("deprecated.now").to_owned(),
            },
            reason: deprecated
                .reason
                .as_deref()
                .map(|reason| self.links.prose(markdown::render(self.form(), reason, 2))),
            instead,
        })
    }

    /// Returns the author's own page about the procedure, unless that is this page.
    fn help(&self, procedure: &ProcedureDescription) -> Option<String> {
        let help = procedure
            .help
            .as_deref()
            .filter(|help| markdown::is_allowed(help))?;
        let here = format!("/{}.html", self.service.plan.stem(self.target));
        (!help.ends_with(&here)).then(|| help.to_owned())
    }

    fn params_note(&self, procedure: &ProcedureDescription) -> Option<String> {
        let key = match procedure.params.as_slice() {
            [] => "params.none",
            [only] if only.variadic => "params.variadic",
            _ if procedure.by_name_only => "params.by_name",
            _ if call::is_by_position(procedure) => "params.by_position",
            _ => return None,
        };
        Some(self.strings.get(key).to_owned())
    }

    fn returns_note(&self, procedure: &ProcedureDescription) -> Option<String> {
        let key = match &procedure.returns {
            _ if procedure.notification => "returns.silent",
            None => "returns.unsaid",
            Some(_) => return None,
        };
        Some(self.strings.get(key).to_owned())
    }

    fn errors_note(&self, procedure: &ProcedureDescription) -> String {
        // Only Docent's own server ensures that a procedure returns no other errors than those that it
        // declares.
        let foreign = self.is_foreign();
        let key = match (procedure.errors_open, procedure.errors.is_empty()) {
            (true, _) => "errors.open",
            (false, true) if foreign => "errors.unlisted",
            (false, false) if foreign => "errors.listed",
            (false, true) => "errors.none",
            (false, false) => "errors.closed",
        };
        self.strings.get(key).to_owned()
    }

    /// Returns the groups of a procedure other than `own`.
    fn other_groups(&self, own: usize, index: usize) -> Vec<Link> {
        let groups = self.service.plan.groups.iter().enumerate();
        let others =
            groups.filter(|(at, group)| *at != own && group.members.binary_search(&index).is_ok());
        others
            .map(|(at, _)| Link {
                name: shown_name(self.group_name(at)),
                href: self.links.to(Target::Group(at, 0)),
            })
            .collect()
    }

    fn around(&self, group: usize, index: usize) -> Vec<Neighbour> {
        let members = &self.service.plan.groups[group].members;
        let Ok(at) = members.binary_search(&index) else {
            return Vec::new();
        };
        let neighbour = |class: &'static str, at: usize| {
            let index = *members.get(at)?;
            Some(Neighbour {
                class,
                label: self.strings.get(class).to_owned(),
                href: self.links.to(Target::Procedure(index)),
                name: shown_name(&self.procedure(index).name),
            })
        };
        let before = at.checked_sub(1).and_then(|at| neighbour("before", at));
        before
            .into_iter()
            .chain(neighbour("after", at + 1))
            .collect()
    }
}
