//! Lists, maps with every type of key, and types of the standard library.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{NonZeroI16, NonZeroU8};

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ID, agrees, agrees_on, untrue};

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

#[track_caller]
fn keys<K: DeserializeOwned + JsonSchema + Eq + Hash + Ord + 'static>() {
    agrees_on::<BTreeMap<K, u8>>(&KEYS);
    agrees_on::<Vec<HashMap<K, Vec<u8>>>>(&[r#"[{"01":[]}]"#]);
}

#[test]
fn keys_of_text() {
    keys::<String>();
    keys::<Name>();
    keys::<Box<str>>();
    keys::<Option<String>>();
}

#[test]
fn keys_that_are_integers() {
    keys::<u8>();
    keys::<i8>();
    keys::<u16>();
    keys::<Number>();
    keys::<i32>();
    keys::<u32>();
    keys::<i64>();
    keys::<u64>();
    keys::<i128>();
    keys::<u128>();
    keys::<NonZeroU8>();
    keys::<NonZeroI16>();
}

#[test]
fn keys_that_are_words() {
    keys::<bool>();
    keys::<char>();
    keys::<Plain>();
    keys::<Documented>();
}

#[test]
fn keys_of_a_format() {
    keys::<Ipv4Addr>();
    keys::<Ipv6Addr>();
    keys::<IpAddr>();
    agrees_on::<BTreeMap<IpAddr, u8>>(&[
        r#"{"192.0.2.1":1}"#,
        r#"{"2001:db8::1":1,"::ffff:192.0.2.1":2}"#,
        r#"{"192.0.2":1}"#,
        r#"{"192.0.2.1":1,"192.0.2.256":2}"#,
        r#"{"[::1]":1}"#,
        r#"{"::1%eth0":1}"#,
    ]);
}

#[test]
fn keys_that_are_addresses_of_either_version_are_published() {
    let ban = Procedure::sync("ban", |_: Cx, p: Ban| Ok::<_, Fault>(p.addresses.len()));
    let service = Service::builder("zoo", ID).procedure(ban).build().unwrap();
    assert!(service.warnings().is_empty(), "{:?}", service.warnings());
    let schema = &service.description().procs[0].params[0].schema;
    assert_eq!(
        schema.get("propertyNames").unwrap().to_string(),
        r#"{"type":"string","anyOf":[{"format":"ipv4"},{"format":"ipv6"}]}"#
    );
}

#[derive(Deserialize, JsonSchema)]
struct Ban {
    addresses: HashMap<IpAddr, String>,
}

/// A type with such keys is one component, whether it is a parameter, a result or both.
#[test]
fn a_type_with_such_keys_that_is_taken_and_given_is_one_component() {
    #[derive(Deserialize, Serialize, JsonSchema)]
    struct Stock {
        by_shelf: BTreeMap<u8, Vec<bool>>,
        by_state: BTreeMap<bool, u8>,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Set {
        stock: Stock,
    }
    let set = Procedure::sync("set", |_: Cx, p: Set| Ok::<_, Fault>(p.stock));
    let get = Procedure::sync("get", |_: Cx, (): ()| {
        Ok::<_, Fault>(Stock {
            by_shelf: BTreeMap::new(),
            by_state: BTreeMap::new(),
        })
    });
    let service = Service::builder("zoo", ID)
        .procedure(get)
        .procedure(set)
        .build()
        .unwrap();
    let schemas = &service.description().components.schemas;
    assert_eq!(schemas.keys().collect::<Vec<_>>(), ["Stock"]);
    let text = schemas["Stock"].to_string();
    assert!(
        text.contains(r#""propertyNames":{"type":"string","enum":["true","false"]}"#),
        "{text}"
    );
    assert!(text.contains("25[0-5]"), "{text}");
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
fn keys_that_no_schema_can_describe_are_found_by_a_test() {
    untrue::<BTreeMap<Composite, u8>>(&["in the member's name"]);
    untrue::<BTreeMap<(u8, u8), u8>>(&["in the member's name"]);
}

#[test]
fn keys_that_some_names_are_not_are_found_by_a_test() {
    untrue::<BTreeMap<Short, u8>>(&["too long"]);
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
    agrees::<Ipv4Addr>();
    agrees::<std::path::PathBuf>();
    agrees::<std::cell::Cell<u8>>();
    agrees::<std::num::Wrapping<u8>>();
}
