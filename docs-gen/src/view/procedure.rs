//! A procedure's page.

use docent_describe::{Origin, ProcedureDescription};
use serde_json::Value;

use super::scope::{Content, PageScope};
use crate::call::{self, ShownCall};
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::plan::PageTarget;
use crate::samples::{self, CodeSample};
use crate::schema::{Tree, TreeEntry};
use crate::text::{plain, shown_name};

impl PageScope<'_> {
    pub(super) fn procedure_page(&self, index: usize) -> Content {
        let procedure = self.procedure(index);
        let shared = self.shared;
        let mut tree = Tree::new(shared, self.strings);
        let [params, returns] = self.params_and_returns(&mut tree, procedure);
        let errors = self.declared(&mut tree, procedure);
        let ids = &mut tree.ids;
        let call = ShownCall::of(procedure, self.shared);
        let address = self.address();
        let address = address.as_ref();
        let takes_token = call::takes_token(self.description(), procedure);
        let samples = self.samples(procedure, &call);
        let get = (!call.lacks && call::takes_get(self.description(), procedure))
            .then(|| call::get(procedure, call.params.as_ref()))
            .flatten()
            .and_then(|target| samples::get(self.form(), address, &target, takes_token));
        let samples_note = match (&samples, call.lacks) {
            (Some(_), _) => None,
            (None, true) => Some(self.strings.get("samples.unknown")),
            (None, false) => Some(self.strings.get("samples.long")),
        };
        let name = shown_name(&procedure.name);
        let group = self.service.plan.group_of[index];
        let prose = |text: &Option<String>| text.as_deref().map(|text| self.prose(text, 2));
        let refusal = (!self.is_foreign()).then(|| self.strings.get("access.refused"));
        let is_mcp = self.description().origin == Origin::Mcp;
        let sample =
            |CodeSample { key, name, code }| view!({ "key": key, "name": name, "code": code });
        let mut view = view!({
            "name": &*name,
            "signature": self.signature(procedure),
            "marks": self.marks(procedure),
            "summary": prose(&procedure.summary),
            "deprecated": self.deprecated(procedure),
            "description": prose(&procedure.description),
            "help": self.help(procedure),
            "params": params,
            "params_note": self.params_note(procedure),
            "returns": returns,
            "returns_note": self.returns_note(procedure),
            "security": self.security(procedure),
            "security_note": self.security_note(procedure),
            "security_refusal": refusal,
            "limits": self.limits(procedure),
            "links": self.related(procedure),
            "tags": self.other_groups(group, index),
            "repeating": self.repeating(procedure),
            "errors": errors,
            "errors_note": self.errors_note(procedure),
            "protocol_errors": self.links.to_anchor(PageTarget::Overview, "errors"),
            "samples_note": samples_note,
            "samples": samples.map(|all| all.into_iter().map(sample).collect::<Vec<_>>()),
            "get": get,
            "examples": self.examples(ids, procedure, &call),
        });
        if self.form() == PageForm::Html {
            // A page has no session with a server of MCP.
            let form = (!is_mcp).then(|| view!({ "data": self.call_form(procedure, &call) }));
            view["heading"] = self.written(|heading| heading.breakable(&name)).into();
            view["toc"] = self.contents(procedure).into();
            view["group"] = self.link(self.group_name(group), PageTarget::Group(group, 0));
            view["failures"] = self.failures(ids, procedure, &view["errors"]).into();
            view["call"] = form.into();
            view["around"] = self.around(group, index).into();
        }
        let summary = procedure.summary.as_deref().map(plain);
        self.page("procedure", &name, summary, view)
    }

    /// Returns the rows of the parameters, and those of the result.
    fn params_and_returns<'j>(
        &self,
        tree: &mut Tree<'j>,
        procedure: &'j ProcedureDescription,
    ) -> [Option<Markup>; 2] {
        tree.hidden = Some("readOnly");
        for param in &procedure.params {
            tree.value(&format!("param.{}", param.name), TreeEntry::of_param(param));
        }
        let params = self.rows(tree);
        tree.hidden = Some("writeOnly");
        let returns = procedure.returns.as_ref();
        if let Some(returns) = returns.filter(|_| !procedure.notification) {
            let name = self.strings.get("result");
            tree.value("return", TreeEntry::of_result(name, returns));
        }
        [params, self.rows(tree)]
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
        let parts = parts.into_iter().filter(|(_, is_there)| *is_there);
        let link = |(key, _): (&str, bool)| {
            let anchor = key.split('.').next().unwrap_or(key);
            view!({ "name": self.strings.get(key), "href": self.links.same_page(anchor) })
        };
        parts.map(link).collect()
    }

    fn deprecated(&self, procedure: &ProcedureDescription) -> Option<Value> {
        let deprecated = procedure.deprecated.as_ref()?;
        let instead = deprecated.instead.as_deref().map(|instead| {
            match self.service.plan.procedure(instead) {
                Some(target) => {
                    let href = self.links.to(target);
                    self.written(|link| link.link(&href, instead))
                }
                None => self.inline(instead),
            }
        });
        let title = match &deprecated.since {
            Some(since) => self.strings.with("deprecated.since", since),
            None => self.strings.get("deprecated.now").to_owned(),
        };
        let reason = deprecated.reason.as_deref();
        let reason: Option<Markup> = reason.map(|reason| self.prose(reason, 2));
        Some(view!({ "title": title, "reason": reason, "instead": instead }))
    }

    /// Returns the author's own page about the procedure, unless that is this page.
    fn help<'p>(&self, procedure: &'p ProcedureDescription) -> Option<&'p str> {
        let help = procedure.help.as_deref();
        let help = help.filter(|help| markdown::is_allowed(help))?;
        let here = format!("/{}.html", self.service.plan.stem(self.target));
        (!help.ends_with(&here)).then_some(help)
    }

    fn params_note(&self, procedure: &ProcedureDescription) -> Option<&str> {
        match procedure.params.as_slice() {
            [] => Some(self.strings.get("params.none")),
            [only] if only.variadic => Some(self.strings.get("params.variadic")),
            _ if procedure.by_name_only => Some(self.strings.get("params.by_name")),
            _ => call::is_by_position(procedure).then(|| self.strings.get("params.by_position")),
        }
    }

    fn returns_note(&self, procedure: &ProcedureDescription) -> Option<&str> {
        match &procedure.returns {
            _ if procedure.notification => Some(self.strings.get("returns.silent")),
            None => Some(self.strings.get("returns.unsaid")),
            Some(_) => None,
        }
    }

    fn errors_note(&self, procedure: &ProcedureDescription) -> &str {
        // Only Docent's own server ensures that a procedure returns no other errors than those that it
        // declares.
        let foreign = self.is_foreign();
        self.strings
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
            .map(|(at, _)| self.link(self.group_name(at), PageTarget::Group(at, 0)))
            .collect()
    }

    /// Returns links to the procedures before and after this one in its group.
    fn around(&self, group: usize, index: usize) -> Vec<Value> {
        let members = &self.service.plan.groups[group].members;
        let at = members.binary_search(&index).unwrap_or_default();
        let neighbour = |class: &str, at: Option<usize>| {
            let mut link = self.item(*members.get(at?)?);
            link["class"] = Value::from(class);
            link["label"] = Value::from(self.strings.get(class));
            Some(link)
        };
        let before = neighbour("before", at.checked_sub(1));
        let after = neighbour("after", Some(at + 1));
        before.into_iter().chain(after).collect()
    }
}
