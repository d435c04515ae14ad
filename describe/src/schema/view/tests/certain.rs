//! What is said only where it is certain.

use super::{components, json};
use crate::schema::{Kinds, SchemaContext, SchemaTree, SchemaViews};

#[test]
fn elements_that_a_base_leaves_over_are_bound_by_unevaluated_items() {
    let components = components(&[(
        "Pair",
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}"#,
    )]);
    let context = SchemaContext {
        components: &components,
        enforced_formats: Some(&[]),
    };
    let views = SchemaViews::new(context);
    let closed = json(r##"{"$ref": "#/components/schemas/Pair", "unevaluatedItems": false}"##);
    let elements = views.view(&[views.tree.read(&closed)]).elements();
    assert_eq!((elements.places.len(), elements.length.most), (2, Some(2)));

    let typed = json(
        r##"{"allOf": [{"$ref": "#/components/schemas/Pair"}], "prefixItems": [true],
            "unevaluatedItems": {"type": "boolean"}}"##,
    );
    let elements = views.view(&[views.tree.read(&typed)]).elements();
    for (place, kinds) in [Kinds::STRING, Kinds::INTEGER, Kinds::BOOLEAN]
        .into_iter()
        .enumerate()
    {
        assert_eq!(views.view(elements.at(place)).kinds, kinds);
    }

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
        let tree = SchemaTree::of(&components);
        let node = tree.read(&schema);
        let test = node.condition.as_ref().and_then(|it| it.property_test());
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
    let views = SchemaViews::new(SchemaContext {
        components: &components,
        enforced_formats: Some(&[]),
    });
    let view = views.view(&[views.tree.read(&schema)]);
    let tags = view.unions[0].alternatives.iter().map(|alternative| {
        let listed = views.view(&alternative.view.property("t").nodes());
        listed.listed.as_ref().expect("a tag")[0].value.to_string()
    });
    assert_eq!(tags.collect::<Vec<_>>(), [r#""y""#, r#""z""#]);
}
