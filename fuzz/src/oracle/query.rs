//! Predicts the response to a query.
//!
//! The text of a query has no types, so each parameter is read by the schema of its procedure.

use serde_json::value::RawValue;

use super::code;
use super::contract::ServiceContract;
use super::number::{Number, number};
use super::outcome::{self, Outcome};
use super::request::ExpectedResponse;
use super::response;
use super::response_json;
use super::version::Version;

/// A GET request: a procedure and a raw query string.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The name of the procedure.
    pub procedure: &'a str,
    /// The text after the question mark.
    pub query: &'a str,
}

/// Checks a service's response to a query.
///
/// # Errors
/// Describes what is wrong with the response.
pub fn check_query(
    contract: &ServiceContract,
    asked: Query<'_>,
    output: Option<&[u8]>,
) -> Result<(), String> {
    let outcome = expected(contract, asked);
    let is_unknown = outcome == Outcome::Error(code::METHOD_NOT_FOUND);
    let expected = ExpectedResponse {
        version: contract.get_version,
        id: None,
        outcome,
        is_unanswered: false,
        runs_count: false,
        has_reason: None,
        unknown_name: is_unknown.then(|| asked.procedure.to_owned()),
    };
    response::check_one(contract, &expected, response_json(output)?).map(drop)
}

fn expected(contract: &ServiceContract, asked: Query<'_>) -> Outcome {
    match outcome::is_idempotent(asked.procedure) {
        None => Outcome::Error(code::METHOD_NOT_FOUND),
        Some(_) if asked.query.len() > contract.max_body_bytes => {
            Outcome::Error(code::REQUEST_TOO_LARGE)
        }
        Some(false) => Outcome::Error(code::NOT_CALLABLE_WITH_GET),
        Some(true) => of_idempotent(asked),
    }
}

/// Returns the outcome of GET for an idempotent procedure. Texts and lists of integers are
/// predicted byte for byte. For the rest, GET must return what a POST of the same parameters
/// returns: see [`crate::query`].
fn of_idempotent(asked: Query<'_>) -> Outcome {
    let Some(pairs) = pairs(asked.query) else {
        return Outcome::Error(code::INVALID_PARAMS);
    };
    let predicted = match asked.procedure {
        "text" | "blocking" => {
            the_text(&pairs).map(|text| format!("{{\"text\":{}}}", quoted(&text)))
        }
        "integers" => integers(&pairs).map(|values| {
            let values: Vec<_> = values.iter().map(i64::to_string).collect();
            format!("[{}]", values.join(","))
        }),
        "panics" | "infinite" => {
            return Outcome::Undecided(&[code::INVALID_PARAMS, code::INTERNAL_ERROR]);
        }
        _ => return Outcome::Undecided(&[code::INVALID_PARAMS, outcome::ON_PURPOSE]),
    };
    predicted.map_or(Outcome::Error(code::INVALID_PARAMS), Outcome::Result)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the names and values, if all of them are form-encoded text.
fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        })
        .collect()
}

fn decoded(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2)?;
        let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        bytes.push(
            u8::from_str_radix(digits, 16)
                .ok()
                .filter(|_| hexadecimal)?,
        );
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

/// Returns the value of the only parameter, given by name or by position.
fn the_text(pairs: &[(String, String)]) -> Option<String> {
    let [(name, value)] = pairs else { return None };
    (name == "text" || position(name) == Some(0)).then(|| value.clone())
}

/// Returns the values of a list, given by name (an empty text means an empty list) or by positions
/// without gaps.
fn integers(pairs: &[(String, String)]) -> Option<Vec<i64>> {
    if let [(name, value)] = pairs
        && name == "values"
        && value.is_empty()
    {
        return Some(Vec::new());
    }
    let mut sorted: Vec<_> = pairs
        .iter()
        .map(|(name, value)| (position(name), value))
        .collect();
    sorted.sort_by_key(|(position, _)| *position);
    let by_position = sorted
        .iter()
        .enumerate()
        .all(|(at, (position, _))| *position == Some(at));
    let by_name = pairs.iter().all(|(name, _)| name == "values");
    if !by_position && !by_name {
        return None;
    }
    sorted.iter().map(|(_, value)| integer(value)).collect()
}

fn position(name: &str) -> Option<usize> {
    // A sign, which `parse` takes, is no part of a position.
    if name.starts_with('+') {
        return None;
    }
    name.parse().ok()
}

fn integer(text: &str) -> Option<i64> {
    let value: &RawValue = serde_json::from_str(text).ok()?;
    let is_number = value.get().len() == text.len()
        && text.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    match number(text) {
        Number::Whole(value) if is_number => value.try_into().ok(),
        Number::MinusZero if is_number => Some(0),
        _ => None,
    }
}

/// Returns the POST call that repeats a GET, for a procedure that returns its parameters: what GET
/// returned becomes the parameters.
pub(crate) fn repeated(asked: Query<'_>, result: &RawValue) -> Option<String> {
    let params = match (asked.procedure, result.get()) {
        ("none", "null") => "{}",
        ("fails" | "large", _) => return None,
        (name, _) if name.contains('.') => return None,
        (_, result) => result,
    };
    let method = quoted(asked.procedure);
    Some(format!(
        r#"{{"jsonrpc":"2.0","method":{method},"params":{params},"id":0}}"#
    ))
}

/// Returns the version of the responses to GET.
pub(crate) fn version_of(get: docent_core::Protocol) -> Version {
    match get {
        docent_core::Protocol::V1_1 => Version::V1_1,
        _ => Version::V2_0,
    }
}
