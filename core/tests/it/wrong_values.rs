//! The reasons for values that the type itself rejects, and for unknown names.

use std::collections::BTreeMap;

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::builder;

fn service<P: DeserializeOwned + JsonSchema + 'static>() -> Service {
    let taking = Procedure::sync("take", |_: Cx, _: P| Ok::<_, Fault>(true));
    builder().procedure(taking).build().expect("a service")
}

/// Returns the problems of a call in short form: parameter, pointer and reason.
async fn problems(service: &Service, params: &str) -> Vec<String> {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"take","params":{params},"id":1}}"#);
    let response: Value =
        serde_json::from_slice(&service.handle(body).await.expect("an answer")).expect("JSON");
    let data = &response["error"]["data"];
    let mut problems = vec![in_short(data)];
    if let Some(others) = data["others"].as_array() {
        problems.extend(others.iter().map(in_short));
    }
    problems
}

fn in_short(problem: &Value) -> String {
    let parameter = problem["parameter"].as_str().unwrap_or_default();
    let pointer = problem["pointer"].as_str().unwrap_or_default();
    let reason = problem["reason"].as_str().unwrap_or_default();
    format!("{parameter}{pointer}: {reason}")
}

#[track_caller]
fn assert_reported(reported: &[String], expected: &[&str]) {
    assert_eq!(reported, expected);
}

/// An integer type that rejects a value which its schema allows.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
#[schemars(with = "u8")]
struct Unlucky;

impl TryFrom<u8> for Unlucky {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            13 => Err("thirteen brings bad luck".to_owned()),
            _ => Ok(Self),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Money {
    _amount: u8,
    _currency: String,
}

#[derive(Deserialize, JsonSchema)]
struct Paid {
    _width: u8,
    #[serde(flatten)]
    _money: Money,
    #[schemars(range(max = 3))]
    _length: u8,
}

#[tokio::test]
async fn a_flattened_parameter_is_reported_once_and_in_its_turn() {
    let service = service::<Paid>();
    let reported = problems(
        &service,
        r#"{"_length":9,"_width":1,"_amount":1,"_currency":3,"bad":1}"#,
    );
    assert_reported(
        &reported.await,
        &[
            "bad: unknown parameter: expected \"_width\", \"_amount\", \"_currency\" or \
             \"_length\"",
            "_currency: expected a string, found 3",
            "_length: expected an integer from 0 to 3, found 9",
        ],
    );
}

#[derive(Deserialize, JsonSchema)]
struct Outer {
    #[serde(rename = "a")]
    _a: u8,
    #[serde(flatten)]
    _inner: Inner,
}

#[derive(Deserialize, JsonSchema)]
struct Inner {
    #[serde(rename = "b")]
    _b: Unlucky,
    #[serde(rename = "e")]
    _e: Option<Unlucky>,
    #[serde(flatten)]
    _innermost: Innermost,
}

#[derive(Deserialize, JsonSchema)]
struct Innermost {
    #[serde(rename = "c")]
    _c: Unlucky,
    #[serde(rename = "d")]
    _d: Option<Vec<Unlucky>>,
    #[serde(rename = "text")]
    _text: String,
}

#[tokio::test]
async fn a_value_that_a_flattened_type_refuses_beyond_its_schema_is_reported_without_a_parameter() {
    let service = service::<Outer>();
    for params in [
        r#"{"a":1,"b":13,"c":1,"text":""}"#,
        r#"{"a":1,"b":1,"c":1,"d":[1,13],"text":""}"#,
        r#"{"text":"","d":[13],"c":13,"b":1,"a":1}"#,
    ] {
        let reported = problems(&service, params).await;
        assert_eq!(reported, [": thirteen brings bad luck"], "{params}");
    }
    // The schema's finding comes first, and names the parameter.
    let wrong = r#"{"a":1,"b":1,"c":13,"text":3,"x":1}"#;
    let reported = problems(&service, wrong).await;
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].starts_with("x: unknown parameter"),
        "{reported:?}"
    );
    assert_eq!(reported[1], "text: expected a string, found 3");
    assert_eq!(
        problems(&service, r#"{"b":13,"c":1,"text":""}"#).await,
        ["a: this required parameter is missing"]
    );
}

#[derive(Deserialize, JsonSchema)]
struct Room {
    #[schemars(range(max = 3))]
    _floor: u8,
    #[schemars(length(max = 2))]
    _name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Hotel {
    _by_number: Option<BTreeMap<u8, Room>>,
    _by_name: Option<BTreeMap<String, Option<Room>>>,
}

#[tokio::test]
async fn all_problems_in_a_map_are_reported_whatever_its_keys_are() {
    let service = service::<Hotel>();
    let rooms = r#"{"1":{"_floor":9,"_name":"abc"},"2":{"_floor":8,"_name":"ab"}}"#;
    let params = format!(r#"{{"_by_number":{rooms},"_by_name":{rooms}}}"#);
    let reported = problems(&service, &params).await;
    assert_reported(
        &reported,
        &[
            "_by_number/1/_floor: expected an integer from 0 to 3, found 9",
            "_by_number/1/_name: expected at most 2 characters, found 3",
            "_by_number/2/_floor: expected an integer from 0 to 3, found 8",
            "_by_name/1/_floor: expected an integer from 0 to 3, found 9",
            "_by_name/1/_name: expected at most 2 characters, found 3",
            "_by_name/2/_floor: expected an integer from 0 to 3, found 8",
        ],
    );
}

#[derive(Deserialize, JsonSchema)]
struct Numbered {
    #[serde(rename = "small")]
    _small: BTreeMap<u8, bool>,
    #[serde(rename = "signed")]
    _signed: BTreeMap<i16, bool>,
    #[serde(rename = "not_zero")]
    _not_zero: BTreeMap<std::num::NonZeroU8, bool>,
}

#[tokio::test]
async fn the_error_for_a_key_that_is_no_integer_of_its_type_names_the_range() {
    let service = service::<Numbered>();
    for (params, expected) in [
        (
            r#"{"small":{"300":true},"signed":{},"not_zero":{}}"#,
            "small/300: unknown member \"300\"; expected an integer from 0 to 255",
        ),
        (
            r#"{"small":{},"signed":{"a":true},"not_zero":{}}"#,
            "signed/a: unknown member \"a\"; expected an integer from -32768 to 32767",
        ),
        (
            r#"{"small":{},"signed":{},"not_zero":{"0":true}}"#,
            "not_zero/0: unknown member \"0\"; expected an integer from 1 to 255",
        ),
    ] {
        assert_eq!(problems(&service, params).await, [expected]);
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Shape {
    Circle { _radius: f64 },
    Square { _side: f64 },
    Box { _width: f64, _height: f64 },
}

#[derive(Deserialize, JsonSchema)]
struct Drawn {
    _shape: Shape,
    _other: Option<Shape>,
}

#[tokio::test]
async fn the_error_for_a_value_that_is_no_tagged_object_lists_the_tags_once() {
    let expected = "expected an object whose \"kind\" is one of \"Circle\", \"Square\", \"Box\"";
    assert_eq!(
        problems(&service::<Drawn>(), r#"{"_shape":1,"_other":2}"#).await,
        [
            format!("_shape: {expected}, found 1"),
            format!("_other: {expected} or null, found 2"),
        ]
    );
}

#[derive(Deserialize, JsonSchema)]
struct Gallery {
    _shapes: Vec<Shape>,
}

#[tokio::test]
async fn every_wrong_element_of_a_list_of_alternatives_is_reported() {
    let service = service::<Gallery>();
    let reported = problems(
        &service,
        r#"{"_shapes":[1,{"kind":"Cube"},{},[2],"Circle"]}"#,
    )
    .await;
    let places: Vec<&str> = reported
        .iter()
        .filter_map(|problem| problem.split(':').next())
        .collect();
    let all = [
        "_shapes/0",
        "_shapes/1/kind",
        "_shapes/2",
        "_shapes/3",
        "_shapes/4",
    ];
    assert_eq!(places, all, "{reported:#?}");
}
