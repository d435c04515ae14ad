//! An error reports all problems of a call, and no others.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::super::{Problems, invalid_params};
use super::{check, error_data, list_with, plan, plan_of, plan_with_checks};
use crate::bind::Plan;

/// Returns the problems of a rejection in short form: the parameter, the pointer and the start of
/// the reason.
#[track_caller]
fn problems<P: DeserializeOwned>(plan: &Plan, text: &str) -> Vec<String> {
    let data = error_data::<P>(plan, text);
    let mut problems = vec![summarize(&data)];
    if let Some(others) = data.get("others") {
        problems.extend(others.as_array().unwrap().iter().map(summarize));
    }
    assert!(problems.len() <= 10, "{data}");
    problems
}

fn summarize(problem: &Value) -> String {
    let parameter = problem["parameter"].as_str().unwrap_or_default();
    let pointer = problem["pointer"].as_str().unwrap_or_default();
    let reason = problem["reason"].as_str().unwrap_or_default();
    assert!(!reason.is_empty() && reason.len() <= 300, "{problem}");
    let (reason, _) = reason.split_once([',', ':']).unwrap_or((reason, ""));
    format!("{parameter}{pointer}: {reason}")
}

/// Returns the text of an object with these members.
fn object(members: impl IntoIterator<Item = String>) -> String {
    let members: Vec<_> = members.into_iter().collect();
    format!("{{{}}}", members.join(","))
}

const MISSING: &str = "this required parameter is missing";

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only refused")]
struct Flat {
    a: u8,
    b: String,
    c: Option<bool>,
    d: Vec<i32>,
    e: f64,
}

#[test]
fn names_come_first_and_then_the_parameters_in_the_order_of_the_description() {
    let plan = plan_of::<Flat>();
    assert_eq!(
        problems::<Flat>(&plan, r#"{"z": 1, "d": [1, "x"], "y": 2, "c": 0, "a": -1}"#),
        [
            "z: unknown parameter".to_owned(),
            "y: unknown parameter".to_owned(),
            format!("b: {MISSING}"),
            format!("e: {MISSING}"),
            "a: expected an integer from 0 to 255".to_owned(),
            "c: expected true or false or null".to_owned(),
            "d/1: expected an integer from -2147483648 to 2147483647".to_owned(),
        ]
    );
    assert_eq!(
        problems::<Flat>(&plan, r#"["a", 1, null, [], "e"]"#),
        [
            "a: expected an integer from 0 to 255",
            "b: expected a string",
            "e: expected a number",
        ]
    );
    let by_position = error_data::<Flat>(&plan, r#"["a", "b", 3, [], 1]"#);
    assert_eq!(by_position["position"], 0);
    assert_eq!(by_position["others"][0]["position"], 2);
}

#[test]
fn no_more_than_ten_problems_are_reported() {
    let names: Vec<String> = (0..30).map(|n| format!("p{n}?")).collect();
    let byte = || Some(check(r#"{"type": "integer"}"#));
    let plan = plan_with_checks(names.iter().map(|name| (name, byte())).collect());
    let wrong = object((0..30).map(|n| format!("\"p{n}\": true")));
    let reported = problems::<BTreeMap<String, u8>>(&plan, &wrong);
    assert_eq!(reported.len(), 10);
    assert_eq!(reported[9], "p9: expected an integer");
    let unknown = object((0..30).map(|n| format!("\"q{n}\": true")));
    assert_eq!(problems::<Map<String, Value>>(&plan, &unknown).len(), 10);
}

#[test]
fn problems_of_a_parameter_are_reported_in_the_order_of_its_text() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Shelf {
        rows: Vec<u8>,
        label: String,
        width: f64,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Put {
        shelf: Shelf,
        count: u8,
    }

    let plan = plan_with_checks(vec![
        (
            "shelf",
            Some(check(
                r#"{"type": "object", "properties": {
                    "rows": {"type": "array", "maxItems": 3, "items": {"type": "integer", "maximum": 9}},
                    "label": {"type": "string", "minLength": 2}
                }}"#,
            )),
        ),
        ("count", Some(check(r#"{"maximum": 5}"#))),
    ]);
    let rows = r#"{"rows": [10, "x", 1, "y"], "label": "", "width": 1}"#;
    assert_eq!(
        problems::<Put>(&plan, &format!(r#"{{"count": 6, "shelf": {rows}}}"#)),
        [
            "shelf/rows/0: expected an integer of at most 9",
            "shelf/rows/1: expected an integer of at most 9",
            "shelf/rows: expected at most 3 elements",
            "shelf/label: expected at least 2 characters",
            "count: expected a number of at most 5",
        ]
    );
    // The type reports only what the check does not cover.
    let width = r#"{"rows": [1], "label": "ab", "width": "wide"}"#;
    let reported = problems::<Put>(&plan, &format!("[{width}, 6]"));
    assert_eq!(reported[0].split_once(':').unwrap().0, "shelf/width");
    assert_eq!(reported[1], "count: expected a number of at most 5");
}

/// Returns the parameter of a problem, and its value as it was sent.
fn parameter_and_value(problem: &Value) -> String {
    let name = problem["parameter"].as_str().unwrap();
    let (_, found) = problem["reason"]
        .as_str()
        .unwrap()
        .rsplit_once("found ")
        .unwrap();
    let value = found.trim_start_matches("the string ");
    format!("{name} {}", value.replace("an array", "[]"))
}

#[test]
fn every_wrong_parameter_is_reported_whichever_comes_first() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Three {
        a: u8,
        b: u8,
        c: u8,
    }

    const NAMES: [&str; 3] = ["a", "b", "c"];
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let rule = r#"{"type": "integer", "maximum": 9}"#;
    let plan = plan_with_checks(NAMES.map(|name| (name, Some(check(rule)))).into());
    let by_type = plan_of::<Three>();
    for (plan, values) in [
        (&plan, ["5", "10", "\"x\""]),
        (&by_type, ["5", "[]", "256"]),
    ] {
        for case in 0..27 {
            let values = [case % 3, case / 3 % 3, case / 9].map(|index| values[index]);
            let expected: Vec<String> = (NAMES.iter().zip(values))
                .filter(|(_, value)| *value != "5")
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            for order in ORDERS {
                let members = order
                    .map(|index| format!("  \"{}\" :\n {}", NAMES[index], values[index]))
                    .join(" ,");
                let text = format!("{{{members}}}");
                if expected.is_empty() {
                    super::bind::<Three>(plan, &text).unwrap();
                    continue;
                }
                let data = error_data::<Three>(plan, &text);
                let mut found = vec![parameter_and_value(&data)];
                if let Some(others) = data["others"].as_array() {
                    found.extend(others.iter().map(parameter_and_value));
                }
                assert_eq!(found, expected, "{text}");
            }
        }
    }
}

#[test]
fn every_wrong_element_of_a_list_is_reported() {
    let plan = list_with(Some(check(
        r#"{"items": {"type": "integer", "maximum": 9}}"#,
    )));
    let at_most = "expected an integer of at most 9";
    assert_eq!(
        problems::<Vec<u8>>(&plan, "[1, 10, true, 11, null, 2]"),
        [
            format!("values/1: {at_most}"),
            format!("values/2: {at_most}"),
            format!("values/3: {at_most}"),
            format!("values/4: {at_most}"),
        ]
    );
    let many = format!("[{}]", vec!["10"; 100].join(","));
    assert_eq!(problems::<Vec<u8>>(&plan, &many).len(), 10);
    let by_name = format!(r#"{{"x": 1, "values": {many}}}"#);
    assert_eq!(problems::<Vec<u8>>(&plan, &by_name).len(), 10);
}

#[test]
fn only_the_first_failure_of_alternatives_is_reported() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only refused")]
    enum Either {
        Numbers(Vec<u8>),
        Words(Vec<String>),
    }

    let either = check(
        r#"{"anyOf": [{"items": {"type": "integer", "maximum": 9}},
                      {"items": {"type": "string", "minLength": 1}}]}"#,
    );
    let plan = plan_with_checks(vec![("a", Some(either.clone())), ("b", Some(either))]);
    let reported = problems::<BTreeMap<String, Either>>(&plan, "[[10, 11], [[]]]");
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].starts_with("a/0: expected an integer"),
        "{reported:?}"
    );
    assert!(reported[1].starts_with('b'), "{reported:?}");
}

#[test]
fn a_value_that_only_a_later_alternative_accepts_is_not_reported() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only refused")]
    enum Loose {
        Number(u8),
        Text(String),
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Two {
        loose: Loose,
        strict: bool,
        more: Option<Loose>,
    }

    let plan = plan_of::<Two>();
    assert_eq!(
        problems::<Two>(&plan, r#"[42.0, "x", 1.0]"#),
        ["strict: expected true or false"]
    );
    assert_eq!(
        problems::<Two>(&plan, r#"[42.0, "x", 1.5]"#),
        [
            "strict: expected true or false",
            "more: expected an integer from 0 to 255",
        ]
    );
}

#[test]
fn the_parameters_of_a_flattened_struct_are_reported_like_others() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Page {
        offset: u8,
        limit: u8,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only refused")]
    struct Query {
        words: String,
        exact: Option<bool>,
        #[serde(flatten)]
        page: Page,
    }

    let plan = plan_of::<Query>();
    let integer = "expected an integer from 0 to 255";
    for (text, reported) in [
        (
            r#"{"words": "x", "offset": 300, "limit": 1}"#,
            vec![format!("offset: {integer}")],
        ),
        (
            r#"{"wrods": 1, "words": "x", "offset": "y", "limit": 1}"#,
            vec![
                "wrods: unknown parameter".to_owned(),
                format!("offset: {integer}"),
            ],
        ),
        (
            r#"{"words": 1, "exact": 2, "offset": "x", "limit": 1}"#,
            vec![
                "words: expected a string".to_owned(),
                format!("offset: {integer}"),
                "exact: expected true or false or null".to_owned(),
            ],
        ),
        (
            r#"{"words": "x", "offset": "y"}"#,
            vec![format!("limit: {MISSING}"), format!("offset: {integer}")],
        ),
    ] {
        assert_eq!(problems::<Query>(&plan, text), reported, "{text}");
    }
}

#[test]
fn problems_that_are_known_come_first_and_their_parameters_are_not_missing() {
    let plan = plan(&["a", "b", "c"]);
    let mut known = Problems::default();
    known.push(super::BindError::new("cannot be sent").for_parameter("b"));
    let error = invalid_params(&plan, Some(r#"{"a": 1}"#), known);
    assert_eq!(
        serde_json::to_value(&error).unwrap(),
        json!({
            "parameter": "b", "pointer": "", "reason": "cannot be sent",
            "others": [{"parameter": "c", "pointer": "", "reason": MISSING}],
        })
    );
}

#[test]
fn a_reason_is_short_and_quotes_little_whatever_was_sent() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    #[expect(clippy::enum_variant_names, reason = "long names")]
    enum Long {
        TheFirstOfSomeNamesThatAreLong,
        TheSecondOfSomeNamesThatAreLong,
        TheThirdOfSomeNamesThatAreLong,
        TheFourthOfSomeNamesThatAreLong,
        TheFifthOfSomeNamesThatAreLong,
        TheSixthOfSomeNamesThatAreLong,
    }
    type Longs = BTreeMap<String, Long>;

    let long = schemars::schema_for!(Long).to_value().to_string();
    for check in [
        None,
        Some(check(&long)),
        Some(check(r#"{"pattern": "^x"}"#)),
    ] {
        let plan = plan_with_checks(vec![("a", check)]);
        for letter in ["a", "ä", "😀", "\\u0001", "\\\"", "\\ud83d\\ude00"] {
            let value = letter.repeat(10_000);
            let data = error_data::<Longs>(&plan, &format!("[\"{value}\"]"));
            let reason = data["reason"].as_str().unwrap();
            assert!(reason.len() <= 300, "{reason}");
            let (_, found) = reason.split_once("found ").unwrap_or(("", reason));
            let (_, quoted) = found.split_once('"').unwrap_or(("", found));
            let meant: Value = serde_json::from_str(&format!("\"{letter}\"")).unwrap();
            let quoted = quoted.matches(meant.as_str().unwrap()).count();
            assert!(quoted <= 40, "{quoted}: {reason}");
        }
    }
    let names: Vec<String> = (0..1000).map(|n| format!("parameter_{n}?")).collect();
    let reported = error_data::<Map<String, Value>>(&plan(&names), r#"{"parametre_7": 1}"#);
    let reason = reported["reason"].as_str().unwrap();
    assert!(
        reason.ends_with(r#"or 990 more; did you mean "parameter_7"?"#),
        "{reason}"
    );
}

/// Checks that a rejection is short, and returns the number of its problems. The texts are so long that
/// the test would not end if the cost grew faster than their length, so it needs no clock.
#[track_caller]
fn count_bounded_problems<P: DeserializeOwned>(plan: &Plan, text: &str) -> usize {
    let data = error_data::<P>(plan, text);
    let length = data.to_string().len();
    assert!(length < 20_000, "{length} bytes");
    1 + data
        .get("others")
        .map_or(0, |others| others.as_array().unwrap().len())
}

#[test]
fn hostile_texts_cost_little() {
    type Any = Map<String, Value>;

    let names: Vec<String> = (0..300).map(|n| format!("parameter_{n}?")).collect();
    let wide = plan(&names);

    let unknown = object((0..50_000).map(|n| format!("\"p{n:05}\":1")));
    assert_eq!(count_bounded_problems::<Any>(&wide, &unknown), 10);
    let same = vec!["\"same\":1"; 50_000].join(",");
    assert_eq!(
        count_bounded_problems::<Any>(&wide, &format!("{{{same}}}")),
        1
    );
    let enormous = object((0..20).map(|n| format!("\"{n}{}\":1", "ä".repeat(50_000))));
    assert_eq!(count_bounded_problems::<Any>(&wide, &enormous), 10);
    let twice = vec!["\"parameter_1\":1"; 100_000].join(",");
    assert_eq!(
        count_bounded_problems::<Any>(&wide, &format!("{{{twice}}}")),
        1
    );
    let values = vec!["1"; 1_000_000].join(",");
    assert_eq!(
        count_bounded_problems::<Any>(&wide, &format!("[{values}]")),
        1
    );

    let rule = || Some(check(r#"{"items": {"type": "integer", "maximum": 9}}"#));
    let wrong = vec!["10"; 100_000].join(",");
    assert_eq!(
        count_bounded_problems::<Vec<u8>>(&list_with(rule()), &format!("[{wrong}]")),
        10
    );
    let wrong = vec!["[]"; 500_000].join(",");
    assert_eq!(
        count_bounded_problems::<Vec<u8>>(&list_with(rule()), &format!("[{wrong}]")),
        10
    );
    let nested = check(r#"{"additionalProperties": {"additionalProperties": {"maximum": 9}}}"#);
    let name = "n".repeat(100_000);
    let inner = vec![format!("\"{name}\":10"); 18].join(",");
    let plan = plan_with_checks(vec![("a", Some(nested))]);
    assert_eq!(
        count_bounded_problems::<Any>(&plan, &format!(r#"{{"a": {{"{name}": {{{inner}}}}}}}"#)),
        10
    );
}
