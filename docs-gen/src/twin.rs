//! Each page's twin in Markdown, and the list of all of them: for readers that are programs.

use std::fmt::Write;

use docent_describe::ProcedureDescription;
use docent_describe::json::Json;

use crate::access;
use crate::call::{self, Call};
use crate::json_text;
use crate::plan::Target;
use crate::schema;
use crate::service::Service;
use crate::site::Site;
use crate::strings::Strings;
use crate::text::{one_line, visible};
use crate::view::{Protocol, Scope, protocol_errors, repeat};

/// How much of a message or a schema is shown.
const SHOWN: usize = 24_000;

/// The twin of a page.
pub(crate) fn page(scope: &Scope<'_>) -> String {
    let mut twin = Twin {
        scope,
        out: String::new(),
    };
    match scope.target {
        Target::Overview => twin.overview(),
        Target::Idempotent => twin.list(
            scope.strings.get("get.title"),
            &scope.service.plan.idempotent,
        ),
        Target::Group(group, part) => {
            let group = &scope.service.plan.groups[group];
            let start = part * crate::plan::LIST_LENGTH;
            let end = (start + crate::plan::LIST_LENGTH).min(group.members.len());
            let name = group
                .name
                .as_deref()
                .unwrap_or(scope.strings.get("group.all"));
            twin.list(&one_line(name), &group.members[start..end]);
        }
        Target::Procedure(index) => twin.procedure(&scope.service.options.description.procs[index]),
        Target::Type(index) => twin.shared_type(index),
    }
    twin.out
}

/// `llms.txt`: what the service is, and where the twin of each page is.
pub(crate) fn list(site: &Site, service: &Service) -> String {
    let description = &service.options.description;
    let mut out = format!("# {}\n", one_line(&description.name));
    if let Some(summary) = &description.summary {
        let _ = write!(out, "\n> {}\n", one_line(summary));
    }
    let overview = site.strings.get("overview");
    let _ = write!(
        out,
        "\n- [{overview}](index.md)\n\n## {}\n\n",
        site.strings.get("procedures")
    );
    for (index, procedure) in description.procs.iter().enumerate() {
        let _ = write!(
            out,
            "- [{}]({}.md){}",
            label(&procedure.name),
            service.plan.stem(Target::Procedure(index)),
            mark(&site.strings, procedure)
        );
        match &procedure.summary {
            Some(summary) => {
                let _ = writeln!(out, ": {}", one_line(summary));
            }
            None => out.push('\n'),
        }
    }
    if !service.plan.types.is_empty() {
        let _ = write!(out, "\n## {}\n\n", site.strings.get("types"));
        for (index, name) in service.plan.types.keys().enumerate() {
            let _ = writeln!(
                out,
                "- [{}]({}.md)",
                label(name),
                service.plan.stem(Target::Type(index))
            );
        }
    }
    out
}

/// The front page of several services.
pub(crate) fn catalogue(site: &Site) -> String {
    let mut out = format!("# {}\n\n", one_line(&site.title));
    for service in &site.services {
        let description = &service.options.description;
        let _ = write!(
            out,
            "- [{}]({}llms.txt)",
            label(&description.name),
            service.plan.prefix
        );
        match &description.summary {
            Some(summary) => {
                let _ = writeln!(out, ": {}", one_line(summary));
            }
            None => out.push('\n'),
        }
    }
    out
}

/// What stands behind a procedure's name in a list, where not everybody may call it.
fn mark(strings: &Strings, procedure: &ProcedureDescription) -> String {
    if access::is_restricted(procedure) {
        format!(" ({})", strings.get("mark.restricted"))
    } else {
        String::new()
    }
}

/// A name as the text of a link.
fn label(name: &str) -> String {
    one_line(name)
        .replace('\\', "\\\\")
        .replace('[', "\\[")
        .replace(']', "\\]")
        .replace('<', "\\<")
        .replace('`', "\\`")
}

/// Text between backticks, as many as it takes.
fn code(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    if text.starts_with('`') || text.ends_with('`') {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or_default()
}

struct Twin<'a> {
    scope: &'a Scope<'a>,
    out: String,
}

impl Twin<'_> {
    fn say(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn paragraph(&mut self, text: Option<&String>) {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            let text = visible(text.trim()).into_owned();
            let _ = write!(self.out, "\n{text}\n");
        }
    }

    fn heading(&mut self, key: &str) {
        let text = self.scope.strings.get(key).to_owned();
        let _ = write!(self.out, "\n## {text}\n\n");
    }

    fn json(&mut self, value: &Json) {
        let printed = json_text::pretty(value, SHOWN);
        let fence = "`".repeat(longest_run(&printed.text).max(2) + 1);
        let _ = write!(self.out, "\n{fence}json\n{}\n{fence}\n", printed.text);
    }

    fn schema(&mut self, schema: &Json) {
        let text = json_text::brief(schema, 4000);
        let _ = write!(self.out, " {}", code(&text));
    }

    fn overview(&mut self) {
        let service = self.scope.service;
        let description = &service.options.description;
        let _ = writeln!(self.out, "# {}", one_line(&description.name));
        self.paragraph(description.summary.as_ref());
        self.paragraph(description.description.as_ref());
        if let Some(address) = &service.address {
            let _ = write!(
                self.out,
                "\n{} {}\n",
                self.scope.strings.get("about.address"),
                code(&address.text)
            );
        }
        if !description.enforced_formats.is_empty() {
            let formats: Vec<String> = description
                .enforced_formats
                .iter()
                .map(|it| code(it))
                .collect();
            let _ = write!(
                self.out,
                "\n{}: {}\n",
                self.scope.strings.get("about.formats"),
                formats.join(", ")
            );
        }
        self.heading("procedures");
        for index in 0..description.procs.len() {
            self.item(index);
        }
        let schemes = description.security_schemes.keys().cloned();
        self.access(&schemes.collect::<Vec<_>>());
        self.heading("errors.protocol");
        for error in protocol_errors(self.scope.strings, self.scope.is_foreign(), str::to_owned) {
            let Protocol {
                code,
                message,
                when,
                ..
            } = &error;
            let _ = write!(self.out, "- `{code}` {message}: {when}");
            if let Some(repeat) = &error.repeat {
                let _ = write!(self.out, " {repeat}");
            }
            self.say("\n");
        }
        if !service.plan.types.is_empty() {
            self.heading("types");
            for (index, name) in service.plan.types.keys().enumerate() {
                let _ = writeln!(
                    self.out,
                    "- [{}]({}.md)",
                    label(name),
                    service.plan.stem(Target::Type(index))
                );
            }
        }
    }

    fn item(&mut self, index: usize) {
        let procedure = &self.scope.service.options.description.procs[index];
        let up = self.scope.links.to_service();
        let stem = self.scope.service.plan.stem(Target::Procedure(index));
        let name = label(&procedure.name);
        let mark = mark(self.scope.strings, procedure);
        let _ = write!(self.out, "- [{name}]({up}{stem}.md){mark}");
        if let Some(summary) = &procedure.summary {
            let _ = write!(self.out, ": {}", one_line(summary));
        }
        self.say("\n");
    }

    fn list(&mut self, name: &str, members: &[usize]) {
        let _ = write!(self.out, "# {name}\n\n");
        for &index in members {
            self.item(index);
        }
    }

    fn procedure(&mut self, procedure: &ProcedureDescription) {
        let strings = self.scope.strings;
        let _ = writeln!(self.out, "# {}", label(&procedure.name));
        self.paragraph(procedure.summary.as_ref());
        for (class, holds) in self.scope.kinds(procedure) {
            if holds {
                self.paragraph(Some(&self.scope.meaning(class).to_owned()));
            }
        }
        self.paragraph(procedure.description.as_ref());
        self.heading("params");
        if procedure.params.is_empty() {
            self.say(strings.get("params.none"));
            self.say("\n");
        }
        for param in &procedure.params {
            let must = strings.get(if param.required {
                "required"
            } else {
                "optional"
            });
            let _ = write!(
                self.out,
                "- {} ({}, {must})",
                code(&param.name),
                param.type_code
            );
            if let Some(text) = &param.description {
                let _ = write!(self.out, ": {}", one_line(text));
            }
            if let Some(default) = &param.default {
                let _ = write!(
                    self.out,
                    " {} {}.",
                    strings.get("default"),
                    code(&json_text::brief(default, 200))
                );
            }
            self.schema(&param.schema);
            self.say("\n");
        }
        self.returns(procedure);
        if procedure.guarded && procedure.security.is_empty() {
            self.heading("access");
            self.say(strings.get("access.unsaid"));
            self.say("\n");
        }
        self.access(&procedure.security);
        self.errors(procedure);
        self.example(procedure);
    }

    fn returns(&mut self, procedure: &ProcedureDescription) {
        self.heading("returns");
        match &procedure.returns {
            Some(returns) if !procedure.notification => {
                let _ = write!(self.out, "{}", returns.type_code);
                if let Some(text) = &returns.description {
                    let _ = write!(self.out, ": {}", one_line(text));
                }
                self.schema(&returns.schema);
                self.say("\n");
            }
            returns => {
                let key = if returns.is_some() || procedure.notification {
                    "returns.silent"
                } else {
                    "returns.unsaid"
                };
                let text = self.scope.strings.get(key).to_owned();
                self.say(&text);
                self.say("\n");
            }
        }
    }

    /// The required credentials, by the names of their schemes.
    fn access(&mut self, names: &[String]) {
        if names.is_empty() {
            return;
        }
        self.heading("access");
        let schemes = &self.scope.service.options.description.security_schemes;
        for name in names {
            let _ = write!(self.out, "- {}", code(name));
            if let Some((words, rest)) = schemes.get(name).map(access::words) {
                if let Some(words) = words {
                    let _ = write!(self.out, ": {}", one_line(&words));
                }
                self.schema(&rest);
            }
            self.say("\n");
        }
    }

    fn errors(&mut self, procedure: &ProcedureDescription) {
        if procedure.errors.is_empty() {
            return;
        }
        self.heading("errors");
        let foreign = self.scope.is_foreign();
        for error in procedure.errors.iter().take(1000) {
            let _ = write!(self.out, "- `{}` {}.", error.code, one_line(&error.message));
            if let Some(text) = &error.description {
                let _ = write!(self.out, " {}", one_line(text));
            }
            if let Some(repeat) = repeat(self.scope.strings, foreign, error) {
                let _ = write!(self.out, " {repeat}");
            }
            self.say("\n");
        }
    }

    fn example(&mut self, procedure: &ProcedureDescription) {
        let shared = &self.scope.service.options.description.components.schemas;
        let call = Call::of(procedure, shared);
        self.heading("example");
        self.json(&call::request(procedure, call.params.as_ref()));
        for example in procedure.examples.iter().take(20) {
            self.paragraph(example.summary.as_ref());
            if example.params != call.params {
                self.json(&call::request(procedure, example.params.as_ref()));
            }
            if let Some(response) = call::response(procedure, example) {
                self.json(&response);
            }
        }
    }

    fn shared_type(&mut self, index: usize) {
        let shared = &self.scope.service.options.description.components.schemas;
        let Some((name, schema)) = shared.get_index(index) else {
            return;
        };
        let _ = writeln!(self.out, "# {}", label(name));
        let description = schema
            .get("description")
            .and_then(Json::as_str)
            .map(str::to_owned);
        self.paragraph(description.as_ref());
        self.heading("type.shape");
        self.json(schema);
        self.heading("type.example");
        self.json(&schema::example(shared, schema));
    }
}
