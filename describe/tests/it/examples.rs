//! Examples that are made from schemas: each must satisfy its schema, as another validator reads it.

use docent_describe::json::Json;
use docent_describe::schema::{Examples, SchemaContext, SchemaViews};
use indexmap::IndexMap;
use serde_json::{Value, json};

/// Shared schemas, some of which lead to themselves.
fn shared() -> IndexMap<String, Json> {
    let schemas = json!({
        "Hash": {"type": "string", "pattern": "^0x[0-9a-f]{64}$"},
        "Tree": {
            "type": "object", "required": ["name", "children"],
            "properties": {
                "name": {"type": "string", "minLength": 3},
                "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}
            }
        },
        "List": {
            "type": "object", "required": ["head", "tail"],
            "properties": {
                "head": {"type": "integer"},
                "tail": {"anyOf": [{"$ref": "#/components/schemas/List"}, {"type": "null"}]}
            }
        },
        "Endless": {
            "type": "object", "required": ["next"],
            "properties": {"next": {"$ref": "#/components/schemas/Endless"}}
        },
        "Circle": {"$ref": "#/components/schemas/Circle"}
    });
    let mut shared = IndexMap::new();
    for (name, schema) in schemas.as_object().expect("an object") {
        shared.insert(name.clone(), Json::from(schema));
    }
    shared
}

/// Returns the schemas beside shared ones.
fn views(components: &IndexMap<String, Json>) -> SchemaViews<'_> {
    SchemaViews::new(SchemaContext::new(components, Some(&[])))
}

/// Returns an example of a schema, which an independent validator has found valid.
fn example(schema: &Value) -> Option<Value> {
    let shared = shared();
    let json = Json::from(schema);
    let views = views(&shared);
    let value = Examples::new(&shared).value_for(views.view_of_schema(&json), None)?;
    let value: Value = value.to_string().parse().expect("JSON");
    let mut components = serde_json::Map::new();
    for (name, schema) in &shared {
        let schema = schema.to_string().parse().expect("JSON");
        components.insert(name.clone(), schema);
    }
    let mut document = schema.clone();
    if let Value::Object(members) = &mut document {
        members.insert("components".into(), json!({"schemas": components}));
    }
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&document)
        .expect("a schema");
    let problem = validator.iter_errors(&value).next();
    assert!(problem.is_none(), "{schema}: {value}: {problem:?}");
    Some(value)
}

#[test]
fn a_made_example_satisfies_its_schema() {
    let schemas = [
        json!({"type": "string", "pattern": "^[a-z]{2,4}-\\d{3}$"}),
        json!({"type": "string", "pattern": "^[a-z]+$", "minLength": 12, "maxLength": 20}),
        json!({"type": "string", "pattern": "^(a|bc)(-(a|bc))*$", "minLength": 6}),
        json!({"type": "string", "pattern": "^[^a-z0]{3}$"}),
        json!({"type": "string", "minLength": 70, "maxLength": 70}),
        json!({"type": "string", "maxLength": 1}),
        json!({"type": "string", "format": "date-time"}),
        json!({"type": "string", "format": "uuid", "minLength": 36}),
        json!({"type": "string", "format": "no-such-format"}),
        json!({"type": "string", "contentEncoding": "base64", "minLength": 5, "maxLength": 8}),
        json!({"type": "string", "not": {"enum": ["text", "other"]}}),
        json!({"minLength": 5}),
        json!({"type": "integer", "exclusiveMinimum": 5, "exclusiveMaximum": 7}),
        json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
        json!({"type": "number", "exclusiveMinimum": 0.1, "maximum": 0.11}),
        json!({"type": "integer", "minimum": 10, "multipleOf": 7}),
        json!({"type": "number", "minimum": 1.1, "maximum": 1.4, "multipleOf": 0.25}),
        json!({"type": "integer", "minimum": 18_446_744_073_709_551_615_u64}),
        json!({"type": "integer", "minimum": -9_223_372_036_854_775_808_i64, "maximum": -7}),
        json!({"type": "number", "minimum": 1.0, "maximum": 1.5, "not": {"const": 1}}),
        json!({"multipleOf": 0.5, "minimum": 3.3}),
        json!({"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": true}),
        json!({"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 3, "uniqueItems": true}),
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "uniqueItems": true}),
        json!({"type": "array", "contains": {"type": "integer", "minimum": 9}, "minContains": 2}),
        json!({"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 50}}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}],
            "items": {"type": "boolean"}, "minItems": 4}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
        json!({"type": "array", "items": {"type": "array", "minItems": 2,
            "items": {"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}}}, "minItems": 1}),
        json!({"type": "object", "minProperties": 3}),
        json!({"type": "object", "minProperties": 2, "propertyNames": {"pattern": "^x-[a-z]+$"},
            "additionalProperties": {"type": "integer", "minimum": 4}}),
        json!({"type": "object", "patternProperties": {"^k[0-9]+$": {"type": "boolean"}},
            "additionalProperties": false, "minProperties": 1}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "dependentRequired": {"a": ["c"]}}),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}},
            "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"type": "integer"}}}}}),
        json!({"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["card"]}},
            "if": {"properties": {"kind": {"const": "card"}}},
            "then": {"required": ["number"], "properties": {"number": {"type": "string", "pattern": "^\\d{16}$"}}}}),
        json!({"type": "object", "properties": {"kind": {"enum": ["card", "cash"]}}, "required": ["kind"],
        "allOf": [
            {"if": {"properties": {"kind": {"const": "card"}}}, "then": {"required": ["number"]}},
            {"if": {"properties": {"kind": {"const": "cash"}}}, "then": {"required": ["till"]}}
        ]}),
        json!({"type": "object", "properties": {"a": {}, "b": {}}, "not": {"required": ["a"]}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        json!({"allOf": [
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
            {"properties": {"a": {"minLength": 9}, "b": {"type": "integer"}}, "required": ["b"]}
        ]}),
        json!({"allOf": [{"type": "string"}, {"minLength": 4}, {"pattern": "^q"}]}),
        json!({"oneOf": [{"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 5}]}),
        json!({"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Hash"}]}),
        json!({"$ref": "#/components/schemas/Hash", "description": "A hash."}),
        json!({"$ref": "#/components/schemas/Tree"}),
        json!({"$ref": "#/components/schemas/List"}),
        json!({"$ref": "#/components/schemas/Tree/properties/name"}),
        json!({"type": "array", "items": {"$ref": "#/components/schemas/Tree"}, "minItems": 2}),
        json!({"type": ["string", "null"], "maxLength": 3}),
        json!({"examples": ["too long", "ok"], "maxLength": 2}),
        json!({"default": 7, "type": "integer", "maximum": 5}),
        json!({"const": {"a": [1, 2]}}),
        json!({}),
        json!(true),
    ];
    for schema in schemas {
        assert!(example(&schema).is_some(), "{schema}");
    }
}

#[test]
fn a_deep_schema_has_an_example_too() {
    let mut schema = json!({"type": "string", "pattern": "^end$"});
    for _ in 0..60 {
        schema = json!({"type": "object", "required": ["in"], "properties": {"in": schema, "out": {"type": "integer"}}});
    }
    assert!(
        example(&schema)
            .expect("a value")
            .to_string()
            .contains("end")
    );
}

#[test]
fn where_nothing_fits_there_is_no_example() {
    for schema in [
        json!({"type": "string", "pattern": "a$b"}),
        // An undecided example is not shown.
        json!({"type": "string", "pattern": "^(?=.*[A-Z]).{8,}$"}),
        json!({"$ref": "https://example.org/elsewhere"}),
        json!({"$ref": "#/components/schemas/Missing"}),
        json!({"$ref": "#/components/schemas/Circle"}),
        json!({"$ref": "#/components/schemas/Endless"}),
        json!({"type": "string", "format": "date", "maxLength": 3}),
        json!({"type": "integer", "minimum": 2, "maximum": 1}),
        json!({"enum": ["a"], "type": "integer"}),
        json!({"type": "object", "required": ["x"], "additionalProperties": false}),
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": true}),
        json!(false),
    ] {
        assert_eq!(example(&schema), None, "{schema}");
    }
}

#[test]
fn the_values_that_authors_give_come_first_if_they_are_valid() {
    for (schema, value) in [
        (
            json!({"type": "string", "examples": ["Moby-Dick"]}),
            json!("Moby-Dick"),
        ),
        (
            json!({"type": "string", "maxLength": 4, "examples": ["Moby-Dick", "Emma"]}),
            json!("Emma"),
        ),
        (json!({"type": "integer", "default": 20}), json!(20)),
        (
            json!({"type": "object", "properties": {"a": {"examples": ["given"]}, "b": {"const": 2}}}),
            json!({"a": "given", "b": 2}),
        ),
        (
            json!({"type": "object", "additionalProperties": {"const": 1}}),
            json!({"key": 1}),
        ),
        (json!({"type": "array", "items": {"const": 1}}), json!([1])),
        (
            json!({"type": "integer", "minimum": 0, "maximum": 255}),
            json!(1),
        ),
    ] {
        assert_eq!(example(&schema), Some(value), "{schema}");
    }
}

#[test]
fn a_text_is_what_the_name_suggests_if_that_fits() {
    let person = json!({"type": "object", "required": ["phone", "userName", "limit", "id", "day", "about_at"], "properties": {
        "contact_emails": {"type": "array", "items": {"type": "string"}},
        "homepageURL": {"type": "string"},
        "phone": {"type": "string", "maxLength": 5},
        "userName": {"type": "string", "pattern": "^[a-z]{3}$"},
        "limit": {"type": "integer"},
        "id": {"type": "string", "format": "uuid"},
        "day": {"enum": ["Monday"]},
        "about_at": {"type": "string", "contentEncoding": "base64"},
        "flat": {"type": "string"}
    }});
    let expected = json!({
        "contact_emails": ["ada@example.com"], "homepageURL": "https://example.com/", "phone": "text",
        "userName": "aaa", "limit": 1, "id": "41544946-415a-495a-9645-454441534646", "day": "Monday", "about_at": "AAEC/w==", "flat": "text",
    });
    assert_eq!(example(&person), Some(expected));
}

#[test]
fn a_schema_made_to_take_for_ever_does_not() {
    let fan = |name: &str| json!({"oneOf": vec![json!({"$ref": format!("#/components/schemas/{name}")}); 30]});
    let mut shared: IndexMap<String, Json> = (0..30)
        .map(|at| (format!("T{at}"), Json::from(&fan(&format!("T{}", at + 1)))))
        .collect();
    let wide: Vec<Value> = (0..20_000).map(|at| json!({"const": at})).collect();
    shared.insert(
        "Wide".to_owned(),
        Json::from(&json!({"oneOf": wide, "minimum": 19_999})),
    );
    let started = std::time::Instant::now();
    let examples = Examples::new(&shared);
    let at = |name: &str| Json::from(&json!({"$ref": format!("#/components/schemas/{name}")}));
    let fan = at("T0");
    let wide = at("Wide");
    let repeated = json!({"type": "string", "pattern": "^((((a{9}){9}){9}){9}){9}$"});
    let repeated = Json::from(&repeated);
    let all: Vec<Value> = (0..12)
        .map(|_| json!({"oneOf": [{"minLength": 1}, {"maxLength": 9}, {"pattern": "x"}]}))
        .collect();
    let all = Json::from(&json!({"allOf": all, "not": {"type": "string"}}));
    let views = views(&shared);
    assert_eq!(examples.value_for(views.view_of_schema(&fan), None), None);
    let _ = examples.value_for(views.view_of_schema(&wide), None);
    assert_eq!(
        examples.value_for(views.view_of_schema(&repeated), None),
        None
    );
    let _ = examples.value_for(views.view_of_schema(&all), None);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn an_example_of_very_many_layers_takes_no_more_than_it_may() {
    let mut components = IndexMap::new();
    for number in 0..200 {
        let schema = json!({"allOf": [
            {"$ref": format!("#/components/schemas/T{}", number + 1)},
            {"type": "object", "properties": {format!("m{number}"): {"type": "integer"}}}
        ]});
        components.insert(format!("T{number}"), Json::from(schema));
    }
    let last = json!({"type": "object"});
    components.insert("T200".to_owned(), Json::from(last));
    let views = views(&components);
    let made = |name: &str, most: usize| {
        let examples = Examples::new(&components).at_most(most);
        let (_, node) = views.tree.shared(name).expect("a component");
        let is_made = examples.value_for(views.view(&[node]), None).is_some();
        (is_made, examples.visited())
    };
    // Each layer looks at all members, which costs more than the layers and the members together.
    let (is_made, visited) = made("T0", 50_000);
    assert!(is_made && visited > 4_000, "{visited}");
    let (is_made, visited) = made("T0", 1_000);
    assert!(!is_made && visited < 20_000, "{visited}");
    let (is_made, visited) = made("T190", 1_000);
    assert!(is_made && visited < 1_000, "{visited}");
}
