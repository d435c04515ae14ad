//! The words for invalid parameters: the `data` of the error that a caller sees.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::Plan;
use super::{error_data, plan, plan_by_name_only, plan_of};

#[track_caller]
fn refuses<P: DeserializeOwned>(plan: &Plan, cases: &[(&str, Value)]) {
    for (text, expected) in cases {
        assert_eq!(error_data::<P>(plan, text), *expected, "{text}");
    }
}

fn data(parameter: &str, pointer: &str, reason: &str) -> Value {
    json!({"parameter": parameter, "pointer": pointer, "reason": reason})
}

fn data_at(position: usize, parameter: &str, pointer: &str, reason: &str) -> Value {
    json!({"parameter": parameter, "position": position, "pointer": pointer, "reason": reason})
}

/// Returns the data of a rejection with several problems.
fn several(mut problems: Vec<Value>) -> Value {
    let mut first = problems.remove(0);
    first["others"] = problems.into();
    first
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only refused")]
struct Find {
    words: String,
    #[serde(default)]
    limit: u8,
    shelf: Option<Shelf>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only refused")]
struct Shelf {
    number: i32,
    row: Row,
    tags: Vec<String>,
    size: (u8, u8),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only refused")]
enum Row {
    Top,
    Bottom,
    Between { above: u8 },
}

fn find() -> Plan {
    plan_of::<Find>()
}

const SHELF_3: &str = "expected an object or null, found 3";

#[test]
fn names_come_before_values() {
    let missing = "this required parameter is missing";
    let twice = "this parameter is given twice";
    let unknown = r#"unknown parameter: expected "words", "limit" or "shelf""#;
    let meant = format!(r#"{unknown}; did you mean "limit"?"#);
    refuses::<Find>(
        &find(),
        &[
            ("", data("words", "", missing)),
            ("[]", data("words", "", missing)),
            (
                r#"{"limit": "x"}"#,
                several(vec![
                    data("words", "", missing),
                    data(
                        "limit",
                        "",
                        "expected an integer from 0 to 255, found \"x\"",
                    ),
                ]),
            ),
            (
                r#"{"words": "", "limit": 1, "words": 2}"#,
                data("words", "", twice),
            ),
            (
                r#"{"words": "", "limit": 1, "w\u006frds": 2}"#,
                data("words", "", twice),
            ),
            (r#"{"words": "", "Limt": 1}"#, data("Limt", "", &meant)),
            (r#"{"words": "", "": 1, "limit": 1}"#, data("", "", unknown)),
            (
                r#"{"words": "", "limit": 1, "0": 1, "\u0030": 2}"#,
                data("0", "", unknown),
            ),
            (
                r#"[1, "x", 3, 4, 5]"#,
                several(vec![
                    json!({"position": 3, "reason": "expected at most 3 parameters, found 5"}),
                    data_at(0, "words", "", "expected a string, found 1"),
                    data_at(
                        1,
                        "limit",
                        "",
                        "expected an integer from 0 to 255, found \"x\"",
                    ),
                    data_at(2, "shelf", "", SHELF_3),
                ]),
            ),
        ],
    );
}

#[test]
fn every_way_of_giving_parameters_says_how_else() {
    let none = "unknown parameter: the procedure takes none";
    refuses::<()>(
        &plan::<&str>(&[]),
        &[
            (
                "[1, 2]",
                json!({"position": 0, "reason": "expected no parameters, found 2"}),
            ),
            (
                r#"{"x": 1, "y": 2}"#,
                several(vec![data("x", "", none), data("y", "", none)]),
            ),
        ],
    );
    refuses::<Find>(
        &plan_by_name_only(&["words"]),
        &[(
            r#"["x"]"#,
            json!({"position": 0, "reason":
                "this procedure takes its parameters by name only"}),
        )],
    );
    refuses::<Vec<u8>>(
        &plan_of::<Vec<u8>>(),
        &[
            (
                r#"{"values": [1, -1]}"#,
                data(
                    "values",
                    "/1",
                    "expected an integer from 0 to 255, found -1",
                ),
            ),
            (
                r#"{"values": null}"#,
                data("values", "", "expected an array, found null"),
            ),
            (
                r#"{"values": {"0": 1}}"#,
                data("values", "", "expected an array, found an object"),
            ),
            (
                r#"{"values": [1], "values": [2]}"#,
                data("values", "", "this parameter is given twice"),
            ),
            (
                r#"{"valeus": [1], "values": ["x"], "0": 1}"#,
                several(vec![
                    data(
                        "valeus",
                        "",
                        r#"unknown parameter: expected "values"; did you mean "values"?"#,
                    ),
                    data("0", "", r#"unknown parameter: expected "values""#),
                    data(
                        "values",
                        "/0",
                        r#"expected an integer from 0 to 255, found "x""#,
                    ),
                ]),
            ),
            (
                "[1, 2, 300]",
                data(
                    "values",
                    "/2",
                    "expected an integer from 0 to 255, found 300",
                ),
            ),
        ],
    );
}

#[test]
fn wrong_values_are_reported_in_the_order_of_the_description() {
    refuses::<Find>(
        &find(),
        &[
            (
                r#"{"limit": 300, "words": 7}"#,
                several(vec![
                    data("words", "", "expected a string, found 7"),
                    data("limit", "", "expected an integer from 0 to 255, found 300"),
                ]),
            ),
            (
                "[7, 300]",
                several(vec![
                    data_at(0, "words", "", "expected a string, found 7"),
                    data_at(
                        1,
                        "limit",
                        "",
                        "expected an integer from 0 to 255, found 300",
                    ),
                ]),
            ),
            (
                r#"["x", 1.50]"#,
                data_at(
                    1,
                    "limit",
                    "",
                    "expected an integer from 0 to 255, found 1.50",
                ),
            ),
        ],
    );
}

/// Values that are not shelves, each with one mistake: its pointer and its reason.
const SHELVES: &[(&str, &str, &str)] = &[
    ("[1]", "", "expected an object or null, found an array"),
    (
        r#"{"row": "top", "tags": [], "size": [1, 2]}"#,
        "",
        r#"the member "number" is missing"#,
    ),
    (
        r#"{"number": 1, "number": 1, "row": "top", "tags": [], "size": [1, 2]}"#,
        "",
        r#"the member "number" is given twice"#,
    ),
    (
        r#"{"number": 1, "row": "top", "tags": [], "size": [1, 2], "colour/~": 1}"#,
        "/colour~1~0",
        r#"unknown member "colour/~"; expected "number", "row", "size" or "tags""#,
    ),
    (
        r#"{"number": null, "row": "top", "tags": [], "size": [1, 2]}"#,
        "/number",
        "expected an integer from -2147483648 to 2147483647, found null",
    ),
    (
        r#"{"number": 1e10, "row": "top", "tags": [], "size": [1, 2]}"#,
        "/number",
        "expected an integer from -2147483648 to 2147483647, found 1e10",
    ),
    (
        r#"{"number": 1, "row": "top", "tags": ["a", ["b"]], "size": [1, 2]}"#,
        "/tags/1",
        "expected a string, found an array",
    ),
    (
        r#"{"number": 1, "row": "top", "tags": [], "size": [1, 2, 3]}"#,
        "/size",
        "expected exactly 2 elements, found 3",
    ),
    (
        r#"{"number": 1, "row": "middle", "tags": [], "size": [1, 2]}"#,
        "/row",
        r#"expected one of "top", "bottom", found "middle""#,
    ),
    (
        r#"{"number": 1, "row": {"between": {"above": -1}}, "tags": [], "size": [1, 2]}"#,
        "/row/between/above",
        "expected an integer from 0 to 255, found -1",
    ),
    (
        r#"{"number": 1, "row": {"between": {}}, "tags": [], "size": [1, 2]}"#,
        "/row/between",
        r#"the member "above" is missing"#,
    ),
    (
        r#"{"number": 1, "row": {"between": {"above": 1}, "bottom": null}, "tags": [], "size": [1, 2]}"#,
        "/row/bottom",
        r#"unknown member "bottom"; expected "between""#,
    ),
];

#[test]
fn a_pointer_leads_to_the_innermost_value() {
    for (shelf, pointer, reason) in SHELVES {
        let by_name = format!(r#"{{"words": "x", "limit": 1, "shelf": {shelf}}}"#);
        assert_eq!(
            error_data::<Find>(&find(), &by_name),
            data("shelf", pointer, reason),
            "{by_name}"
        );
        let by_position = format!(r#" ["x" , 1 , {shelf} ]"#);
        assert_eq!(
            error_data::<Find>(&find(), &by_position),
            data_at(2, "shelf", pointer, reason),
            "{by_position}"
        );
    }
}

#[derive(Deserialize, JsonSchema)]
struct One<T> {
    #[serde(rename = "a")]
    _a: T,
}

/// Returns the reason why a type rejects a value of its only parameter.
#[track_caller]
fn reason<T: DeserializeOwned + JsonSchema>(value: &str) -> String {
    let data = error_data::<One<T>>(&plan_of::<One<T>>(), &format!("[{value}]"));
    assert_eq!(data["parameter"], "a");
    data["reason"].as_str().unwrap().to_owned()
}

#[test]
fn no_reason_speaks_rust() {
    assert_eq!(reason::<bool>("1"), "expected true or false, found 1");
    assert_eq!(reason::<f64>("\"x\""), "expected a number, found \"x\"");
    let double = "expected a number from -1.7976931348623157e308 to 1.7976931348623157e308";
    assert_eq!(reason::<f64>("1e400"), format!("{double}, found 1e400"));
    assert_eq!(
        reason::<Value>("1e400"),
        "expected a number within ±1.7976931348623157e308, found 1e400"
    );
    let long = "expected an integer from 0 to 18446744073709551615";
    assert_eq!(reason::<u64>("[]"), format!("{long}, found an array"));
    assert_eq!(
        reason::<u64>("18446744073709551616.0"),
        format!("{long}, found 18446744073709551616.0")
    );
    assert_eq!(
        reason::<std::num::NonZeroI8>("0"),
        "expected a value other than 0, found 0"
    );
    assert_eq!(
        reason::<std::num::NonZeroU8>("0"),
        "expected an integer from 1 to 255, found 0"
    );
    assert_eq!(
        reason::<char>("\"ab\""),
        "expected exactly 1 character, found 2"
    );
    assert_eq!(reason::<()>("1"), "expected null, found 1");
    assert_eq!(
        reason::<Vec<u8>>("{}"),
        "expected an array, found an object"
    );
    assert_eq!(
        reason::<Row>("null"),
        "expected one of \"top\", \"bottom\" or an object, found null"
    );
    assert_eq!(
        reason::<BTreeMap<String, u8>>("false"),
        "expected an object, found false"
    );
    assert_eq!(
        reason::<HashMap<u8, u8>>("{\"x\": 1}"),
        "unknown member \"x\"; expected an integer from 0 to 255"
    );
    assert_eq!(
        reason::<[u8; 2]>("[1]"),
        "expected exactly 2 elements, found 1"
    );
    assert_eq!(
        reason::<std::time::Duration>("[1]"),
        "expected an object, found an array"
    );
}

/// Returns the reason why a type rejects a value that its schema allows.
#[track_caller]
fn own_reason<T: DeserializeOwned>(value: &str) -> String {
    let data = error_data::<BTreeMap<String, T>>(&plan(&["a"]), &format!("[{value}]"));
    assert_eq!(data["parameter"], "a");
    data["reason"].as_str().unwrap().to_owned()
}

#[test]
fn no_reason_of_a_type_that_is_stricter_than_its_schema_speaks_rust() {
    for (reason, expected) in [
        (own_reason::<bool>("1"), "expected true or false, found 1"),
        (
            own_reason::<u8>("\"x\""),
            "expected an integer, found the string \"x\"",
        ),
        (
            own_reason::<String>("[]"),
            "expected a string, found an array",
        ),
        (
            own_reason::<Vec<u8>>("{}"),
            "expected an array, found an object",
        ),
        (
            own_reason::<Shelf>("null"),
            "expected an object, found null",
        ),
        (
            own_reason::<Row>("5"),
            "expected a string or an object with one member, found 5",
        ),
        (
            own_reason::<Row>(r#"{"top": 1}"#),
            "expected the name alone, as a string, found an object",
        ),
        (
            own_reason::<Row>("\"between\""),
            "expected an object with this name as its only member, found the string \"between\"",
        ),
        (
            own_reason::<Row>("{}"),
            "expected an object with exactly one member",
        ),
        (
            own_reason::<std::net::IpAddr>("\"x\""),
            "invalid IP address syntax",
        ),
        (
            own_reason::<Untagged>("300"),
            "the value matches none of the allowed forms",
        ),
        (
            own_reason::<Tagged>(r#"{"kind": "Cube"}"#),
            "expected \"Circle\" or \"Square\", found \"Cube\"",
        ),
    ] {
        assert_eq!(reason, expected);
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only refused")]
enum Untagged {
    Number(u8),
    Text(String),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only refused")]
enum Tagged {
    Circle { radius: u8 },
    Square { side: u8 },
}

#[test]
fn alternatives_say_what_they_can() {
    assert_eq!(
        reason::<Untagged>("300"),
        "expected an integer from 0 to 255, found 300"
    );
    assert_eq!(reason::<Tagged>("{}"), "the member \"kind\" is missing");
    assert_eq!(
        reason::<Tagged>(r#"{"kind": "Cube"}"#),
        "expected one of \"Circle\", \"Square\", found \"Cube\""
    );
    assert_eq!(
        reason::<Tagged>(r#"{"kind": "Circle"}"#),
        "the member \"radius\" is missing"
    );
    assert_eq!(
        reason::<Tagged>("1"),
        "expected an object whose \"kind\" is one of \"Circle\", \"Square\", found 1"
    );
}

#[test]
fn a_type_may_use_words_of_its_own() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(try_from = "String")]
    struct Isbn;
    impl TryFrom<String> for Isbn {
        type Error = String;
        fn try_from(text: String) -> Result<Self, String> {
            Err(format!("{text:?} is no ISBN{}", ".".repeat(1000)))
        }
    }

    let reason = reason::<Isbn>("\"x\"");
    assert!(reason.starts_with("\"x\" is no ISBN..."));
    assert!(reason.ends_with('…'), "{reason}");
    assert_eq!(reason.len(), 300);
}

#[test]
fn a_fault_of_all_parameters_together_names_none() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(try_from = "BTreeMap<String, u8>")]
    struct Sorted;
    impl TryFrom<BTreeMap<String, u8>> for Sorted {
        type Error = &'static str;
        fn try_from(_: BTreeMap<String, u8>) -> Result<Self, &'static str> {
            Err("`from` lies behind `to`")
        }
    }

    let plan = plan(&["from", "to"]);
    refuses::<Sorted>(
        &plan,
        &[("[2, 1]", json!({"reason": "`from` lies behind `to`"}))],
    );
}

#[test]
fn a_value_that_serde_has_buffered_is_found_by_its_schema() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Page {
        offset: u8,
        limit: Option<Tagged>,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Query {
        words: String,
        #[serde(flatten)]
        page: Page,
    }

    let integer = "expected an integer from 0 to 255, found";
    refuses::<Query>(
        &plan_of::<Query>(),
        &[
            (
                r#"{"words": "x", "offset": "x"}"#,
                data("offset", "", &format!("{integer} \"x\"")),
            ),
            (
                r#"{"words": "x", "offset": 1, "limit": {"a": [1.5], "kind": "Circle", "radius": 2.5}}"#,
                data("limit", "/radius", &format!("{integer} 2.5")),
            ),
            (
                r#"{"words": "x", "offset": 1, "limit": {"kind": "Cube"}}"#,
                data(
                    "limit",
                    "/kind",
                    "expected one of \"Circle\", \"Square\", found \"Cube\"",
                ),
            ),
            (
                r#"{"words": 1, "offset": []}"#,
                several(vec![
                    data("words", "", "expected a string, found 1"),
                    data("offset", "", &format!("{integer} an array")),
                ]),
            ),
        ],
    );
}

#[test]
fn an_error_reads_well_in_a_log() {
    let show = |text| super::bind::<Find>(&find(), text).unwrap_err().to_string();
    assert_eq!(
        show(r#"["x", 1, {"number": 1, "row": "top", "tags": [1], "size": [1, 2]}]"#),
        "parameter `shelf` at /tags/0: expected a string, found 1"
    );
    assert_eq!(show("[7]"), "parameter `words`: expected a string, found 7");
    assert_eq!(
        show("[1, 2, 3, 4]"),
        "position 3: expected at most 3 parameters, found 4; \
         parameter `words`: expected a string, found 1; \
         parameter `shelf`: expected an object or null, found 3"
    );
}
