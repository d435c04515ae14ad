//! Clients in Python 3.10 or later, with httpx: a synchronous and an asynchronous class.

mod methods;
mod models;

use std::fmt::Write as _;

use docent_describe::ServiceDescription;
use docent_describe::json::Json;

use super::model::Model;
use super::text;
use super::{Files, busy_codes};
use methods::Methods;
use models::{literal, models, write_type};

/// Words of the language, and what generated code uses.
const RESERVED: &[&str] = &[
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "match",
    "case",
    "type",
    "none",
    "true",
    "false",
    "self",
    "cls",
    "any",
    "call",
    "list",
    "dict",
    "str",
    "int",
    "float",
    "bool",
    "object",
    "tuple",
    "models",
    "calls",
    "errors",
    "rpc",
    "send",
    "batch",
    "notify",
    "close",
    "omitted",
    "given",
    "not_omitted",
    "positions",
    "client",
    "async_client",
    "print",
    "property",
    "super",
];

pub(super) fn files(model: &Model, service: &ServiceDescription) -> Files {
    let files = vec![
        ("__init__.py", init(model)),
        ("calls.py", Methods::new(model).calls()),
        (
            "client.py",
            Methods::new(model).clients(busy_codes(service)),
        ),
        ("errors.py", errors(model)),
        ("models.py", models(model)),
        ("py.typed", String::new()),
        ("rpc.py", include_str!("rpc.py").to_owned()),
    ];
    super::with_heads(files, "# ")
}

fn init(model: &Model) -> String {
    let mut out = String::new();
    docstring(&mut out, "", &model.docs);
    out.push_str(
        "from . import calls, errors, models\n\
         from .client import AsyncClient, Client\n\
         from .rpc import OMITTED, Call, Omitted, RpcError, TransportError\n\n\
         __all__ = [\n    \"OMITTED\",\n    \"AsyncClient\",\n    \"Call\",\n    \"Client\",\n    \
         \"Omitted\",\n    \"RpcError\",\n    \"TransportError\",\n    \"calls\",\n    \"errors\",\n    \
         \"models\",\n]\n",
    );
    out
}

fn docstring(out: &mut String, indent: &str, docs: &str) {
    if docs.is_empty() {
        return;
    }
    let escape = |line: &str| {
        // At the start of a line, mypy would obey the last of these.
        line.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace("# mypy:", "\\x23 mypy:")
    };
    let lines = text::lines(docs);
    let (first, rest) = lines
        .split_first()
        .map_or(("", &[][..]), |(it, rest)| (it, rest));
    let _ = write!(out, "{indent}\"\"\"{}", escape(first));
    for line in rest {
        out.push('\n');
        if !line.is_empty() {
            let _ = write!(out, "{indent}{}", escape(line));
        }
    }
    let end = if rest.is_empty() {
        String::new()
    } else {
        format!("\n{indent}")
    };
    let _ = writeln!(out, "{end}\"\"\"");
}

fn comment(out: &mut String, indent: &str, docs: &str) {
    if !docs.is_empty() {
        for line in text::lines(docs) {
            // The form that documentation tools read, and no tool takes for an instruction to it.
            let _ = writeln!(out, "{}", format!("{indent}#: {line}").trim_end());
        }
    }
}

fn quoted(text: &str) -> String {
    text::quoted(text, |character| match u32::from(character) {
        number @ 0..=0xffff => format!("\\u{number:04x}"),
        number => format!("\\U{number:08x}"),
    })
}

fn errors(model: &Model) -> String {
    if model.errors.is_empty() {
        return "\"\"\"The service declares no errors.\"\"\"\n".to_owned();
    }
    let mut classes = String::new();
    for error in &model.errors {
        let _ = writeln!(classes, "\n\nclass {}(DeclaredError):", error.name);
        docstring(&mut classes, "    ", &error.docs);
        let _ = writeln!(classes, "\n    CODE = {}", error.code);
        let _ = writeln!(classes, "    TITLE = {}", quoted(&error.message));
        if let Some(retry) = error.retry {
            let _ = writeln!(classes, "    retry = {}", literal(&Json::Bool(retry)));
        }
        if let Some(data) = &error.data {
            let _ = writeln!(classes, "    data: {}", write_type(model, data, "models."));
        }
    }
    let code = text::without_comments(&classes, &['#']);
    let mut out = String::from("from __future__ import annotations\n\n");
    if code.contains(": Any") || code.contains("[Any") || code.contains(", Any]") {
        out.push_str("from typing import Any\n\n");
    }
    if code.contains("models.") {
        out.push_str("from . import models\n");
    }
    out + "from .rpc import DeclaredError\n" + classes.trim_end() + "\n"
}
