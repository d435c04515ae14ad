//! Clients in Python 3.10 or later, with httpx: a synchronous and an asynchronous class.

use std::fmt::Write as _;

use docent_describe::ServiceDescription;
use docent_describe::json::Json;

use super::model::{Field, Model, Named, Passing, Procedure, Shape, Type};
use super::names::{Scope, snake};
use super::text;
use super::{Files, busy_codes};

/// How long a line may be.
const LINE: usize = 100;

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
    let escape = |line: &str| line.replace('\\', "\\\\").replace('"', "\\\"");
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
            let _ = writeln!(out, "{}", format!("{indent}# {line}").trim_end());
        }
    }
}

fn quoted(text: &str) -> String {
    text::quoted(text, |character| match u32::from(character) {
        number @ 0..=0xffff => format!("\\u{number:04x}"),
        number => format!("\\U{number:08x}"),
    })
}

fn models(model: &Model) -> String {
    let mut types = String::new();
    for named in &model.types {
        types.push('\n');
        named_type(&mut types, model, named);
    }
    let mut out = String::from("from __future__ import annotations\n\n");
    let code = text::without_comments(&types);
    let uses: Vec<&str> = ["Any", "Literal", "TypeAlias", "TypedDict"]
        .into_iter()
        .filter(|name| {
            code.contains(name)
                || types.contains(&format!("{name}["))
                || *name == "Any" && types.contains("Any")
        })
        .collect();
    let needed = types.contains("NotRequired[");
    let mut typing = uses;
    if needed {
        typing.insert(0, "TYPE_CHECKING");
    }
    if !typing.is_empty() {
        let _ = writeln!(out, "from typing import {}", typing.join(", "));
    }
    if needed {
        out.push_str("\nif TYPE_CHECKING:\n    from typing_extensions import NotRequired\n");
    }
    out + &types
}

fn named_type(out: &mut String, model: &Model, named: &Named) {
    let name = &named.name;
    match &named.shape {
        Shape::Object(fields, _) if fields.iter().all(|field| is_attribute(&field.wire)) => {
            let _ = writeln!(out, "\nclass {name}(TypedDict):");
            docstring(out, "    ", &named.docs);
            if !named.docs.is_empty() {
                out.push('\n');
            }
            for field in fields {
                comment(out, "    ", &field.docs);
                let _ = writeln!(out, "    {}: {}", field.wire, member(model, field));
            }
            out.push('\n');
        }
        Shape::Object(fields, _) => {
            comment(out, "", &named.docs);
            let _ = writeln!(out, "{name} = TypedDict(\n    \"{name}\",\n    {{");
            for field in fields {
                comment(out, "        ", &field.docs);
                let of = quoted(&member(model, field));
                let _ = writeln!(out, "        {}: {of},", quoted(&field.wire));
            }
            out.push_str("    },\n)\n");
        }
        Shape::Values(values) => {
            comment(out, "", &named.docs);
            let is_literal = |value: &Json| match value {
                Json::Number(text) => is_plain_integer(text),
                _ => true,
            };
            if values.iter().all(is_literal) {
                let values: Vec<String> = values.iter().map(literal).collect();
                let _ = writeln!(out, "{name}: TypeAlias = Literal[{}]", values.join(", "));
            } else {
                let _ = writeln!(out, "{name}: TypeAlias = \"Any\"");
            }
        }
        Shape::Union(each) => {
            comment(out, "", &named.docs);
            let each: Vec<String> = each.iter().map(|of| write_type(model, of, "")).collect();
            let _ = writeln!(out, "{name}: TypeAlias = \"{}\"", each.join(" | "));
        }
        Shape::Alias(of) => {
            comment(out, "", &named.docs);
            let _ = writeln!(out, "{name}: TypeAlias = \"{}\"", write_type(model, of, ""));
        }
    }
}

/// Whether a name can be written as a member of a class.
fn is_attribute(name: &str) -> bool {
    let begins = name
        .bytes()
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic());
    let is_keyword = RESERVED.contains(&name) || ["None", "True", "False"].contains(&name);
    begins && !is_keyword && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        // These would hide types that other members are annotated with.
        && !["Any", "Literal", "TypedDict", "NotRequired", "TypeAlias"].contains(&name)
        && name.bytes().next().is_some_and(|it| it.is_ascii_lowercase())
}

fn member(model: &Model, field: &Field) -> String {
    let of = write_type(model, &field.of, "");
    if field.required {
        of
    } else {
        format!("NotRequired[{of}]")
    }
}

fn is_plain_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|it| it.is_ascii_digit()) && digits.len() <= 40
}

fn literal(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    }
}

fn write_type(model: &Model, of: &Type, within: &str) -> String {
    let inner = |of: &Type| write_type(model, of, within);
    match of {
        Type::Any => "Any".to_owned(),
        Type::Null => "None".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::Integer(_) => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::List(of) => format!("list[{}]", inner(of)),
        // JSON gives a list, and a list has one type of elements.
        Type::Tuple(each, rest) => {
            let mut of: Vec<String> = Vec::new();
            for each in each.iter().chain(rest.as_deref()).map(inner) {
                if !of.contains(&each) {
                    of.push(each);
                }
            }
            format!("list[{}]", of.join(" | "))
        }
        Type::Map(of) => format!("dict[str, {}]", inner(of)),
        Type::Nullable(of) => format!("{} | None", inner(of)),
        Type::Ref(place) => format!("{within}{}", model.named(*place).name),
    }
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
    let code = text::without_comments(&classes);
    let mut out = String::from("from __future__ import annotations\n\n");
    if code.contains(": Any") || code.contains("[Any") || code.contains(", Any]") {
        out.push_str("from typing import Any\n\n");
    }
    if code.contains("models.") {
        out.push_str("from . import models\n");
    }
    out + "from .rpc import DeclaredError\n" + classes.trim_end() + "\n"
}

/// The functions that make calls, and the methods that send them.
struct Methods<'m> {
    model: &'m Model,
    /// The names of the procedures and of their parameters.
    names: Vec<(String, Vec<String>)>,
}

impl<'m> Methods<'m> {
    fn new(model: &'m Model) -> Self {
        let mut scope = Scope::new("procedure", RESERVED);
        let names = model.procedures.iter().map(|procedure| {
            let name = scope.take_word(&snake(&procedure.words));
            let mut scope = Scope::new("value", RESERVED);
            let params = procedure.params.iter();
            let params = params.map(|it| scope.take_word(&snake(&super::names::words(&it.wire))));
            (name, params.collect())
        });
        let names = names.collect();
        Self { model, names }
    }

    fn each(&self) -> impl Iterator<Item = (&'m Procedure, &(String, Vec<String>))> {
        self.model.procedures.iter().zip(&self.names)
    }

    fn calls(&self) -> String {
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

    fn clients(&self, busy: &str) -> String {
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

    /// Whether null is a value of an optional parameter, so that leaving it out needs another.
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

/// Puts parts between brackets, each on a line of its own where one line would be too long.
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

/// The imports of what a file uses.
fn imports(code: &str, modules: &[&str], rpc: &[&str]) -> String {
    let code = text::without_comments(code);
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
