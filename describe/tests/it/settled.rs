//! Parameters that need no second trial, because the type has accepted every sample of its schema.

use docent_describe::schema::params_of;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only how it is decoded is of interest")]
struct Inner {
    number: u8,
    text: Option<String>,
    level: Level,
}

#[derive(Deserialize, JsonSchema)]
enum Level {
    Low,
    High,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only how it is decoded is of interest")]
enum Either {
    Number(u8),
    Inner(Inner),
}

fn even<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    let odd = || serde::de::Error::custom("is odd");
    (number % 2 == 0).then_some(number).ok_or_else(odd)
}

#[derive(Deserialize, JsonSchema)]
struct Params {
    #[serde(rename = "count")]
    _count: u32,
    #[serde(rename = "inner")]
    _inner: Inner,
    #[serde(rename = "list")]
    _list: Vec<Inner>,
    #[serde(rename = "even", deserialize_with = "even")]
    _even: u8,
    #[serde(rename = "either")]
    _either: Either,
    #[serde(rename = "any")]
    _any: serde_json::Value,
    #[serde(rename = "address")]
    _address: std::net::SocketAddr,
}

#[test]
fn a_parameter_is_settled_if_its_type_decodes_every_sample_where_it_stands() {
    let shape = params_of::<Params>().unwrap();
    let params = shape.params.iter().zip(&shape.decoding);
    let settled = params.filter(|(_, decoding)| decoding.settled);
    let settled: Vec<&str> = settled.map(|(param, _)| &*param.name).collect();
    assert_eq!(settled, ["count", "inner", "list"]);
}

/// Its keys are not what the generator says, so the schema is not the one that was tried.
#[derive(Deserialize, JsonSchema)]
struct Corrected {
    #[serde(rename = "count")]
    _count: u32,
    #[serde(rename = "map")]
    _map: std::collections::BTreeMap<u8, u8>,
}

#[test]
fn no_parameter_is_settled_if_a_schema_had_to_be_corrected() {
    let shape = params_of::<Corrected>().unwrap();
    assert!(shape.decoding.iter().all(|decoding| !decoding.settled));
}
