//! Clients that are written from a description.

/// The types of [`ZOO`] in Rust, as they are written.
#[rustfmt::skip]
#[expect(dead_code, unreachable_pub, reason = "it is written for a crate of its own")]
mod zoo;

use docent_tools::client::{Files, python, rust, typescript};
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

fn zoo(write: fn(&docent_describe::ServiceDescription) -> Files, name: &str) -> String {
    let description = read(ZOO).unwrap().description;
    let mut files = write(&description).into_iter();
    let found = files.find(|(path, _)| path.ends_with(name));
    found.map(|(_, text)| text).expect(name)
}

#[test]
fn the_variant_that_rust_decodes_is_the_one_with_the_tag() {
    let written = zoo(|it| rust(it, None), "types.rs");
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
    let types = zoo(|it| typescript(it, None), "types.ts");
    assert!(types.contains("export type CatKind = \"cat\";"), "{types}");
    assert!(
        types.contains("/** The kind of animal. */\n  kind: CatKind;"),
        "{types}"
    );
    assert!(
        types.contains("export type DogKind = \"dog\" | \"wolf\";"),
        "{types}"
    );
    let models = zoo(|it| python(it, None), "models.py");
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
