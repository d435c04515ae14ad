//! Numbers for which the decoder accepts more than `serde_json`.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::de::{DecodeResult, Decoder};

fn decode<T: DeserializeOwned>(text: &str) -> DecodeResult<T> {
    Decoder::new(text).value(std::marker::PhantomData)
}

#[track_caller]
#[expect(
    clippy::needless_pass_by_value,
    reason = "reads better at the many calls"
)]
fn takes<T: DeserializeOwned + Debug + PartialEq>(text: &str, expected: T) {
    assert_eq!(decode::<T>(text).unwrap(), expected, "{text}");
}

#[track_caller]
fn refuses<T: DeserializeOwned + Debug>(text: &str) {
    assert!(decode::<T>(text).is_err(), "{text}");
}

#[test]
fn a_number_with_an_integral_value_is_an_integer() {
    takes::<u8>("42.0", 42);
    takes::<u8>("4.2e1", 42);
    takes::<i16>("1e3", 1000);
    takes::<i16>("-1E+3", -1000);
    takes::<u8>("2550e-1", 255);
    takes::<u8>("0.000255e6", 255);
    takes::<u8>("-0", 0);
    takes::<u8>("-0.0", 0);
    takes::<u8>("0e999999999999999999999", 0);
    takes::<u8>("0.0e-999999999999999999999", 0);
    takes::<i64>("9007199254740993.0", 9_007_199_254_740_993);
    takes::<i64>("-9223372036854775808.000", i64::MIN);
    takes::<u64>("1844674407370955161.5e1", u64::MAX);
    takes::<i128>("-170141183460469231731687303715884105728", i128::MIN);
    takes::<u128>("34028236692093846346337460743176821145.5e1", u128::MAX);
}

#[test]
fn what_is_no_integer_or_does_not_fit_is_refused() {
    for text in ["1.5", "42.1", "1e-1", "0.1", "1e-999999999999", "\"1\""] {
        refuses::<u8>(text);
        refuses::<i128>(text);
    }
    for text in [
        "256",
        "256.0",
        "2.56e2",
        "-1",
        "-1.0",
        "1e99",
        "1e999999999999999999999",
    ] {
        refuses::<u8>(text);
    }
    refuses::<i64>("9223372036854775808");
    refuses::<i64>("9223372036854775808.0");
    refuses::<u64>("18446744073709551616");
    refuses::<u64>("99999999999999999999999999");
    refuses::<u128>("340282366920938463463374607431768211456");
    refuses::<u128>("-1");
    refuses::<i128>("170141183460469231731687303715884105728");
}

#[test]
fn floats_are_the_nearest_and_never_infinite() {
    takes::<f64>("1", 1.0);
    takes::<f64>("9007199254740993", 9_007_199_254_740_992.0);
    takes::<f64>("18446744073709551615", 18_446_744_073_709_552_000.0);
    takes::<f64>("1e308", 1e308);
    takes::<f64>("1e-400", 0.0);
    takes::<f64>("0.1", 0.1);
    takes::<f64>("5e-324", 5e-324);
    takes::<f64>("1.7976931348623157e308", f64::MAX);
    takes::<f32>("3.4028235e38", f32::MAX);
    // Reading this as a double first would round it twice, to the wrong neighbour.
    takes::<f32>("1.00000017881393432617187499", 1.000_000_1);
    assert!(decode::<f64>("-0").unwrap().is_sign_negative());
    assert!(decode::<f64>("-0.0").unwrap().is_sign_negative());
    for text in ["1e400", "-1e309", "1e999999999", "\"inf\"", "\"1\""] {
        refuses::<f64>(text);
    }
    for text in ["1e39", "-1e39", "340282366920938463463374607431768211456"] {
        refuses::<f32>(text);
    }
    let many_digits = format!("{}.5e-400", "1".repeat(401));
    takes::<f64>(&many_digits, many_digits.parse().unwrap());
    let huge = format!("1{}", "0".repeat(400));
    refuses::<f64>(&huge);
}

#[test]
fn a_value_keeps_numbers_as_serde_json_has_them() {
    for text in [
        "1",
        "-1",
        "1.0",
        "1e2",
        "-0",
        "18446744073709551615",
        "18446744073709551616",
    ] {
        takes::<Value>(text, serde_json::from_str(text).unwrap());
    }
    refuses::<Value>("1e400");
}

#[test]
fn the_names_of_a_map_are_numbers_as_json_writes_them() {
    use std::collections::BTreeMap;

    takes::<BTreeMap<i8, u8>>(r#"{"-1": 1, "0": 2}"#, BTreeMap::from([(-1, 1), (0, 2)]));
    for name in ["+1", "01", "1.0", " 1", "1 ", "", "-", "0x1", "1e0", "128"] {
        refuses::<BTreeMap<i8, u8>>(&format!("{{\"{name}\": 1}}"));
    }
}
