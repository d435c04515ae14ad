//! Envelopes of 2.0 and 1.1.

use serde_json::Value;

use super::{Breach, code, json, row};

/// The version of the protocol that a call speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    V2_0,
    V1_1,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// A result.
    Result(Value),
    /// An error with this code, which is 2.0's in 1.1 too.
    Error(i64),
}

/// Reads an answer whose id has to be this text; in 1.1 it may have to be absent.
pub(super) fn read(version: Version, text: &str, id: Option<&str>) -> Result<Outcome, Breach> {
    let members = json::members(text)?;
    let member = |wanted: &str| {
        let mut found = members.iter().filter(|(name, _)| name == wanted);
        found.next().map(|(_, text)| *text)
    };
    let (marker, value) = match version {
        Version::V2_0 => ("jsonrpc", r#""2.0""#),
        Version::V1_1 => ("version", r#""1.1""#),
    };
    for (name, _) in &members {
        if ![marker, "result", "error", "id"].contains(&name.as_str()) {
            return Err(Breach::new(format_args!("a member {name:?}")));
        }
    }
    if member(marker) != Some(value) {
        return Err(Breach::new(format_args!("{marker} is not {value}")));
    }
    if member("id") != id {
        let found = member("id");
        return Err(Breach::new(format_args!(
            "the id is {found:?}, and was {id:?}"
        )));
    }
    match (member("result"), member("error")) {
        (Some(result), None) => {
            let result = serde_json::from_str(result).map_err(Breach::new)?;
            Ok(Outcome::Result(result))
        }
        (None, Some(error)) => {
            let code = match version {
                Version::V2_0 => fault(error)?,
                Version::V1_1 => fault_of_1_1(error)?,
            };
            Ok(Outcome::Error(code))
        }
        _ => Err(Breach::new("not exactly one of result and error")),
    }
}

/// The error object of 2.0.
fn fault(text: &str) -> Result<i64, Breach> {
    let (code, message) = code_and_message(text, &["code", "message", "data"])?;
    let (_, expected, ..) = row(code)?;
    if message != *expected {
        return Err(Breach::new(format_args!(
            "{code} has the message {message:?}"
        )));
    }
    Ok(code)
}

/// The error object of 1.1, with that of 2.0 in it.
fn fault_of_1_1(text: &str) -> Result<i64, Breach> {
    let (code, message) = code_and_message(text, &["name", "code", "message", "error"])?;
    let members = json::members(text)?;
    let member = |wanted: &str| members.iter().find(|(name, _)| name == wanted);
    if member("name").is_none_or(|(_, name)| *name != r#""JSONRPCError""#) {
        return Err(Breach::new("an error of 1.1 without its name"));
    }
    let inner = member("error").map_or(Err(Breach::new("no inner error")), |(_, it)| fault(it))?;
    let (_, expected, _, outer) = row(inner)?;
    if code != *outer || message != *expected {
        return Err(Breach::new(format_args!(
            "{inner} is {code} in 1.1, {message:?}"
        )));
    }
    Ok(inner)
}

fn code_and_message(text: &str, allowed: &[&str]) -> Result<(i64, String), Breach> {
    for (name, _) in json::members(text)? {
        if !allowed.contains(&name.as_str()) {
            return Err(Breach::new(format_args!("an error with a member {name:?}")));
        }
    }
    let value: Value = serde_json::from_str(text).map_err(Breach::new)?;
    match (value["code"].as_i64(), value["message"].as_str()) {
        (Some(code), Some(message)) => Ok((code, message.to_owned())),
        _ => Err(Breach::new("an error without a code and a message")),
    }
}

/// Whether a guard's refusal has a status of its own.
pub(super) fn is_refusal(outcome: &Outcome) -> bool {
    *outcome == Outcome::Error(code::REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v2(text: &str) -> Result<Outcome, Breach> {
        read(Version::V2_0, text, Some("1.0"))
    }

    #[test]
    fn what_keeps_the_contract_passes() {
        let result = v2(r#"{"jsonrpc":"2.0","result":null,"id":1.0}"#);
        assert_eq!(result, Ok(Outcome::Result(Value::Null)));
        let error = v2(r#"{"id":1.0,"error":{"code":-32002,"message":"Busy"},"jsonrpc":"2.0"}"#);
        assert_eq!(error, Ok(Outcome::Error(-32002)));
        let old = r#"{"version":"1.1","error":{"name":"JSONRPCError","code":406,"message":"Invalid params","error":{"code":-32602,"message":"Invalid params","data":{}}}}"#;
        assert_eq!(read(Version::V1_1, old, None), Ok(Outcome::Error(-32602)));
    }

    #[test]
    fn what_breaks_it_does_not() {
        for broken in [
            r#"{"jsonrpc":"2.0","result":1,"id":1}"#,
            r#"{"jsonrpc":"2.0","result":1,"id":null}"#,
            r#"{"jsonrpc":"2.0","result":1}"#,
            r#"{"jsonrpc":"2.0","result":1,"id":1.0,"id":1.0}"#,
            r#"{"jsonrpc":"2.0","id":1.0}"#,
            r#"{"jsonrpc":"2.0","result":1,"error":{"code":-32002,"message":"Busy"},"id":1.0}"#,
            r#"{"jsonrpc":"2.0","result":1,"id":1.0,"more":1}"#,
            r#"{"jsonrpc":"2","result":1,"id":1.0}"#,
            r#"{"result":1,"id":1.0}"#,
            r#"{"jsonrpc":"2.0","result":1,"id":1.0} {}"#,
            r#"{"jsonrpc":"2.0","result":1,"id":1.0"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":1.0}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"busy"},"id":1.0}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32002},"id":1.0}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy","cause":1},"id":1.0}"#,
            r#"{"jsonrpc":"2.0","error":{"code":7,"message":"?"},"id":1.0}"#,
            "[]",
            "",
        ] {
            assert!(v2(broken).is_err(), "{broken}");
        }
        for broken in [
            r#"{"version":"1.1","result":1,"id":null}"#,
            r#"{"version":"1.1","error":{"name":"JSONRPCError","code":404,"message":"Busy","error":{"code":-32002,"message":"Busy"}}}"#,
            r#"{"version":"1.1","error":{"code":503,"message":"Busy","error":{"code":-32002,"message":"Busy"}}}"#,
            r#"{"version":"1.1","error":{"name":"JSONRPCError","code":503,"message":"Busy"}}"#,
        ] {
            assert!(read(Version::V1_1, broken, None).is_err(), "{broken}");
        }
    }
}
