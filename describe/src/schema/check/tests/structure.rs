//! References, recursion, and the cost of hostile texts.

use std::time::{Duration, Instant};

use super::{Compiler, components, full, json, none, reason};
use crate::json::Cursor;
use crate::schema::check::Check;
use crate::schema::limits::MAX_CHECK_DEPTH;

/// Returns the check of one component, once only if decoding does not enforce all of it.
fn component(definitions: &str, name: &str) -> (Option<Check>, Check) {
    let components = components(definitions);
    let mut compiler = Compiler::new(&components);
    let schema = json(&format!("{{\"$ref\":\"#/components/schemas/{name}\"}}"));
    let check = compiler.compile(&schema).unwrap();
    let needed = compiler.asserts_beyond_decoding(&schema);
    (needed.then(|| check.clone()), check)
}

/// Returns components that refer to each other in a cycle, one of which has a member with this schema.
fn cycle_with_leaf(leaf: &str) -> String {
    format!(
        r##"{{
            "A":{{"properties":{{"b":{{"$ref":"#/components/schemas/B"}}}}}},
            "B":{{"items":{{"$ref":"#/components/schemas/C"}}}},
            "C":{{"properties":{{"a":{{"$ref":"#/components/schemas/A"}},"leaf":{leaf}}}}}
        }}"##
    )
}

#[test]
fn a_cycle_is_checked_exactly_where_something_in_it_promises_more() {
    for name in ["A", "B", "C"] {
        let (check, _) = component(&cycle_with_leaf("{\"type\":\"string\"}"), name);
        assert!(check.is_none());
        let (check, _) = component(&cycle_with_leaf("{\"maxLength\":1}"), name);
        assert!(check.is_some());
    }
    let (check, _) = component(&cycle_with_leaf("{\"maxLength\":1}"), "A");
    assert_eq!(
        reason(
            &check.unwrap(),
            r#"{"b":[{"leaf":"x"},{"a":{"b":[{"leaf":"xy"}]}}]}"#
        ),
        "at /b/1/a/b/0/leaf: expected at most 1 character, found 2"
    );
}

#[test]
fn what_stands_beside_a_reference_counts_too() {
    let (check, _) = component(
        r##"{"A":{"$ref":"#/components/schemas/B","maximum":5},"B":{"type":"integer","minimum":1}}"##,
        "A",
    );
    let check = check.unwrap();
    assert_eq!(check.check("5"), Ok(()));
    assert_eq!(
        reason(&check, "6"),
        "expected a number of at most 5, found 6"
    );
    assert_eq!(
        reason(&check, "0"),
        "expected an integer of at least 1, found 0"
    );
}

#[test]
fn tags_are_found_behind_references() {
    let (check, full) = component(
        r##"{
            "U":{"anyOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]},
            "A":{"type":"object","properties":{"t":{"const":"a"},"x":{"minimum":1}},"required":["t","x"]},
            "B":{"type":"object","properties":{"t":{"enum":["b","c"]},"x":{"minimum":5}},"required":["t"]}
        }"##,
        "U",
    );
    for check in [check.unwrap(), full] {
        assert_eq!(
            reason(&check, r#"{"t":"a","x":0}"#),
            "at /x: expected a number of at least 1, found 0"
        );
        assert_eq!(
            reason(&check, r#"{"x":9,"t":"d"}"#),
            "at /t: expected one of \"a\", \"b\", \"c\", found \"d\""
        );
        assert_eq!(check.check(r#"{"t":"c"}"#), Ok(()));
    }
}

/// Runs something that would never end if its cost were exponential or quadratic.
#[track_caller]
fn soon<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
    result
}

/// Returns `depth` nested objects, each the only member of the next.
fn nested(depth: usize, name: &str, innermost: &str) -> String {
    format!(
        "{}{innermost}{}",
        format!("{{\"{name}\":").repeat(depth),
        "}".repeat(depth)
    )
}

#[test]
fn nested_alternatives_do_not_multiply() {
    let alternatives = r##"{"T":{"KEYWORD":[
        {"type":"object","properties":{"l":{"$ref":"#/components/schemas/T"}},"required":["r"]},
        {"type":"object","properties":{"l":{"$ref":"#/components/schemas/T"}},"required":["l"]},
        {"type":"object","properties":{"l":{"$ref":"#/components/schemas/T"}},"required":["s"]},
        {"type":"integer","maximum":5}
    ]}}"##;
    for keyword in ["anyOf", "oneOf"] {
        let (check, full) = component(&alternatives.replace("KEYWORD", keyword), "T");
        for check in [check.unwrap(), full] {
            soon(|| assert_eq!(check.check(&nested(120, "l", "5")), Ok(())));
            let reason = soon(|| reason(&check, &nested(120, "l", "6")));
            assert!(reason.len() < 700, "{reason}");
            let reason = soon(|| self::reason(&check, &nested(10_000, "l", "5")));
            assert!(reason.contains("nested too deeply"), "{reason}");
        }
    }
}

#[test]
fn nested_conjunctions_do_not_multiply() {
    for schema in [
        r##"{"allOf":[{"properties":{"l":{"$ref":"#/components/schemas/T"}}},{"properties":{"l":{"$ref":"#/components/schemas/T"}}}],"maximum":5}"##,
        r##"{"properties":{"l":{"$ref":"#/components/schemas/T"}},"patternProperties":{"l":{"$ref":"#/components/schemas/T"}},"maximum":5}"##,
        r##"{"properties":{"l":{"$ref":"#/components/schemas/T"}},"anyOf":[{"properties":{"l":{"$ref":"#/components/schemas/T"}}}],"maximum":5}"##,
    ] {
        let (check, full) = component(&format!("{{\"T\":{schema}}}"), "T");
        for check in [check.unwrap(), full] {
            soon(|| assert_eq!(check.check(&nested(120, "l", "5")), Ok(())));
            let reason = soon(|| reason(&check, &nested(120, "l", "6")));
            assert!(
                reason.contains(": expected a number of at most 5"),
                "{reason}"
            );
        }
    }
}

/// Returns nested objects whose tags come last: `k` in the innermost, and `b` in all others.
fn nested_tags(levels: usize, k: &str) -> String {
    let open = "{\"x\" : ".repeat(levels);
    let close = " , \"k\":\"b\"}".repeat(levels);
    format!("{open}{{\"p\":[[],0],\"k\":\"{k}\"}}{close}")
}

#[test]
fn tags_that_come_last_are_found_at_once() {
    const LEVELS: usize = 120;
    let (check, full) = component(
        r##"{"T":{"oneOf":[
            {"type":"object","properties":{"k":{"const":"a"},"x":{"$ref":"#/components/schemas/T"}},"required":["k"]},
            {"type":"object","properties":{"k":{"const":"b"},"x":{"$ref":"#/components/schemas/T"}},"required":["k"]}
        ]}}"##,
        "T",
    );
    for check in [check.unwrap(), full] {
        for (k, fits) in [("a", true), ("c", false)] {
            let mut steps_left = 10 * LEVELS;
            let text = nested_tags(LEVELS, k);
            let decided = check.decide(Cursor::new(&text), &mut steps_left);
            assert_eq!(decided, Some(fits), "{k}: {steps_left} steps are left");
        }
        let reason = reason(&check, &nested_tags(LEVELS, "c"));
        assert!(
            reason.ends_with("/x/k: expected one of \"a\", \"b\", found \"c\""),
            "{reason}"
        );
    }
}

#[test]
fn nesting_has_an_end() {
    let (beyond_decoding, complete) = component(
        r##"{"T":{"properties":{"l":{"$ref":"#/components/schemas/T"}},"maximum":5}}"##,
        "T",
    );
    let depth = MAX_CHECK_DEPTH as usize;
    for check in [beyond_decoding.unwrap(), complete] {
        assert_eq!(check.check(&nested(depth - 1, "l", "5")), Ok(()));
        let violation = check.check(&nested(depth, "l", "5")).unwrap_err();
        assert_eq!(violation.reason, "nested more than 512 levels deep");
    }
    // A value without constraints may be nested to any depth.
    let check = full(r#"{"properties":{"x":{"type":"object"}}}"#);
    assert_eq!(check.check(&nested(100_000, "x", "5")), Ok(()));
    let deep = format!("[{},1]", "[".repeat(100_000) + &"]".repeat(100_000));
    let unique = full(r#"{"uniqueItems":true}"#);
    assert!(reason(&unique, &deep).contains("nested more than"));
    // The depth does not change the verdict about the kind.
    let constant = full(r#"{"const":[1,1]}"#);
    assert!(reason(&constant, &deep).contains("expected [1,1]"));
}

#[test]
fn many_elements_are_compared_in_no_time() {
    let check = full(r#"{"uniqueItems":true}"#);
    for element in [
        |index: usize| index.to_string(),
        |index: usize| format!("\"{index}\""),
        |index: usize| format!("1e{index}"),
        |index: usize| format!("[{{\"a\":{index}}}]"),
    ] {
        let elements: Vec<String> = (0..100_000).map(element).collect();
        let list = elements.join(",");
        soon(|| assert_eq!(check.check(&format!("[{list}]")), Ok(())));
        let first = list.split(',').next().unwrap();
        let found = soon(|| reason(&check, &format!("[{list},{first}]")));
        assert_eq!(
            found,
            "the elements must be unique: elements 0 and 100000 are equal"
        );
    }
}

#[test]
fn long_numbers_and_long_lists_are_cheap() {
    let digits = "7".repeat(1_000_000);
    let check = full(r#"{"minimum":1,"multipleOf":0.03}"#);
    soon(|| assert!(check.check(&digits).is_err()));
    soon(|| assert!(check.check(&format!("1e{digits}")).is_err()));
    soon(|| assert!(check.check(&format!("-1e-{digits}")).is_err()));
    let list = format!("[{}]", vec!["0"; 1_000_000].join(","));
    let check = full(
        r#"{"items":{"anyOf":[{"minimum":0,"type":"integer"},{"type":"number","maximum":3}]},"maxItems":10}"#,
    );
    let found = soon(|| reason(&check, &list));
    assert_eq!(found, "expected at most 10 elements, found 1000000");
}

#[test]
fn a_check_can_be_shared_between_threads() {
    fn is_shareable<T: Send + Sync + Clone + 'static>(value: T) -> T {
        value
    }
    let check = Compiler::new(&none())
        .compile(&json("{\"minimum\":1}"))
        .unwrap();
    let check = is_shareable(check);
    let other = std::thread::spawn({
        let check = check.clone();
        move || check.check("0").is_err()
    });
    assert!(other.join().unwrap() && check.check("1").is_ok());
}

#[test]
fn equal_elements_are_found_however_they_are_written() {
    let long = "x".repeat(100);
    for (first, second) in [
        ("1", "10e-1"),
        ("\"a\"", "\"\\u0061\""),
        ("{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1}"),
        ("{\"a\":3,\"a\":1}", "{\"a\":1}"),
        ("[[],{}]", "[ [ ] , { } ]"),
        (&format!("[\"{long}\",1]"), &format!("[\"{long}\",1.0]")),
    ] {
        let check = full(r#"{"uniqueItems":true}"#);
        let text = format!("[0,{first},[{first}],{second}]");
        assert_eq!(
            reason(&check, &text),
            "the elements must be unique: elements 1 and 3 are equal",
            "{text}"
        );
    }
    for (first, second) in [
        ("[[]]", "[[[]]]"),
        ("[]", "{}"),
        ("{\"a\":1,\"a\":3}", "{\"a\":1}"),
        ("{\"a\":\"b\"}", "{\"b\":\"a\"}"),
        ("[1,[2]]", "[[1],2]"),
        ("\"1\"", "1"),
        ("null", "\"null\""),
    ] {
        let check = full(r#"{"uniqueItems":true}"#);
        assert_eq!(
            check.check(&format!("[{first},{second}]")),
            Ok(()),
            "{first} {second}"
        );
    }
}

#[test]
fn a_value_that_is_larger_than_all_choices_is_none_of_them() {
    let check = full(r#"{"enum":[[1,2],{"a":[]},3,null]}"#);
    for value in ["[1,2.0]", "{\"a\":[]}", "3e0", "null"] {
        assert_eq!(check.check(value), Ok(()), "{value}");
    }
    for value in [
        "[1,2,3]",
        "[1]",
        "{\"a\":[[]]}",
        "{\"a\":[],\"b\":[]}",
        "4",
        "true",
        "{}",
    ] {
        assert!(check.check(value).is_err(), "{value}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(check.check(&deep).is_err());
}

#[test]
fn a_value_that_is_decoded_too_is_checked_for_what_decoding_leaves_and_no_more() {
    let schema = full(
        r#"{"type":"object","required":["size","name","form"],"properties":{
            "size":{"type":"integer","minimum":1},
            "name":{"type":"object","required":["first"],"properties":{"first":{"type":"string"}}},
            "form":{"anyOf":[
                {"type":"object","required":["a"],"properties":{"a":{"type":"integer","maximum":3}}},
                {"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}
            ]}
        }}"#,
    );
    // Decoding refuses what is missing, and the type of `name`.
    for decoded in ["{}", r#"{"size":1,"name":1}"#] {
        assert!(
            fits_beyond_decoding(&schema, decoded) && schema.check(decoded).is_err(),
            "{decoded}"
        );
    }
    for constrained in [r#"{"size":0}"#, r#"{"name":{},"size":-7}"#] {
        assert!(!fits_beyond_decoding(&schema, constrained), "{constrained}");
    }
    // Which alternative a value has is decided by all of it.
    for fitting in [r#"{"form":{"b":"x","a":9}}"#, r#"{"form":{"a":3}}"#] {
        assert!(fits_beyond_decoding(&schema, fitting), "{fitting}");
    }
    assert!(!fits_beyond_decoding(&schema, r#"{"form":{"a":9}}"#));
}

fn fits_beyond_decoding(check: &Check, text: &str) -> bool {
    check.fits_beyond_decoding(Cursor::new(text))
}
