//! Clients that are written from a description.

/// The types of [`ZOO`] in Rust, as they are written.
#[rustfmt::skip]
#[expect(dead_code, unreachable_pub, reason = "it is written for a crate of its own")]
mod zoo;

/// The types of [`AWKWARD`] in Rust, as they are written.
#[rustfmt::skip]
#[expect(
    dead_code,
    unreachable_pub,
    unused_qualifications,
    clippy::enum_variant_names,
    clippy::match_bool,
    reason = "it is written for a crate of its own"
)]
mod awkward;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use docent_describe::ServiceDescription;
use docent_tools::client::{Files, Integers, PackageName, python};
use docent_tools::read::read;

/// A service whose animals extend a type with their tag. One has it beside its alternatives.
const ZOO: &[u8] = br##"{"openrpc": "1.3.2", "info": {"title": "Zoo", "version": "1.0"}, "methods": [
    {"name": "get", "params": [], "result": {"name": "pet", "schema": {"$ref": "#/components/schemas/Pet"}}},
    {"name": "find", "params": [], "result": {"name": "fish", "schema": {"$ref": "#/components/schemas/Fish"}}}],
    "components": {"schemas": {
    "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]},
    "Base": {"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string", "description": "The kind of animal."},
        "keeper": {"type": "object", "properties": {"name": {"type": "string"}}}}},
    "Cat": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": {
        "kind": {"const": "cat"}, "lives": {"type": "integer"}}}]},
    "Dog": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": {
        "kind": {"enum": ["dog", "wolf"]}, "bark": {"type": "boolean"},
        "keeper": {"type": "object", "properties": {"whistle": {"type": "boolean"}}}}}]},
    "Fish": {"type": "object", "required": ["water"], "properties": {"water": {"enum": ["salt", "fresh", "any"]}},
        "oneOf": [{"title": "Sea", "properties": {"water": {"const": "salt"}, "depth": {"type": "integer"}}},
            {"title": "Pond", "properties": {"water": {"enum": ["fresh", "none"]}, "area": {"type": "integer"}}}]}}}}"##;

/// A description of types whose schemas are awkward to read.
const AWKWARD: &[u8] = include_bytes!("client/awkward.json");

fn typescript(service: &ServiceDescription, package: Option<&PackageName>) -> Files {
    docent_tools::client::typescript(service, package, Integers::default())
}

fn rust(service: &ServiceDescription, package: Option<&PackageName>) -> Files {
    docent_tools::client::rust(service, package, Integers::default())
}

fn zoo(write: fn(&ServiceDescription) -> Files, name: &str) -> String {
    file(ZOO, write, name)
}

fn file(document: &[u8], write: fn(&ServiceDescription) -> Files, name: &str) -> String {
    let description = read(document).unwrap().description;
    for (path, text) in write(&description) {
        if path.ends_with(name) {
            return text;
        }
    }
    panic!("there is no file {name}")
}

#[test]
fn the_variant_that_rust_decodes_is_the_one_with_the_tag() {
    let written = zoo(|service| rust(service, None), "types.rs");
    assert_eq!(
        written,
        include_str!("client/zoo.rs"),
        "tools/tests/it/client/zoo.rs is out of date"
    );
    let decoded = |text: &str| serde_json::from_str::<zoo::Pet>(text);
    let dog = r#"{"kind":"dog","keeper":{"name":"Ann","whistle":true},"bark":true}"#;
    let Ok(zoo::Pet::Dog(found)) = decoded(dog) else {
        panic!("{:?}", decoded(dog));
    };
    assert_eq!((found.kind, found.bark), (zoo::DogKind::Dog, Some(true)));
    assert_eq!(serde_json::to_string(&found).unwrap(), dog);
    let cat = decoded(r#"{"kind":"cat","lives":9}"#);
    assert!(matches!(cat, Ok(zoo::Pet::Cat(cat)) if cat.lives == Some(9)));
    assert!(decoded(r#"{"kind":"fish"}"#).is_err());
    let pond = serde_json::from_str(r#"{"water":"fresh","area":12}"#);
    assert!(matches!(pond, Ok(zoo::Fish::FishPond(pond)) if pond.area == Some(12)));
}

#[test]
fn typescript_and_python_tell_alternatives_apart_by_a_tag_of_their_base() {
    let types = zoo(|service| typescript(service, None), "index.ts");
    assert!(types.contains("export type CatKind = \"cat\";"), "{types}");
    assert!(
        types.contains("/** The kind of animal. */\n  kind: CatKind;"),
        "{types}"
    );
    assert!(
        types.contains("export type DogKind = \"dog\" | \"wolf\";"),
        "{types}"
    );
    let models = zoo(|service| python(service, None), "models.py");
    assert!(
        models.contains("CatKind: typing.TypeAlias = typing.Literal[\"cat\"]"),
        "{models}"
    );
    assert!(models.contains("    kind: CatKind\n"), "{models}");
    // Only what all lists share is left.
    assert!(
        types.contains("export type FishPondWater = \"fresh\";"),
        "{types}"
    );
}

/// Decodes a value of a type of [`AWKWARD`], and checks that nothing is lost, and as which variant it is shown.
fn assert_kept<T: DeserializeOwned + Serialize + Debug>(name: &str, value: &str, variant: &str) {
    let decoded: T = serde_json::from_str(value).unwrap();
    let shown = format!("{decoded:?}");
    assert!(shown.starts_with(variant), "{name}: {value}: {shown}");
    let value: Value = serde_json::from_str(value).unwrap();
    assert_eq!(serde_json::to_value(&decoded).unwrap(), value);
    let mut schema: Value = serde_json::from_slice(AWKWARD).unwrap();
    schema["$ref"] = format!("#/components/schemas/{name}").into();
    assert!(jsonschema::is_valid(&schema, &value), "{name}: {value}");
}

#[test]
fn integers_beyond_doubles_are_what_was_asked_for_in_typescript_and_others_are_numbers() {
    let document = br##"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [
        {"name": "get", "params": [], "result": {"name": "r", "schema": {"$ref": "#/components/schemas/All"}}}],
        "components": {"schemas": {
        "Safe": {"type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991},
        "Above": {"type": "integer", "maximum": 9007199254740992},
        "Below": {"type": "integer", "minimum": -9007199254740992},
        "Open": {"type": "integer", "minimum": 0},
        "All": {"type": "array", "items": {"$ref": "#/components/schemas/Above"}}}}}"##;
    let description = read(document).unwrap().description;
    for (integers, large, open, has_shapes) in [
        (Integers::Published, "bigint", "number", true),
        (Integers::Bigint, "bigint", "bigint", true),
        (Integers::Number, "number", "number", false),
    ] {
        let files = docent_tools::client::typescript(&description, None, integers);
        let (_, types) = files.iter().find(|(path, _)| *path == "index.ts").unwrap();
        for (name, of) in [
            ("Safe", "number"),
            ("Open", open),
            ("Above", large),
            ("Below", large),
        ] {
            let written = format!("export type {name} = {of};");
            assert!(types.contains(&written), "{written}: {types}");
        }
        assert_eq!(types.contains("export const shapes"), has_shapes);
    }
}

#[test]
fn an_integer_has_one_type_whether_its_bounds_or_its_format_say_how_wide_it_is() {
    for (format, least, greatest, in_typescript, in_rust) in [
        ("int8", "-128", "127", "number", "i32"),
        ("int32", "-2147483648", "2147483647", "number", "i32"),
        (
            "int64",
            "-9223372036854775808",
            "9223372036854775807",
            "bigint",
            "i64",
        ),
        ("uint8", "0", "255", "number", "u8"),
        ("uint32", "0", "4294967295", "number", "u32"),
        ("uint64", "0", "18446744073709551615", "bigint", "u64"),
        (
            "uint128",
            "0",
            "340282366920938463463374607431768211455",
            "bigint",
            "u128",
        ),
    ] {
        for said in [
            format!(r#""format": "{format}""#),
            format!(r#""minimum": {least}, "maximum": {greatest}"#),
        ] {
            let document = format!(
                r#"{{"openrpc": "1.3.2", "info": {{"title": "T", "version": "1"}}, "methods": [],
                    "components": {{"schemas": {{"Wide": {{"type": "integer", {said}}}}}}}}}"#
            );
            for (text, expected) in [
                (
                    file(
                        document.as_bytes(),
                        |service| typescript(service, None),
                        "index.ts",
                    ),
                    format!("export type Wide = {in_typescript};"),
                ),
                (
                    file(
                        document.as_bytes(),
                        |service| rust(service, None),
                        "types.rs",
                    ),
                    format!("pub type Wide = {in_rust};"),
                ),
            ] {
                assert!(text.contains(&expected), "{said}: {text}");
            }
        }
    }
}

#[test]
fn integers_without_bounds_are_as_wide_in_rust_as_was_asked_for_where_serde_can_keep_them() {
    let document = br##"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [
        {"name": "total", "params": [], "result": {"name": "r", "schema": {"type": "integer"}}}],
        "components": {"schemas": {
        "Free": {"type": "object", "required": ["count", "all"], "properties": {
            "count": {"type": "integer", "minimum": 0}, "all": {"type": "array", "items": {"type": "integer"}},
            "small": {"type": "integer", "minimum": -5, "maximum": 5}}},
        "Inside": {"type": "object", "properties": {"size": {"type": "integer"}}},
        "Huge": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 0, "maximum": 1e30}}},
        "Either": {"oneOf": [{"$ref": "#/components/schemas/Inside"}, {"type": "integer"},
            {"type": "array", "items": {"$ref": "#/components/schemas/Huge"}}]}}}}"##;
    let description = read(document).unwrap().description;
    for (integers, expected) in [
        (
            Integers::Published,
            ["count: u64", "all: Vec<i64>", "ResponseFuture<i64"],
        ),
        (
            Integers::I128,
            ["count: u128", "all: Vec<i128>", "ResponseFuture<i128"],
        ),
    ] {
        let files = docent_tools::client::rust(&description, None, integers);
        let written: String = files.into_iter().map(|(_, text)| text).collect();
        for part in expected {
            assert!(written.contains(part), "{part}: {written}");
        }
        // These are the same whatever was asked for: serde keeps the values of unions in 64 bits.
        for part in [
            "small: Option<i32>",
            "size: Option<i64>",
            "Integer(i64)",
            "size: Option<u64>",
        ] {
            assert!(written.contains(part), "{part}: {written}");
        }
    }
}

/// Asserts that of each pair of parts the first comes before the second.
fn assert_order(written: &str, pairs: &[[&str; 2]]) {
    for [first, second] in pairs {
        let places = [first, second].map(|part| written.find(part));
        assert!(
            places[0].is_some() && places[0] < places[1],
            "{first} {second} {places:?}: {written}"
        );
    }
}

#[test]
fn a_variant_with_listed_texts_is_tried_before_one_with_any_text() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "Word": {"anyOf": [{"type": "string", "title": "Any word"}, {"title": "Known", "enum": ["a", "b"]}]},
        "Words": {"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"enum": ["a", "b"]}}]},
        "Event": {"oneOf": [
            {"title": "Other", "type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
            {"title": "Start", "type": "object", "required": ["kind"], "properties": {"kind": {"const": "start"}}}]}}}}"#;
    let types = file(document, |service| rust(service, None), "types.rs");
    assert_order(
        &types,
        &[
            ["WordKnown(", "Text("],
            ["List(Vec<Words2Item>)", "List2(Vec<String>)"],
            ["EventStart(EventStart)", "EventOther(EventOther)"],
        ],
    );
}

#[test]
fn a_variant_with_listed_values_of_several_kinds_is_tried_after_those_that_tell_kinds_apart() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "Answer": {"anyOf": [{"title": "Known", "enum": [true, 3]}, {"type": "integer"}, {"type": "string"}]},
        "Answers": {"anyOf": [{"type": "array", "items": {"enum": [true, 3]}}, {"type": "array", "items": {"type": "integer"}}]}}}}"#;
    let types = file(document, |service| rust(service, None), "types.rs");
    assert_order(
        &types,
        &[
            ["Integer(i64)", "AnswerKnown("],
            ["Text(String)", "AnswerKnown("],
            ["List(Vec<i64>)", "List2(Vec<"],
        ],
    );
}

#[test]
fn only_the_words_of_its_own_language_change_the_name_of_a_type() {
    let schemas = [
        "Vec", "None", "Record", "Client", "Map", "Address", "Self", "Result",
    ];
    let schemas: Vec<String> = schemas
        .iter()
        .map(|name| format!(r#""{name}": {{"type": "object", "properties": {{"a": {{}}}}}}"#))
        .collect();
    let document = format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "T", "version": "1"}}, "methods": [],
            "components": {{"schemas": {{{}}}}}}}"#,
        schemas.join(", ")
    );
    let renamed = |text: &str, before: &str| -> Vec<String> {
        text.lines()
            .filter_map(|line| line.strip_prefix(before)?.split_once('2'))
            .map(|(name, _)| name.to_owned())
            .collect()
    };
    let document = document.as_bytes();
    let types = file(document, |service| typescript(service, None), "index.ts");
    assert_eq!(renamed(&types, "export interface "), ["Record", "Client"]);
    let models = file(document, |service| python(service, None), "models.py");
    assert_eq!(renamed(&models, "class "), ["None"]);
    let types = file(document, |service| rust(service, None), "types.rs");
    assert_eq!(
        renamed(&types, "pub struct "),
        ["Vec", "None", "Self", "Result"]
    );
}

#[test]
fn an_api_key_that_the_description_names_is_an_option_of_the_client() {
    for (schemes, field) in [
        ("", None),
        (
            r#""key": {"type": "apiKey", "in": "header", "name": "X-Key"}"#,
            Some("X-Key"),
        ),
        (
            r#""key": {"type": "apiKey", "in": "query", "name": "key"}, "token": {"type": "http", "scheme": "bearer"}"#,
            None,
        ),
        // Users send each as a header field.
        (
            r#""a": {"type": "apiKey", "in": "header", "name": "X-A"}, "b": {"type": "apiKey", "in": "header", "name": "X-B"}"#,
            None,
        ),
    ] {
        let document = format!(
            r#"{{"sdversion": "2.0", "name": "vault", "id": "urn:x:vault", "securitySchemes": {{{schemes}}},
                "procs": [{{"name": "open", "params": [], "return": {{"type": "nil"}}}}]}}"#
        );
        let client = file(
            document.as_bytes(),
            |service| python(service, None),
            "client.py",
        );
        let in_python = field.map(|field| format!("_API_KEY_FIELD = \"{field}\""));
        let code = file(
            document.as_bytes(),
            |service| typescript(service, None),
            "index.ts",
        );
        let in_typescript = field.map(|field| format!(", \"{field}\");"));
        if let (Some(in_python), Some(in_typescript)) = (in_python, in_typescript) {
            assert!(client.contains(&in_python), "{client}");
            assert!(code.contains(&in_typescript), "{code}");
            assert!(code.contains("options: ClientOptions & { apiKey?: ClientCredential } = {}"));
        } else {
            assert!(!client.contains("_API_KEY_FIELD"), "{client}");
            assert!(code.contains("options: ClientOptions = {}"), "{code}");
        }
    }
}

#[test]
fn a_client_in_typescript_is_one_file_that_imports_nothing() {
    for document in [ZOO, AWKWARD, PATCH] {
        let files = typescript(&read(document).unwrap().description, None);
        let [(path, text)] = &files[..] else {
            panic!("{files:#?}");
        };
        assert_eq!(*path, "index.ts");
        assert!(
            !text.contains("import ") && !text.contains("from \"."),
            "{text}"
        );
    }
}

/// A procedure that changes what it is given: by name, by position, and as members of an object.
const PATCH: &[u8] = br#"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [
    {"name": "patch", "params": [
        {"name": "id", "required": true, "schema": {"type": "integer"}},
        {"name": "note", "schema": {"type": ["string", "null"]}},
        {"name": "limit", "schema": {"type": "integer"}},
        {"name": "any", "schema": {}},
        {"name": "change", "schema": {"type": "object", "title": "Change", "properties": {
            "note": {"type": ["string", "null"], "default": null}, "limit": {"type": "integer"}}}}],
        "result": {"name": "r", "schema": {"type": "null"}}},
    {"name": "put", "paramStructure": "by-position", "params": [
        {"name": "id", "required": true, "schema": {"type": "integer"}},
        {"name": "note", "schema": {"type": ["string", "null"]}}],
        "result": {"name": "r", "schema": {"type": "null"}}}]}"#;

#[test]
fn what_is_optional_and_nullable_has_three_values_in_each_client() {
    let present = "#[serde(default, skip_serializing_if = \"Option::is_none\", deserialize_with = \"docent_client::present\")]\n";
    let types = file(PATCH, |service| rust(service, None), "types.rs");
    let in_rust = |field: &str| types.matches(&format!("{present}    pub {field},")).count();
    assert_eq!(in_rust("note: Option<Option<String>>"), 3, "{types}");
    assert_eq!(in_rust("any: Option<serde_json::Value>"), 1, "{types}");
    let optional =
        "#[serde(default, skip_serializing_if = \"Option::is_none\")]\n    pub limit: Option<i64>,";
    assert_eq!(types.matches(optional).count(), 2, "{types}");
    let client = file(PATCH, |service| rust(service, None), "client.rs");
    let sent = "&Positions::new().and(\"id\", &params.id).maybe(\"note\", &params.note)";
    assert!(client.contains(sent), "{client}");

    let types = file(PATCH, |service| typescript(service, None), "index.ts");
    assert_eq!(
        types.matches("  note?: string | null;").count(),
        3,
        "{types}"
    );
    assert_eq!(types.matches("  limit?: number;").count(), 2, "{types}");

    let calls = file(PATCH, |service| python(service, None), "calls.py");
    for written in [
        "note: str | None | Omitted = OMITTED, limit: int | Omitted = OMITTED, any_: typing.Any | Omitted = OMITTED",
        "in_order(id, note)",
    ] {
        assert!(calls.contains(written), "{written}: {calls}");
    }
    let models = file(PATCH, |service| python(service, None), "models.py");
    let member = "note: typing_extensions.NotRequired[str | None]";
    assert!(models.contains(member), "{models}");
}

#[test]
fn bounds_of_integers_are_the_first_and_the_last_of_them() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "Few": {"type": "integer", "minimum": 0.5, "maximum": 4.5},
        "Byte": {"type": "integer", "exclusiveMinimum": -1, "exclusiveMaximum": 256},
        "Many": {"type": "integer", "minimum": -1e400, "maximum": 1e400}}}}"#;
    let types = file(document, |service| rust(service, None), "types.rs");
    assert!(types.contains("pub type Few = u8;"), "{types}");
    assert!(types.contains("pub type Byte = u8;"), "{types}");
    assert!(types.contains("pub type Many = i128;"), "{types}");
}

#[test]
fn a_constructor_in_rust_takes_what_the_fields_of_a_recursive_type_hold() {
    let document = br##"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "Node": {"type": "object", "required": ["next", "root"], "properties": {"note": {"type": "string"},
            "next": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
            "root": {"$ref": "#/components/schemas/Node"}}}}}}"##;
    let types = file(document, |service| rust(service, None), "types.rs");
    for part in [
        "pub next: Option<Box<Node>>,",
        "pub fn new(next: Option<Box<Node>>, root: Node) -> Self {",
        "            next,\n            root: Box::new(root),",
    ] {
        assert!(types.contains(part), "{part}: {types}");
    }
}

#[test]
fn a_value_of_which_only_members_are_required_may_be_no_object() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "Free": {"required": ["a"]}, "Map": {"type": "object", "required": ["a"]}}}}"#;
    let types = file(document, |service| typescript(service, None), "index.ts");
    assert!(types.contains("type Free = unknown;"), "{types}");
    assert!(
        types.contains("type Map = { [name: string]: unknown };"),
        "{types}"
    );
}

#[test]
fn the_types_of_awkward_schemas_are_up_to_date() {
    assert_eq!(
        file(AWKWARD, |service| rust(service, None), "types.rs"),
        include_str!("client/awkward.rs"),
        "tools/tests/it/client/awkward.rs is out of date"
    );
}

#[test]
fn rust_decodes_each_value_as_the_alternative_that_it_is() {
    use awkward::*;
    let dog = r#"{"kind": "dog", "owner": "Ann", "name": "Rex"}"#;
    assert_kept::<Owned>("Owned", dog, "OwnedDog(");
    assert_kept::<MaybePet>("MaybePet", r#"{"kind": "dog"}"#, "Some(Dog(");
    assert_kept::<MaybePet>("MaybePet", "null", "None");
    assert_kept::<Contact>("Contact", r#"{"id": 1, "mail": "a"}"#, "ContactByMail(");
    assert_kept::<Contact>("Contact", r#"{"id": 1, "phone": "1"}"#, "ContactByPhone(");
    assert_kept::<Filter>("Filter", r#"{"from": "a"}"#, "FilterFrom(");
    assert_kept::<Filter>("Filter", r#"{"to": "b"}"#, "FilterTo(");
    assert_kept::<Filter>("Filter", r#"{"hash": "c"}"#, "FilterHash(");
    assert_kept::<Version>("Version", r#"{"version": 1}"#, "Version1(");
    assert_kept::<Version>("Version", r#"{"version": 3, "more": 1}"#, "Version2(");
    assert_kept::<Outcome>("Outcome", r#"{"ok": true}"#, "OutcomeDone(");
    assert_kept::<Outcome>("Outcome", r#"{"ok": false, "why": 1}"#, "OutcomeFailed(");
    assert!(serde_json::from_str::<Version>(r#"{"version": 4}"#).is_err());
    assert!(serde_json::from_str::<Filter>(r#"{"to": "a", "more": 1}"#).is_err());
}

#[test]
fn rust_keeps_what_all_schemas_of_a_value_describe() {
    use awkward::*;
    assert_kept::<OnceNull>("OnceNull", r#""a""#, "\"a\"");
    assert_kept::<Named>("Named", r#"{"kind": "cat", "name": 1}"#, "Named");
    assert_kept::<Color>("Color", r#""blue""#, "Blue");
    assert_kept::<Cat>("Cat", r#"{"kind": "cat"}"#, "Cat");
    assert_kept::<Cat>("Cat", r#"{"kind": "cat", "name": null}"#, "Cat");
    assert_kept::<Ranged>("Ranged", r#""ab""#, "\"ab\"");
    assert_kept::<Counts>("Counts", r#"{"all": 3, "some": 1.5}"#, "Counts");
    assert_kept::<Tags>("Tags", r#"{"x-a": "b", "y-a": true}"#, "{");
    assert_kept::<Open>("Open", r#"{"x-a": "b", "c": 1}"#, "{");
    assert_kept::<Tree>("Tree", r#"{"inner": {"inner": {"leaf": "a"}}}"#, "Tree");
    for (value, variant) in [(r#"{"a": 1, "b": 2}"#, "A("), (r#"{"b": 2}"#, "B(")] {
        assert_kept::<OverlapOrText>("OverlapOrText", value, variant);
        assert_kept::<OverlapUntyped>("OverlapUntyped", value, "OverlapUntyped");
    }
    // It is no integer in the other alternative.
    assert_kept::<OverlapOrText>("OverlapOrText", r#"{"a": "c", "b": 2}"#, "B(");
    assert_kept::<OverlapOrText>("OverlapOrText", r#""a""#, "Text(");
    assert_kept::<Overlaps>("Overlaps", r#"{"a": 1, "b": 2, "c": "e"}"#, "Overlaps");
    assert_kept::<OverlapMap>("OverlapMap", r#"{"a": 1, "b": 2.5}"#, "A(");
    assert_kept::<OverlapMap>("OverlapMap", r#"{"b": 2.5}"#, "Map(");
    assert!(serde_json::from_str::<Named>(r#"{"kind": "cat"}"#).is_err());
    assert!(serde_json::from_str::<Color>(r#""green""#).is_err());
}

#[test]
fn structs_that_a_value_may_match_at_once_keep_the_types_of_their_members() {
    let document = br##"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "ById": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
        "ByName": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "exact": {"type": "boolean"}}},
        "Target": {"anyOf": [{"$ref": "#/components/schemas/ById"}, {"$ref": "#/components/schemas/ByName"}]},
        "Place": {"anyOf": [{"type": "object", "required": ["lat"], "properties": {"lat": {"type": "number"}}},
            {"type": "object", "required": ["street"], "properties": {"street": {"type": "string"}}}]},
        "Range": {"anyOf": [{"type": "object", "properties": {"since": {"type": "integer"}}},
            {"type": "object", "properties": {"since": {"type": "string"}, "until": {"type": "integer"}}}]}}}}"##;
    for (text, written) in [
        (
            file(document, |service| typescript(service, None), "index.ts"),
            [
                "export type Target = ById | ByName;",
                "export type Place = PlaceLat | PlaceStreet;",
                "  since?: RangeSince;\n  until?: number;\n",
                "export type RangeSince = number | string;",
            ],
        ),
        (
            file(document, |service| python(service, None), "models.py"),
            [
                "Target: typing.TypeAlias = \"ById | ByName\"",
                "Place: typing.TypeAlias = \"PlaceLat | PlaceStreet\"",
                "since: typing_extensions.NotRequired[RangeSince]",
                "until: typing_extensions.NotRequired[int]",
            ],
        ),
        (
            file(document, |service| rust(service, None), "types.rs"),
            [
                "pub enum Target {\n    ById(ById),\n    ByName(ByName),\n}",
                "pub enum Place {\n    PlaceLat(PlaceLat),\n    PlaceStreet(PlaceStreet),\n}",
                "pub since: Option<RangeSince>,",
                "            name,\n            exact: None,\n            further_members: std::collections::BTreeMap::new(),",
            ],
        ),
    ] {
        for part in written {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn typescript_and_python_say_what_all_schemas_of_a_value_say_together() {
    let types = file(AWKWARD, |service| typescript(service, None), "index.ts");
    let models = file(AWKWARD, |service| python(service, None), "models.py");
    for (in_types, in_models) in [
        (
            "export type Pet = Cat | Dog;",
            "Pet: typing.TypeAlias = \"Cat | Dog\"",
        ),
        (
            "interface Cat {\n  kind: CatKind;",
            "class Cat(typing.TypedDict):\n    kind: CatKind\n",
        ),
        (
            "type CatKind = \"cat\";",
            "CatKind: typing.TypeAlias = typing.Literal[\"cat\"]",
        ),
        (
            "type Owned = OwnedCat | OwnedDog;",
            "Owned: typing.TypeAlias = \"OwnedCat | OwnedDog\"",
        ),
        (
            "  owner: string;\n  kind: DogKind;",
            "    owner: str\n    kind: DogKind\n",
        ),
        (
            "type MaybePet = Pet | null;",
            "MaybePet: typing.TypeAlias = \"Pet | None\"",
        ),
        (
            "type OnceNull = string;",
            "OnceNull: typing.TypeAlias = \"str\"",
        ),
        ("  name: unknown;", "    name: typing.Any\n"),
        (
            "  id: number;\n  mail?: string;\n  phone: string;",
            "    phone: str\n",
        ),
        ("type Version1Version = 1;", "typing.Literal[2, 3]"),
        ("type OutcomeFailedOk = false;", "typing.Literal[False]"),
        (
            "type Color = \"red\" | \"blue\";",
            "typing.Literal[\"red\", \"blue\"]",
        ),
        (
            "type Ranged = string;",
            "Ranged: typing.TypeAlias = \"str\"",
        ),
        (
            "type TagsValue = string | boolean;",
            "TagsValue: typing.TypeAlias = \"str | bool\"",
        ),
        (
            "type Open = { [name: string]: unknown };",
            "\"dict[str, typing.Any]\"",
        ),
        (
            "interface Closed {\n  a?: unknown;\n}",
            "class Closed(typing.TypedDict):",
        ),
        (
            "  inner?: TreeInner;\n  leaf?: string;",
            "class TreeInner(typing.TypedDict):",
        ),
        ("type Bytes = string;", "Bytes: typing.TypeAlias = \"str\""),
        (
            "type Lost = unknown;",
            "Lost: typing.TypeAlias = \"typing.Any\"",
        ),
    ] {
        assert!(types.contains(in_types), "{in_types}: {types}");
        assert!(models.contains(in_models), "{in_models}: {models}");
    }
}

#[test]
fn only_bytes_that_the_service_checks_are_bytes() {
    for (formats, in_rust, in_typescript, in_python) in [
        (
            r#"["base64"]"#,
            "docent_client::Bytes",
            "Uint8Array",
            "bytes",
        ),
        ("[]", "String", "string", "str"),
    ] {
        let document = format!(
            r#"{{"sdversion": "2.0", "name": "files", "id": "urn:x:files", "enforcedFormats": {formats},
                "procs": [{{"name": "read", "params": [], "return": {{"type": "str", "schema":
                    {{"type": "string", "contentEncoding": "base64"}}}}}}]}}"#
        );
        let client = |write, name| file(document.as_bytes(), write, name);
        let method = format!("ResponseFuture<{in_rust}, Infallible>");
        assert!(
            client(|service| rust(service, None), "client.rs").contains(&method),
            "{formats}"
        );
        let promise = format!("Promise<{in_typescript}>");
        assert!(client(|service| typescript(service, None), "index.ts").contains(&promise));
        let returned = format!("-> {in_python}:");
        assert!(client(|service| python(service, None), "client.py").contains(&returned));
    }
}

#[test]
fn types_that_refine_members_of_their_own_type_come_to_an_end() {
    let members = |to: &str| {
        let members = ["a", "b", "c"]
            .map(|name| format!(r##""{name}": {{"$ref": "#/components/schemas/{to}"}}"##));
        format!(
            r#"{{"type": "object", "properties": {{{}}}}}"#,
            members.join(", ")
        )
    };
    let (base, own) = (members("Base"), members("Node"));
    let document = format!(
        r##"{{"openrpc": "1.3.2", "info": {{"title": "Trees", "version": "1.0"}}, "methods": [
        {{"name": "get", "params": [], "result": {{"name": "node", "schema": {{"$ref": "#/components/schemas/Node"}}}}}}],
        "components": {{"schemas": {{"Base": {base},
            "Node": {{"allOf": [{{"$ref": "#/components/schemas/Base"}}, {own}]}}}}}}}}"##
    );
    let description = read(document.as_bytes()).unwrap().description;
    let size: usize = rust(&description, None)
        .iter()
        .map(|(_, text)| text.len())
        .sum();
    assert!(size < 500_000, "{size}");
}

#[test]
fn the_parameters_of_a_tool_are_one_value_where_its_schema_says_more_than_its_members() {
    let tools = br#"{"tools": [
        {"name": "rate", "inputSchema": {"type": "object", "additionalProperties": {"type": "number"}}},
        {"name": "find", "inputSchema": {"type": "object", "anyOf": [
            {"required": ["a"], "properties": {"a": {"type": "string"}}},
            {"required": ["b"], "properties": {"b": {"type": "integer"}}}]}}]}"#;
    for (text, written) in [
        (
            file(tools, |service| typescript(service, None), "index.ts"),
            [
                "rate(params: { [name: string]: number }",
                "find(params: FindParams",
            ],
        ),
        (
            file(tools, |service| python(service, None), "calls.py"),
            ["rate(*, params: dict[str, float])", "Call(\"find\", params"],
        ),
        (
            file(tools, |service| rust(service, None), "client.rs"),
            [
                "params: &std::collections::BTreeMap<String, f64>",
                "params: &types::FindParams",
            ],
        ),
        (
            file(tools, |service| rust(service, None), "types.rs"),
            ["FindParamsA(FindParamsA),", "FindParamsB(FindParamsB),"],
        ),
    ] {
        for written in written {
            assert!(text.contains(written), "{written}: {text}");
        }
    }
}

#[test]
fn the_values_that_a_discriminator_maps_tell_alternatives_apart() {
    let document = br##"{"openrpc": "1.3.2", "info": {"title": "Sounds", "version": "1.0"}, "methods": [],
        "components": {"schemas": {
        "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"},
                {"$ref": "#/components/schemas/Big%20Cat"}],
            "discriminator": {"propertyName": "sound",
                "mapping": {"meow": "#/components/schemas/Cat", "roar": "#/components/schemas/Big%20Cat"}}},
        "Big Cat": {"type": "object", "required": ["sound"], "properties": {"sound": {"type": "string"}, "mane": {}}},
        "Cat": {"type": "object", "required": ["sound"], "properties": {"sound": {"type": "string"}, "lives": {}}},
        "Dog": {"type": "object", "required": ["sound"], "properties": {"sound": {"type": "string"}, "tricks": {}}}}}}"##;
    let types = file(document, |service| typescript(service, None), "index.ts");
    for written in [
        "type Pet = PetMeow | PetDog | PetRoar;",
        "type PetMeowSound = \"meow\";",
        "type PetDogSound = \"Dog\";",
        "type PetRoarSound = \"roar\";",
    ] {
        assert!(types.contains(written), "{written}: {types}");
    }
}

#[test]
fn alternatives_are_named_by_what_tells_them_apart_on_pages() {
    let object = |required: &str, properties: &str| {
        let open = r#"{"type": "object", "required": ["#;
        format!(r#"{open}{required}], "properties": {{{properties}, "x": {{}}}}}}"#)
    };
    let tagged = |kind: &str| {
        let properties = format!(r#""v": {{"const": "1"}}, "kind": {{"const": "{kind}"}}"#);
        object(r#""v", "kind""#, &properties)
    };
    let with = |names: &str| object(names, r#""a": {}, "b": {}, "c": {}"#);
    let closed =
        r#"{"type": "object", "properties": {"to": {}, "by": {}}, "additionalProperties": false}"#;
    for (alternatives, expected) in [
        ([tagged("alpha"), tagged("beta")], "UAlpha | UBeta"),
        (
            [
                object(r#""left""#, r#""left": {}"#),
                object(r#""right""#, r#""right": {}"#),
            ],
            "ULeft | URight",
        ),
        ([with(r#""a", "b""#), with(r#""b", "c""#)], "UAB | UBC"),
        ([with(r#""a""#), with(r#""a", "c""#)], "UA | UAC"),
        ([with(r#""b""#), closed.to_owned()], "UB | U2"),
        ([tagged("!"), tagged("?")], "U1 | U2"),
        ([tagged("a b"), tagged("a-b")], "U1 | U2"),
    ] {
        let document = format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "T", "version": "1"}}, "methods": [],
                "components": {{"schemas": {{"U": {{"oneOf": [{}]}}}}}}}}"#,
            alternatives.join(", ")
        );
        let types = file(
            document.as_bytes(),
            |service| typescript(service, None),
            "index.ts",
        );
        assert!(
            types.contains(&format!("type U = {expected};")),
            "{expected}: {types}"
        );
    }
}

#[test]
fn documentation_is_what_the_schemas_of_a_value_say_and_no_more() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "Listed": {"enum": ["a"], "oneOf": [{"const": "a", "description": "The a."}, {"const": "b", "description": "The b."}]},
        "Inner": {"anyOf": [{"type": "object", "description": "Inner words"}, {"type": "null"}]}}}}"#;
    let types = file(document, |service| typescript(service, None), "index.ts");
    for written in [
        "/** - `a`: The a. */\nexport type Listed",
        "/** Inner words */\nexport type Inner",
    ] {
        assert!(types.contains(written), "{written}: {types}");
    }
}

#[test]
fn a_value_has_a_shared_type_only_if_it_takes_null_as_that_does() {
    let document = br##"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [], "components": {"schemas": {
        "MaybeName": {"type": ["string", "null"]},
        "NotNull": {"$ref": "#/components/schemas/MaybeName", "not": {"type": "null"}},
        "Text": {"allOf": [{"$ref": "#/components/schemas/MaybeName"}, {"type": "string"}]},
        "Short": {"$ref": "#/components/schemas/MaybeName", "maxLength": 9},
        "Same": {"anyOf": [{"$ref": "#/components/schemas/MaybeName"}, {"type": "null"}]},
        "MaybeText": {"anyOf": [{"$ref": "#/components/schemas/Text"}, {"type": "null"}]}}}}"##;
    let types = file(document, |service| typescript(service, None), "index.ts");
    for written in [
        "type NotNull = string;",
        "type Text = string;",
        "type Short = MaybeName;",
        "type Same = MaybeName;",
        "type MaybeText = Text | null;",
    ] {
        assert!(types.contains(written), "{written}: {types}");
    }
}

#[test]
fn a_tuple_of_one_stays_one_inside_another() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "Pairs", "version": "1.0"}, "methods": [
        {"name": "first", "params": [], "result": {"name": "pair", "schema": {
            "type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [
                {"type": "array", "minItems": 1, "maxItems": 1, "prefixItems": [{"type": "string"}]},
                {"type": "boolean"}]}}}]}"#;
    let description = read(document).unwrap().description;
    let files = rust(&description, None);
    let has = |text: &str| files.iter().any(|(_, file)| file.contains(text));
    assert!(has("((String,), bool)"), "{files:#?}");
}

#[test]
fn clients_use_get_where_a_query_can_carry_the_parameters_and_no_text_has_two_readings() {
    for (schema, required, can) in [
        (r#"{"type": "integer"}"#, true, true),
        (r#"{"enum": [1, 2]}"#, true, true),
        (r#"{"type": ["string", "null"]}"#, true, true),
        (
            r#"{"type": "array", "items": {"type": "string"}}"#,
            true,
            true,
        ),
        (r#"{"type": "object"}"#, true, false),
        (r#"{"type": "object"}"#, false, true),
        (
            r#"{"type": "array", "prefixItems": [{"type": "object"}], "maxItems": 1}"#,
            true,
            false,
        ),
        // "1" is a text, and [1] in a query.
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}"#,
            true,
            false,
        ),
        (r#"{"type": ["string", "integer"]}"#, false, false),
        ("{}", true, false),
    ] {
        let document = format!(
            r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", "procs": [{{"name": "p", "idempotent": true,
            "params": [{{"name": "a", "required": {required}, "type": "any", "schema": {schema}}}]}}]}}"#
        );
        let text = file(
            document.as_bytes(),
            |service| typescript(service, None),
            "index.ts",
        );
        assert_eq!(text.contains("get: true"), can, "{schema}: {text}");
    }
}

#[test]
fn members_of_the_other_direction_are_in_shared_types_alone() {
    let user = r##"{"type": "object", "required": ["kept"], "properties": {
        "secretid": {"type": "string", "readOnly": true}, "pw": {"type": "string", "writeOnly": true},
        "kept": {"type": "string", "readOnly": true}, "inner": {"type": "object", "properties": {
            "made": {"$ref": "#/components/schemas/Made"}}}}}"##;
    let document = format!(
        r##"{{"openrpc": "1.3.2", "info": {{"title": "T", "version": "1"}}, "methods": [
        {{"name": "put", "params": [{{"name": "user", "schema": {user}}}],
            "result": {{"name": "r", "schema": {{"type": "null"}}}}}},
        {{"name": "show", "params": [{{"name": "by", "schema": {{"$ref": "#/components/schemas/Shared"}}}}],
            "result": {{"name": "r", "schema": {user}}}}}],
        "components": {{"schemas": {{"Made": {{"type": "string", "readOnly": true}},
            "Shared": {{"type": "object", "properties": {{"both": {{"type": "string", "readOnly": true}}}}}}}}}}}}"##
    );
    let text = file(
        document.as_bytes(),
        |service| typescript(service, None),
        "index.ts",
    );
    for (member, count) in [
        ("secretid?:", 1),
        ("pw?:", 1),
        ("kept:", 2),
        ("made?:", 1),
        ("both?:", 1),
    ] {
        assert_eq!(text.matches(member).count(), count, "{member} {text}");
    }
}

#[test]
fn a_member_that_only_a_condition_describes_is_kept_as_it_is() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "Pay", "version": "1.0"}, "methods": [
        {"name": "get", "params": [{"name": "size", "schema": {"type": "integer", "maximum": 9, "default": 123}}],
            "result": {"name": "r", "schema": {"type": "object", "properties": {"card": {"type": "string"}, "note": {"type": "string", "maxLength": 1, "default": "long"}},
            "if": {"properties": {"card": {"const": "visa"}}}, "then": {"properties": {"limit": {"type": "integer"}}},
            "dependentSchemas": {"card": {"required": ["address"], "properties": {"address": {"type": "string"}}}}}}}]}"#;
    let text = file(document, |service| typescript(service, None), "index.ts");
    for member in ["limit?: unknown;", "address?: unknown;"] {
        assert_eq!(text.matches(member).count(), 1, "{text}");
    }
    // The schemas refuse these defaults.
    assert!(!text.contains("Default:"), "{text}");
    let text = file(document, |service| rust(service, None), "types.rs");
    assert!(
        text.contains("pub limit: Option<serde_json::Value>"),
        "{text}"
    );
}

#[test]
fn what_no_function_calls_has_types_to_write_and_decode_it_by_hand() {
    let document = br##"{"sdversion": "2.0", "name": "desk", "id": "urn:x:desk", "carriers": [{"name": "stdio"}], "procs": [
        {"name": "loan.watch", "params": [{"name": "after", "type": "str", "required": false, "schema": {"type": "string"}}],
         "subscription": {"item": {"type": "obj", "schema": {"$ref": "#/components/schemas/Loan"}}, "notification": "loan.event"}},
        {"name": "clock.watch", "params": [], "subscription": {"item": {"type": "obj", "schema": {"type": "object",
            "required": ["time"], "properties": {"time": {"type": "string"}}}}}},
        {"name": "desk.closes", "direction": "server", "notification": true,
         "params": [{"name": "reason", "type": "str", "required": true, "schema": {"type": "string"}}]},
        {"name": "client.ask", "direction": "server", "params": [], "return": {"type": "bit", "schema": {"type": "boolean"}}}],
        "components": {"schemas": {"Loan": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}"##;
    let written = |write, name| file(document, write, name);
    let types = written(|service| rust(service, None), "types.rs");
    for part in [
        "An item of the subscription `loan.watch`, which comes in a notification `loan.event`.",
        "pub type LoanWatchItem = Loan;",
        "pub struct LoanWatchParams {",
        "pub struct ClockWatchItem {",
        "pub struct DeskClosesParams {",
        "pub type ClientAskResult = bool;",
    ] {
        assert!(types.contains(part), "{part}: {types}");
    }
    let typescript_types = written(|service| typescript(service, None), "index.ts");
    assert!(
        typescript_types.contains("export type LoanWatchItem = Loan;"),
        "{typescript_types}"
    );
    let models = written(|service| python(service, None), "models.py");
    assert!(
        models.contains("LoanWatchItem: typing.TypeAlias = \"Loan\""),
        "{models}"
    );
    for (functions, name) in [
        (written(|service| rust(service, None), "client.rs"), "fn "),
        (
            written(|service| typescript(service, None), "index.ts"),
            "loanWatch",
        ),
        (
            written(|service| python(service, None), "client.py"),
            "loan_watch",
        ),
    ] {
        let is_function = |line: &&str| line.contains(name) && line.contains("atch");
        assert_eq!(functions.lines().find(is_function), None);
    }
}

/// A service with subscriptions: one that declares an error, and one whose items have bytes.
const WATCHED: &[u8] = br##"{"sdversion": "2.0", "name": "desk", "id": "urn:x:desk", "enforcedFormats": ["base64"], "procs": [
    {"name": "loan.watch", "idempotent": true,
     "params": [{"name": "after", "type": "str", "required": false, "schema": {"type": "string"}}],
     "subscription": {"item": {"type": "obj", "description": "A loan.", "schema": {"$ref": "#/components/schemas/Loan"}}},
     "errors": [{"code": 7, "message": "Closed"}]},
    {"name": "clock", "params": [], "subscription": {"item": {"type": "obj", "schema": {"type": "object",
        "required": ["time"], "properties": {"time": {"type": "string", "contentEncoding": "base64"}}}}}}],
    "components": {"schemas": {"Loan": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}"##;

#[test]
fn a_subscription_is_a_method_that_gives_its_items_and_no_call_for_a_batch() {
    let code = file(WATCHED, |service| typescript(service, None), "index.ts");
    let client = file(WATCHED, |service| python(service, None), "client.py");
    let calls = file(WATCHED, |service| python(service, None), "calls.py");
    let methods = file(WATCHED, |service| rust(service, None), "client.rs");
    for (text, parts) in [
        (
            &code,
            &[
                "loanWatch(params?: LoanWatchParams, options?: CallOptions): AsyncIterableIterator<SubscriptionItem<Loan>> {\n    \
                 return this.subscribe({ method: \"loan.watch\", params, shape: shapes.Loan, errors: [ClosedError] }, options);",
                "clock(options?: CallOptions): AsyncIterableIterator<SubscriptionItem<ClockItem>> {\n    \
                 return this.subscribe({ method: \"clock\", shape: shapes.ClockItem }, options);",
                "   * Each item: A loan.",
                "export const calls = {\n};",
            ][..],
        ),
        (
            &client,
            &[
                "def loan_watch(self, *, after: str | Omitted = OMITTED) -> typing.Generator[SubscriptionItem[models.Loan], None, None]:",
                "    def loan_watch(self, *, after: str | Omitted = OMITTED) -> typing.AsyncGenerator[SubscriptionItem[models.Loan], None]:",
                "        return self.subscribe(calls.loan_watch(after=after))",
            ],
        ),
        (
            &calls,
            &[
                "def loan_watch(*, after: str | Omitted = OMITTED) -> Subscription[models.Loan]:",
                "return Subscription(\"clock\", read=lambda result: shapes.read(result, shapes.ClockItem))",
            ],
        ),
        (
            &methods,
            &[
                "fn loan_watch(&self, params: &types::LoanWatchParams) -> ResponseFuture<Items<types::Loan, errors::LoanWatchError>, \
                 errors::LoanWatchError> {\n        self.0.subscribe(\"loan.watch\", params)",
                "fn clock(&self) -> ResponseFuture<Items<types::ClockItem, Infallible>, Infallible> {",
            ],
        ),
    ] {
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn a_subscription_in_typescript_tells_which_parameter_takes_its_cursor() {
    for (schema, is_number) in [
        (r#"{"type": "string"}"#, false),
        (r#"{"type": ["integer", "null"], "minimum": 0}"#, true),
        (r##"{"$ref": "#/components/schemas/Number"}"##, true),
    ] {
        let document = format!(
            r#"{{"sdversion": "2.0", "name": "desk", "id": "urn:x:desk", "procs": [
                {{"name": "watch", "params": [{{"name": "shelf", "type": "str", "schema": {{"type": "string"}}}},
                    {{"name": "after", "type": "any", "required": false, "schema": {schema}}}],
                  "subscription": {{"item": {{"type": "str", "schema": {{"type": "string"}}}}, "resume": "after"}}}}],
                "components": {{"schemas": {{"Number": {{"type": "number"}}}}}}}}"#
        );
        let text = file(
            document.as_bytes(),
            |service| typescript(service, None),
            "index.ts",
        );
        let expected = format!(r#"resume: {{ param: "after", isNumber: {is_number} }}"#);
        assert!(text.contains(&expected), "{expected}: {text}");
    }
}

/// Returns a service with a type of so many members, of which each alternative requires one.
fn requiring(members: usize) -> Vec<u8> {
    let numbers = 0..members;
    let properties: Vec<_> = (numbers.clone())
        .map(|number| format!(r#""f{number}": {{"type": "integer"}}"#))
        .collect();
    let alternatives: Vec<_> = numbers
        .map(|number| format!(r#"{{"required": ["f{number}"]}}"#))
        .collect();
    let schema = format!(
        r#"{{"type": "object", "properties": {{{}}}, "oneOf": [{}]}}"#,
        properties.join(", "),
        alternatives.join(", ")
    );
    format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "Wide", "version": "1.0"}}, "methods": [
            {{"name": "get", "params": [], "result": {{"name": "one", "schema": {schema}}}}}]}}"#
    )
    .into_bytes()
}

#[test]
fn alternatives_that_repeat_very_many_members_are_one_type() {
    let sizes = |write: fn(&ServiceDescription) -> Files, name: &str| {
        [100, 400, 1_600].map(|members| file(&requiring(members), write, name).len())
    };
    let written = [
        sizes(|service| rust(service, None), "types.rs"),
        sizes(|service| typescript(service, None), "index.ts"),
        sizes(|service| python(service, None), "models.py"),
    ];
    for sizes in written {
        for [size, larger] in [[sizes[0], sizes[1]], [sizes[1], sizes[2]]] {
            assert!(larger < 5 * size, "{size} and {larger} bytes");
        }
    }
    let types = file(&requiring(100), |service| rust(service, None), "types.rs");
    assert!(types.contains("those members are optional"), "{types}");
    let few = file(&requiring(10), |service| rust(service, None), "types.rs");
    assert!(!few.contains("those members are optional"), "{few}");
}
