//! The page of a type tells what its schema accepts, in phrases.

use serde_json::json;

use crate::pages::text;
use crate::truth::site_of;

/// Schemas, each with phrases that its page has and phrases that it does not have.
const TOLD: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "AnyOf",
        r#"{"anyOf": [{"type": "object", "properties": {"a": {"const": 1}}},
            {"type": "object", "properties": {"a": {"const": 2}}}]}"#,
        &["At least one of these. The value of “a” usually tells which."],
        &["Exactly one"],
    ),
    (
        "LeftOver",
        r#"{"type": "array", "anyOf": [{"prefixItems": [true]}, {"prefixItems": [true, true]}], "unevaluatedItems": false}"#,
        &["array, `unevaluatedItems: false`."],
        &[],
    ),
    (
        "Formats",
        r#"{"type": "string", "allOf": [{"format": "date"}, {"format": "x-leap"}, {"format": "date"}]}"#,
        &["string (date), format `x-leap`."],
        &[],
    ),
    (
        "Encoded",
        r#"{"type": "string", "contentEncoding": "base64", "format": "x-key"}"#,
        &["string (bytes as base64), format `x-key`."],
        &[],
    ),
    ("Free", "{}", &[], &[]),
    (
        "FreeOrText",
        r##"{"oneOf": [{"$ref": "#/components/schemas/Free"}, {"type": "string"}]}"##,
        &["[Free](../types/Free.md) and boolean or"],
        &[],
    ),
    (
        "TagOutside",
        r#"{"type": "object", "required": ["is"], "oneOf": [{"properties": {"is": {"const": "a"}}},
            {"properties": {"is": {"const": "b"}}}]}"#,
        &["The value of “is” tells which."],
        &["usually"],
    ),
    (
        "ByKind",
        r#"{"anyOf": [{"type": "array"}, {"type": "object", "properties": {"a": {}}}]}"#,
        &["Exactly one of these. The JSON type of the value tells which."],
        &["At least one"],
    ),
    (
        "NoInteger",
        r#"{"anyOf": [{"type": "integer", "minimum": 3, "maximum": 2}, {"type": "string"}]}"#,
        &["# NoInteger\n\nstring\n"],
        &["At least one"],
    ),
    (
        "Byte",
        r#"{"type": "integer", "exclusiveMinimum": -1, "exclusiveMaximum": 256}"#,
        &["integer, 8 bits"],
        &[],
    ),
    (
        "ExactPair",
        r#"{"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2}"#,
        &[r"\[number, number\], exactly 2 elements"],
        &["at least 2"],
    ),
    (
        "Boxes",
        r##"{"type": "array", "items": {"$ref": "#/components/schemas/Box"}}"##,
        &[
            "\n- each element: [Box]",
            "\n  - each value: [Base]",
            "\n    - `id`: string",
        ],
        &[],
    ),
    (
        "Box",
        r##"{"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Base"}}"##,
        &["map of string to [Base]"],
        &[],
    ),
    (
        "ClosedIf",
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false,
            "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {"type": "string"}}},
            "else": {"required": ["c"]}}"#,
        &[
            "`b`: string, never accepted",
            "`c`: any value, required, never accepted",
        ],
        &[],
    ),
    (
        "ClosedWith",
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false,
            "dependentSchemas": {"a": {"properties": {"b": {"type": "string"}}}}}"#,
        &["`b`: string, never accepted"],
        &[],
    ),
    (
        "OpenToThen",
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "unevaluatedProperties": false,
            "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {"type": "string"}}}}"#,
        &["`b`: string."],
        &["never accepted"],
    ),
    (
        "Vehicle",
        r##"{"type": "object", "required": ["wheels"], "properties": {"wheels": {"type": "string"}},
            "discriminator": {"propertyName": "wheels", "mapping": {"2": "#/components/schemas/Bike"}},
            "oneOf": [{"$ref": "#/components/schemas/Bike"}, {"$ref": "#/components/schemas/Truck"}]}"##,
        &[
            "\nobject\n",
            "And exactly one of 2. The value of “wheels” usually tells which.",
            "`wheels`: string, required.",
            "`gears`: integer.",
            "`load`: number.",
        ],
        &["nothing"],
    ),
    (
        "Bike",
        r##"{"allOf": [{"$ref": "#/components/schemas/Vehicle"}, {"properties": {"gears": {"type": "integer"}}}]}"##,
        &["`wheels`: string, required", "`gears`: integer."],
        &["nothing", "`load`"],
    ),
    (
        "Truck",
        r##"{"$ref": "#/components/schemas/Vehicle", "properties": {"load": {"type": "number"}}}"##,
        &["`wheels`: string, required", "`load`: number."],
        &["nothing", "`gears`"],
    ),
    (
        "Required",
        r##"{"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["id"]}]}"##,
        &["`id`: string, required, from [Base]"],
        &[],
    ),
    (
        "Repeated",
        r#"{"allOf": [{"properties": {"a": {"type": "string", "minLength": 3}}},
            {"properties": {"a": {"maxLength": 7}}, "required": ["a"]}]}"#,
        &["`a`: string, required, 3 to 7 characters."],
        &["`a`: string, at least"],
    ),
    (
        "Nowhere",
        r#"{"type": "object", "required": ["ghost"]}"#,
        &["`ghost`: any value, required."],
        &[],
    ),
    (
        "RequiredOfAny",
        r#"{"required": ["ghost"]}"#,
        &[
            "# RequiredOfAny\n\nany value\n",
            "`ghost`: any value, required.",
        ],
        &["object or any"],
    ),
    (
        "ByAbsence",
        r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
        &["- { `a`: string, … }.", "- { `b`: integer, … }."],
        &[],
    ),
    (
        "Discriminated",
        r##"{"oneOf": [{"$ref": "#/components/schemas/Base"}, {"$ref": "#/components/schemas/Other"}],
            "discriminator": {"propertyName": "kind",
                "mapping": {"basic": "#/components/schemas/Base"}}}"##,
        &["`kind: \"basic\"`", "`kind: \"Other\"`"],
        &[],
    ),
    (
        "Elements",
        r##"{"type": "array", "items": {"$ref": "#/components/schemas/Code"}}"##,
        &["each element: [Code](../types/Code.md), matches the pattern `^[A-Z]+$`."],
        &[],
    ),
    (
        "When",
        r#"{"type": "object", "not": {"required": ["x"]}, "propertyNames": {"maxLength": 5},
            "if": {"minProperties": 1}, "then": {"maxProperties": 2}}"#,
        &[
            "object, without x.",
            "each key: string, at most 5 characters.",
            "if the value fits: object, at least 1 member.",
            "then also: object, at most 2 members.",
        ],
        &["`not:"],
    ),
    (
        "OpenPlaces",
        r#"{"type": "array", "minItems": 1, "prefixItems": [{"type": "string"}, {"type": "integer"}]}"#,
        &[
            r"\[string, integer, …\]",
            "`[0]`: string, required.",
            "`[1]`: integer.",
            "the rest: any value.",
        ],
        &["`[1]`: integer, required"],
    ),
    (
        "FullPlaces",
        r#"{"type": "array", "prefixItems": [{"type": "string"}], "items": false}"#,
        &[r"\[string\]"],
        &["the rest"],
    ),
    (
        "Bounded",
        r#"{"type": "array", "maxItems": 1, "prefixItems": [{"type": "string"}]}"#,
        &[r"\[string\]"],
        &["the rest"],
    ),
    (
        "Empty",
        r#"{"type": "array", "items": false}"#,
        &["array, at most 0 elements."],
        &[],
    ),
    (
        "ClosedBeside",
        r#"{"allOf": [{"properties": {"a": {}, "x1": {}}},
            {"properties": {"b": {}}, "patternProperties": {"^x": {}}, "additionalProperties": false}]}"#,
        &[
            "`a`: any value, never accepted",
            "`b`: any value.",
            "`x1`: any value.",
        ],
        &["`x1`: any value, never"],
    ),
    (
        "OthersBeside",
        r#"{"allOf": [{"properties": {"a": {"type": "string"}}},
            {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}]}"#,
        &["`a`: string, at most 3 characters."],
        &[],
    ),
    (
        "NullsInside",
        r#"{"type": "array", "items": {"type": ["string", "null"]}}"#,
        &["array of (string or null)"],
        &[],
    ),
    (
        "NullsOutside",
        r#"{"type": ["object", "null"], "additionalProperties": {"type": "string"}}"#,
        &["map of string to string or null"],
        &[],
    ),
    (
        "Extended",
        r##"{"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"a": {}}}]}}"##,
        &["array of ([Base](../types/Base.md) and object)"],
        &[],
    ),
    (
        "Maybe",
        r#"{"type": ["string", "null"]}"#,
        &["string or null"],
        &[],
    ),
    (
        "Surely",
        r##"{"$ref": "#/components/schemas/Maybe", "type": "string"}"##,
        &["[Maybe](../types/Maybe.md) and string"],
        &[],
    ),
    (
        "FiveBases",
        r##"{"allOf": [{"$ref": "#/components/schemas/Base"}, {"$ref": "#/components/schemas/Other"},
            {"$ref": "#/components/schemas/Required"}, {"$ref": "#/components/schemas/Repeated"},
            {"$ref": "#/components/schemas/Nowhere"}]}"##,
        &[" and [Repeated](../types/Repeated.md) and …"],
        &[],
    ),
    (
        "FivePlaces",
        r#"{"type": "array", "prefixItems": [true, true, true, true, {"type": "string"}], "items": false}"#,
        &["at most 5 elements"],
        &[],
    ),
    (
        "ClosedOverPlaces",
        r##"{"type": "array", "items": {"$ref": "#/components/schemas/OpenPlaces", "unevaluatedItems": false}}"##,
        &["each element: [OpenPlaces](../types/OpenPlaces.md), 1 to 2 elements."],
        &[],
    ),
    (
        "Untyped",
        r#"{"properties": {"a": {"type": "string"}}, "items": {"type": "integer"}}"#,
        &["each element: integer."],
        &[],
    ),
    (
        "NamesInMap",
        r#"{"type": "object", "additionalProperties": {"type": "object", "propertyNames": {"maxLength": 3}}}"#,
        &["- each value: object.\n  - each key: string, at most 3 characters."],
        &[],
    ),
    (
        "RulesInArray",
        r#"{"type": "array", "items": {"type": "string", "not": {"maxLength": 3}}}"#,
        &["- each element: string.\n  - not: string, at most 3 characters."],
        &[],
    ),
    (
        "Contains",
        r#"{"type": "array", "contains": {"type": "integer"}}"#,
        &["at least 1 of the elements: integer."],
        &["`contains"],
    ),
    (
        "ContainsSome",
        r#"{"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 4}"#,
        &["2 to 4 of the elements: integer."],
        &["Contains`"],
    ),
    (
        "Without",
        r#"{"type": "object", "properties": {"a": {}}, "not": {"required": ["b"]}}"#,
        &["object, without b."],
        &["not:"],
    ),
    (
        "WithoutOne",
        r#"{"oneOf": [{"title": "By hash", "type": "object", "properties": {"hash": {}}, "required": ["hash"]},
            {"title": "By range", "type": "object", "properties": {"from": {}}, "not": {"required": ["hash"]}}]}"#,
        &[
            "The member that is present tells which.",
            "By range: object, without hash.\n",
        ],
        &["not:", "without hash, without hash"],
    ),
    (
        "NotBoth",
        r#"{"type": "object", "properties": {"a": {}, "b": {}}, "not": {"required": ["a", "b"]}}"#,
        &["object, not both a and b."],
        &["not:"],
    ),
    (
        "NotAll",
        r#"{"type": "object", "not": {"required": ["a", "b", "c"]}}"#,
        &["object, not all of a, b, c."],
        &["not:"],
    ),
    (
        "AbsentWithAnother",
        r#"{"type": "object", "dependentSchemas": {"a": {"properties": {"b": false}}, "c": false, "d": {"required": ["a"]}}}"#,
        &["object, not both a and b, without c, if d is present, also a."],
        &["nothing", "is present:"],
    ),
    (
        "TypesOutside",
        r#"{"type": "object", "properties": {"kind": {"type": "string"}, "size": {"type": ["integer", "null"]}, "in": {"type": "object", "properties": {"n": {"type": "integer"}}}},
            "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            "then": {"required": ["size", "more"], "properties": {"size": {"minimum": 3}, "in": {"properties": {"n": {"minimum": 1}}}}},
            "else": {"required": ["kind"]}}"#,
        &[
            "`size`: integer or null, required, at least 3.",
            "    - `n`: integer, at least 1.",
            "`more`: any value, required.",
            "otherwise also: object.\n  - `kind`: string, required.",
        ],
        &[],
    ),
    (
        "WhenPresent",
        r#"{"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}"#,
        &[
            "if a is present: object.\n  - `b`: any value, required.",
            "otherwise also: object.\n  - `c`",
        ],
        &["if the value fits"],
    ),
];

#[test]
fn a_long_union_has_a_list_of_its_alternatives_above() {
    let alternatives = |count: usize| {
        let mut alternatives = Vec::new();
        for at in 0..count {
            alternatives.push(json!({"title": format!("Form {at}"), "type": "object", "properties": {"k": {"const": at}}, "required": ["k"]}));
        }
        json!({"oneOf": alternatives}).to_string()
    };
    let schemas = format!(
        r#"{{"Long": {}, "Short": {}, "Holder": {{"properties": {{"of": {}}}}}}}"#,
        alternatives(5),
        alternatives(4),
        alternatives(6)
    );
    let site = site_of("", &schemas);
    let long = text(&site, "types/Long.html");
    assert!(
        long.contains("<li dir=\"auto\"><a href=\"#field.Form-4\">Form 4</a></li>"),
        "{long}"
    );
    let holder = text(&site, "types/Holder.html");
    assert_eq!(
        holder
            .matches("<li dir=\"auto\"><a href=\"#field.of.")
            .count(),
        6,
        "{holder}"
    );
    assert!(!text(&site, "types/Short.html").contains("<li dir=\"auto\"><a href=\"#field"));
}

/// Types with small parts, to be written as few lines.
const SMALL: &str = r##"{
    "Number": {"type": "integer", "minimum": 1},
    "Who": {"oneOf": [
        {"description": "One who is known.", "type": "object", "properties": {"known": {"$ref": "#/components/schemas/Number"}}, "required": ["known"], "additionalProperties": false},
        {"description": "One who is new.", "type": "object", "properties": {"new": {"type": "object", "properties": {"name": {"type": "string"}}}}, "required": ["new"]}
    ]},
    "Shape": {"type": "object", "properties": {"id": {"type": "integer"}, "who": {"type": "array", "items": {"$ref": "#/components/schemas/Who"}}},
        "oneOf": [
            {"properties": {"r": {"type": "number"}}, "required": ["r"]},
            {"properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a"]}
        ]}
}"##;

#[test]
fn an_alternative_with_one_member_is_one_line() {
    let page = text(&site_of("", SMALL), "types/Who.md");
    let lines = "\
- { `known`: [Number](../types/Number.md) }, at least 1. One who is known.
- { `new`: object, … }. One who is new.
  - `name`: string.
";
    assert!(page.contains(lines), "{page}");
}

#[test]
fn the_rule_about_alternatives_stands_between_common_members_and_them() {
    let page = text(&site_of("", SMALL), "types/Shape.md");
    let lines = "
- And exactly one of 2. The member that is present usually tells which.
- { `r`: number, … }.
- with a: object.
  - `a`: number, required.
  - `b`: number.
";
    assert!(page.contains(lines), "{page}");
    let page = text(&site_of("", SMALL), "types/Shape.html");
    let members = page.find("id=\"field.who\"").expect("a member");
    let rule = page.find("And exactly one of 2.").expect("a rule");
    let alternative = page.find("id=\"field.r\"").expect("an alternative");
    assert!(members < rule && rule < alternative, "{page}");
}

#[test]
fn small_alternatives_and_each_element_need_no_fold() {
    let page = text(&site_of("", SMALL), "types/Shape.html");
    let folds = page.matches("<details").count();
    // The fields of `new` and of the second alternative, and the schema.
    assert_eq!(folds, 3, "{page}");
    assert_eq!(page.matches("each element").count(), 1, "{page}");
}

#[test]
fn a_page_accepts_what_its_schema_accepts() {
    let mut schemas = vec![
        r#""Base": {"type": "object", "properties": {"id": {"type": "string"}}}"#.to_owned(),
        r#""Other": {"type": "object"}, "Code": {"type": "string", "pattern": "^[A-Z]+$"}"#
            .to_owned(),
    ];
    let told = TOLD.iter();
    schemas.extend(told.map(|(name, schema, ..)| format!("\"{name}\": {schema}")));
    let site = site_of("", &format!("{{{}}}", schemas.join(", ")));
    for (name, _, told, untold) in TOLD {
        let markdown = text(&site, &format!("types/{name}.md"));
        let page = &markdown[..markdown.find("## Used by").expect("a section")];
        for phrase in *told {
            assert!(page.contains(phrase), "{name}: {phrase}\n{page}");
        }
        for phrase in *untold {
            assert!(!page.contains(phrase), "{name}: {phrase}\n{page}");
        }
    }
}
