//! Functions that make calls, and the classes that send them.

use std::fmt::Write as _;

use super::models::write_type;
use super::source::{RESERVED, docstring, quoted};
use crate::client::model::{Field, Model, Passing, Procedure, Type};
use crate::client::names::{Scope, snake, words};
use crate::client::text;

/// The maximum length of a line.
const LINE: usize = 100;

/// The functions that make calls, and the methods that send them.
pub(super) struct Methods<'m> {
    model: &'m Model,
    /// The names of the procedures and of their parameters.
    names: Vec<(String, Vec<String>)>,
}

impl<'m> Methods<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut scope = Scope::new("procedure", RESERVED);
        let names = model.procedures.iter().map(|procedure| {
            let name = scope.take_word(&snake(&procedure.words));
            let mut scope = Scope::new("value", RESERVED);
            let params = procedure.params.iter();
            let params = params.map(|it| scope.take_word(&snake(&words(&it.wire))));
            (name, params.collect())
        });
        let names = names.collect();
        Self { model, names }
    }

    fn each(&self) -> impl Iterator<Item = (&'m Procedure, &(String, Vec<String>))> {
        self.model.procedures.iter().zip(&self.names)
    }

    pub(super) fn calls(&self) -> String {
        let mut functions = String::new();
        for (procedure, (name, params)) in self.each() {
            let declared = self.declared(procedure, params);
            let returns = write_type(self.model, &procedure.returns, "models.");
            let open = format!("def {name}(");
            let close = format!(") -> Call[{returns}]:");
            let head = broken(&open, &declared, &close, "");
            let _ = writeln!(functions, "\n\n{head}");
            docstring(
                &mut functions,
                "    ",
                &format!("Calls `{}`.", procedure.wire),
            );
            let _ = writeln!(functions, "    {}", self.call(procedure, params));
        }
        if functions.is_empty() {
            return "\"\"\"The service has no procedures.\"\"\"\n".to_owned();
        }
        let mut out = String::from(
            "\"\"\"The calls, to be sent together with `batch` or as notifications with `notify`.\"\"\"\n\n",
        );
        let rpc = [
            "OMITTED",
            "Call",
            "Omitted",
            "given",
            "not_omitted",
            "positions",
        ];
        out += &imports(&functions, &["errors", "models"], &rpc);
        out + &functions
    }

    pub(super) fn clients(&self, busy: &str) -> String {
        let mut classes = String::new();
        for (class, base, define, wait) in [
            ("Client", "SyncRpc", "def", ""),
            ("AsyncClient", "AsyncRpc", "async def", "await "),
        ] {
            let _ = writeln!(classes, "\n\nclass {class}({base}):");
            docstring(&mut classes, "    ", &self.model.docs);
            let busy = if busy.is_empty() {
                "()".to_owned()
            } else {
                format!("({busy})")
            };
            let _ = writeln!(classes, "\n    _BUSY = {busy}");
            for (procedure, (name, params)) in self.each() {
                let mut declared = vec!["self".to_owned()];
                declared.extend(self.declared(procedure, params));
                let (returns, send) = if procedure.notification {
                    ("None".to_owned(), "notify")
                } else {
                    (
                        write_type(self.model, &procedure.returns, "models."),
                        "send",
                    )
                };
                let open = format!("{define} {name}(");
                let head = broken(&open, &declared, &format!(") -> {returns}:"), "    ");
                let _ = writeln!(classes, "\n    {head}");
                docstring(
                    &mut classes,
                    "        ",
                    &self.method_docs(procedure, params),
                );
                let passed = Self::passed(procedure, params);
                let back = if returns == "None" && send == "notify" {
                    ""
                } else {
                    "return "
                };
                let open = format!("{back}{wait}self.{send}(calls.{name}(");
                let line = broken(&open, &passed, "))", "        ");
                let _ = writeln!(classes, "        {line}");
            }
        }
        let rpc = ["OMITTED", "AsyncRpc", "Omitted", "SyncRpc"];
        imports(&classes, &["calls", "models"], &rpc) + &classes
    }

    fn method_docs(&self, procedure: &Procedure, params: &[String]) -> String {
        let mut docs = procedure.docs.clone();
        let mut part = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = write!(docs, "\n\n{title}:\n    {}", lines.join("\n    "));
            }
        };
        let one_line = |text: &str| text::lines(text).join(" ");
        let documented = params.iter().zip(&procedure.params);
        let documented = documented.filter(|(_, field)| !field.docs.is_empty());
        part(
            "Args",
            documented
                .map(|(name, field)| format!("{name}: {}", one_line(&field.docs)))
                .collect(),
        );
        let returns = one_line(&procedure.returns_docs);
        part(
            "Returns",
            Some(returns)
                .filter(|it| !it.is_empty())
                .into_iter()
                .collect(),
        );
        let errors = procedure
            .errors
            .iter()
            .map(|place| &self.model.errors[*place]);
        part(
            "Raises",
            errors
                .map(|it| format!("{}: {}", it.name, one_line(&it.message)))
                .collect(),
        );
        if let Some(reason) = &procedure.deprecated {
            part("Deprecated", vec![one_line(reason)]);
        }
        docs.trim().to_owned()
    }

    /// Returns whether null is a value of an optional parameter, so that another value must stand for
    /// leaving it out.
    fn takes_null(&self, field: &Field) -> bool {
        let may_be_null = matches!(
            self.model.shape(&field.of),
            Err(Type::Nullable(_) | Type::Any | Type::Null)
        );
        !field.required && may_be_null && (!field.is_absent_if_null() || field.of == Type::Any)
    }

    fn declared(&self, procedure: &Procedure, params: &[String]) -> Vec<String> {
        if procedure.passing == Passing::Variadic {
            let of = match procedure.params.first().map(|it| self.model.shape(&it.of)) {
                Some(Err(Type::List(of))) => write_type(self.model, of, "models."),
                _ => "Any".to_owned(),
            };
            return vec![format!("*values: {of}")];
        }
        if params.is_empty() {
            return Vec::new();
        }
        let mut declared = vec!["*".to_owned()];
        for (name, field) in params.iter().zip(&procedure.params) {
            let of = write_type(self.model, &field.of, "models.");
            declared.push(if field.required {
                format!("{name}: {of}")
            } else if self.takes_null(field) {
                format!("{name}: {of} | Omitted = OMITTED")
            } else if matches!(field.of, Type::Nullable(_)) {
                format!("{name}: {of} = None")
            } else {
                format!("{name}: {of} | None = None")
            });
        }
        declared
    }

    fn passed(procedure: &Procedure, params: &[String]) -> Vec<String> {
        if procedure.passing == Passing::Variadic {
            return vec!["*values".to_owned()];
        }
        params.iter().map(|name| format!("{name}={name}")).collect()
    }

    fn call(&self, procedure: &Procedure, params: &[String]) -> String {
        let mut parts = vec![quoted(&procedure.wire)];
        match procedure.passing {
            Passing::Variadic => parts.push("values".to_owned()),
            _ if params.is_empty() => {}
            Passing::ByPosition => {
                let required = procedure.params.iter().rposition(|it| it.required);
                let (required, optional) = params.split_at(required.map_or(0, |at| at + 1));
                parts.push(format!(
                    "positions([{}], [{}])",
                    required.join(", "),
                    optional.join(", ")
                ));
            }
            Passing::ByName => parts.push(self.by_name(procedure, params)),
        }
        if procedure.idempotent {
            parts.push("idempotent=True".to_owned());
        }
        if procedure.repeatable {
            parts.push("repeatable=True".to_owned());
        }
        if procedure.get {
            parts.push("get=True".to_owned());
        }
        if !procedure.errors.is_empty() {
            let each = procedure.errors.iter();
            let each: Vec<String> = each
                .map(|it| format!("errors.{}", self.model.errors[*it].name))
                .collect();
            let list = match &each[..] {
                [only] => format!("errors=({only},)"),
                each => broken("errors=(", each, ")", "        "),
            };
            parts.push(list);
        }
        broken("return Call(", &parts, ")", "    ")
    }

    fn by_name(&self, procedure: &Procedure, params: &[String]) -> String {
        let members = |keep: &dyn Fn(&Field) -> bool| -> Vec<String> {
            let fields = params.iter().zip(&procedure.params);
            let fields = fields.filter(|(_, field)| keep(field));
            let each = fields.map(|(name, field)| format!("{}: {name}", quoted(&field.wire)));
            each.collect()
        };
        let mut parts = members(&|field| field.required);
        let nullable = members(&|field| self.takes_null(field));
        let given = members(&|field| !field.required && !self.takes_null(field));
        let is_plain = parts.is_empty() && (nullable.is_empty() || given.is_empty());
        for (function, members) in [("given", given), ("not_omitted", nullable)] {
            let open = format!("{function}({{");
            if members.is_empty() {
                continue;
            }
            if is_plain {
                return broken(&open, &members, "})", "        ");
            }
            let part = broken(&open, &members, "})", "            ");
            parts.push(format!("**{part}"));
        }
        broken("{", &parts, "}", "        ")
    }
}

/// Joins parts between brackets, each on a line of its own if one line would be too long.
fn broken(open: &str, parts: &[String], close: &str, indent: &str) -> String {
    let line = format!("{open}{}{close}", parts.join(", "));
    if indent.len() + line.len() <= LINE && !line.contains('\n') || parts.is_empty() {
        return line;
    }
    let mut out = format!("{open}\n");
    for part in parts {
        let _ = writeln!(out, "{indent}    {part},");
    }
    out + indent + close
}

/// Returns the imports that a file needs.
fn imports(code: &str, modules: &[&str], rpc: &[&str]) -> String {
    let code = text::without_comments(code, &['#']);
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let words: Vec<&str> = code.split(|it| !is_word(it)).collect();
    let mut out = String::from("from __future__ import annotations\n\n");
    if words.contains(&"Any") {
        out.push_str("from typing import Any\n\n");
    }
    let used: Vec<&str> = modules
        .iter()
        .filter(|module| code.contains(&format!("{module}.")))
        .copied()
        .collect();
    if !used.is_empty() {
        let _ = writeln!(out, "from . import {}", used.join(", "));
    }
    let used: Vec<&str> = rpc
        .iter()
        .filter(|name| words.contains(name))
        .copied()
        .collect();
    if !used.is_empty() {
        let _ = writeln!(out, "from .rpc import {}", used.join(", "));
    }
    out
}
