//! Structs, with serde's and schemars' attributes on their fields.

#![expect(dead_code, reason = "the types are only decoded")]

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{agrees, agrees_on, refused, untrue};

#[derive(Deserialize, JsonSchema)]
struct Plain {
    a: u8,
    b: String,
}

#[derive(Deserialize, JsonSchema)]
struct Optional {
    a: Option<u8>,
    #[serde(default)]
    b: u8,
    #[serde(default = "seven")]
    c: u8,
}

fn seven() -> u8 {
    7
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: u8,
    b: Option<u8>,
}

#[derive(Deserialize, JsonSchema, Default)]
#[serde(default)]
struct AllDefault {
    a: u8,
    b: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
struct Renamed {
    one_two: u8,
    #[serde(rename = "c")]
    three: u8,
    #[serde(rename(deserialize = "in", serialize = "out"))]
    four: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Skipped {
    a: u8,
    #[serde(skip)]
    b: u8,
    #[serde(skip_deserializing)]
    c: u8,
    #[serde(skip_serializing)]
    d: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SkippedClosed {
    a: u8,
    #[serde(skip_deserializing)]
    b: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Required {
    #[schemars(required)]
    a: Option<u8>,
    b: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
struct Transparent {
    inner: Vec<u8>,
}

#[derive(Deserialize, JsonSchema)]
struct Newtype(u8);

#[derive(Deserialize, JsonSchema)]
struct Tuple(u8, String, Option<bool>);

#[derive(Deserialize, JsonSchema)]
struct Unit;

#[derive(Deserialize, JsonSchema)]
struct Empty {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EmptyClosed {}

#[derive(Deserialize, JsonSchema)]
struct Generic<A, B> {
    a: A,
    b: Option<B>,
}

#[derive(Deserialize, JsonSchema)]
struct Constrained {
    #[schemars(range(min = 1, max = 10))]
    n: u8,
    #[schemars(length(min = 1, max = 3))]
    s: String,
    #[schemars(length(max = 2), inner(range(max = 5)))]
    l: Vec<u8>,
    #[schemars(extend("multipleOf" = 5))]
    five: i32,
}

#[test]
fn structs_agree_with_their_schemas() {
    agrees_on::<Plain>(&[
        r#"[1,"x"]"#,
        r#"{"a":1,"b":"x","a":2}"#.replace(",\"a\":2", "").as_str(),
    ]);
    agrees::<Optional>();
    agrees::<Closed>();
    agrees_on::<AllDefault>(&["[]", "{}"]);
    agrees::<Renamed>();
    agrees::<Skipped>();
    agrees::<SkippedClosed>();
    agrees_on::<Required>(&["{}", r#"{"b":1}"#, r#"{"a":null,"b":1}"#]);
    agrees::<Transparent>();
    agrees::<Newtype>();
    agrees_on::<Tuple>(&["[1,\"a\"]", "[1,\"a\",null]", "[1,\"a\",null,1]"]);
    agrees_on::<Unit>(&["{}", "[]"]);
    agrees_on::<Empty>(&["[]"]);
    agrees_on::<EmptyClosed>(&["[]"]);
    agrees::<Generic<Plain, Vec<Closed>>>();
    agrees_on::<Constrained>(&[r#"{"n":11,"s":"a","l":[],"five":5}"#]);
}

#[derive(Deserialize, JsonSchema)]
struct Flattening {
    a: u8,
    #[serde(flatten)]
    inner: FlatInner,
}

#[derive(Deserialize, JsonSchema)]
struct FlatInner {
    #[schemars(range(max = 10))]
    x: u8,
    #[serde(default)]
    y: Option<Plain>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatOption {
    a: u8,
    #[serde(flatten)]
    inner: Option<FlatInner>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatMap {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, bool>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatAny {
    a: u8,
    #[serde(flatten)]
    rest: HashMap<String, serde_json::Value>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatInternal {
    a: u8,
    #[serde(flatten)]
    kind: Internal,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Internal {
    One { x: u8 },
    Two,
}

#[derive(Deserialize, JsonSchema)]
struct FlatExternal {
    a: u8,
    #[serde(flatten)]
    kind: External,
}

#[derive(Deserialize, JsonSchema)]
enum External {
    One { x: u8 },
    Two(String),
}

#[derive(Deserialize, JsonSchema)]
struct FlatAdjacent {
    a: u8,
    #[serde(flatten)]
    kind: Adjacent,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One { x: u8 },
    Two(String),
}

#[derive(Deserialize, JsonSchema)]
struct FlatTwice {
    #[serde(flatten)]
    first: FlatInner,
    #[serde(flatten)]
    second: Other,
}

#[derive(Deserialize, JsonSchema)]
struct Other {
    z: String,
}

#[derive(Deserialize, JsonSchema)]
struct FlatDeep {
    #[serde(flatten)]
    inner: Flattening,
    k: bool,
}

#[test]
fn flattened_structs_agree_with_their_schemas() {
    agrees_on::<Flattening>(&[r#"{"a":1,"x":1,"y":[1,"x"]}"#, r#"{"a":1,"x":11}"#]);
    agrees_on::<FlatOption>(&[r#"{"a":1,"x":"wrong"}"#, r#"{"a":1}"#, r#"{"a":1,"x":11}"#]);
    agrees::<FlatMap>();
    agrees::<FlatAny>();
    agrees::<FlatInternal>();
    agrees_on::<FlatExternal>(&[r#"{"a":1,"One":{"x":1}}"#, r#"{"a":1}"#]);
    agrees::<FlatAdjacent>();
    agrees::<FlatTwice>();
    agrees::<FlatDeep>();
}

#[derive(Deserialize, JsonSchema)]
struct SameName {
    x: u8,
    #[serde(flatten)]
    inner: FlatInner,
}

#[derive(Deserialize, JsonSchema)]
struct FlatKeyed {
    a: u8,
    #[serde(flatten)]
    by: Keyed,
}

#[derive(Deserialize, JsonSchema)]
struct Keyed {
    by: BTreeMap<u32, String>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatWide {
    #[serde(flatten)]
    wide: Wide,
}

#[derive(Deserialize, JsonSchema)]
struct Wide {
    n: i128,
}

#[derive(Deserialize, JsonSchema)]
struct Aliased {
    #[serde(alias = "alias")]
    #[schemars(range(max = 10))]
    a: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Hidden {
    a: u8,
    #[schemars(skip)]
    b: Option<u8>,
}

#[derive(Deserialize, JsonSchema)]
struct Misnamed {
    #[schemars(rename = "b")]
    a: Option<u8>,
}

#[test]
fn structs_that_cannot_be_described_are_a_mistake() {
    refused::<Aliased>(&["`alias`", "`Aliased`"]);
    refused::<Option<Vec<Aliased>>>(&["`alias`", "`Aliased`"]);
    refused::<Hidden>(&["`b`", "`Hidden`"]);
    refused::<Misnamed>(&["`a`", "`b`", "`Misnamed`"]);
}

#[test]
fn flattened_structs_that_take_less_than_their_schemas_are_found() {
    untrue::<SameName>(&["is missing"]);
    refused::<FlatKeyed>(&["keys of maps that are integers"]);
    refused::<FlatWide>(&["integers of 128 bits"]);
}
