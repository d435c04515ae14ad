//! Reads a response.

use std::borrow::Cow;
use std::fmt;

use docent_core::Fault;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::error::{ClientError, MalformedResponse};
use super::from_fault::FromFault;
use super::transport::Received;

/// A response as it is on the wire. Values stay text until their type is known, so no number is
/// rounded.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<ErrorObject<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ErrorObject<'a> {
    code: i64,
    message: String,
    #[serde(borrow, default, deserialize_with = "present")]
    data: Option<&'a RawValue>,
}

/// Reads a member that is present, even if it is null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The content of a valid response.
enum Outcome<'a> {
    Result(&'a RawValue),
    Error(ErrorObject<'a>),
}

/// The ID that the response to a request must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// The ID of the request.
    Id(u64),
    /// The ID null: a GET request has none.
    Null,
    /// No ID: a notification has no response.
    Nothing,
}

impl Asked {
    fn is_answered_with(self, id: &str) -> bool {
        match self {
            Self::Id(asked) => id == asked.to_string(),
            Self::Null => id == "null",
            Self::Nothing => false,
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Null | Self::Nothing => f.write_str("none"),
        }
    }
}

/// Reads the response to a request.
pub(super) fn read<R, E>(received: Received, asked: Asked) -> Result<R, ClientError<E>>
where
    R: DeserializeOwned,
    E: for<'fault> FromFault<'fault>,
{
    let is_taken = received.status.is_none_or(|it| (200..300).contains(&it));
    if asked == Asked::Nothing && received.body.is_empty() && is_taken {
        return serde_json::from_str("null").map_err(ClientError::Result);
    }
    match outcome(&received.body, asked) {
        Ok(Outcome::Result(result)) => {
            serde_json::from_str(result.get()).map_err(ClientError::Result)
        }
        Ok(Outcome::Error(error)) => Err(declared(fault(error))),
        Err(problem) => Err(ClientError::Malformed(MalformedResponse::new(
            problem, received,
        ))),
    }
}

fn outcome(body: &[u8], asked: Asked) -> Result<Outcome<'_>, Cow<'static, str>> {
    if body.is_empty() {
        return Err("there is no body".into());
    }
    // serde would also accept an array as the members of a struct.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err("this is not a response of JSON-RPC 2.0 (it is a list)".into());
    }
    let response: Response<'_> = serde_json::from_slice(body).map_err(|error| {
        if error.is_data() {
            format!("this is not a response of JSON-RPC 2.0 ({error})")
        } else {
            "this is not JSON".to_owned()
        }
    })?;
    if response.jsonrpc.as_deref() != Some("2.0") {
        return Err("this is not a response of JSON-RPC 2.0".into());
    }
    let answered = response.id.map(RawValue::get);
    let is_own = answered.is_some_and(|answered| asked.is_answered_with(answered));
    // A server that has not read the request does not know its ID.
    let is_null = answered == Some("null");
    match (response.result, response.error) {
        (Some(result), None) if is_own => Ok(Outcome::Result(result)),
        (None, Some(error)) if is_own || is_null => Ok(Outcome::Error(error)),
        (Some(_), None) | (None, Some(_)) => Err(match answered {
            Some(other) => format!("it has the ID {other:.40}, and the request had {asked}").into(),
            None => "it has no ID".into(),
        }),
        (Some(_), Some(_)) => Err("it has a result and an error".into()),
        (None, None) => Err("it has neither a result nor an error".into()),
    }
}

fn fault(error: ErrorObject<'_>) -> Fault {
    let fault = Fault::new(error.code, error.message);
    match error.data {
        Some(data) => fault.with_data(data),
        None => fault,
    }
}

fn declared<E: for<'fault> FromFault<'fault>>(fault: Fault) -> ClientError<E> {
    match E::from_fault(&fault).or_else(|| E::from_fault_by_code(&fault)) {
        Some(error) => ClientError::Declared(error),
        None => ClientError::Fault(fault),
    }
}
