//! The decoder compared with `serde_json`'s: both accept the same values with the same result,
//! except where the wire contract differs.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::de::{DecodeError, DecodeProblem, Decoder};

/// Well-formed values of every kind, except `-0`, which `serde_json` always takes for a double.
const TEXTS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "42",
    "255",
    "256",
    "-128",
    "-129",
    "65535",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "1.5",
    "-0.25",
    "1e2000",
    "123456789012345678901234567890",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "\"\"",
    "\"a\"",
    "\"ab\"",
    "\"é\"",
    "\"\\n\"",
    "\"\\ud83d\\ude00\"",
    "\"1\"",
    "\"true\"",
    "\"Unit\"",
    "\"Newtype\"",
    "\"::1\"",
    "[]",
    "[1]",
    "[1,2]",
    "[1,2,3]",
    "[\"a\"]",
    "[null]",
    "[true,1]",
    "[[1],[2]]",
    "[1,\"x\"]",
    "[[1,\"x\"]]",
    "{}",
    "{\"a\":1}",
    "{\"a\":1,\"b\":\"x\"}",
    "{\"b\":\"x\",\"a\":1}",
    "{\"a\":1,\"b\":\"x\",\"c\":[]}",
    "{\"a\":1,\"a\":2}",
    "{\"1\":true,\"-2\":false}",
    "{\"01\":true}",
    "{\"true\":1,\"false\":2}",
    "{\"Unit\":null}",
    "{\"Unit\":1}",
    "{\"Newtype\":7}",
    "{\"Tuple\":[1,\"x\"]}",
    "{\"Tuple\":[1]}",
    "{\"Tuple\":[1,\"x\",3]}",
    "{\"Struct\":{\"a\":1,\"b\":\"x\"}}",
    "{\"Struct\":[1,\"x\"]}",
    "{\"Struct\":{}}",
    "{\"Unit\":null,\"Newtype\":7}",
    "{\"Nothing\":1}",
    "{\"kind\":\"Unit\"}",
    "{\"kind\":\"Struct\",\"a\":1,\"b\":\"x\"}",
    "{\"a\":1,\"kind\":\"Struct\",\"b\":\"x\"}",
    "{\"kind\":\"Struct\",\"content\":{\"a\":1,\"b\":\"x\"}}",
    "{\"content\":7,\"kind\":\"Newtype\"}",
    "{\"secs\":1,\"nanos\":5}",
    "[1,5]",
    " { \"a\" : 1 , \"b\" : \"x\" } ",
    " [ 1 , 2 ] ",
    "{\"start\":1,\"end\":2}",
    "{\"Ok\":1}",
    "{\"Err\":\"x\"}",
    "{\"\\u0061\":1,\"b\":\"\\u0078\"}",
    "{\"a\":{\"a\":{\"a\":null}}}",
    "[0,1,127,255]",
    "{\"a\":1,\"b\":\"x\",\"rest\":{\"deep\":[{}]}}",
];

#[track_caller]
fn agrees<T: DeserializeOwned + Debug + PartialEq>() {
    for text in TEXTS {
        let expected = serde_json::from_str::<T>(text);
        let actual = Decoder::new(text).value(std::marker::PhantomData::<T>);
        match (&expected, &actual) {
            (Ok(expected), Ok(actual)) => assert_eq!(expected, actual, "{text}"),
            (Err(_), Err(_)) => {}
            (Ok(_), Err(error)) if is_another_form(text, error) => {}
            // `serde_json` keeps the last member of one name.
            (Ok(_), Err(error)) if error.reason("").ends_with("is given twice") => {
                assert_eq!(*text, r#"{"a":1,"a":2}"#);
            }
            _ => panic!(
                "{text} into {}: {actual:?} instead of {expected:?}",
                std::any::type_name::<T>()
            ),
        }
    }
}

/// Returns whether the decoder has rejected an array for a struct, or an object for a variant's
/// name. `serde_json` accepts both, but no schema does.
fn is_another_form(text: &str, error: &DecodeError) -> bool {
    let DecodeProblem::Expected { expected, .. } = error.problem() else {
        return false;
    };
    let here = error.offset().and_then(|offset| text.get(offset..));
    let starts_with = |first| here.is_some_and(|here| here.trim_start().starts_with(first));
    expected == "an object" && starts_with('[')
        || expected == "the name alone, as a string" && starts_with('{')
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
struct Pair {
    a: u8,
    b: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: u8,
    b: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Lenient {
    a: u8,
    b: String,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Flattened {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Recursive {
    a: Option<Box<Recursive>>,
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: u8, b: String },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    Struct { a: u8, b: String },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", content = "content")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Struct { a: u8, b: String },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    Pair(Pair),
    Many(Vec<Untagged>),
    Nothing,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Newtype(Vec<i64>);
#[derive(Debug, PartialEq, Deserialize)]
struct Tuple(u8, String);
#[derive(Debug, PartialEq, Deserialize)]
struct Unit;

#[test]
fn scalars_are_decoded_as_serde_json_does() {
    agrees::<()>();
    agrees::<Unit>();
    agrees::<bool>();
    agrees::<char>();
    agrees::<String>();
    agrees::<Box<str>>();
    agrees::<std::path::PathBuf>();
    agrees::<i8>();
    agrees::<i16>();
    agrees::<i32>();
    agrees::<i64>();
    agrees::<i128>();
    agrees::<u8>();
    agrees::<u16>();
    agrees::<u32>();
    agrees::<u64>();
    agrees::<u128>();
    agrees::<usize>();
    agrees::<f64>();
    agrees::<std::num::NonZeroU8>();
    agrees::<IpAddr>();
}

#[test]
fn containers_are_decoded_as_serde_json_does() {
    agrees::<Vec<u8>>();
    agrees::<Vec<Vec<i64>>>();
    agrees::<[u8; 2]>();
    agrees::<(u8,)>();
    agrees::<(u8, String)>();
    agrees::<Option<u8>>();
    agrees::<Option<Option<Vec<u8>>>>();
    agrees::<Box<[Option<u8>]>>();
    agrees::<Newtype>();
    agrees::<Tuple>();
    agrees::<BTreeMap<String, u8>>();
    agrees::<BTreeMap<String, Value>>();
    agrees::<HashMap<i8, bool>>();
    agrees::<HashMap<u64, bool>>();
    agrees::<HashMap<i128, bool>>();
    agrees::<HashMap<u128, bool>>();
    agrees::<HashMap<bool, u8>>();
    agrees::<HashMap<char, u8>>();
    agrees::<BTreeMap<External, Value>>();
    agrees::<BTreeMap<Option<String>, Value>>();
    agrees::<Duration>();
    agrees::<std::ops::Range<u8>>();
    agrees::<Result<u8, String>>();
}

#[test]
fn structs_and_enums_are_decoded_as_serde_json_does() {
    agrees::<Pair>();
    agrees::<Strict>();
    agrees::<Lenient>();
    agrees::<Flattened>();
    agrees::<Recursive>();
    agrees::<External>();
    agrees::<Internal>();
    agrees::<Adjacent>();
    agrees::<Untagged>();
    agrees::<Vec<Untagged>>();
    agrees::<Option<Untagged>>();
}

#[test]
fn anything_is_decoded_as_serde_json_does() {
    agrees::<Value>();
    agrees::<Vec<Value>>();
    for text in TEXTS {
        let mut decoder = Decoder::new(text);
        let ignored = decoder.value(std::marker::PhantomData::<IgnoredAny>);
        assert!(ignored.is_ok(), "{text}");
        assert_eq!(decoder.cursor.offset(), text.trim_end().len(), "{text}");
    }
}

#[test]
fn raw_values_keep_their_text() {
    for text in TEXTS {
        let raw: Box<RawValue> = Decoder::new(text).value(std::marker::PhantomData).unwrap();
        assert_eq!(raw.get(), text.trim());
    }
    let text = r#"{"a": [1.0, "\ud800"] , "b":1e999}"#;
    let map: BTreeMap<&str, &RawValue> =
        Decoder::new(text).value(std::marker::PhantomData).unwrap();
    assert_eq!(map["a"].get(), r#"[1.0, "\ud800"]"#);
    assert_eq!(map["b"].get(), "1e999");
}

#[test]
fn bytes_come_from_a_string_or_an_array() {
    struct Bytes(Vec<u8>);
    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Bytes;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                    Ok(Bytes(bytes.to_vec()))
                }
                fn visit_seq<A: serde::de::SeqAccess<'de>>(
                    self,
                    mut elements: A,
                ) -> Result<Bytes, A::Error> {
                    let mut bytes = Vec::new();
                    while let Some(byte) = elements.next_element()? {
                        bytes.push(byte);
                    }
                    Ok(Bytes(bytes))
                }
            }
            deserializer.deserialize_bytes(Visitor)
        }
    }

    let bytes = |text| Decoder::new(text).value(std::marker::PhantomData::<Bytes>);
    assert_eq!(bytes(r#""é\n""#).unwrap().0, "é\n".as_bytes());
    assert_eq!(bytes("[1, 2e0]").unwrap().0, [1, 2]);
    assert!(bytes(r#""\udc00""#).is_err());
    assert!(bytes("1").is_err());
}
