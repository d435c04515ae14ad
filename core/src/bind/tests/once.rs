//! How often parameters are decoded: twice only if that may bring something to light.

use std::cell::RefCell;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::json;

use super::{check, list_with, plan_with_checks, refusal};

thread_local! {
    static DECODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A number below ten that notes when it is decoded.
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

/// Three parameters that have to be even.
fn three(text: &str) -> (serde_json::Value, Vec<u8>) {
    let even = || Some(check(r#"{"multipleOf": 2}"#));
    let plan = plan_with_checks(vec![("a", even()), ("b", even()), ("c", even())]);
    DECODED.take();
    (refusal::<Three>(&plan, text), DECODED.take())
}

#[test]
fn a_parameter_that_only_breaks_a_rule_is_decoded_once_and_so_are_the_others() {
    let one = "expected a number that is a multiple of 2, found 1";
    let expected = json!({"parameter": "b", "pointer": "", "reason": one});
    for text in [r#"{"a":2,"b":1,"c":4}"#, r#"{"c":4, "b": 1, "a":2}"#] {
        let (data, mut decoded) = three(text);
        decoded.sort_unstable();
        assert_eq!((&data, &decoded[..]), (&expected, &[1, 2, 4][..]), "{text}");
    }
    let (data, decoded) = three("[1,2,4]");
    assert_eq!(
        data,
        json!({"parameter": "a", "position": 0, "pointer": "", "reason": one})
    );
    assert_eq!(decoded, [1, 2, 4]);
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
fn a_rule_that_is_broken_before_decoding_fails_is_told_too() {
    let (data, _) = three(r#"{"c":3,"b":12,"a":2}"#);
    assert_eq!(data["parameter"], "b");
    assert_eq!(data["reason"], "too large for this type");
    assert_eq!(data["others"][0]["parameter"], "c");
}

#[test]
fn what_stands_before_a_failure_is_not_decoded_again() {
    let (data, decoded) = three("[2,4,12]");
    assert_eq!(data["parameter"], "c");
    assert_eq!(data.get("others"), None);
    assert_eq!(decoded, [2, 4, 12]);
    let (data, decoded) = three("[2,12,14]");
    assert_eq!(data["parameter"], "b");
    assert_eq!(data["others"][0]["parameter"], "c");
    assert_eq!(decoded, [2, 12, 14]);
}

#[test]
fn the_elements_of_a_list_are_decoded_once_if_only_rules_are_broken() {
    let even = check(r#"{"items": {"multipleOf": 2}}"#);
    DECODED.take();
    let data = refusal::<Vec<Noted>>(&list_with(Some(even)), "[2,1,4]");
    assert_eq!(data["pointer"], "/1");
    assert_eq!(DECODED.take(), [2, 1, 4]);
}
