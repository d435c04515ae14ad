//! Constraints on fields and arguments whose types have names: what is published is enforced.

use docent_core::{Arguments, Fault, Service, procedure};
use docent_describe::json::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{assert_fine, assert_one, builder, mistakes, taking};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Name(String);

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it is only decoded")]
struct Names(Vec<Name>);

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it is only decoded")]
struct Level(u8);

#[derive(Deserialize, JsonSchema)]
enum Colour {
    Red,
    Green,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it is only decoded")]
enum Mixed {
    Text(String),
    List(Vec<u8>),
    Flag(bool),
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it is only decoded")]
struct Tree(Vec<Tree>);

#[derive(Deserialize, JsonSchema)]
enum Documented {
    /// Goes.
    Green,
    /// Stops.
    Red,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it is only decoded")]
struct Fields {
    #[schemars(length(max = 3))]
    name: Name,
    #[schemars(length(min = 2))]
    optional_name: Option<Name>,
    #[schemars(inner(length(max = 3)))]
    names: Vec<Name>,
    #[schemars(inner(length(max = 3)))]
    named_names: Names,
    #[schemars(length(equal = 1))]
    one_name: Names,
    #[schemars(range(min = 2, max = 5))]
    level: Level,
    #[schemars(range(max = 5))]
    optional_level: Option<Level>,
    #[schemars(inner(range(max = 5)))]
    levels: Option<Vec<Level>>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    lower: Name,
    #[schemars(contains(pattern = "."))]
    dotted: Option<Name>,
    #[schemars(length(max = 3))]
    colour: Colour,
    #[schemars(email)]
    mail: Name,
    #[schemars(length(max = 1))]
    tree: Tree,
    inside: Vec<Inside>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inside {
    #[schemars(length(max = 3))]
    name: Name,
    #[schemars(length(max = 4))]
    other: Option<Box<Name>>,
}

/// Takes arguments with the same constraints, and a few more.
#[procedure(by_name_only)]
#[expect(unused_variables, reason = "they are only decoded")]
fn arguments(
    #[schemars(length(max = 3))] name: Name,
    #[schemars(length(min = 2))] optional_name: Option<Name>,
    #[schemars(inner(length(max = 3)))] names: Vec<Name>,
    #[schemars(inner(length(max = 3)))] named_names: Names,
    #[schemars(length(equal = 1))] one_name: Names,
    #[schemars(range(min = 2, max = 5))] level: Level,
    #[schemars(range(max = 5))] optional_level: Option<Level>,
    #[schemars(inner(range(max = 5)))] levels: Option<Vec<Level>>,
    #[schemars(regex(pattern = "^[a-z]+$"))] lower: Name,
    #[schemars(contains(pattern = "."))] dotted: Option<Name>,
    #[schemars(length(max = 3))] colour: Colour,
    #[schemars(email)] mail: Name,
    #[schemars(length(max = 1))] tree: Tree,
    inside: Vec<Inside>,
    #[schemars(length(max = 3))] mixed: Option<Mixed>,
    #[schemars(length(max = 3))] documented: Option<Documented>,
    #[schemars(inner(length(max = 3)))] mixed_list: Option<Vec<Mixed>>,
    #[schemars(length(max = 3))] anything: Option<Value>,
) -> Result<Option<Inside>, Fault> {
    Ok(None)
}

/// Values that the constraints accept.
fn accepted() -> Value {
    json!({
        "name": "abc", "optional_name": "ab", "names": ["abc"], "named_names": ["abc"],
        "one_name": ["abcd"], "level": 2, "optional_level": 5, "levels": [5], "lower": "abcd",
        "dotted": "a.b", "colour": "Red", "mail": "a@b.example", "tree": [[[], []]],
        "inside": [{"name": "abc", "other": "abcd"}],
    })
}

/// Values that they refuse, and the keywords that do.
fn refused() -> [(&'static str, Value, &'static str); 17] {
    [
        ("name", json!("abcd"), "maxLength"),
        ("optional_name", json!("a"), "minLength"),
        ("names", json!(["abc", "abcd"]), "maxLength"),
        ("named_names", json!(["abcd"]), "maxLength"),
        ("one_name", json!([]), "minItems"),
        ("one_name", json!(["a", "b"]), "maxItems"),
        ("level", json!(1), "minimum"),
        ("level", json!(6), "maximum"),
        ("optional_level", json!(6), "maximum"),
        ("levels", json!([6]), "maximum"),
        ("lower", json!("aB"), "pattern"),
        ("dotted", json!("ab"), "pattern"),
        ("colour", json!("Green"), "maxLength"),
        ("mail", json!("ab"), "format"),
        ("tree", json!([[], []]), "maxItems"),
        ("inside", json!([{"name": "abcd"}]), "maxLength"),
        (
            "inside",
            json!([{"name": "abc", "other": "abcde"}]),
            "maxLength",
        ),
    ]
}

/// Values that arguments refuse, and fields of a struct do not: their schemas have no `type`.
fn refused_of_arguments() -> [(&'static str, Value, &'static str); 5] {
    [
        ("documented", json!("Green"), "maxLength"),
        ("mixed", json!("abcd"), "maxLength"),
        ("mixed", json!([1, 2, 3, 4]), "maxItems"),
        ("mixed_list", json!([true, "abcd"]), "maxLength"),
        ("anything", json!("abcd"), "maxLength"),
    ]
}

/// Calls the only procedure with each of the values, and asks its description what it says of them.
async fn assert_refused(service: &Service, refused: &[(&str, Value, &str)]) {
    let description = service.description();
    let procedure = &description.procs[0];
    let published = Arguments::new(procedure, description);
    let fine = service.call::<Value>(&procedure.name, &accepted()).await;
    assert!(fine.is_ok(), "{fine:?}");
    for (name, value, keyword) in refused {
        let mut params = accepted();
        params[name] = value.clone();
        let called = service.call::<Value>(&procedure.name, &params).await;
        assert!(called.is_err(), "{name} takes {value}");
        assert!(
            published.check(&params.to_string()).is_err(),
            "{name} is said to take {value}"
        );
        let text = if *name == "inside" {
            description.components.schemas["Inside"].to_string()
        } else {
            procedure
                .params
                .iter()
                .find(|param| param.name == *name)
                .expect("the parameter")
                .schema
                .to_string()
        };
        assert!(
            text.contains(&format!("\"{keyword}\"")),
            "{name} has no {keyword}: {text}"
        );
    }
    let name: Json = r#"{"type":"string"}"#.parse().expect("JSON");
    assert_eq!(description.components.schemas["Name"], name);
}

#[tokio::test]
async fn a_constraint_on_a_field_holds_for_a_type_with_a_name() {
    let service = builder()
        .procedure(taking::<Fields>("fields").by_name_only())
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_refused(&service, &refused()).await;
}

#[tokio::test]
async fn a_constraint_on_an_argument_holds_for_a_type_with_a_name() {
    let service = builder()
        .procedure(arguments::procedure())
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_refused(&service, &refused()).await;
    assert_refused(&service, &refused_of_arguments()).await;
}

#[test]
fn a_constraint_of_an_option_stands_in_the_branch_that_is_not_null() {
    let service = builder()
        .procedure(arguments::procedure())
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let procedure = &service.description().procs[0];
    for (name, text) in [
        (
            "optional_name",
            r##"{"anyOf":[{"$ref":"#/components/schemas/Name","minLength":2},{"type":"null"}]}"##,
        ),
        (
            "mixed",
            r##"{"anyOf":[{"$ref":"#/components/schemas/Mixed","maxLength":3,"maxItems":3},{"type":"null"}]}"##,
        ),
    ] {
        let param = procedure
            .params
            .iter()
            .find(|param| param.name == name)
            .expect("the parameter");
        assert_eq!(param.schema.to_string(), text);
    }
}

#[test]
fn one_type_has_one_schema_wherever_it_is_used() {
    assert_fine(
        builder()
            .procedure(taking::<Fields>("fields").by_name_only())
            .procedure(taking::<Inside>("inside"))
            .procedure(arguments::procedure()),
    );
}

macro_rules! refused_arguments {
    ($($name:ident: #[$attribute:meta] $ty:ty),* $(,)?) => {
        $(
            #[procedure]
            #[expect(unused_variables, reason = "it is only decoded")]
            fn $name(#[$attribute] value: $ty) -> Result<(), Fault> {
                Ok(())
            }
        )*
    };
}

refused_arguments! {
    range_of_text: #[schemars(range(max = 3))] String,
    range_of_name: #[schemars(range(max = 3))] Option<Name>,
    length_of_number: #[schemars(length(max = 3))] u32,
    length_of_level: #[schemars(length(max = 3))] Level,
    length_of_flag: #[schemars(length(min = 1))] bool,
    pattern_of_list: #[schemars(regex(pattern = "a"))] Names,
    text_in_number: #[schemars(contains(pattern = "a"))] f64,
    mail_of_number: #[schemars(email)] u8,
    inner_of_text: #[schemars(inner(length(max = 3)))] String,
    inner_range_of_texts: #[schemars(inner(range(max = 3)))] Names,
}

#[test]
fn a_constraint_that_fits_no_kind_of_its_argument_is_a_mistake() {
    for (procedure, words) in [
        (
            range_of_text::procedure(),
            ["`value` is never a number", "`range`"],
        ),
        (
            range_of_name::procedure(),
            ["`value` is never a number", "`range`"],
        ),
        (
            length_of_number::procedure(),
            ["`value` is never a string or an array", "`length`"],
        ),
        (
            length_of_level::procedure(),
            ["`value` is never a string or an array", "`length`"],
        ),
        (
            length_of_flag::procedure(),
            ["`value` is never a string or an array", "`length`"],
        ),
        (
            pattern_of_list::procedure(),
            ["`value` is never a string", "`regex`"],
        ),
        (
            text_in_number::procedure(),
            ["`value` is never a string", "`contains`"],
        ),
        (
            mail_of_number::procedure(),
            ["`value` is never a string", "`email`"],
        ),
        (
            inner_of_text::procedure(),
            ["`value` is never an array", "`inner`"],
        ),
        (
            inner_range_of_texts::procedure(),
            [
                "an element of the parameter `value` is never a number",
                "`range`",
            ],
        ),
    ] {
        let name = format!("{procedure:?}");
        let found = mistakes(builder().procedure(procedure));
        let says = |word: &&str| found.iter().any(|mistake| mistake.text().contains(word));
        assert!(words.iter().all(says), "{name}: {found:#?}");
    }
    assert_one(
        builder().procedure(length_of_number::procedure()),
        Some("length_of_number"),
        &["the parameter `value`", "remove the attribute"],
    );
}

/// Each of these types has the next one twice, so written out they have a million.
macro_rules! doubling {
    ($($name:ident has $next:ident),*) => {
        $(
            #[derive(Deserialize, JsonSchema)]
            #[expect(dead_code, reason = "it is only described")]
            struct $name {
                one: Option<Box<$next>>,
                two: Option<Box<$next>>,
            }
        )*
    };
}

doubling! {
    D0 has D1, D1 has D2, D2 has D3, D3 has D4, D4 has D5, D5 has D6, D6 has D7, D7 has D8, D8 has D9,
    D9 has D10, D10 has D11, D11 has D12, D12 has D13, D13 has D14, D14 has D15, D15 has D16,
    D16 has D17, D17 has D18, D18 has D19, D19 has Name
}

#[test]
fn types_that_would_be_too_large_when_written_out_are_reported() {
    let service = builder()
        .procedure(taking::<D0>("doubling"))
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let warnings: Vec<_> = service.warnings().iter().map(ToString::to_string).collect();
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("put each constraint on the type itself")),
        "{warnings:?}"
    );
}
