//! Clients in TypeScript, with `fetch` and nothing else.
//!
//! Code that is the same for every service is in `rpc.ts` and `json.ts`, which are part of each client. Only a client
//! with integers beyond a double gets the reader of JSON that keeps them (`exact.ts`).

mod client;
mod errors;
mod source;
mod types;

use super::files::{Files, GENERATED_NOTICE, with_heads};
use super::model::{Model, Type};
use super::package::PackageName;
use super::shapes::{ShapeSyntax, Shapes};
use client::client;
use errors::errors;
use source::quoted;
use types::types;

/// The file that users import.
const INDEX_FILE: &str = "\
export { Client, calls } from \"./client.ts\";
export * from \"./errors.ts\";
export type * from \"./types.ts\";
export { RpcError, TransportError } from \"./rpc.ts\";
export type { Address, Call, CallOptions, ClientOptions, FetchInit, FetchResponse, Outcome, Outcomes, Signal } from \"./rpc.ts\";
";

/// The spelling of shapes.
const SHAPE_SYNTAX: ShapeSyntax = ShapeSyntax {
    quoted,
    own: |of, integers| match of {
        Type::Integer(range) if integers.are_bigint(*range) => Some("big"),
        Type::Bytes => Some("bytes"),
        _ => None,
    },
    none: "undefined",
    quotes_members: false,
    pair: ["[", "]"],
    fields: ["new Map<string, Shape | undefined>([", "])"],
    function: ["\nexport const ", " = (): Shape => ({ ", " });\n"],
};

/// Returns the files of a client.
pub(super) fn files(model: &Model, package: Option<&PackageName>) -> Files {
    let shapes = Shapes::new(model, &SHAPE_SYNTAX);
    let json = if shapes.is_needed {
        include_str!("exact.ts")
    } else {
        include_str!("json.ts")
    };
    let mut files = vec![
        ("client.ts", client(model, &shapes)),
        ("errors.ts", errors(model, &shapes)),
        ("index.ts", INDEX_FILE.to_owned()),
        ("json.ts", json.to_owned()),
        ("rpc.ts", include_str!("rpc.ts").to_owned()),
        ("types.ts", types(model)),
    ];
    if shapes.is_needed {
        let imports = "import type { Shape } from \"./json.ts\";\nexport type { Shape };\n";
        files.push(("shapes.ts", imports.to_owned() + &shapes.named()));
    }
    let mut files = with_heads(files, "// ");
    files.extend(package.map(|package| ("package.json", manifest(package.as_str()))));
    files
}

/// Returns the manifest of the package.
fn manifest(name: &str) -> String {
    // JSON has no comments; this member is what npm reads as one.
    format!(
        "{{
  \"//\": \"{GENERATED_NOTICE}\",
  \"name\": \"{name}\",
  \"version\": \"0.1.0\",
  \"private\": true,
  \"type\": \"module\",
  \"exports\": \"./index.ts\"
}}
"
    )
}
