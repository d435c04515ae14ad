//! Schemas that schemars generates from Rust types.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::{NonZeroI32, NonZeroU8};

use crate::json::Json;
use indexmap::IndexMap;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;

use super::reason;
use crate::schema::check::{Check, Compiler};

/// Returns the check of a type's schema, once only if decoding does not enforce all of it.
fn checks<T: JsonSchema>() -> (Option<Check>, Check) {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let schema = Json::from(generator.subschema_for::<T>().as_value());
    let components: IndexMap<String, Json> = generator
        .take_definitions(true)
        .iter()
        .map(|(name, schema)| (name.clone(), schema.into()))
        .collect();
    let mut compiler = Compiler::new(&components);
    let check = compiler.compile(&schema).unwrap();
    let is_needed = compiler.asserts_beyond_decoding(&schema);
    (is_needed.then(|| check.clone()), check)
}

/// Returns the reasons why values do not match a type. Both checks must give the same.
#[track_caller]
fn refuses<T: JsonSchema>(table: &[(&str, &str)]) {
    let (check, full) = checks::<T>();
    let check = check.expect("something to check");
    for (value, expected) in table {
        assert_eq!(&reason(&check, value), expected);
        assert_eq!(&reason(&full, value), expected);
    }
}

/// Checks values that serde and the checks agree to accept.
#[track_caller]
fn takes<T: JsonSchema + for<'de> Deserialize<'de>>(values: &[&str]) {
    let (check, full) = checks::<T>();
    for value in values {
        assert!(serde_json::from_str::<T>(value).is_ok(), "{value}");
        assert_eq!(full.check(value), Ok(()), "{value}");
        if let Some(check) = &check {
            assert_eq!(check.check(value), Ok(()), "{value}");
        }
    }
}

/// A linked list, with nothing to check.
#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Plain {
    name: String,
    size: Option<u32>,
    next: Option<Box<Plain>>,
    by_name: BTreeMap<String, Vec<Plain>>,
    variant: Shape,
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Shape {
    Circle { r: f64 },
    Plain(Box<Plain>),
}

#[test]
fn nothing_is_checked_where_serde_checks_everything() {
    fn assert_none<T: JsonSchema>() {
        assert!(checks::<T>().0.is_none(), "{}", T::schema_name());
    }
    assert_none::<()>();
    assert_none::<bool>();
    assert_none::<String>();
    assert_none::<f32>();
    assert_none::<f64>();
    assert_none::<i8>();
    assert_none::<i16>();
    assert_none::<i32>();
    assert_none::<i64>();
    assert_none::<i128>();
    assert_none::<isize>();
    assert_none::<u8>();
    assert_none::<u16>();
    assert_none::<u32>();
    assert_none::<u64>();
    assert_none::<u128>();
    assert_none::<usize>();
    assert_none::<Option<u8>>();
    assert_none::<Option<Option<String>>>();
    assert_none::<Vec<Vec<u8>>>();
    assert_none::<HashMap<String, Vec<i64>>>();
    assert_none::<Result<u8, String>>();
    assert_none::<std::time::Duration>();
    assert_none::<std::time::SystemTime>();
    assert_none::<std::net::IpAddr>();
    assert_none::<std::path::PathBuf>();
    assert_none::<std::ops::Range<u8>>();
    assert_none::<serde_json::Value>();
    assert_none::<serde_json::Map<String, serde_json::Value>>();
    assert_none::<Plain>();
    assert_none::<Option<Shape>>();
}

#[test]
fn std_types_that_promise_more_are_checked() {
    refuses::<char>(&[("\"ab\"", "expected exactly 1 character, found 2")]);
    takes::<char>(&["\"a\"", "\"😀\"", "\"\\ud83d\\ude00\""]);
    refuses::<NonZeroU8>(&[("0", "expected an integer from 1 to 255, found 0")]);
    refuses::<NonZeroI32>(&[("0", "expected a value other than 0, found 0")]);
    takes::<NonZeroI32>(&["-1", "1"]);
    refuses::<[u8; 2]>(&[("[1]", "expected exactly 2 elements, found 1")]);
    refuses::<(u8, char)>(&[
        ("[1,\"ab\"]", "at /1: expected exactly 1 character, found 2"),
        ("[1]", "expected exactly 2 elements, found 1"),
    ]);
    refuses::<HashSet<i64>>(&[(
        "[1,2,1.0]",
        "the elements must be unique: elements 0 and 2 are equal",
    )]);
    refuses::<BTreeMap<u32, String>>(&[(
        "{\"1\":\"\",\"x\":\"\"}",
        "at /x: unknown member \"x\"; expected an integer of at least 0",
    )]);
    takes::<BTreeMap<i32, String>>(&["{\"1\":\"\",\"-2\":\"\"}"]);
    refuses::<Option<HashMap<String, Vec<char>>>>(&[(
        "{\"a\":[\"b\"],\"c\":[\"d\",\"\"]}",
        "at /c/1: expected exactly 1 character, found 0",
    )]);
}

/// Something with promises of every sort.
#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Book {
    #[schemars(length(min = 1, max = 5))]
    title: String,
    #[schemars(range(min = 1, max = 10))]
    copies: u8,
    #[schemars(regex(pattern = "^[0-9]{3}$"))]
    shelf: Option<String>,
    #[schemars(range(min = 0.0, max = 1.0))]
    score: Option<f64>,
    #[schemars(length(max = 2), inner(length(min = 1)))]
    #[serde(default)]
    tags: Vec<String>,
    #[schemars(extend("multipleOf" = 0.01))]
    price: Option<f64>,
    #[schemars(extend("exclusiveMinimum" = 0))]
    weight: Option<f64>,
    #[serde(default)]
    sequels: Vec<Book>,
}

const BOOK: &str = r#"{"title":"ä😀","copies":1,"shelf":"042","score":0.5,"tags":["x"],
    "price":19.99,"weight":1e-9,"sequels":[{"title":"b","copies":10,"shelf":null}]}"#;

#[test]
fn attributes_are_enforced_at_every_depth() {
    takes::<Book>(&[BOOK]);
    refuses::<Book>(&[
        (
            r#"{"title":"","copies":1}"#,
            "at /title: expected 1 to 5 characters, found 0",
        ),
        (
            r#"{"title":"a","copies":11}"#,
            "at /copies: expected an integer from 1 to 10, found 11",
        ),
        (
            r#"{"title":"a","copies":1,"shelf":"x"}"#,
            "at /shelf: must match the pattern ^[0-9]{3}$, found \"x\"",
        ),
        (
            r#"{"title":"a","copies":1,"score":1.1}"#,
            "at /score: expected a number from 0.0 to 1.0, found 1.1",
        ),
        (
            r#"{"title":"a","copies":1,"tags":["a",""]}"#,
            "at /tags/1: expected at least 1 character, found 0",
        ),
        (
            r#"{"title":"a","copies":1,"price":0.001}"#,
            "at /price: expected a number that is a multiple of 0.01, found 0.001",
        ),
        (
            r#"{"title":"a","copies":1,"sequels":[{"title":"a","copies":1,"sequels":[{"title":"a","copies":0}]}]}"#,
            "at /sequels/0/sequels/0/copies: expected an integer from 1 to 10, found 0",
        ),
    ]);
    takes::<BTreeMap<String, Option<Book>>>(&["{\"a\":null}"]);
    refuses::<Vec<Option<Book>>>(&[(
        r#"[null,{"title":"a","copies":0}]"#,
        "at /1/copies: expected an integer from 1 to 10, found 0",
    )]);
}

#[derive(JsonSchema, Deserialize)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Internal {
    A {
        #[schemars(range(min = 1))]
        x: u8,
    },
    B(Book),
    C,
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only its schema is looked at")]
enum External {
    A {
        #[schemars(range(min = 1))]
        x: u8,
    },
    B(Book),
    C,
    /// Documented, so it stands by itself in the schema.
    D,
    E(char, char),
}

#[derive(JsonSchema, Deserialize)]
#[serde(tag = "t", content = "c")]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Adjacent {
    A {
        #[schemars(range(min = 1))]
        x: u8,
    },
    B(Book),
    C,
}

#[derive(JsonSchema, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Untagged {
    Small {
        #[schemars(range(min = 1))]
        x: u8,
    },
    Book(Box<Book>),
    Number(#[schemars(range(max = 7))] i64),
    Several(Vec<Untagged>),
    Nothing,
}

#[test]
fn enums_are_checked_variant_by_variant() {
    takes::<Internal>(&[r#"{"x":1,"kind":"A"}"#, r#"{"kind":"C"}"#]);
    refuses::<Internal>(&[
        (
            r#"{"x":0,"kind":"A"}"#,
            "at /x: expected an integer from 1 to 255, found 0",
        ),
        (
            r#"{"kind":"B","title":"","copies":1}"#,
            "at /title: expected 1 to 5 characters, found 0",
        ),
        (
            r#"{"kind":"D"}"#,
            "at /kind: expected one of \"A\", \"B\", \"C\", found \"D\"",
        ),
    ]);
    takes::<External>(&[r#"{"A":{"x":1}}"#, "\"C\"", "\"D\"", r#"{"E":["a","b"]}"#]);
    refuses::<External>(&[
        (
            r#"{"A":{"x":0}}"#,
            "at /A/x: expected an integer from 1 to 255, found 0",
        ),
        (
            r#"{"B":{"title":"","copies":1}}"#,
            "at /B/title: expected 1 to 5 characters, found 0",
        ),
        (
            r#"{"E":["","b"]}"#,
            "at /E/0: expected exactly 1 character, found 0",
        ),
        ("\"A\"", "expected one of \"C\", \"D\", found \"A\""),
    ]);
    takes::<Adjacent>(&[r#"{"c":{"x":1},"t":"A"}"#, r#"{"t":"C"}"#]);
    refuses::<Adjacent>(&[
        (
            r#"{"c":{"x":0},"t":"A"}"#,
            "at /c/x: expected an integer from 1 to 255, found 0",
        ),
        (
            r#"{"t":"B","c":{"title":"","copies":1}}"#,
            "at /c/title: expected 1 to 5 characters, found 0",
        ),
    ]);
}

#[test]
fn untagged_enums_are_tried_where_kinds_do_not_tell() {
    takes::<Untagged>(&[
        r#"{"x":1}"#,
        "7",
        "null",
        r#"[1,[{"x":5}],{"title":"a","copies":1}]"#,
    ]);
    refuses::<Untagged>(&[
        ("8", "expected an integer of at most 7, found 8"),
        (
            "[1,[2,8]]",
            "at /1/1: expected an integer of at most 7, found 8",
        ),
        (
            r#"{"x":0}"#,
            "no alternative matches: at /x: expected an integer from 1 to 255, found 0; or the \
             member \"copies\" is missing",
        ),
    ]);
}

#[derive(JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Closed {
    #[schemars(length(min = 1))]
    a: String,
    b: Option<u8>,
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Flat {
    a: u8,
    #[serde(flatten)]
    inner: Internal,
    #[serde(flatten)]
    rest: HashMap<String, serde_json::Value>,
}

#[test]
fn flattened_and_closed_structs_are_checked() {
    refuses::<Closed>(&[
        (
            r#"{"a":"x","c":1}"#,
            "at /c: unknown member \"c\"; expected \"a\" or \"b\"",
        ),
        (
            r#"{"a":""}"#,
            "at /a: expected at least 1 character, found 0",
        ),
    ]);
    takes::<Flat>(&[r#"{"a":1,"kind":"A","x":1,"more":[]}"#]);
    refuses::<Flat>(&[(
        r#"{"a":1,"kind":"A","x":0}"#,
        "at /x: expected an integer from 1 to 255, found 0",
    )]);
}

#[derive(JsonSchema, Deserialize)]
enum Never {}

#[test]
fn an_enum_without_variants_has_no_values() {
    let (check, _) = checks::<Vec<Never>>();
    let check = check.unwrap();
    assert_eq!(check.check("[]"), Ok(()));
    assert_eq!(reason(&check, "[1]"), "at /0: no value is allowed here");
}
