//! Reads a response: its result, its error, or the reason why it is not the response to this call.
//!
//! A client meets more than well-formed services: pages of proxies, answers to other calls, and JSON of something else.
//! Anything that does not follow JSON-RPC 2.0 (section 5) is malformed, and is never taken for a result.

use std::borrow::Cow;

use docent_core::{Fault, present};
use docent_describe::json::{PRIVATE_PREFIX, find_private_name};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{ClientError, MalformedResponse};
use crate::from_fault::DeclaredErrors;
use crate::transport::Received;

/// A response as it is on the wire. Values stay text until their type is known, so no number is
/// rounded.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Box<RawValue>>,
    error: Option<ErrorObject>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct ErrorObject {
    code: i64,
    message: String,
    #[serde(default, deserialize_with = "present")]
    data: Option<Box<RawValue>>,
}

/// Returns the result in a response to the request with this id. A notification has none, and an empty
/// response.
pub(crate) fn read_result<E: DeclaredErrors>(
    received: Received,
    id: Option<&str>,
) -> Result<Box<RawValue>, ClientError<E>> {
    let is_accepted = match received.status {
        Some(status) => (200..300).contains(&status),
        None => true,
    };
    if id.is_none() && received.body.is_empty() && is_accepted {
        return Ok(RawValue::NULL.to_owned());
    }
    match read_outcome(&received.body, id) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => Err(error.into_error()),
        Err(problem) => Err(malformed(problem, received)),
    }
}

impl ErrorObject {
    /// Returns the error that `E` declares, or another error of the service.
    fn into_error<E: DeclaredErrors>(self) -> ClientError<E> {
        let mut fault = Fault::new(self.code, self.message);
        if let Some(data) = self.data {
            fault = fault.with_data(&data);
        }
        // The message counts only between errors of one code.
        match E::from_fault(&fault).or_else(|| E::from_fault_by_code(&fault)) {
            Some(declared) => ClientError::Declared(declared),
            None => ClientError::Fault(fault),
        }
    }
}

fn malformed<E>(problem: Problem, received: Received) -> ClientError<E> {
    ClientError::Malformed(MalformedResponse {
        problem: problem.into_owned(),
        received: Box::new(received),
    })
}

/// A message of a subscription, after the response to its call.
#[derive(Deserialize)]
struct Notification {
    params: ItemParams,
}

#[derive(Deserialize)]
struct ItemParams {
    #[serde(default, deserialize_with = "present")]
    result: Option<Box<RawValue>>,
    cursor: Option<String>,
    #[serde(default)]
    missed: u64,
    error: Option<ErrorObject>,
}

/// The meaning of a message of a subscription.
pub(crate) enum ItemMessage<E> {
    Item {
        value: Box<RawValue>,
        cursor: Option<String>,
        missed: u64,
    },
    /// The source is over.
    Ended,
    Failed {
        code: i64,
        error: ClientError<E>,
    },
}

/// Reads a message of a subscription.
pub(crate) fn read_item<E: DeclaredErrors>(
    message: String,
) -> Result<ItemMessage<E>, ClientError<E>> {
    let read: serde_json::Result<Notification> = serde_json::from_str(&message);
    let params = match read {
        // `serde_json` would decode something else than what stands there.
        Ok(read) if find_private_name(&message).is_none() => read.params,
        _ => {
            let problem = "this is not a message of a subscription".into();
            return Err(malformed(problem, Received::new(message)));
        }
    };
    Ok(match (params.result, params.error) {
        (_, Some(error)) => ItemMessage::Failed {
            code: error.code,
            error: error.into_error(),
        },
        (Some(value), None) => ItemMessage::Item {
            value,
            cursor: params.cursor,
            missed: params.missed,
        },
        (None, None) => ItemMessage::Ended,
    })
}

/// The reason why a body is not the response to a call.
type Problem = Cow<'static, str>;

/// Returns the result or the error in a body, if it is the response to the request with this id.
fn read_outcome(
    body: &[u8],
    expected: Option<&str>,
) -> Result<Result<Box<RawValue>, ErrorObject>, Problem> {
    if body.is_empty() {
        return Err("there is no body".into());
    }
    // serde would also accept an array as the members of a struct.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err("this is not a response of JSON-RPC 2.0 (it is a list)".into());
    }
    let body = str::from_utf8(body).map_err(|_| "this is not JSON")?;
    let response: Response<'_> = serde_json::from_str(body).map_err(|error| {
        if error.is_data() {
            format!("this is not a response of JSON-RPC 2.0 ({error})")
        } else {
            "this is not JSON".to_owned()
        }
    })?;
    // `serde_json` would decode something else than what stands there.
    if find_private_name(body).is_some() {
        return Err(format!("it has a member whose name begins with {PRIVATE_PREFIX}").into());
    }
    if response.jsonrpc.as_deref() != Some("2.0") {
        return Err("this is not a response of JSON-RPC 2.0".into());
    }
    let id = response.id.as_ref().map(|id| id.get());
    let is_own = id.is_some() && id == expected;
    // A server that has not read the request does not know its ID.
    let is_null = id == Some("null");
    match (response.result, response.error) {
        (Some(result), None) if is_own => Ok(Ok(result)),
        (None, Some(error)) if is_own || is_null => Ok(Err(error)),
        (Some(_), None) | (None, Some(_)) => Err(match id {
            Some(id) => {
                let expected = expected.unwrap_or("none");
                format!("it has the ID {id:.40}, but the request had {expected}").into()
            }
            None => "it has no ID".into(),
        }),
        (Some(_), Some(_)) => Err("it has a result and an error".into()),
        (None, None) => Err("it has neither a result nor an error".into()),
    }
}
