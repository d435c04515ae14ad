//! Clients in TypeScript, with `fetch` and `WebSocket` and nothing else.
//!
//! A client is one file without relative imports: no extension of one suits compilers and what runs TypeScript as it
//! is. Code that is the same for every service is in `rpc.ts`, `subscription.ts`, `websocket.ts` and `json.ts`. Only a
//! client with integers beyond a double gets the reader of JSON that keeps them (`exact.ts`).
//!
//! `rpc.ts` decides what is true for all calls, such as what is repeated, and `subscription.ts` when a subscription
//! comes back. Both ask nothing of a carrier but to send a message, and to yield the events of a subscription: `rpc.ts`
//! does so with `fetch`, and `websocket.ts` over one connection.

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
use std::fmt::Write as _;
use types::types;

/// The types that the code of a client declares or uses, which no type of a service may hide.
pub(super) const RESERVED_TYPES: &[&str] = &[
    "AbortController",
    "ArrayBuffer",
    "AsyncGenerator",
    "AsyncIterableIterator",
    "BodyReader",
    "Call",
    "CallOptions",
    "CallOutcome",
    "CallOutcomes",
    "CallSignal",
    "Client",
    "ClientCredential",
    "ClientOptions",
    "ClientSocket",
    "ClientSocketClass",
    "ErrorClass",
    "EventReader",
    "FetchInit",
    "FetchResponse",
    "ItemParams",
    "JsonShape",
    "LostError",
    "MessageQueue",
    "Promise",
    "RangeError",
    "ReadonlyMap",
    "Record",
    "Rpc",
    "RpcAnswer",
    "RpcError",
    "RpcFailure",
    "SentMessage",
    "ServerSentEvent",
    "ServiceAddress",
    "ShapeMembers",
    "SocketConnection",
    "SocketMessage",
    "SocketTransport",
    "SubscriptionItem",
    "TextDecoder",
    "TextEncoder",
    "TransportError",
    "Uint8Array",
    "WebSocket",
];

/// The line between the code that is the same for every service and that of this one.
const TYPES_HEADING: &str = "\n// The types, errors and calls of the service.\n";

/// The spelling of shapes.
const SHAPE_SYNTAX: ShapeSyntax = ShapeSyntax {
    quoted,
    own: |ty, integers| match ty {
        Type::Integer(range) if integers.are_bigint(*range) => Some("big"),
        Type::Bytes => Some("bytes"),
        _ => None,
    },
    none: "undefined",
    quotes_members: false,
    pair: ["[", "]"],
    fields: ["new Map<string, JsonShape | undefined>([", "])"],
    function: ["  ", ": (): JsonShape => ({ ", " }),\n"],
    scope: "shapes.",
};

/// Returns the files of a client.
pub(super) fn files(model: &Model, package: Option<&PackageName>) -> Files {
    let shapes = Shapes::new(model, &SHAPE_SYNTAX);
    let json = if shapes.is_needed {
        include_str!("exact.ts")
    } else {
        include_str!("json.ts")
    };
    let parts = [
        json,
        include_str!("rpc.ts"),
        include_str!("subscription.ts"),
        include_str!("websocket.ts"),
    ];
    let mut out = parts.join("\n");
    out.push_str(TYPES_HEADING);
    types(&mut out, model);
    if shapes.is_needed {
        let named = shapes.named();
        let _ = write!(out, "\nexport const shapes = {{\n{named}}};\n");
    }
    errors(&mut out, model, &shapes);
    client(&mut out, model, &shapes);
    let mut files = with_heads(vec![("index.ts", out)], "// ");
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

#[cfg(test)]
mod tests {
    use super::RESERVED_TYPES;

    #[test]
    fn no_type_of_a_service_hides_one_that_the_client_declares() {
        let sources = [
            include_str!("exact.ts"),
            include_str!("json.ts"),
            include_str!("rpc.ts"),
            include_str!("subscription.ts"),
            include_str!("websocket.ts"),
        ];
        let mut declared = 0;
        for line in sources.iter().flat_map(|source| source.lines()) {
            let words: Vec<&str> = line.split([' ', '<', '(', ':', '=', ';']).collect();
            let mut pairs = words.windows(2);
            let name = pairs.find_map(|pair| {
                ["class", "interface", "type"]
                    .contains(&pair[0])
                    .then_some(pair[1])
            });
            let is_type = |name: &&str| {
                !line.starts_with([' ', '/', '*']) && name.starts_with(char::is_uppercase)
            };
            // Names in capitals are no names of types.
            if let Some(name) = name.filter(is_type)
                && name.contains(|one: char| one.is_ascii_lowercase())
            {
                declared += 1;
                assert!(RESERVED_TYPES.contains(&name), "{name}");
            }
        }
        assert!(declared > 15, "{declared}");
    }
}
