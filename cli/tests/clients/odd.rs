//! Runs the table of odd values through the generated client: odd URL TABLE. Prints what becomes of each row.

use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, json};
use odd_values_client::{Client, ClientError, Http, types};

/// The number that stands for NaN where JSON is decoded.
const MARK: &str = "98765.5";

/// Writes a value with its members in order, and whole numbers without a point.
fn written(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(written).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}:{}", json!(name), written(value)))
                .collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

macro_rules! call {
    ($client:ident.$method:ident, $params:ident, $value:expr) => {
        match $client
            .$method(&types::$params { value: $value })
            .await
        {
            Ok(arrived) => format!("{}, returns {}", arrived.shown, written(&json!(arrived.value))),
            Err(ClientError::Params(error)) => format!("not sent: {error}"),
            Err(error) => error
                .to_string()
                .replace("the call failed: ", "")
                .replace(" (-32602)", ""),
        }
    };
}

/// Returns the value of an optional parameter, or `None` if its type has no such value.
fn optional<T: DeserializeOwned>(given: &str) -> Option<Option<T>> {
    match given {
        "left out" => Some(None),
        given => Some(Some(from_str(given).ok()?)),
    }
}

/// Calls a procedure, or returns `None` if its type has no such value.
async fn outcome(client: &Client, procedure: &str, given: &str) -> Option<String> {
    let marked = given.replace("NaN", MARK);
    Some(match procedure {
        "number" => call!(client.number, NumberParams, given.parse().ok()?),
        "integer" => call!(client.integer, IntegerParams, given.parse().ok()?),
        "signed" => call!(client.signed, SignedParams, given.parse().ok()?),
        "unsigned" => call!(client.unsigned, UnsignedParams, given.parse().ok()?),
        "text" => call!(client.text, TextParams, from_str(given).ok()?),
        "nullable" => call!(client.nullable, NullableParams, from_str(given).ok()?),
        "optional" => call!(client.optional, OptionalParams, optional(given)?),
        "patched" => call!(client.patched, PatchedParams, optional(given)?),
        "defaulted" => call!(client.defaulted, DefaultedParams, optional(given)?),
        "nested" => {
            let mut nested: types::Nested = from_str(&marked).ok()?;
            for number in &mut nested.numbers {
                if number.to_string() == MARK {
                    *number = f64::NAN;
                }
            }
            call!(client.nested, NestedParams, nested)
        }
        "binary" => call!(client.binary, BinaryParams, from_str(given).ok()?),
        "binaries" => call!(client.binaries, BinariesParams, from_str(given).ok()?),
        // A `Value` has no NaN.
        "untyped" => call!(client.untyped, UntypedParams, from_str(given).ok()?),
        _ => panic!("no procedure {procedure}"),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, table] = &arguments[..] else {
        return Err("odd URL TABLE".into());
    };
    let rows: Vec<[String; 3]> = from_str(&std::fs::read_to_string(table)?)?;
    let clients = [Client::new(url), Client(Http::new(url).into())];
    for [procedure, given, _] in &rows {
        for client in &clients {
            let outcome = outcome(client, procedure, given).await;
            let outcome = outcome.unwrap_or_else(|| "no such value".to_owned());
            println!("{}", json!([procedure, given, outcome]));
        }
    }
    Ok(())
}
