//! Statements that a view makes only if they are certain.

use super::{components, json};
use crate::schema::{Kinds, SchemaContext, SchemaTree, SchemaViews};

#[test]
fn elements_that_a_base_leaves_over_are_bound_by_unevaluated_items() {
    let components = components(&[(
        "Pair",
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}"#,
    )]);
    let context = SchemaContext::new(&components, Some(&[]));
    let views = SchemaViews::new(context);
    let closed = json(r##"{"$ref": "#/components/schemas/Pair", "unevaluatedItems": false}"##);
    let elements = views.view(&[views.tree.read(&closed)]).elements();
    assert_eq!((elements.prefix.len(), elements.length.most), (2, Some(2)));

    let typed = json(
        r##"{"allOf": [{"$ref": "#/components/schemas/Pair"}], "prefixItems": [true],
            "unevaluatedItems": {"type": "boolean"}}"##,
    );
    let elements = views.view(&[views.tree.read(&typed)]).elements();
    for (place, kinds) in [Kinds::STRING, Kinds::INTEGER, Kinds::BOOLEAN]
        .into_iter()
        .enumerate()
    {
        assert_eq!(views.view(elements.nodes_at(place)).kinds, kinds);
    }

    // The items that another node's `unevaluatedItems` is about are evaluated.
    let inner = json(r#"{"allOf": [{"unevaluatedItems": true}], "unevaluatedItems": false}"#);
    let elements = views.view(&[views.tree.read(&inner)]).elements();
    assert_eq!(elements.length.most, None);

    // Which elements an alternative evaluates depends on the array.
    let chosen = json(r#"{"anyOf": [{"prefixItems": [true]}, true], "unevaluatedItems": false}"#);
    let elements = views.view(&[views.tree.read(&chosen)]).elements();
    assert_eq!(
        (elements.length.most, elements.conditional.len()),
        (None, 1)
    );
}

#[test]
fn a_condition_on_a_property_is_one_that_objects_can_match() {
    let components = components(&[]);
    for (kind, is_test) in [("object", true), ("string", false)] {
        let schema = json(&format!(
            r#"{{"if": {{"type": "{kind}", "properties": {{"a": {{"const": 1}}}}}}, "then": {{"required": ["b"]}}}}"#
        ));
        let tree = SchemaTree::with_components(&components);
        let node = tree.read(&schema);
        let test = node
            .condition
            .as_ref()
            .and_then(|condition| condition.property_test());
        assert_eq!(test.is_some(), is_test, "{kind}");
    }
}

#[test]
fn an_alternative_that_refuses_what_all_objects_need_is_none() {
    let components = components(&[]);
    let alternative = |tag: &str, more: &str| {
        format!(
            r#"{{"properties": {{"t": {{"const": "{tag}"}}{more}}}, "required": ["t"], "additionalProperties": false}}"#
        )
    };
    let [x, y, z] = [("x", ""), ("y", r#", "w": {}"#), ("z", r#", "w": {}"#)]
        .map(|(tag, more)| alternative(tag, more));
    let schema = json(&format!(
        r#"{{"type": "object", "required": ["w"], "oneOf": [{x}, {y}, {z}]}}"#
    ));
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = views.view(&[views.tree.read(&schema)]);
    let mut tags = Vec::new();
    for alternative in &view.unions[0].alternatives {
        let tag = views.view(&alternative.view.property("t").nodes());
        tags.push(tag.listed.as_ref().expect("a tag")[0].value.to_string());
    }
    assert_eq!(tags, [r#""y""#, r#""z""#]);
}

/// Returns how a check selects among objects of these alternatives.
fn selection(alternatives: &[&str]) -> String {
    let components = components(&[
        (
            "Cat",
            r#"{"type": "object", "properties": {"is": {"const": "cat"}}, "required": ["is"]}"#,
        ),
        ("CatWord", r#"{"const": "cat"}"#),
    ]);
    let schemas: Vec<_> = alternatives.iter().map(|text| json(text)).collect();
    let tree = SchemaTree::with_components(&components);
    let nodes: Vec<_> = schemas.iter().map(|schema| tree.read(schema)).collect();
    match tree.selection(&nodes) {
        Some(selection) => {
            let tag = selection.tag.as_deref().unwrap_or("member");
            let texts: Vec<_> = selection
                .texts
                .iter()
                .map(|selecting| format!("{}={}", selecting.text, selecting.alternative))
                .collect();
            format!("{tag} {}", texts.join(" "))
        }
        None => "none".to_owned(),
    }
}

#[test]
fn a_check_selects_an_alternative_only_where_that_is_certain() {
    let cat = r##"{"$ref": "#/components/schemas/Cat"}"##;
    let dog = r#"{"type": "object", "properties": {"is": {"const": "dog"}}, "required": ["is"]}"#;
    let fish = r#"{"type": "object", "properties": {"is": {"const": "fish"}}}"#;
    let one = r#"{"properties": {"a": {}}, "required": ["a"], "additionalProperties": false}"#;
    let two = r#"{"properties": {"b": {}, "a": false}, "required": ["b"], "additionalProperties": false}"#;
    let wide =
        r#"{"properties": {"b": {}, "c": {}}, "required": ["b"], "additionalProperties": false}"#;
    let open = r#"{"type": "object", "properties": {"c": {}}, "required": ["c"]}"#;
    let kitten =
        r##"{"allOf": [{"properties": {"a": {}}}, {"$ref": "#/components/schemas/Cat"}]}"##;
    let named =
        r##"{"properties": {"is": {"$ref": "#/components/schemas/CatWord"}}, "required": ["is"]}"##;
    let apart = r#"{"required": ["is"], "allOf": [{"properties": {"is": {"const": "ape"}}}]}"#;
    let number = r#"{"properties": {"is": {"const": 1}, "kind": {"const": "n"}}, "required": ["is", "kind"]}"#;
    let text = r#"{"properties": {"is": {"const": "t"}, "kind": {"const": "t"}}, "required": ["is", "kind"]}"#;
    let null = r#"{"properties": {"is": {"enum": ["none", null]}}, "required": ["is"]}"#;
    // One list is narrowed by another, which only all nodes together say.
    let pet =
        r##"{"$ref": "#/components/schemas/Cat", "properties": {"is": {"enum": ["cat", "dog"]}}}"##;
    let nested = |word: &str| {
        format!(
            r#"{{"properties": {{"in": {{"type": "object", "properties": {{"is": {{"const": "{word}"}}}},
            "required": ["is"]}}}}, "required": ["in"]}}"#
        )
    };
    for (alternatives, expected) in [
        ([cat, dog], "is cat=0 dog=1"),
        ([kitten, dog], "is cat=0 dog=1"),
        ([named, apart], "is cat=0 ape=1"),
        ([pet, dog], "is cat=0 dog=1"),
        ([kitten, named], "none"),
        ([cat, fish], "none"),
        ([cat, null], "none"),
        ([number, text], "kind n=0 t=1"),
        ([one, two], "member a=0 b=1"),
        ([one, wide], "none"),
        ([one, open], "none"),
        ([dog, dog], "none"),
        ([&nested("cat"), &nested("dog")], "none"),
    ] {
        assert_eq!(selection(&alternatives), expected, "{alternatives:?}");
    }
}

#[test]
fn a_kind_is_described_by_its_parts_and_not_by_bounds() {
    let components = components(&[]);
    for (schema, described) in [
        (r#"{"minItems": 2, "minProperties": 1}"#, Kinds::NONE),
        (r#"{"items": {"type": "string"}}"#, Kinds::ARRAY),
        (r#"{"required": ["a"]}"#, Kinds::NONE),
        (r#"{"properties": {"a": {}}, "minItems": 2}"#, Kinds::OBJECT),
    ] {
        let schema = json(schema);
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        assert_eq!(
            views.view_of_schema(&schema).described_kinds(),
            described,
            "{schema}"
        );
    }
}
