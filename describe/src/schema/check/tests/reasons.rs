//! The reasons that callers read, who may not know the schema.

use super::{check, full, reason};

/// Checks the reasons why values do not fit schemas.
#[track_caller]
fn table(rows: &[(&str, &str, &str)]) {
    for (schema, value, expected) in rows {
        assert_eq!(&reason(&check(schema), value), expected);
    }
}

#[test]
fn the_width_of_doubles_is_given_only_for_numbers_beyond_it() {
    let schema =
        r#"{"type":"number","minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e308}"#;
    let check = full(schema);
    assert_eq!(
        reason(&check, "\"three\""),
        "expected a number, found \"three\""
    );
    assert!(
        reason(&check, "1e400").starts_with("expected a number from -1.7976931348623157e308 to")
    );
}

#[test]
fn reasons_about_numbers_explain_themselves() {
    table(&[
        (
            r#"{"type":"integer","minimum":1,"maximum":10}"#,
            "11",
            "expected an integer from 1 to 10, found 11",
        ),
        (
            r#"{"type":"integer","minimum":1,"maximum":10}"#,
            "\"x\"",
            "expected an integer from 1 to 10, found \"x\"",
        ),
        (
            r#"{"type":["integer","null"],"minimum":1}"#,
            "{}",
            "expected an integer of at least 1 or null, found an object",
        ),
        (
            r#"{"type":"number","exclusiveMinimum":0,"maximum":1}"#,
            "0",
            "expected a number greater than 0 and of at most 1, found 0",
        ),
        (
            r#"{"type":"number","minimum":0,"maximum":1,"multipleOf":0.25}"#,
            "0.3",
            "expected a number from 0 to 1 that is a multiple of 0.25, found 0.3",
        ),
        (
            r#"{"type":"integer","not":{"const":0}}"#,
            "0",
            "expected a value other than 0, found 0",
        ),
    ]);
}

#[test]
fn reasons_about_strings_and_lists_of_values_explain_themselves() {
    table(&[
        (
            r#"{"type":"string","minLength":1,"maxLength":100}"#,
            "\"\"",
            "expected 1 to 100 characters, found 0",
        ),
        (
            r#"{"type":"string","minLength":1}"#,
            "\"\"",
            "expected at least 1 character, found 0",
        ),
        (
            r#"{"type":"string","maxLength":2}"#,
            "\"abc\"",
            "expected at most 2 characters, found 3",
        ),
        (
            r#"{"type":"string","minLength":2,"maxLength":2}"#,
            "\"\"",
            "expected exactly 2 characters, found 0",
        ),
        (
            r#"{"type":"string","minLength":2,"maxLength":2}"#,
            "7",
            "expected a string, found 7",
        ),
        (
            r#"{"type":"string","pattern":"^[A-Za-z]{2,5}$"}"#,
            "\"x1\"",
            "must match the pattern ^[A-Za-z]{2,5}$, found \"x1\"",
        ),
        (
            r#"{"enum":["a","b"]}"#,
            "\"c\"",
            "expected one of \"a\", \"b\", found \"c\"",
        ),
        (r#"{"const":5}"#, "[]", "expected 5, found an array"),
    ]);
}

#[test]
fn reasons_about_containers_explain_themselves() {
    table(&[
        (
            r#"{"type":"array","maxItems":3}"#,
            "[1,2,3,4]",
            "expected at most 3 elements, found 4",
        ),
        (
            r#"{"uniqueItems":true}"#,
            "[0,1,2,3,4,2]",
            "the elements must be unique: elements 2 and 5 are equal",
        ),
        (
            r#"{"properties":{"a/b":{"items":{"minimum":1}}}}"#,
            "{\"a/b\":[1,0]}",
            "at /a~1b/1: expected a number of at least 1, found 0",
        ),
        (
            r#"{"properties":{"a":{"minimum":1},"b":true},"additionalProperties":false}"#,
            "{\"c\":1}",
            "at /c: unknown member \"c\"; expected \"a\" or \"b\"",
        ),
    ]);
}

#[test]
fn reasons_about_alternatives_explain_themselves() {
    table(&[
        (
            r#"{"anyOf":[{"type":"integer","maximum":1},{"type":"integer","minimum":3},{"type":"null"}]}"#,
            "2",
            "expected an integer of at most 1, found 2; or expected an integer of at least 3, found 2",
        ),
        (
            r#"{"anyOf":[{"type":"integer","maximum":1},{"type":"string"}]}"#,
            "null",
            "expected an integer of at most 1 or a string, found null",
        ),
        (
            r#"{"oneOf":[{"type":"integer","maximum":2},{"type":"integer","minimum":2}]}"#,
            "2",
            "must match exactly one alternative, but matches two: numbers 1 and 2",
        ),
    ]);
}

#[test]
fn reasons_stay_short_whatever_is_found() {
    let long = format!("\"{}\"", "ä".repeat(100_000));
    for schema in [
        r#"{"enum":["a"]}"#,
        r#"{"pattern":"x"}"#,
        r#"{"type":"integer","minimum":1}"#,
        r#"{"anyOf":[{"type":"string","maxLength":3},{"type":"string","pattern":"x"}]}"#,
    ] {
        let reason = reason(&check(schema), &long);
        assert!(reason.len() < 300, "{reason}");
    }
    let member = format!("{{\"{}\":0}}", "a".repeat(100_000));
    let check = check(r#"{"additionalProperties":{"minimum":1}}"#);
    let violation = check.check(&member).unwrap_err();
    assert!(violation.pointer.is_root());
    assert_eq!(violation.reason, "expected a number of at least 1, found 0");
}

#[test]
fn alternatives_say_what_is_wrong_with_each() {
    let schema = r#"{"anyOf":[
        {"type":"object","properties":{"a":{"type":"integer","maximum":3}},"required":["a"]},
        {"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}
    ]}"#;
    assert_eq!(
        reason(&check(schema), "{\"a\":4}"),
        "no alternative matches: at /a: expected an integer of at most 3, found 4; or the member \
         \"b\" is missing"
    );
    assert_eq!(
        reason(&check(schema), "[]"),
        "expected an object, found an array"
    );
}

#[test]
fn a_reason_that_all_alternatives_share_is_given_once_and_in_its_place() {
    let schema = r#"{"items":{"anyOf":[
        {"type":"object","properties":{"a":{"type":"integer","maximum":3}},"required":["a"]},
        {"type":"object","properties":{"a":{"type":"integer","maximum":3},"b":true},"required":["a","b"]}
    ]}}"#;
    assert_eq!(
        reason(&check(schema), "[{\"a\":4}]"),
        "at /0/a: expected an integer of at most 3, found 4"
    );
}

#[test]
fn tags_are_named() {
    let schema = r#"{"oneOf":[
        {"type":"object","properties":{"kind":{"const":"circle"},"r":{"exclusiveMinimum":0}},"required":["kind"]},
        {"type":"object","properties":{"kind":{"const":"square"}},"required":["kind"]},
        {"type":"null"}
    ]}"#;
    let check = check(schema);
    assert_eq!(
        reason(&check, r#"{"kind":"oval"}"#),
        "at /kind: expected one of \"circle\", \"square\", found \"oval\""
    );
    assert_eq!(reason(&check, "{}"), "the member \"kind\" is missing");
    assert_eq!(
        reason(&check, r#"{"r":0,"kind":"circle"}"#),
        "at /r: expected a number greater than 0, found 0"
    );
    assert_eq!(
        reason(&check, "5"),
        "expected an object whose \"kind\" is one of \"circle\", \"square\" or null, found 5"
    );
}

#[test]
fn only_members_are_named() {
    let schema = r#"{"oneOf":[
        {"type":"object","properties":{"A":{"minimum":1}},"required":["A"],"additionalProperties":false},
        {"type":"object","properties":{"B":{"type":"string"}},"required":["B"],"additionalProperties":false},
        {"type":"string","const":"C"}
    ]}"#;
    let check = check(schema);
    assert_eq!(
        reason(&check, r#"{"D":1}"#),
        "expected an object whose only member is one of \"A\", \"B\", found \"D\""
    );
    assert_eq!(
        reason(&check, "{}"),
        "expected an object whose only member is one of \"A\", \"B\", found none"
    );
    assert_eq!(reason(&check, "\"D\""), "expected \"C\", found \"D\"");
    assert_eq!(
        reason(&check, r#"{"A":0}"#),
        "at /A: expected a number of at least 1, found 0"
    );
    assert_eq!(
        reason(&check, "1"),
        "expected \"C\" or an object whose only member is one of \"A\", \"B\", found 1"
    );
}

#[test]
fn what_is_missing_is_named() {
    let check = full(r#"{"type":"object","required":["a","b"]}"#);
    assert_eq!(
        reason(&check, "{\"a\":1,\"a\":1}"),
        "the member \"b\" is missing"
    );
    assert_eq!(reason(&check, "3"), "expected an object, found 3");
}
