//! Types inside types, where one level may hide what another accepts.

#![expect(dead_code, reason = "the types are only decoded")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{agrees, agrees_on, refused};

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Internal {
    Point(Point),
    Many { points: Vec<Point> },
    Outside { o: External },
    Keys { m: BTreeMap<String, Point> },
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
enum External {
    A,
    B(Point),
    C { p: Option<Point> },
    D(u8, Point),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A,
    B(Point),
    C { i: Inner },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Inner {
    Point(Point),
    Text(String),
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Internal(Internal),
    Adjacent(Adjacent),
    External(External),
}

#[derive(Deserialize, JsonSchema)]
struct Flat {
    #[serde(flatten)]
    internal: Internal,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize, JsonSchema)]
struct Holder {
    external: External,
    adjacent: Vec<Adjacent>,
    inner: Option<Inner>,
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    value: u8,
    #[serde(default)]
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Expression {
    Sum { terms: Vec<Expression> },
    Negative { of: Box<Expression> },
    Number { n: f64 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum WithFloat {
    A { f: f64, n: u8 },
}

#[test]
fn nested_types_agree_with_their_schemas() {
    agrees_on::<Internal>(&[
        r#"{"t":"Many","points":[[1,2]]}"#,
        r#"{"t":"Outside","o":{"A":null}}"#,
        r#"{"t":"Outside","o":{"B":[1,2]}}"#,
        r#"{"t":"Keys","m":{"a":[1,2]}}"#,
    ]);
    agrees_on::<External>(&[r#"{"B":[1,2]}"#, r#"{"C":[[1,2]]}"#, r#"{"A":null}"#]);
    agrees_on::<Adjacent>(&[
        r#"{"c":[1,2],"t":"B"}"#,
        r#"{"t":"B","c":[1,2]}"#,
        r#"{"t":"C","c":{"i":[1,2]}}"#,
        r#"{"t":"A","c":[]}"#,
        r#"{"c":1,"t":"A"}"#,
    ]);
    agrees_on::<Inner>(&["[1,2]", "[]", "{}"]);
    agrees_on::<Untagged>(&[r#"{"B":[1,2]}"#, r#"{"A":null}"#, r#"["A"]"#]);
    agrees_on::<Flat>(&[r#"{"t":"Nothing","points":1}"#, r#"{"t":"Point","x":"a"}"#]);
    agrees::<Holder>();
    agrees_on::<Tree>(&[r#"{"value":1,"children":[[1,[],null]]}"#]);
    agrees_on::<Expression>(&[r#"{"t":"Sum","terms":[["Number",1]]}"#]);
    agrees_on::<WithFloat>(&[r#"{"t":"A","f":1,"n":2.0}"#, r#"{"n":-0,"f":-0,"t":"A"}"#]);
}

#[derive(Deserialize, JsonSchema)]
struct Deep {
    list: Vec<BTreeMap<String, Option<Vec<Hidden>>>>,
}

#[derive(Deserialize, JsonSchema)]
struct Hidden {
    #[serde(alias = "alias")]
    a: u8,
}

#[derive(Deserialize, JsonSchema)]
struct DeepWide {
    list: Vec<Option<Wide>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Wide {
    Text(String),
    Number { n: Vec<i128> },
}

#[test]
fn mistakes_are_found_however_deep_they_are() {
    refused::<Deep>(&["`alias`", "`Hidden`"]);
    refused::<DeepWide>(&["integers of 128 bits"]);
}
