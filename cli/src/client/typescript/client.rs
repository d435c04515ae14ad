//! Functions that make calls, and the class that sends them.

use std::fmt::Write as _;

use super::shapes::Shapes;
use super::source::{docs, quoted, write_docs};
use super::types::write_type;
use crate::client::model::{Model, Passing, Procedure, Type};
use crate::client::names::{Scope, camel};
use crate::client::text;

/// The members of a client, and names with a meaning in the language.
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

pub(super) fn client(model: &Model, shapes: &Shapes, busy: &str) -> String {
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
        (": positions(", "positions"),
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

fn has_required(procedure: &Procedure) -> bool {
    procedure.params.iter().any(|it| it.required)
}

/// Returns the declaration of a method's parameters, and the expression that passes them on.
fn parameters(model: &Model, procedure: &Procedure) -> (String, &'static str) {
    if let Some(place) = procedure.params_type {
        // A default of `{}` would have members of its own, such as `constructor`.
        let optional = if has_required(procedure) { "" } else { "?" };
        return (
            format!("params{optional}: types.{}", model.named(place).name),
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
            let maybe = if has_required(procedure) { "" } else { "?." };
            let each = procedure
                .params
                .iter()
                .map(|it| format!("params{maybe}[{}]", quoted(&it.wire)));
            let each: Vec<String> = each.collect();
            members.push(format!("params: positions([{}])", each.join(", ")));
        }
    }
    if procedure.idempotent {
        members.push("idempotent: true".to_owned());
    }
    if procedure.repeatable {
        members.push("repeatable: true".to_owned());
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
