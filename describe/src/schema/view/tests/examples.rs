//! One example for each rule.

use super::{components, json, said, say};
use crate::json::Json;
use crate::schema::{Kinds, SchemaContext, SchemaViews, View};

/// Shared schemas that the examples refer to. Members whose names end with `!` are required, for short.
const SHARED: &[(&str, &str)] = &[
    (
        "Base",
        r#"{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}"#,
    ),
    (
        "Dog",
        r##"{"allOf": [{"$ref": "#/components/schemas/Base"},
            {"type": "object", "properties": {"bark": {"type": "boolean"}}, "required": ["bark"]}]}"##,
    ),
    (
        "KindBase",
        r#"{"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}"#,
    ),
    (
        "Cat",
        r##"{"allOf": [{"$ref": "#/components/schemas/KindBase"},
            {"properties": {"kind": {"const": "cat"}, "meow": {"type": "boolean"}}}]}"##,
    ),
    (
        "Hound",
        r##"{"allOf": [{"$ref": "#/components/schemas/KindBase"},
            {"properties": {"kind": {"const": "dog"}, "bark": {"type": "boolean"}}}]}"##,
    ),
    (
        "A",
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#,
    ),
    (
        "B",
        r#"{"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}"#,
    ),
    (
        "Tree",
        r##"{"type": "object", "properties": {"children": {"type": "array",
            "items": {"$ref": "#/components/schemas/Tree"}}}}"##,
    ),
    ("Alias", r##"{"$ref": "#/components/schemas/Dog"}"##),
    ("Free", "{}"),
];

/// Expands `@Name` to a reference.
fn schema(short: &str) -> String {
    let mut written = String::new();
    let mut rest = short;
    while let Some((before, after)) = rest.split_once('@') {
        let end = after
            .find(|letter: char| !letter.is_alphanumeric())
            .unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        written.push_str(before);
        written.push_str(r##"{"$ref": "#/components/schemas/"##);
        written.push_str(name);
        written.push_str(r#""}"#);
        rest = after;
    }
    written + rest
}

#[track_caller]
fn check(short: &str, expected: &str) {
    let found = said(&components(SHARED), &json(&schema(short)));
    assert_eq!(found, expected, "{short}");
}

#[test]
fn facts_add_up_through_references_their_siblings_and_all_of() {
    check(
        "@Dog",
        "Dog: object; id!: string from Base; bark!: boolean from Dog",
    );
    check(
        r##"{"$ref": "#/components/schemas/A", "required": ["x"]}"##,
        "A: object; a!: string from A; x!",
    );
    check(
        r#"{"allOf": [{"type": "integer", "minimum": 1}, {"type": "number", "maximum": 9, "exclusiveMinimum": 2}]}"#,
        "integer; >2; <=9",
    );
    check(
        r#"{"allOf": [{"enum": [1, 2, "a"]}, {"enum": [2, "a", 3]}]}"#,
        r#"integer|string; 2; "a""#,
    );
    check(
        r#"{"enum": ["a", 5], "minimum": 10}"#,
        r#"string; "a"; >=10"#,
    );
    check(
        r#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#,
        "nothing",
    );
    check(
        r#"{"allOf": [{"properties": {"a": {"type": ["string", "null"]}}}, {"properties": {"a": {"type": ["null", "integer"]}}}], "type": "object"}"#,
        "object; a: null",
    );
}

fn names<'t>(view: &View<'t>) -> Vec<&'t str> {
    view.properties().into_keys().collect()
}

#[test]
fn a_base_within_its_own_alternatives_is_its_members_once() {
    let components = components(&[
        (
            "Doc",
            r##"{"type": "object", "properties": {"v": {"type": "string"}}, "required": ["v"],
                "oneOf": [{"$ref": "#/components/schemas/One"}, {"$ref": "#/components/schemas/Two"}]}"##,
        ),
        (
            "One",
            r##"{"allOf": [{"$ref": "#/components/schemas/Doc"}, {"properties": {"one": {"type": "string"}}}]}"##,
        ),
        (
            "Two",
            r##"{"$ref": "#/components/schemas/Doc", "properties": {"two": {"type": "string"}}}"##,
        ),
        // An alternative that only refers to its base adds nothing.
        (
            "Self",
            r##"{"anyOf": [{"$ref": "#/components/schemas/Self"}, {"type": "string"}]}"##,
        ),
    ]);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = |name: &str| views.view(&[views.tree.shared(name).expect("a schema").1]);
    let doc = view("Doc");
    assert!(doc.is_complete() && doc.kinds == Kinds::OBJECT);
    assert_eq!(names(doc), ["v"]);
    let [union] = &doc.unions[..] else { panic!() };
    let [one, two] = &union.alternatives[..] else {
        panic!()
    };
    assert_eq!(names(doc.choose(one)), ["v", "one"]);
    assert_eq!(names(doc.choose(two)), ["v", "two"]);
    assert!(doc.choose(one).is_complete() && doc.choose(one).unions.is_empty());
    for (name, members) in [("One", ["v", "one"]), ("Two", ["two", "v"])] {
        let child = view(name);
        assert!(child.is_complete() && child.unions.is_empty(), "{name}");
        assert_eq!(names(child), members);
    }
    assert_eq!(view("Self").kinds, Kinds::STRING);
    let validator = views.validator();
    for (value, fits) in [
        (r#"{"v": "a", "one": "b"}"#, true),
        (r#"{"v": "a", "two": "b"}"#, true),
        (r#"{"one": "b"}"#, false),
        (r#"{"v": "a", "one": 1, "two": 2}"#, false),
    ] {
        assert_eq!(
            validator.is_valid(&components["Doc"], &json(value)),
            Some(fits),
            "{value}"
        );
    }
}

#[test]
fn the_name_is_the_values_own() {
    check(
        r##"{"$ref": "#/components/schemas/A", "description": "An A."}"##,
        "A: object; a!: string from A",
    );
    check(r#"{"allOf": [@A]}"#, "A: object; a!: string from A");
    check(
        r#"{"allOf": [@A, @B]}"#,
        "A and B: object; a!: string from A; b!: string from B",
    );
    check(
        "@Alias",
        "Alias: object; id!: string from Base; bark!: boolean from Dog",
    );
}

#[test]
fn an_alternative_beside_null_is_no_alternative() {
    check(
        r#"{"anyOf": [@A, {"type": "null"}]}"#,
        "A: object|null; a!: string from A",
    );
    check(
        r#"{"oneOf": [{"type": ["string", "null"]}, {"type": "null"}]}"#,
        "string",
    );
    // So is every other value that two alternatives accept.
    check(
        r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
        "number",
    );
    check(
        r#"{"oneOf": [{"type": ["string", "boolean"]}, {"type": ["boolean", "integer"]}]}"#,
        "integer|string; exactly one of 2 by kind, certain: , ",
    );
    check(r#"{"type": ["string", "null"]}"#, "string|null");
    check(r#"{"not": {"type": "null"}}"#, "anything|but null");
    check(r#"{"not": {}}"#, "nothing");
    check("true", "anything|null");
    check("false", "nothing");
}

#[test]
fn a_union_of_constants_is_a_list_of_values() {
    check(
        r#"{"oneOf": [{"const": "a", "description": "First."}, {"const": "b", "description": "Second."}]}"#,
        r#"string; "a" (First.); "b" (Second.)"#,
    );
    check(
        r#"{"oneOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#,
        r#"string; "a"; "c""#,
    );
    check(
        r#"{"anyOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#,
        r#"string; "a"; "b"; "c""#,
    );
    check(
        r#"{"anyOf": [{"const": "a"}, {"type": "null"}]}"#,
        r#"string|null; "a""#,
    );
}

#[test]
fn a_tag_tells_alternatives_apart_through_bases() {
    check(
        r#"{"oneOf": [@Cat, @Hound]}"#,
        r#"object; kind!: string from KindBase; exactly one of 2 by tag kind, certain: Cat "cat" [kind meow], Hound "dog" [kind bark]"#,
    );
    check(
        r#"{"oneOf": [{"type": "object", "properties": {"meta": {"type": "object", "properties": {"is": {"const": 1}}, "required": ["is"]}}, "required": ["meta"]},
            {"type": "object", "properties": {"meta": {"type": "object", "properties": {"is": {"const": 2}}, "required": ["is"]}}, "required": ["meta"]}]}"#,
        "object; meta!; exactly one of 2 by tag meta.is, certain: 1 [meta], 2 [meta]",
    );
    // A tag that both may lack tells of most values, and not of all.
    check(
        r#"{"anyOf": [{"type": "object", "properties": {"is": {"const": "a"}}}, {"type": "object", "properties": {"is": {"const": "b"}}}]}"#,
        r#"object; is; one or more of 2 by tag is, likely: "a" [is], "b" [is]"#,
    );
    // One may.
    check(
        r#"{"anyOf": [{"type": "object", "properties": {"is": {"const": "a"}}}, {"type": "object", "properties": {"is": {"const": "b"}}, "required": ["is"]}]}"#,
        r#"object; is; exactly one of 2 by tag is, certain: "a" [is], "b" [is]"#,
    );
    // None may, if it is required beside them.
    check(
        r#"{"type": "object", "required": ["is"], "anyOf": [{"properties": {"is": {"const": "a"}}}, {"properties": {"is": {"const": "b"}}}]}"#,
        r#"object; is!; exactly one of 2 by tag is, certain: "a" [is], "b" [is]"#,
    );
}

#[test]
fn members_tell_alternatives_apart() {
    check(
        r#"{"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"], "oneOf": [{"required": ["x"]}, {"required": ["y"]}]}"#,
        "object; a!: anything|null; b: anything|null; exactly one of 2 by presence, certain: x [x], y [y]",
    );
    check(
        r#"{"type": "object", "oneOf": [{"properties": {"x": {"type": "string"}}, "required": ["x"]}, {"properties": {"y": {"type": "string"}}, "required": ["y"]}]}"#,
        "object; exactly one of 2 by presence, likely: x [x], y [y]",
    );
    check(
        r#"{"anyOf": [@A, @B]}"#,
        "object; one or more of 2 by presence, likely: A a [a], B b [b]",
    );
    check(
        r#"{"oneOf": [{"type": "object", "properties": {"blockHash": {"type": "string"}}, "required": ["blockHash"], "additionalProperties": false},
            {"type": "object", "properties": {"from": {}, "to": {}}, "additionalProperties": false}]}"#,
        "object; exactly one of 2 by presence, certain: blockHash [blockHash], none [from to]",
    );
    check(
        r#"{"oneOf": [{"type": "object", "properties": {"blockHash": {"type": "string"}}, "required": ["blockHash"]},
            {"type": "object", "properties": {"from": {}}, "not": {"required": ["blockHash"]}}]}"#,
        "object; exactly one of 2 by presence, certain: blockHash [blockHash], none [from]",
    );
}

#[test]
fn kinds_tell_alternatives_apart() {
    check(
        r#"{"anyOf": [{"type": "string"}, @A]}"#,
        "string|object; exactly one of 2 by kind, certain: , A [a]",
    );
    // An integer is a number.
    check(
        r#"{"anyOf": [{"type": "integer"}, {"type": "number", "minimum": 3}]}"#,
        "number; one or more of 2 by nothing, likely: , ",
    );
    // Those that something else excludes are not counted.
    check(
        r#"{"type": "string", "oneOf": [{"maxLength": 3, "type": "string"}, @A, {"type": "string", "minLength": 9}]}"#,
        "string; exactly one of 2 by nothing, likely: , ",
    );
    check(
        r#"{"type": "object", "anyOf": [{"type": "string"}, @A]}"#,
        "A: object; a!: string from A",
    );
}

#[test]
fn alternatives_that_no_value_can_be_are_not_counted() {
    // A cat is no dog.
    check(
        r#"{"oneOf": [@Cat, @Hound], "properties": {"kind": {"const": "dog"}}}"#,
        r#"Hound: object; kind!: "dog" from KindBase; bark: boolean from Hound"#,
    );
    check(
        r#"{"required": ["k"], "properties": {"k": {"type": "string"}}, "type": "object", "anyOf": [{"properties": {"k": {"type": "integer"}}}, @A, @B]}"#,
        "object; k!: string; one or more of 2 by presence, likely: A a [a], B b [b]",
    );
    // None of them requires the property that they cannot share, so an object without it is all of them.
    check(
        r#"{"type": "object", "properties": {"k": {"type": "string"}}, "oneOf": [{"properties": {"k": {"const": 1}}}, {"required": ["x"]}]}"#,
        "object; k: string; exactly one of 2 by presence, likely: none [k], x [x]",
    );
    check(
        r#"{"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": false}}, @A, @B]}"#,
        "object; exactly one of 2 by presence, likely: A a [a], B b [b]",
    );
    check(
        r#"{"type": "object", "properties": {"k": {"const": 1}}, "required": ["k"], "anyOf": [{"properties": {"k": {"const": 2}}}, {"properties": {"k": {"const": 3}}}]}"#,
        "nothing",
    );
}

#[test]
fn a_kind_whose_bounds_leave_no_value_is_none() {
    check(
        r#"{"anyOf": [{"type": "integer", "minimum": 3, "maximum": 2}, {"type": "array", "minItems": 1, "maxItems": 0}, @A]}"#,
        "A: object; a!: string from A",
    );
    check(
        r#"{"type": ["integer", "string"], "exclusiveMinimum": 1, "exclusiveMaximum": 2}"#,
        "string; >1; <2",
    );
    check(
        r#"{"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2}"#,
        "number; >1; <2",
    );
    check(
        r#"{"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 1}]}"#,
        "nothing; at least 2 characters, at most 1 characters",
    );
    check(
        r#"{"type": "object", "minProperties": 2, "maxProperties": 1, "anyOf": [@A, @B]}"#,
        "nothing",
    );
}

#[test]
fn what_is_said_of_elements_is_said_of_elements() {
    check(
        r#"{"type": "array", "items": {"oneOf": [@A, @B]}}"#,
        "array; each object; exactly one of 2 by presence, likely: A a [a], B b [b]",
    );
    check(
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}"#,
        "array; [0] string; [1] integer; at most 2 elements",
    );
    check(
        r#"{"allOf": [{"type": "array", "prefixItems": [{"type": "string"}]}, {"items": {"type": ["string", "null"]}}]}"#,
        "array; [0] string; each string|null",
    );
}

#[test]
fn closed_and_open_are_said_where_they_are_written() {
    check(
        r#"{"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": false}"#,
        "object; ^x-: string; no others",
    );
    check(
        r#"{"type": "object", "allOf": [{"properties": {"a": {}}, "additionalProperties": false}, {"properties": {"b": {}}}]}"#,
        "object; a: anything|null; b never; no others",
    );
    check(
        r#"{"type": "object", "allOf": [{"properties": {"a": {}}}, {"additionalProperties": {"type": "number"}}]}"#,
        "object; a: number; others: number",
    );
    check(
        r##"{"$ref": "#/components/schemas/A", "properties": {"b": {}}, "unevaluatedProperties": false}"##,
        "A: object; b: anything|null; a!: string from A; no others",
    );
    check(
        r#"{"type": "object", "allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}, "unevaluatedProperties": false}]}"#,
        "object; a never; b: anything|null; no others",
    );
    check(
        r#"{"type": "object", "properties": {"abc": {}, "d": {}}, "propertyNames": {"maxLength": 1}}"#,
        "object; abc never; d: anything|null",
    );
    // A name that matches another node's patterns is refused too.
    for closed in ["additionalProperties", "unevaluatedProperties"] {
        check(
            &format!(
                r#"{{"type": "object", "allOf": [{{"properties": {{"a": {{}}}}, "{closed}": false}}, {{"patternProperties": {{"^x-": {{}}}}}}]}}"#
            ),
            "object; a: anything|null; no others",
        );
    }
    check(
        r#"{"type": "object", "allOf": [{"patternProperties": {"^x-": {"type": "string"}}}], "unevaluatedProperties": false}"#,
        "object; ^x-: string; no others",
    );
}

#[test]
fn common_properties_come_first_and_alternatives_have_what_is_left() {
    let branch = |own: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"id": {{"type": "string"}}, "{own}": {{}}}}, "required": ["id", "{own}"]}}"#
        )
    };
    // Both describe `id`, each for itself.
    check(
        &format!(r#"{{"oneOf": [{}, {}]}}"#, branch("x"), branch("y")),
        "object; id!; exactly one of 2 by presence, likely: x [id x], y [id y]",
    );
    // Both have it from one base.
    check(
        r#"{"oneOf": [{"allOf": [@Base], "properties": {"x": {}}, "required": ["x"]}, {"allOf": [@Base], "properties": {"y": {}}}]}"#,
        "object; id!: string from Base; exactly one of 2 by presence, likely: x [x], none [y]",
    );
}

#[test]
fn conditions_are_sentences_of_their_own() {
    check(
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {}}, "required": ["b"]}}"#,
        "object; a: integer; if (anything|null; a: 1) then (anything|null; b!: anything|null)",
    );
    check(
        r#"{"type": "object", "dependentRequired": {"a": ["b", "c"]}, "not": {"required": ["d"]}}"#,
        "object; not (anything|null; d!); with a: b, c",
    );
    check(
        r#"{"type": "array", "contains": {"const": 1}, "maxContains": 2}"#,
        "array; at least 1 of, at most 2 of (integer; 1)",
    );
}

#[test]
fn unions_within_unions_join_where_that_says_the_same() {
    check(
        r#"{"anyOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "boolean"}]}"#,
        "boolean|integer|string; exactly one of 3 by kind, certain: , , ",
    );
    check(
        r#"{"oneOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "boolean"}]}"#,
        "boolean|integer|string; exactly one of 3 by kind, certain: , , ",
    );
    check(
        r#"{"oneOf": [{"anyOf": [{"type": "number"}, {"type": "integer"}]}, {"type": "boolean"}]}"#,
        "boolean|number; exactly one of 2 by kind, certain: , ",
    );
    check(
        r#"{"anyOf": [{"title": "Text", "anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "boolean"}]}"#,
        "boolean|integer|string; exactly one of 2 by kind, certain: Text, ",
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    check("@Tree", "Tree: object; children: array from Tree");
    check(
        "@Gone",
        r##"anything|perhaps null; cannot tell: Lost("#/components/schemas/Gone")"##,
    );
    check(
        r##"{"$dynamicRef": "#node", "type": "object"}"##,
        r##"object; cannot tell: Lost("#node")"##,
    );
    check(
        r#"{"type": "object", "required": "a"}"#,
        r#"object; cannot tell: Malformed("required")"#,
    );
}

/// Says what each combination of alternatives is.
fn said_of_cases(short: &str) -> Vec<String> {
    let components = components(SHARED);
    let schema = json(&schema(short));
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = views.view(&[views.tree.read(&schema)]);
    let cases = view.cases(100).expect("few cases");
    cases.iter().map(|case| say(case)).collect()
}

#[test]
fn a_value_is_one_combination_of_its_alternatives() {
    assert_eq!(
        said_of_cases(
            r#"{"type": "object", "properties": {"a": {}}, "oneOf": [{"required": ["x"]}, {"required": ["y"]}],
                "anyOf": [{"properties": {"b": {"type": "string"}}}, {"required": ["c"], "maxProperties": 3}]}"#
        ),
        [
            "object; a: anything|null; b: string; x!",
            "object; a: anything|null; x!; c!; at most 3 members",
            "object; a: anything|null; b: string; y!",
            "object; a: anything|null; y!; c!; at most 3 members",
        ]
    );
    assert_eq!(said_of_cases(r#"{"type": "string"}"#), ["string"]);
    assert_eq!(
        said_of_cases(
            r#"{"type": ["string", "object"], "oneOf": [{"type": "string", "maxLength": 3}, @A]}"#
        ),
        [
            "string; at most 3 characters",
            "A: object; a!: string from A"
        ]
    );
}

#[test]
fn a_value_has_the_name_of_its_type_unless_more_is_asked_of_it() {
    for (short, name) in [
        ("@A", Some("A")),
        (r#"{"allOf": [@A], "description": "An A."}"#, Some("A")),
        (r#"{"anyOf": [@A, {"type": "null"}]}"#, Some("A")),
        (
            r##"{"$ref": "#/components/schemas/A", "required": ["x"]}"##,
            None,
        ),
        (r#"{"allOf": [@A, @B]}"#, None),
        (r#"{"oneOf": [@A, @B]}"#, None),
        (r#"{"type": "object"}"#, None),
        (r#"{"oneOf": [@Free, {"type": "string"}]}"#, None),
        // Something is asked that leaves no alternative, or a list.
        (
            r#"{"allOf": [@A], "anyOf": [{"type": "number"}, {"type": "null"}]}"#,
            None,
        ),
        (
            r#"{"allOf": [@A], "anyOf": [{"const": 1}, {"const": {}}]}"#,
            None,
        ),
    ] {
        let components = components(SHARED);
        let schema = json(&schema(short));
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        let view = views.view(&[views.tree.read(&schema)]);
        assert_eq!(view.own_name(), name, "{short}");
    }
}

#[test]
fn texts_and_defaults_are_the_outermost_ones_that_hold() {
    let components = components(&[(
        "T",
        r#"{"type": "integer", "title": "T", "description": "A count.",
        "default": 5, "deprecated": true, "readOnly": true}"#,
    )]);
    let schema =
        json(r##"{"$ref": "#/components/schemas/T", "description": "Its own.", "default": "no"}"##);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = views.view(&[views.tree.read(&schema)]);
    assert_eq!(view.title(), Some("T"));
    assert_eq!(view.description(), Some("Its own."));
    assert_eq!(view.default(), Some(&Json::from(5)));
    assert!(view.is_deprecated() && view.is_read_only() && !view.is_write_only());
}

#[test]
fn properties_and_elements_are_told_that_no_node_names() {
    let components = components(&[]);
    let schema = json(
        r#"{"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "number"},
            "allOf": [{"items": {"type": "string"}}], "unevaluatedItems": false}"#,
    );
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = views.view(&[views.tree.read(&schema)]);
    for (name, kinds) in [("x-a", Kinds::STRING), ("a", Kinds::NUMBER)] {
        assert_eq!(views.view(&view.property(name).nodes()).kinds, kinds);
        assert!(!view.describes(name));
    }
    // `items` evaluates all elements, so `unevaluatedItems` refuses none.
    let elements = view.elements();
    assert_eq!(elements.length.most, None);
    assert_eq!(views.view(elements.nodes_at(5)).kinds, Kinds::STRING);
}

#[test]
fn an_alternative_adds_the_properties_that_it_names() {
    let schema = json(
        r#"{"properties": {"id": {}}, "required": ["id"], "oneOf": [
            {"properties": {"email": {"type": "string"}}, "required": ["email"]},
            {"required": ["phone"], "additionalProperties": {"type": "string"}}]}"#,
    );
    let components = components(&[]);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = views.view_of_schema(&schema);
    let added: Vec<Vec<&str>> = view
        .alternatives()
        .map(|alternative| view.added_properties(alternative).into_keys().collect())
        .collect();
    // The second one says something of all properties.
    assert_eq!(added, [vec!["email"], vec!["id", "phone"]]);
    let possible: Vec<&str> = view.possible_properties().into_keys().collect();
    assert_eq!(possible, ["id", "email", "phone"]);
}
