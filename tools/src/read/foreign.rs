//! Names formats that are known and not read, so that their users need not look for a mistake in the document.

use docent_describe::json::{Json, Object};

/// Members that only documents of one kind have, with the kind.
const KINDS: [(&str, &str); 5] = [
    (
        "openapi",
        "it is an OpenAPI document, which does not describe JSON-RPC",
    ),
    (
        "swagger",
        "it is an OpenAPI document, which does not describe JSON-RPC",
    ),
    (
        "asyncapi",
        "it is an AsyncAPI document, which does not describe JSON-RPC",
    ),
    (
        "SMDVersion",
        "it is a Service Mapping Description (SMD), which is not read",
    ),
    ("$schema", "it is a JSON Schema, which has no procedures"),
];
/// The members of what Kodi's `JSONRPC.Introspect` gives. Each is an object.
const INTROSPECT_MEMBERS: [&str; 3] = ["methods", "notifications", "types"];
/// Members of descriptions, with which lines of YAML begin.
const YAML_STARTS: [&str; 7] = [
    "openrpc:",
    "openapi:",
    "swagger:",
    "asyncapi:",
    "sdversion:",
    "methods:",
    "procs:",
];

/// Returns what an object without the members of a known format is, if it is known.
pub(super) fn known_object(members: &Object) -> Option<&'static str> {
    KINDS
        .iter()
        .find(|(name, _)| members.contains_key(name))
        .map(|(_, kind)| *kind)
}

/// Returns what an object is that is taken for an OpenRPC document because it has methods.
pub(super) fn known_methods(members: &Object) -> Option<&'static str> {
    INTROSPECT_MEMBERS
        .iter()
        .all(|name| members.get(name).and_then(Json::as_object).is_some())
        .then_some("it is Kodi's Introspect, whose format is not read")
}

/// Returns what a text is that is not JSON, if it is known.
pub(super) fn known_text(text: &str) -> Option<&'static str> {
    text.lines()
        .any(|line| YAML_STARTS.iter().any(|start| line.starts_with(start)))
        .then_some("it is YAML; convert it to JSON")
}
