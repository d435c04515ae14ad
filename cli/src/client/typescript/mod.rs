//! Clients in TypeScript, with `fetch` and nothing else.

mod shapes;

use std::fmt::Write as _;

use docent_describe::ServiceDescription;
use docent_describe::json::Json;

use super::model::{Field, Model, Named, Passing, Procedure, Shape, Type};
use super::names::{Scope, camel};
use super::text;
use super::{Files, busy_codes};
use shapes::Shapes;

/// The members of a client, and names that mean something to the language.
const MEMBERS: &[&str] = &[
    "constructor",
    "prototype",
    "send",
    "batch",
    "notify",
    "then",
    "toString",
    "valueOf",
    "toLocaleString",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toJSON",
    "arguments",
    "caller",
    "length",
    "name",
];

pub(super) fn files(model: &Model, service: &ServiceDescription) -> Files {
    let shapes = Shapes::new(model);
    let json = if shapes.is_empty() {
        include_str!("json.ts")
    } else {
        include_str!("exact.ts")
    };
    let mut types = String::new();
    for named in &model.types {
        named_type(&mut types, model, named);
    }
    // A file without an export would be no module.
    if types.is_empty() {
        types.push_str("export {};\n");
    }
    let mut files = vec![
        ("client.ts", client(model, &shapes, busy_codes(service))),
        ("errors.ts", errors(model, &shapes)),
        ("index.ts", index()),
        ("json.ts", json.to_owned()),
        ("rpc.ts", include_str!("rpc.ts").to_owned()),
        ("types.ts", types),
    ];
    if !shapes.is_empty() {
        files.push(("shapes.ts", shapes.file(model)));
    }
    super::with_heads(files, "// ")
}

fn index() -> String {
    "export { Client, calls } from \"./client.js\";\n\
     export * from \"./errors.js\";\n\
     export type * from \"./types.js\";\n\
     export { RpcError, TransportError } from \"./rpc.js\";\n\
     export type { Call, CallOptions, ClientOptions, Outcome, Outcomes } from \"./rpc.js\";\n"
        .to_owned()
}

/// A documentation comment.
fn docs(out: &mut String, indent: &str, docs: &str) {
    if docs.is_empty() {
        return;
    }
    let lines = text::lines(docs);
    let lines = lines.iter().map(|line| {
        let line = line.replace("*/", "*\\/");
        // A tag would say something that the description does not.
        match line.trim_start().strip_prefix('@') {
            Some(_) => line.replacen('@', "\\@", 1),
            None => line,
        }
    });
    let lines: Vec<String> = lines.collect();
    write_docs(out, indent, &lines);
}

fn write_docs(out: &mut String, indent: &str, lines: &[String]) {
    match lines {
        [] => {}
        [line] => {
            let _ = writeln!(out, "{indent}/** {line} */");
        }
        lines => {
            let _ = writeln!(out, "{indent}/**");
            for line in lines {
                let _ = writeln!(out, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
}

pub(super) fn quoted(text: &str) -> String {
    text::quoted(text, |character| {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units).iter();
        let escapes: Vec<String> = units.map(|unit| format!("\\u{unit:04x}")).collect();
        escapes.concat()
    })
}

/// The name of a member.
fn key(name: &str) -> String {
    let mut bytes = name.bytes();
    let begins = bytes
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic() || it == b'_' || it == b'$');
    if begins && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'$') {
        name.to_owned()
    } else {
        quoted(name)
    }
}

fn named_type(out: &mut String, model: &Model, named: &Named) {
    docs(out, "", &named.docs);
    let name = &named.name;
    match &named.shape {
        Shape::Object(fields, rest) => {
            let _ = writeln!(out, "export interface {name} {{");
            for field in fields {
                member(out, model, field);
            }
            if rest.is_some() {
                out.push_str("  [name: string]: unknown;\n");
            }
            out.push_str("}\n");
        }
        Shape::Values(values) => {
            let values: Vec<String> = values.iter().map(literal).collect();
            let _ = writeln!(out, "export type {name} = {};", values.join(" | "));
        }
        Shape::Union(each) => {
            let each: Vec<String> = each.iter().map(|of| write_type(model, of, "")).collect();
            let _ = writeln!(out, "export type {name} = {};", each.join(" | "));
        }
        Shape::Alias(of) => {
            let _ = writeln!(out, "export type {name} = {};", write_type(model, of, ""));
        }
    }
    out.push('\n');
}

fn member(out: &mut String, model: &Model, field: &Field) {
    docs(out, "  ", &field.docs);
    let optional = if field.required { "" } else { "?" };
    let of = write_type(model, &field.of, "");
    let _ = writeln!(out, "  {}{optional}: {of};", key(&field.wire));
}

fn literal(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Bool(value) => value.to_string(),
        // A literal beyond doubles would be another number.
        Json::Number(text) if text.len() <= 15 => text.to_string(),
        _ => "number".to_owned(),
    }
}

/// A type; `within` stands before the names of named types.
fn write_type(model: &Model, of: &Type, within: &str) -> String {
    let inner = |of: &Type| write_type(model, of, within);
    match of {
        Type::Any => "unknown".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer(range) if range.is_big() => "bigint".to_owned(),
        Type::Integer(_) | Type::Number => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::List(of) => match **of {
            Type::Nullable(_) => format!("({})[]", inner(of)),
            _ => format!("{}[]", inner(of)),
        },
        Type::Tuple(each, rest) => {
            let each = each.iter().map(inner);
            let rest = rest.iter().map(|of| format!("...({})[]", inner(of)));
            format!("[{}]", each.chain(rest).collect::<Vec<_>>().join(", "))
        }
        Type::Map(of) => format!("{{ [name: string]: {} }}", inner(of)),
        Type::Nullable(of) => format!("{} | null", inner(of)),
        Type::Ref(place) => format!("{within}{}", model.named(*place).name),
    }
}

fn errors(model: &Model, shapes: &Shapes) -> String {
    if model.errors.is_empty() {
        return "export {};\n".to_owned();
    }
    let mut classes = String::new();
    for error in &model.errors {
        classes.push('\n');
        docs(&mut classes, "", &error.docs);
        let name = &error.name;
        let data = match &error.data {
            Some(of) => write_type(model, of, "types."),
            None => "unknown".to_owned(),
        };
        let _ = writeln!(classes, "export class {name} extends RpcError<{data}> {{");
        let _ = writeln!(classes, "  static readonly code = {};", error.code);
        let _ = writeln!(
            classes,
            "  static readonly title = {};",
            quoted(&error.message)
        );
        if let Some(shape) = shapes.of(model, error.data.as_ref()) {
            let _ = writeln!(classes, "  static readonly shape: Shape = {shape};");
        }
        let retry = error.retry.map(|it| format!(", {it}")).unwrap_or_default();
        let _ = writeln!(classes, "\n  constructor(message: string, data: {data}) {{");
        let _ = writeln!(
            classes,
            "    super({}, message, data{retry});\n  }}\n}}",
            error.code
        );
    }
    let code = text::without_comments(&classes, &['*', '/']);
    let mut out = String::new();
    for (what, line) in [
        (": Shape =", "import type { Shape } from \"./json.js\";\n"),
        ("", "import { RpcError } from \"./rpc.js\";\n"),
        ("shapes.", "import * as shapes from \"./shapes.js\";\n"),
        ("types.", "import type * as types from \"./types.js\";\n"),
    ] {
        if code.contains(what) {
            out.push_str(line);
        }
    }
    out + &classes
}

fn client(model: &Model, shapes: &Shapes, busy: &str) -> String {
    let mut scope = Scope::new("procedure", MEMBERS);
    let names: Vec<String> = model
        .procedures
        .iter()
        .map(|it| scope.take(&camel(&it.words)))
        .collect();
    let mut calls = String::from(
        "/** The calls, to be sent together with `batch` or as notifications with `notify`. */\nexport const calls = {\n",
    );
    let mut methods = String::new();
    for (procedure, name) in model.procedures.iter().zip(&names) {
        let (declared, passed) = parameters(model, procedure);
        let returns = write_type(model, &procedure.returns, "types.");
        docs(&mut calls, "  ", &format!("Calls `{}`.", procedure.wire));
        let _ = writeln!(calls, "  {name}({declared}): Call<{returns}> {{");
        let _ = writeln!(
            calls,
            "    return {};\n  }},",
            call(model, shapes, procedure)
        );
        method_docs(&mut methods, model, procedure);
        let (promised, send) = if procedure.notification {
            ("void", "notify")
        } else {
            (&*returns, "send")
        };
        let spread = procedure.passing == Passing::Variadic;
        let (declared, options) = match (&*declared, spread) {
            ("", _) => ("options?: CallOptions".to_owned(), ", options"),
            (declared, false) => (format!("{declared}, options?: CallOptions"), ", options"),
            (declared, true) => (declared.to_owned(), ""),
        };
        let _ = writeln!(methods, "  {name}({declared}): Promise<{promised}> {{");
        let _ = writeln!(
            methods,
            "    return this.{send}(calls.{name}({passed}){options});\n  }}\n"
        );
    }
    calls.push_str("};\n");
    let mut out = String::new();
    let code = text::without_comments(&format!("{calls}{methods}"), &['*', '/']);
    let uses = |what: &str| code.contains(what);
    let mut imports = Vec::new();
    for (what, import) in [
        ("positions(", "positions"),
        ("", "Rpc"),
        ("Call<", "type Call"),
        ("CallOptions", "type CallOptions"),
        ("", "type ClientOptions"),
    ] {
        if uses(what) {
            imports.push(import);
        }
    }
    let imports = imports.join(", ");
    let _ = writeln!(out, "import {{ {imports} }} from \"./rpc.js\";");
    for (what, line) in [
        (": [errors.", "import * as errors from \"./errors.js\";"),
        ("shapes.", "import * as shapes from \"./shapes.js\";"),
        ("types.", "import type * as types from \"./types.js\";"),
    ] {
        if uses(what) && (what != "shapes." || !shapes.is_empty()) {
            let _ = writeln!(out, "{line}");
        }
    }
    let _ = writeln!(out, "\n{calls}");
    docs(&mut out, "", &model.docs);
    out.push_str("export class Client extends Rpc {\n");
    docs(
        &mut out,
        "  ",
        "Creates a client for the service at this URL.",
    );
    out.push_str("  constructor(url: string | URL, options: ClientOptions = {}) {\n");
    let _ = writeln!(out, "    super(url, options, [{busy}]);\n  }}\n");
    out.push_str(methods.trim_end_matches('\n'));
    out.push_str("\n}\n");
    out
}

fn method_docs(out: &mut String, model: &Model, procedure: &Procedure) {
    let mut own = String::new();
    docs(&mut own, "", &procedure.docs);
    let mut lines = text::lines(&procedure.docs);
    lines.retain({
        let mut is_first = true;
        move |line| !std::mem::take(&mut is_first) || !line.is_empty()
    });
    let mut lines: Vec<String> = lines
        .into_iter()
        .map(|line| line.replace("*/", "*\\/").replace('@', "\\@"))
        .collect();
    let mut tag = |tag: &str, said: &str| {
        let said = text::lines(said)
            .join(" ")
            .replace("*/", "*\\/")
            .replace('@', "\\@");
        lines.push(format!("@{tag} {said}").trim_end().to_owned());
    };
    if !procedure.returns_docs.is_empty() {
        tag("returns", &procedure.returns_docs);
    }
    for error in procedure.errors.iter().map(|place| &model.errors[*place]) {
        tag("throws", &format!("{{{}}} {}", error.name, error.message));
    }
    if let Some(reason) = &procedure.deprecated {
        tag("deprecated", reason);
    }
    write_docs(out, "  ", &lines);
}

/// The declaration of a method's parameters, and what is passed on.
fn parameters(model: &Model, procedure: &Procedure) -> (String, &'static str) {
    if let Some(place) = procedure.params_type {
        let default = if procedure.params.iter().any(|it| it.required) {
            ""
        } else {
            " = {}"
        };
        return (
            format!("params: types.{}{default}", model.named(place).name),
            "params",
        );
    }
    if procedure.passing != Passing::Variadic {
        return (String::new(), "");
    }
    let of = procedure.params.first().map_or(&Type::Any, |it| &it.of);
    let list = match model.shape(of) {
        Err(of @ Type::List(_)) => write_type(model, of, "types."),
        _ => "unknown[]".to_owned(),
    };
    (format!("...values: {list}"), "...values")
}

fn call(model: &Model, shapes: &Shapes, procedure: &Procedure) -> String {
    let mut members = vec![format!("method: {}", quoted(&procedure.wire))];
    match procedure.passing {
        Passing::Variadic => members.push("params: values".to_owned()),
        _ if procedure.params.is_empty() => {}
        Passing::ByName => members.push("params".to_owned()),
        Passing::ByPosition => {
            let each = procedure
                .params
                .iter()
                .map(|it| format!("params[{}]", quoted(&it.wire)));
            let each: Vec<String> = each.collect();
            members.push(format!("params: positions([{}])", each.join(", ")));
        }
    }
    if procedure.idempotent {
        members.push("idempotent: true".to_owned());
    }
    if procedure.get {
        members.push("get: true".to_owned());
    }
    if let Some(shape) = shapes.of(model, Some(&procedure.returns)) {
        members.push(format!("shape: {shape}"));
    }
    if !procedure.errors.is_empty() {
        let each = procedure.errors.iter();
        let each: Vec<String> = each
            .map(|it| format!("errors.{}", model.errors[*it].name))
            .collect();
        members.push(format!("errors: [{}]", each.join(", ")));
    }
    format!("{{ {} }}", members.join(", "))
}
