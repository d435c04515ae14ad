//! A procedure's page.

use docent_describe::render::INPUT_SCHEMA;
use docent_describe::{Origin, ProcedureDescription};
use serde_json::Value;

use super::calls::{ExampleView, FailureView};
use super::errors::ErrorView;
use super::scope::{Content, PageScope, named_link};
use crate::call::{self, ShownCall};
use crate::markdown;
use crate::markup::PageForm;
use crate::plan::PageTarget;
use crate::samples::{self, CodeSample};
use crate::schema::{Row, RowTree, ServiceSchemas, Side};
use crate::service::SiteService;
use crate::text::{plain, shown_name};

/// The content of a procedure's page.
pub(crate) struct ProcedureView<'a> {
    index: usize,
    param_rows: Vec<Row<'a>>,
    result_rows: Vec<Row<'a>>,
    errors: Vec<ErrorView<'a>>,
    call: ShownCall,
    examples: Vec<ExampleView<'a>>,
    failures: Vec<FailureView>,
}

impl<'a> ProcedureView<'a> {
    /// Finds what is said of the procedure at a place in the description.
    pub(super) fn new(
        service: &'a SiteService,
        schemas: &'a ServiceSchemas<'a>,
        index: usize,
    ) -> Self {
        let description = &service.options.description;
        let procedure = &description.procs[index];
        let returns = procedure
            .returns
            .as_ref()
            .filter(|_| !procedure.notification);
        let mut tree = RowTree::new(&schemas.views);
        tree.side = Some(Side::Caller);
        tree.params(procedure);
        let param_rows = tree.take();
        tree.side = Some(Side::Service);
        if let Some(returns) = returns {
            tree.result(returns);
        }
        let result_rows = tree.take();
        let errors = ErrorView::of_procedure(&mut tree, schemas, procedure);
        let call = ShownCall::of(procedure, schemas);
        let examples =
            ExampleView::of_procedure(&mut tree.ids, schemas, procedure, &call, description);
        let failures = FailureView::of_procedure(&mut tree.ids, schemas, procedure, &errors);
        Self {
            index,
            param_rows,
            result_rows,
            errors,
            call,
            examples,
            failures,
        }
    }
}

impl PageScope<'_> {
    pub(super) fn procedure_page(&self, view: &ProcedureView<'_>) -> Content {
        let ProcedureView {
            index, ref call, ..
        } = *view;
        let procedure = self.procedure(index);
        let address = self.address();
        let takes_token = call::takes_token(self.description(), procedure);
        let samples = self.samples(procedure, call);
        let get = (!call.lacks && call::takes_get(self.description(), procedure))
            .then(|| call::get(procedure, call.params.as_ref()))
            .flatten()
            .and_then(|target| {
                samples::get(self.text.form(), address.as_ref(), &target, takes_token)
            });
        let samples_note = match (&samples, call.lacks) {
            (Some(_), _) => None,
            (None, true) => Some(self.text.strings.get("samples.unknown")),
            (None, false) => Some(self.text.strings.get("samples.long")),
        };
        let name = shown_name(&procedure.name);
        let group = self.service.plan.group_of[index];
        let prose = |text: &Option<String>| text.as_deref().map(|text| self.text.prose(text, 2));
        let refusal = (!self.is_foreign()).then(|| self.text.strings.get("access.refused"));
        let sample =
            |CodeSample { key, name, code }| view!({ "key": key, "name": name, "code": code });
        let errors = view
            .errors
            .iter()
            .map(|error| self.declared(procedure, error));
        let examples = view
            .examples
            .iter()
            .map(|example| self.example(procedure, example));
        let mut template = view!({
            "name": &*name,
            "signature": self.signature(procedure),
            "marks": self.marks(procedure),
            "summary": prose(&procedure.summary),
            "deprecated": self.deprecated(procedure),
            "description": prose(&procedure.description),
            "help": self.help(procedure),
            "params": Row::tree(&self.text, &view.param_rows),
            "params_note": self.params_note(procedure),
            "returns": Row::tree(&self.text, &view.result_rows),
            "returns_note": self.returns_note(procedure),
            "security": self.security(procedure),
            "security_note": self.security_note(procedure),
            "security_refusal": refusal,
            "limits": self.limits(procedure),
            "links": self.related(procedure),
            "tags": self.other_groups(group, index),
            "repeating": self.repeating(procedure),
            "errors": errors.collect::<Value>(),
            "errors_note": self.errors_note(procedure),
            "protocol_errors": self.text.links.to_anchor(PageTarget::Overview, "errors"),
            "samples_note": samples_note,
            "samples": samples.map(|all| all.into_iter().map(sample).collect::<Vec<_>>()),
            "get": get,
            "examples": examples.collect::<Value>(),
        });
        if self.text.form() == PageForm::Html {
            // A page has no session with a server of MCP.
            let is_mcp = self.description().origin == Origin::Mcp;
            let form = (!is_mcp).then(|| view!({ "data": self.call_form(index, call) }));
            let failures = view.failures.iter().map(|failure| self.failure(failure));
            template["heading"] = self.text.written(|heading| heading.breakable(&name)).into();
            template["toc"] = self.contents(procedure).into();
            template["group"] = self
                .text
                .link(self.group_name(group), PageTarget::Group(group, 0));
            template["failures"] = failures.collect();
            template["call"] = form.into();
            template["around"] = self.around(group, index).into();
        }
        let summary = procedure.summary.as_deref().map(plain);
        self.page("procedure", summary, template)
    }

    /// Returns the page's own table of contents.
    fn contents(&self, procedure: &ProcedureDescription) -> Vec<Value> {
        let parts = [
            ("params", true),
            ("returns", true),
            ("access", procedure.is_restricted()),
            ("limits.own", procedure.limits.is_some()),
            ("repeating", procedure.repeatable.is_some()),
            ("errors", true),
            ("call", true),
        ];
        parts
            .into_iter()
            .filter(|(_, is_there)| *is_there)
            .map(|(key, _)| {
                let anchor = key.split('.').next().unwrap_or(key);
                named_link(
                    self.text.strings.get(key),
                    self.text.links.same_page(anchor),
                )
            })
            .collect()
    }

    fn deprecated(&self, procedure: &ProcedureDescription) -> Option<Value> {
        let deprecated = procedure.deprecated.as_ref()?;
        let instead = deprecated.instead.as_deref().map(|instead| {
            match self.service.plan.procedure(instead) {
                Some(target) => {
                    let href = self.text.links.to(target);
                    self.text.written(|link| link.link(&href, instead))
                }
                None => self.text.inline(instead),
            }
        });
        let title = match &deprecated.since {
            Some(since) => self.text.strings.with("deprecated.since", since),
            None => self.text.strings.get("deprecated.now").to_owned(),
        };
        let reason = deprecated.reason.as_deref();
        Some(view!({
            "title": title,
            "reason": reason.map(|reason| self.text.prose(reason, 2)),
            "instead": instead,
        }))
    }

    /// Returns the author's own page about the procedure, unless that is this page.
    fn help<'p>(&self, procedure: &'p ProcedureDescription) -> Option<&'p str> {
        let help = procedure.help.as_deref()?;
        let here = format!("/{}.html", self.service.plan.stem(self.target));
        (markdown::is_allowed(help) && !help.ends_with(&here)).then_some(help)
    }

    fn params_note(&self, procedure: &ProcedureDescription) -> Option<&str> {
        match procedure.params.as_slice() {
            [] if procedure.extensions.contains_key(INPUT_SCHEMA) => None,
            [] => Some(self.text.strings.get("params.none")),
            [only] if only.variadic => Some(self.text.strings.get("params.variadic")),
            _ if procedure.by_name_only => Some(self.text.strings.get("params.by_name")),
            _ => {
                call::is_by_position(procedure).then(|| self.text.strings.get("params.by_position"))
            }
        }
    }

    fn returns_note(&self, procedure: &ProcedureDescription) -> Option<&str> {
        match &procedure.returns {
            _ if procedure.notification => Some(self.text.strings.get("returns.silent")),
            None => Some(self.text.strings.get("returns.unsaid")),
            Some(_) => None,
        }
    }

    fn errors_note(&self, procedure: &ProcedureDescription) -> &str {
        // Only Docent's own server ensures that a procedure returns no other errors than those that it
        // declares.
        let foreign = self.is_foreign();
        self.text
            .strings
            .get(match (procedure.errors_open, procedure.errors.is_empty()) {
                (true, _) => "errors.open",
                (false, true) if foreign => "errors.unlisted",
                (false, false) if foreign => "errors.listed",
                (false, true) => "errors.none",
                (false, false) => "errors.closed",
            })
    }

    /// Returns links to the groups of a procedure other than `own`.
    fn other_groups(&self, own: usize, index: usize) -> Vec<Value> {
        let groups = self.service.plan.groups.iter().enumerate();
        let others =
            groups.filter(|(at, group)| *at != own && group.members.binary_search(&index).is_ok());
        others
            .map(|(at, _)| {
                self.text
                    .link(self.group_name(at), PageTarget::Group(at, 0))
            })
            .collect()
    }

    /// Returns links to the procedures before and after this one in its group.
    fn around(&self, group: usize, index: usize) -> Vec<Value> {
        let members = &self.service.plan.groups[group].members;
        let at = members.binary_search(&index).unwrap_or_default();
        let neighbour = |class: &str, at: Option<usize>| {
            let mut link = self.item(*members.get(at?)?);
            link["class"] = Value::from(class);
            link["label"] = Value::from(self.text.strings.get(class));
            Some(link)
        };
        neighbour("before", at.checked_sub(1))
            .into_iter()
            .chain(neighbour("after", Some(at + 1)))
            .collect()
    }
}
