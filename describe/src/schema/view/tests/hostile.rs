//! Schemas that are written to exhaust a reader.

use super::{components, json, said};
use crate::json::Json;

/// Returns shared schemas in a chain: each leads to the next by `link`, in which `@` is the reference.
fn chain(length: usize, link: &str, end: &str) -> indexmap::IndexMap<String, Json> {
    let named = |at: usize| format!("T{at}");
    let linked = (0..length).map(|at| {
        let next = format!(r##"{{"$ref": "#/components/schemas/{}"}}"##, named(at + 1));
        (named(at), json(&link.replace('@', &next)))
    });
    linked.chain([(named(length), json(end))]).collect()
}

#[test]
fn a_long_chain_of_references_is_followed_to_its_end() {
    let components = chain(8_000, "@", r#"{"type": "integer"}"#);
    let found = said(
        &components,
        &json(r##"{"$ref": "#/components/schemas/T0"}"##),
    );
    assert_eq!(found, "T0: integer");
}

#[test]
fn a_chain_beyond_the_limits_cannot_be_told() {
    let start = json(r##"{"$ref": "#/components/schemas/T0"}"##);
    for link in [
        "@",
        r#"{"anyOf": [@, {"type": "string"}]}"#,
        r#"{"allOf": [@]}"#,
        r#"{"not": @}"#,
    ] {
        let components = chain(20_000, link, r#"{"type": "integer"}"#);
        let found = said(&components, &start);
        let is_told = !found.contains("TooMuch") && !found.contains("perhaps");
        assert!(!is_told, "{link}: {found}");
    }
}

#[test]
fn a_cycle_without_a_step_cannot_be_told() {
    let components = components(&[
        ("A", r##"{"$ref": "#/components/schemas/B"}"##),
        ("B", r##"{"allOf": [{"$ref": "#/components/schemas/A"}]}"##),
        (
            "C",
            r##"{"anyOf": [{"$ref": "#/components/schemas/C"}, {"type": "string"}]}"##,
        ),
    ]);
    for name in ["A", "C"] {
        let schema = json(&format!(r##"{{"$ref": "#/components/schemas/{name}"}}"##));
        let found = said(&components, &schema);
        assert!(found.contains("perhaps null"), "{name}: {found}");
    }
}

#[test]
fn schemas_that_are_shared_many_times_are_read_once() {
    // Each refers to the next twice: 2^60 ways to the last.
    let link = r#"{"allOf": [@, @], "anyOf": [@, @]}"#;
    let components = chain(60, link, r#"{"type": "integer"}"#);
    let found = said(
        &components,
        &json(r##"{"$ref": "#/components/schemas/T0"}"##),
    );
    assert!(found.starts_with("T0: "), "{found}");
}
