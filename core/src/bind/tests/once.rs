//! Tests that parameters are decoded only once.

use std::cell::RefCell;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::json;

use super::{check, error_data, plan_with_checks};

thread_local! {
    static DECODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A number below ten that records when it is decoded.
#[derive(Debug)]
struct Noted;

impl<'de> Deserialize<'de> for Noted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        DECODED.with_borrow_mut(|decoded| decoded.push(number));
        if number < 10 {
            Ok(Self)
        } else {
            Err(D::Error::custom("too large for this type"))
        }
    }
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Three {
    a: Noted,
    b: Noted,
    c: Noted,
}

/// Binds three parameters that must be even.
fn three(text: &str) -> (serde_json::Value, Vec<u8>) {
    let even = || Some(check(r#"{"multipleOf": 2}"#));
    let plan = plan_with_checks(vec![("a", even()), ("b", even()), ("c", even())]);
    DECODED.take();
    (error_data::<Three>(&plan, text), DECODED.take())
}

#[test]
fn nothing_is_decoded_twice() {
    let (data, decoded) = three("[2,1,4]");
    let one = "expected a number that is a multiple of 2, found 1";
    let expected = json!({"parameter": "b", "position": 1, "pointer": "", "reason": one});
    assert_eq!((data, &decoded[..]), (expected, &[2, 1, 4][..]));
    let (data, decoded) = three("[2,12,14]");
    assert_eq!(data["parameter"], "b");
    assert_eq!(data["reason"], "too large for this type");
    assert_eq!(data.get("others"), None);
    assert_eq!(decoded, [2, 12]);
}

#[test]
fn rules_are_told_in_the_order_of_the_plan_however_they_are_met() {
    let (data, decoded) = three(r#"{"c":5,"a":1,"b":2}"#);
    assert_eq!(data["parameter"], "a");
    assert_eq!(data["others"][0]["parameter"], "c");
    assert_eq!(data["others"].as_array().map(Vec::len), Some(1));
    assert_eq!(decoded, [5, 1, 2]);
}

#[test]
fn a_rule_that_is_broken_beside_a_type_that_refuses_is_told_too() {
    for text in [r#"{"b":12,"c":3,"a":2}"#, r#"{"a":2,"c":3,"b":12}"#] {
        let (data, _) = three(text);
        assert_eq!(data["parameter"], "b");
        assert_eq!(data["reason"], "too large for this type");
        assert_eq!(data["others"][0]["parameter"], "c");
    }
}
