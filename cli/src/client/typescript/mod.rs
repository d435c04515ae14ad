//! Clients in TypeScript, with `fetch` and nothing else.

mod errors;
mod methods;
mod shapes;
mod types;

use std::fmt::Write as _;

use docent_describe::ServiceDescription;

use super::model::Model;
use super::text;
use super::{Files, busy_codes};
use errors::errors;
use methods::client;
use shapes::Shapes;
use types::named_type;

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
