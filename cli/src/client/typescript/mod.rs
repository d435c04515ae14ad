//! Clients in TypeScript, with `fetch` and nothing else.

mod errors;
mod methods;
mod shapes;
mod source;
mod types;

use docent_describe::ServiceDescription;

use super::files::{Files, busy_codes, with_heads};
use super::model::Model;
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
    // Without an export, the file would not be a module.
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
    with_heads(files, "// ")
}

fn index() -> String {
    "export { Client, calls } from \"./client.js\";\n\
     export * from \"./errors.js\";\n\
     export type * from \"./types.js\";\n\
     export { RpcError, TransportError } from \"./rpc.js\";\n\
     export type { Call, CallOptions, ClientOptions, Outcome, Outcomes } from \"./rpc.js\";\n"
        .to_owned()
}
