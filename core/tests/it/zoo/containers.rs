//! Lists, maps with keys of every sort, and types of the standard library.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{agrees, agrees_on, refused};

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Plain {
    Red,
    Green,
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Documented {
    /// The first.
    One,
    /// The second.
    Two,
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name(String);

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(transparent)]
struct Number(u16);

const KEYS: [&str; 22] = [
    "{}",
    r#"{"1":1}"#,
    r#"{"01":1}"#,
    r#"{"300":1}"#,
    r#"{"-1":1}"#,
    r#"{"-0":1}"#,
    r#"{"0":1}"#,
    r#"{"true":1}"#,
    r#"{"false":1}"#,
    r#"{"a":1}"#,
    r#"{"ab":1}"#,
    r#"{"":1}"#,
    r#"{"é":1}"#,
    r#"{"red":1}"#,
    r#"{"Red":1}"#,
    r#"{"One":1}"#,
    r#"{"255":1,"256":1}"#,
    r#"{"1.0":1}"#,
    r#"{"18446744073709551615":1}"#,
    r#"{"18446744073709551616":1}"#,
    r#"{"-9223372036854775808":1}"#,
    r#"{"-9223372036854775809":1}"#,
];

macro_rules! keys {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            agrees_on::<BTreeMap<$type, u8>>(&KEYS);
            agrees_on::<Vec<HashMap<$type, Vec<u8>>>>(&[r#"[{"01":[]}]"#]);
        }
    )*};
}

keys! {
    string_keys: String;
    bool_keys: bool;
    char_keys: char;
    u8_keys: u8;
    i8_keys: i8;
    u32_keys: u32;
    i64_keys: i64;
    u64_keys: u64;
    i128_keys: i128;
    u128_keys: u128;
    enum_keys: Plain;
    documented_enum_keys: Documented;
    newtype_keys: Name;
    newtype_integer_keys: Number;
    nonzero_keys: std::num::NonZeroU8;
    optional_keys: Option<String>;
    address_keys: std::net::Ipv4Addr;
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(try_from = "String")]
struct Short;

impl TryFrom<String> for Short {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.len() < 4 {
            Ok(Self)
        } else {
            Err("too long")
        }
    }
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Composite {
    a: u8,
}

#[test]
fn keys_that_no_schema_can_describe_are_a_mistake() {
    refused::<BTreeMap<Short, u8>>(&["too long"]);
    refused::<BTreeMap<Composite, u8>>(&["serde refuses"]);
    refused::<BTreeMap<(u8, u8), u8>>(&["serde refuses"]);
}

#[test]
fn lists_and_sets() {
    agrees::<Vec<u8>>();
    agrees::<VecDeque<Option<bool>>>();
    agrees_on::<HashSet<u8>>(&["[1,1]", "[1,1.0]", "[1,2]"]);
    agrees::<BTreeSet<String>>();
    agrees::<[u8; 3]>();
    agrees::<(u8, String)>();
    agrees::<(u8,)>();
    agrees::<Vec<(String, Vec<u8>)>>();
    agrees::<Box<[u8]>>();
}

#[test]
fn types_of_the_standard_library() {
    agrees_on::<std::ops::Range<u8>>(&[r#"{"start":1,"end":2,"x":1}"#, "[1,2]"]);
    agrees_on::<Result<u8, String>>(&[r#"{"Ok":1,"x":2}"#, r#"{"Err":1}"#]);
    agrees::<std::ops::Bound<u8>>();
    agrees_on::<std::time::Duration>(&["[1,2]", r#"{"secs":1,"nanos":2,"x":1}"#]);
    agrees::<std::net::Ipv4Addr>();
    agrees::<std::path::PathBuf>();
    agrees::<std::cell::Cell<u8>>();
    agrees::<std::num::Wrapping<u8>>();
}
