//! Parameters whose whole schema is checked at each call, because their types may accept more.

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
fn a_parameter_is_loose_if_its_type_may_accept_more_than_its_schema() {
    let schema = params_of::<Params>().unwrap();
    let mut loose = Vec::new();
    for (param, is_loose) in schema.params.iter().zip(&schema.loose) {
        if *is_loose {
            loose.push(&*param.name);
        }
    }
    assert_eq!(loose, ["either"]);
}
