//! Combinations of attributes in one type.

#![expect(dead_code, reason = "the types are only decoded")]

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{agrees, agrees_on};

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: u8,
    #[serde(default)]
    y: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum OfMaps {
    Map(BTreeMap<String, u8>),
    Any(HashMap<String, serde_json::Value>),
    Point(Point),
    Unit(()),
    Nested(Box<Option<Point>>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Renamed {
    FirstOne {
        some_field: u8,
        other_field: Option<bool>,
    },
    SecondOne,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Lists {
    Numbers(Vec<u8>),
    Pairs(Vec<(String, u8)>),
    Tuple(u8, String),
    Fixed([bool; 2]),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Maps {
    Closed(Closed),
    Numbers(BTreeMap<String, u8>),
    Texts(BTreeMap<String, String>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: Option<u8>,
    b: u8,
}

#[derive(Deserialize, JsonSchema)]
struct FlatRest {
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatUntagged {
    id: u8,
    #[serde(flatten)]
    either: Either,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Point { x: u8 },
    Name { name: String },
}

#[derive(Deserialize, JsonSchema)]
struct FlatOptionEnum {
    id: u8,
    #[serde(flatten)]
    kind: Option<Renamed>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatUnits {
    id: u8,
    #[serde(flatten)]
    colour: Colour,
}

#[derive(Deserialize, JsonSchema)]
enum Colour {
    Red,
    Green,
}

#[derive(Deserialize, JsonSchema)]
struct Constrained {
    #[schemars(length(min = 1), inner(length(max = 2)))]
    names: Vec<String>,
    #[schemars(range(min = -1.5, max = 2.5))]
    ratio: f32,
    #[schemars(length(equal = 1))]
    by: BTreeMap<char, Option<Closed>>,
}

#[derive(Deserialize, JsonSchema)]
enum OfEverything {
    Adjacent(Adjacent),
    Tuple((u8, Option<Point>), [Point; 1]),
    #[serde(rename_all = "UPPERCASE")]
    Struct {
        one: Renamed,
        two: Option<Either>,
    },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum Adjacent {
    Unit,
    List(Vec<Point>),
    Maybe(Option<Renamed>),
}

#[test]
fn attributes_that_meet_agree_with_their_schemas() {
    agrees_on::<OfMaps>(&[
        r#"{"t":"Map","a":"x"}"#,
        r#"{"t":"Unit"}"#,
        r#"{"t":"Point","x":1,"t2":0}"#,
    ]);
    agrees::<Renamed>();
    agrees_on::<Lists>(&["[]", "[1,\"a\"]", "[[\"a\",1]]", "[true,false]", "[true]"]);
    agrees_on::<Maps>(&[
        r#"{"a":null,"b":1}"#,
        r#"{"a":1,"c":2}"#,
        r#"{"a":"x"}"#,
        "[1,2]",
    ]);
    agrees_on::<FlatRest>(&[r#"{"x":1,"z":[]}"#, r#"{"x":1,"y":"a"}"#]);
    agrees_on::<FlatUntagged>(&[
        r#"{"id":1,"x":1}"#,
        r#"{"id":1}"#,
        r#"{"id":1,"x":"a","name":"b"}"#,
    ]);
    agrees_on::<FlatOptionEnum>(&[
        r#"{"id":1}"#,
        r#"{"id":1,"t":"second_one"}"#,
        r#"{"id":1,"t":"x"}"#,
    ]);
    agrees_on::<FlatUnits>(&[r#"{"id":1,"Red":null}"#, r#"{"id":1}"#]);
    agrees::<Constrained>();
    agrees::<OfEverything>();
    agrees::<Vec<Adjacent>>();
}
