//! The table of odd values, `cli/tests/odd_values.json`: what becomes of each at the server, and in the client
//! that the attribute makes. `cargo xtask generated` holds generated clients to the same table.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use conformance::values::{Arrived, NullableText, Values, service};
use docent::Fault;
use docent::client::{Client, ClientError, InProcess};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, from_str, json};

const TABLE: &str = include_str!("../../../../cli/tests/odd_values.json");

fn rows() -> Vec<[String; 3]> {
    from_str(TABLE).unwrap()
}

/// Writes a value with its members in order, and whole numbers without a point.
fn written(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(written).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{}:{}", json!(name), written(value)));
            let mut members: Vec<String> = members.collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

fn outcome<T: Serialize>(result: Result<Arrived<T>, ClientError<Fault>>) -> String {
    match result {
        Ok(Arrived { shown, value }) => format!("{shown}, returns {}", written(&json!(value))),
        Err(ClientError::Params(error)) => format!("not sent: {error}"),
        Err(error) => {
            let text = error.to_string();
            text.replace("the call failed: ", "")
                .replace(" (-32602)", "")
        }
    }
}

#[tokio::test]
async fn the_server_makes_of_odd_values_what_the_table_says() {
    let client = Client::from(InProcess::new(&service().unwrap()));
    for [procedure, given, expected] in rows() {
        let params = match &*given {
            "left out" => "{}".to_owned(),
            given => format!(r#"{{"value": {given}}}"#),
        };
        let Ok(params) = RawValue::from_string(params) else {
            assert!(expected.starts_with("not sent: "), "{procedure}: {given}");
            continue;
        };
        let arrived: Result<Arrived<Value>, _> = client.call(&procedure, &params).await;
        assert_eq!(outcome(arrived), expected, "{procedure}: {given}");
    }
}

/// Returns the value of an optional parameter.
fn optional<T: DeserializeOwned>(given: &str) -> Option<T> {
    (given != "left out").then(|| from_str(given).unwrap())
}

#[tokio::test]
async fn the_client_of_the_attribute_sends_odd_values_as_the_table_says() {
    let client = Values::client_in_process(&service().unwrap());
    for [procedure, given, expected] in rows() {
        let number = given.parse::<f64>();
        let arrived = match (&*procedure, number) {
            ("number", number) => outcome(client.number(number.unwrap()).await),
            // A type of Rust has no such values.
            _ if expected.starts_with("Invalid params") || expected.starts_with("not sent") => {
                continue;
            }
            ("integer", _) => outcome(client.integer(given.parse().unwrap()).await),
            ("signed", _) => outcome(client.signed(given.parse().unwrap()).await),
            ("unsigned", _) => outcome(client.unsigned(given.parse().unwrap()).await),
            ("text", _) => outcome(client.text(&from_str::<String>(&given).unwrap()).await),
            ("nullable", _) => {
                let value: NullableText = from_str(&given).unwrap();
                outcome(client.nullable(value).await)
            }
            ("optional", _) => {
                let value: Option<Option<String>> = optional(&given);
                outcome(client.optional(value.flatten().as_deref()).await)
            }
            ("patched", _) => outcome(client.patched(optional(&given)).await),
            ("defaulted", _) => outcome(client.defaulted(optional(&given).unwrap_or(20)).await),
            ("nested", _) => outcome(client.nested(from_str(&given).unwrap()).await),
            ("binary", _) => outcome(client.binary(from_str(&given).unwrap()).await),
            ("binaries", _) => outcome(client.binaries(from_str(&given).unwrap()).await),
            ("untyped", _) => outcome(client.untyped(from_str(&given).unwrap()).await),
            (other, _) => panic!("no procedure {other}"),
        };
        assert_eq!(arrived, expected, "{procedure}: {given}");
    }
}
