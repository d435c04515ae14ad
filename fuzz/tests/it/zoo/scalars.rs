//! Scalars, and types converted from them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::{NonZeroI8, NonZeroU8, NonZeroU64};
use std::time::SystemTime;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use docent_core::testing::assert_description_holds;

use super::{agrees, agrees_on, service, untrue};

macro_rules! agree {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            agrees::<$type>();
        }
    )*};
}

agree! {
    booleans: bool;
    strings: String;
    characters: char;
    i8s: i8;
    u8s: u8;
    i16s: i16;
    u32s: u32;
    i64s: i64;
    u64s: u64;
    nonzero_u8s: NonZeroU8;
    nonzero_i8s: NonZeroI8;
    nonzero_u64s: NonZeroU64;
    f64s: f64;
    units: ();
    options_of_scalars: Option<u8>;
    options_of_options: Option<Option<String>>;
    options_of_units: Option<()>;
    anything: serde_json::Value;
    numbers: serde_json::Number;
    boxed_strings: Box<str>;
}

#[test]
fn f32s() {
    agrees_on::<f32>(&[
        "1e39",
        "-1e39",
        "3.4028234e38",
        "3.5e38",
        "1e-50",
        "16777217",
        "3.4028235e38",
        "-3.40282356e38",
        "340282352000000000000000000000000000000",
    ]);
    agrees_on::<Option<Vec<f32>>>(&["[1e39]", "[1,3.5e38]"]);
}

#[test]
fn wide_integers() {
    agrees_on::<u128>(&["-1", "340282366920938463463374607431768211455"]);
    agrees_on::<i128>(&["-1"]);
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
struct Even;

impl TryFrom<u8> for Even {
    type Error = String;
    fn try_from(value: u8) -> Result<Self, String> {
        if value.is_multiple_of(2) {
            Ok(Self)
        } else {
            Err("expected an even number".to_owned())
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct Word;

impl TryFrom<String> for Word {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.is_empty() {
            Err("empty")
        } else {
            Ok(Self)
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(from = "Option<u8>")]
struct Any;

impl From<Option<u8>> for Any {
    fn from(_: Option<u8>) -> Self {
        Self
    }
}

#[test]
fn conversions_that_refuse_some_values_of_the_schema_are_found_by_a_test() {
    untrue::<Even>(&["expected an even number"]);
    untrue::<Word>(&["empty", "`regex`"]);
    untrue::<Vec<Option<Word>>>(&["empty", " at /0"]);
    untrue::<Even2>(&["expected an even number", " at /a"]);
}

#[derive(Deserialize, JsonSchema)]
struct Even2 {
    #[expect(dead_code, reason = "only decoded")]
    a: Even,
    #[expect(dead_code, reason = "only decoded")]
    b: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
struct Never;

impl TryFrom<u8> for Never {
    type Error = &'static str;
    fn try_from(_: u8) -> Result<Self, &'static str> {
        Err("never")
    }
}

#[test]
fn conversions_that_refuse_all_values_of_the_schema_are_found_by_a_test() {
    untrue::<Never>(&["never", "with = ", ".unchecked(reason)"]);
    untrue::<Vec<Never>>(&["never", " at /0"]);
}

/// A number as `rust_decimal` decodes it: from a buffer, and in a narrower range than its schema
/// says.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Decimal {
    Number(Small),
    #[expect(dead_code, reason = "only decoded")]
    Text(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
struct Small;

impl TryFrom<f64> for Small {
    type Error = &'static str;
    fn try_from(value: f64) -> Result<Self, &'static str> {
        if value < 7e28 {
            Ok(Self)
        } else {
            Err("too large")
        }
    }
}

/// A text in a notation that no sample of a string has.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct Hashed;

impl TryFrom<String> for Hashed {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.starts_with("#!") {
            Ok(Self)
        } else {
            Err("expected a text that starts with #!")
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum EitherAddress {
    #[expect(dead_code, reason = "only decoded")]
    At { at: SocketAddr },
    #[expect(dead_code, reason = "only decoded")]
    Number { n: u8 },
}

/// Types for addresses, times and numbers from popular crates accept less than their schemas say,
/// and no schema could be exact.
#[test]
fn types_in_common_use_that_take_less_than_their_schema_says_are_found_by_a_test() {
    untrue::<SocketAddr>(&[
        "the schema allows \"text\"",
        "invalid socket address syntax",
    ]);
    untrue::<SystemTime>(&["18446744073709551615", "overflow deserializing SystemTime"]);
    untrue::<Decimal>(&["the value matches none"]);
    untrue::<Option<Vec<Decimal>>>(&["at /0"]);
    untrue::<Hashed>(&["the schema allows \"text\"", "starts with #!"]);
    untrue::<EitherAddress>(&["{\"at\":\"text\"}"]);
    untrue::<BTreeMap<SocketAddr, u8>>(&["{\"key\":", "invalid socket address syntax"]);
}

#[derive(Deserialize, JsonSchema)]
struct Beside {
    #[expect(dead_code, reason = "only decoded")]
    at: SocketAddr,
    #[expect(dead_code, reason = "only decoded")]
    never: Never,
}

#[derive(Deserialize, JsonSchema)]
struct Shelves {
    #[expect(dead_code, reason = "only decoded")]
    at: SocketAddr,
    #[expect(dead_code, reason = "only decoded")]
    by_shelf: BTreeMap<u8, bool>,
}

/// Other fields beside a text in a special notation are still described and tried.
#[test]
fn fields_beside_a_narrow_text_are_described_and_tried() {
    untrue::<Beside>(&["invalid socket address syntax"]);
    let service = service::<Shelves>().expect("a service");
    let schema = service.description().components.schemas["Shelves"].to_string();
    assert!(schema.contains("25[0-5]"), "{schema}");
}

#[test]
fn conversions_that_take_all_are_fine() {
    agrees::<Any>();
    agrees::<Vec<Any>>();
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("pattern" = "^[0-9]{2}$"))]
struct Code(#[expect(dead_code, reason = "only decoded")] u8);

impl TryFrom<String> for Code {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, &'static str> {
        text.parse().map(Self).map_err(|_| "no code")
    }
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only decoded")]
struct Narrowed {
    code: Code,
}

#[test]
fn a_schema_that_says_what_a_conversion_takes_is_fine() {
    agrees_on::<Narrowed>(&[r#"{"code":"07"}"#, r#"{"code":"7"}"#, r#"{"code":"300"}"#]);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only decoded")]
struct OnError {
    #[serde(deserialize_with = "or_zero")]
    n: u32,
}

#[expect(clippy::unnecessary_wraps, reason = "serde wants a result")]
fn or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    Ok(u32::deserialize(deserializer).unwrap_or(0))
}

#[test]
fn a_function_that_forgives_is_held_to_the_schema() {
    agrees_on::<OnError>(&[r#"{"n":"x"}"#, r#"{"n":null}"#]);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only decoded")]
struct Lists {
    #[serde(deserialize_with = "from_text")]
    list: Vec<u8>,
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(deserializer).map(String::into_bytes)
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only decoded")]
struct Described {
    #[serde(deserialize_with = "from_text")]
    #[schemars(with = "String")]
    list: Vec<u8>,
}

#[test]
fn a_function_that_decodes_another_type_is_found_by_a_test() {
    untrue::<Lists>(&["at /list: expected a string"]);
    agrees::<Described>();
    assert_description_holds(&service::<Described>().unwrap());
}
