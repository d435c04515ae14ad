//! Responses in the form that tests compare.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A response object.
#[derive(Debug)]
pub(crate) struct Response {
    /// The text of the result, or the error.
    pub(crate) outcome: Result<String, ErrorObject>,
    /// The text of the id.
    pub(crate) id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorObject {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl Response {
    /// Reads a response object and checks it against 2.0, section 5: it has the required members
    /// and no others, and its message belongs to its code.
    #[track_caller]
    pub(crate) fn read(text: &str) -> Self {
        let members: BTreeMap<&str, &RawValue> =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let names: Vec<_> = members.keys().copied().collect();
        assert_eq!(members["jsonrpc"].get(), "\"2.0\"", "{text}");
        let outcome = match names[..] {
            ["id", "jsonrpc", "result"] => Ok(members["result"].get().to_owned()),
            ["error", "id", "jsonrpc"] => {
                let error: ErrorObject =
                    serde_json::from_str(members["error"].get()).expect("an error object");
                if let Some(message) = message(error.code) {
                    assert_eq!(error.message, message, "{text}");
                }
                Err(error)
            }
            _ => panic!("not a response object: {text}"),
        };
        Self {
            outcome,
            id: members["id"].get().to_owned(),
        }
    }

    #[track_caller]
    pub(crate) fn error(&self) -> &ErrorObject {
        match &self.outcome {
            Err(error) => error,
            Ok(result) => panic!("a result: {result}"),
        }
    }

    fn brief(&self) -> String {
        let id = &self.id;
        match &self.outcome {
            Ok(result) => format!("{result} #{id}"),
            Err(error) => format!("error {} #{id}", error.code),
        }
    }
}

/// Reads the response to a batch.
#[track_caller]
pub(crate) fn read_batch(text: &str) -> Vec<Response> {
    let responses: Vec<&RawValue> =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    responses
        .iter()
        .map(|response| Response::read(response.get()))
        .collect()
}

/// Returns a response in short form.
#[track_caller]
pub(crate) fn brief(answer: Option<&[u8]>) -> String {
    let Some(answer) = answer else {
        return "nothing".to_owned();
    };
    let text = std::str::from_utf8(answer).expect("a response in UTF-8");
    if text.starts_with('[') {
        let responses: Vec<_> = read_batch(text).iter().map(Response::brief).collect();
        assert!(!responses.is_empty(), "a response is never an empty array");
        format!("[{}]", responses.join(", "))
    } else {
        Response::read(text).brief()
    }
}

/// Returns the message of each code that the contract defines.
fn message(code: i64) -> Option<&'static str> {
    Some(match code {
        -32700 => "Parse error",
        -32600 => "Invalid Request",
        -32601 => "Method not found",
        -32602 => "Invalid params",
        -32603 => "Internal error",
        -32001 => "Timed out",
        -32002 => "Busy",
        -32003 => "Request too large",
        -32004 => "Response too large",
        -32005 => "Batch too large",
        -32006 => "Not callable with GET",
        -32007 => "Refused",
        -32008 => "Too many requests",
        -32009 => "Still running",
        -32010 => "Key used otherwise",
        -32011 => "Needs a connection",
        -32012 => "Too many subscriptions",
        -32013 => "Fell behind",
        -32014 => "Cannot resume",
        -32015 => "Going away",
        _ => return None,
    })
}
