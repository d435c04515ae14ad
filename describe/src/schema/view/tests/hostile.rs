//! Schemas that are written to exhaust a reader.

use std::ptr;

use indexmap::IndexMap;

use super::{components, json, said, say};
use crate::json::Json;
use crate::schema::limits::{FREE_LAYERS, MAX_LAYERS_OF_DOCUMENT};
use crate::schema::view::model::{UnionDetail, ViewKey, node_ids};
use crate::schema::{SchemaContext, SchemaViews, View};

/// Returns shared schemas in a chain: each leads to the next by `link`, in which `@` is the reference.
fn chain(length: usize, link: &str, end: &str) -> IndexMap<String, Json> {
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
fn members_of_one_type_have_one_view_unless_something_is_said_of_them() {
    let union = r#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#;
    let components = components(&[("T", union)]);
    let schema = json(
        r##"{"properties": {
            "a": {"$ref": "#/components/schemas/T"},
            "b": {"$ref": "#/components/schemas/T"},
            "c": {"$ref": "#/components/schemas/T", "description": "Another."},
            "d": {"$ref": "#/components/schemas/T", "x-unit": "m"}
        }}"##,
    );
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let properties = views.view_of_schema(&schema).properties();
    let view = |name: &str| views.view(&properties[name].nodes());
    assert!(ptr::eq(view("a"), view("b")));
    assert!(!ptr::eq(view("a"), view("c")));
    assert!(!ptr::eq(view("a"), view("d")));
}

#[test]
fn a_base_is_known_in_its_alternative_whichever_reference_to_it_was_viewed_first() {
    let components = components(&[
        (
            "Vehicle",
            r##"{"properties": {"wheels": {"type": "string"}}, "oneOf": [
                {"$ref": "#/components/schemas/Bike"}, {"$ref": "#/components/schemas/Truck"}
            ]}"##,
        ),
        (
            "Bike",
            r##"{"allOf": [{"$ref": "#/components/schemas/Vehicle"}, {"required": ["gears"]}]}"##,
        ),
        (
            "Truck",
            r##"{"allOf": [{"$ref": "#/components/schemas/Vehicle"}]}"##,
        ),
    ]);
    let vehicle = json(r##"{"$ref": "#/components/schemas/Vehicle"}"##);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let (_, bike) = views.tree.shared("Bike").expect("it is there");
    views.view(&[&bike.all_of[0]]);
    let view = views.view_of_schema(&vehicle);
    for alternative in &view.unions[0].alternatives {
        assert!(view.choose(alternative).is_complete());
    }
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
fn a_long_chain_is_followed_to_its_end_from_some_of_its_links_only() {
    const LENGTH: usize = 2_000;
    let components = chain(LENGTH, r#"{"allOf": [@]}"#, r#"{"type": "integer"}"#);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let found: Vec<&View<'_>> = (0..LENGTH)
        .map(|at| {
            let schema = &components[&format!("T{at}")];
            views.view(&[views.tree.read(schema)])
        })
        .collect();
    let layers: usize = found.iter().map(|view| view.layers.len()).sum();
    assert!(layers <= MAX_LAYERS_OF_DOCUMENT + LENGTH * FREE_LAYERS);
    assert!(found[0].is_complete());
    assert!(!found[LENGTH / 2].is_complete(), "it is told where it ends");
    assert!(
        found[LENGTH - 10].is_complete(),
        "a short chain costs nothing"
    );
}

#[test]
fn a_base_that_each_link_of_a_chain_leads_to_is_no_cycle() {
    let mut components = chain(
        200,
        r##"{"allOf": [{"$ref": "#/components/schemas/Base"}, @, @]}"##,
        r#"{"type": "integer"}"#,
    );
    components.insert(
        "Base".to_owned(),
        json(r#"{"type": ["integer", "string"]}"#),
    );
    let start = json(r##"{"$ref": "#/components/schemas/T0"}"##);
    assert_eq!(said(&components, &start), "T0: integer");
    // The last leads back to one in the middle.
    let back = r##"{"allOf": [{"$ref": "#/components/schemas/T100"}]}"##;
    components.insert("T200".to_owned(), json(back));
    let found = said(&components, &start);
    assert!(found.contains("cannot tell: Cycle"), "{found}");
}

#[test]
fn combinations_that_are_nested_too_deep_are_not_made_for_each_link_of_a_chain() {
    const LENGTH: usize = 400;
    let link = r#"{"anyOf": [@, {"type": "string"}]}"#;
    let components = chain(LENGTH, link, r#"{"type": "integer"}"#);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = |at: usize| views.view(&[views.tree.read(&components[&format!("T{at}")])]);
    for at in [0, LENGTH / 2] {
        assert!(view(at).cases(100).is_none(), "{at}");
        let key = ViewKey {
            roots: node_ids(&view(at).roots),
            chosen: vec![view(at).unions[0].alternatives[0].node.id],
            unions: UnionDetail::Alternatives,
        };
        assert!(views.cached.get(&key).is_none(), "{at} is not looked into");
    }
    assert!(view(LENGTH - 10).cases(100).is_some());
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

/// Says what a value is, and what its alternatives are, as many times inside each other.
fn say_inside<'t>(view: &'t View<'t>, depth: usize) -> String {
    let mut said = say(view);
    if depth > 0 {
        for alternative in view.alternatives() {
            said = format!("{said} ({})", say_inside(alternative.view, depth - 1));
        }
    }
    said
}

/// Says what shared schemas are, which are asked for one after the other.
fn said_in_turn<'n>(
    components: &IndexMap<String, Json>,
    names: impl Iterator<Item = &'n String>,
) -> Vec<String> {
    let views = SchemaViews::new(SchemaContext::new(components, Some(&[])));
    let each = names.map(|name| {
        let (_, node) = views.tree.shared(name).expect("a shared schema");
        say_inside(views.view(&[node]), 4)
    });
    each.collect()
}

#[test]
fn views_do_not_depend_on_which_was_asked_for_first() {
    let cycle = components(&[
        (
            "A",
            r##"{"anyOf": [{"$ref": "#/components/schemas/B"}, {"type": "string"}]}"##,
        ),
        (
            "B",
            r##"{"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "object", "required": ["z"]}]}"##,
        ),
        (
            "C",
            r##"{"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "number"}]}"##,
        ),
    ]);
    // Each needs the tag of the other to tell its alternatives apart.
    let tags = components(&[
        (
            "P",
            r##"{"oneOf": [{"type": "object", "properties": {"x": {"$ref": "#/components/schemas/Q"}}},
                {"type": "object", "properties": {"x": {"properties": {"kind": {"const": 2}}}}}]}"##,
        ),
        (
            "Q",
            r##"{"type": "object", "properties": {"kind": {"const": 1}},
                "oneOf": [{"type": "object", "properties": {"p": {"$ref": "#/components/schemas/P"}}},
                    {"type": "object", "properties": {"p": {"type": "integer"}}}]}"##,
        ),
    ]);
    let nested = r#"{"anyOf": [@, {"type": "string"}]}"#;
    let word = r##"{"$ref": "#/components/schemas/T40"}"##;
    let deep = r#"{"oneOf": [{"type": "object", "properties": {"next": @, "is": WORD}},
        {"type": "object", "properties": {"next": @, "is": {"const": "b"}}}]}"#
        .replace("WORD", word);
    let ends = r#"{"const": "a"}"#;
    for components in [
        cycle,
        tags,
        chain(40, nested, r#"{"type": "integer"}"#),
        chain(40, &deep, ends),
    ] {
        let forward = said_in_turn(&components, components.keys());
        let mut backward = said_in_turn(&components, components.keys().rev());
        backward.reverse();
        assert_eq!(forward, backward);
    }
}
