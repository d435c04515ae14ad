//! Checks error objects: their codes, their messages and the shape of their `data`.
//!
//! The message and the shape of the data follow from the code, as the table says.

use serde_json::value::RawValue;

use super::code;
use super::contract::ServiceContract;
use super::version::Version;
use crate::json::{self, Members};

/// An error of the protocol.
struct CodeRow {
    code: i64,
    message: &'static str,
    code_in_1_1: i64,
}

impl CodeRow {
    const fn new(code: i64, message: &'static str, code_in_1_1: i64) -> Self {
        Self {
            code,
            message,
            code_in_1_1,
        }
    }
}

/// The contract's table of errors: code, message, and code in 1.1.
const CODE_TABLE: &[CodeRow] = &[
    CodeRow::new(code::PARSE_ERROR, "Parse error", 500),
    CodeRow::new(code::INVALID_REQUEST, "Invalid Request", 422),
    CodeRow::new(code::METHOD_NOT_FOUND, "Method not found", 404),
    CodeRow::new(code::INVALID_PARAMS, "Invalid params", 406),
    CodeRow::new(code::INTERNAL_ERROR, "Internal error", 500),
    CodeRow::new(code::TIMED_OUT, "Timed out", 504),
    CodeRow::new(code::BUSY, "Busy", 503),
    CodeRow::new(code::REQUEST_TOO_LARGE, "Request too large", 500),
    CodeRow::new(code::RESPONSE_TOO_LARGE, "Response too large", 507),
    CodeRow::new(code::BATCH_TOO_LARGE, "Batch too large", 500),
    CodeRow::new(code::NOT_CALLABLE_WITH_GET, "Not callable with GET", 405),
    CodeRow::new(code::REFUSED, "Refused", 403),
    CodeRow::new(code::STILL_RUNNING, "Still running", 503),
];

/// The limit on the length of a reason in Invalid params, in bytes.
const MAX_REASON_BYTES: usize = 300;

/// Checks an error object and returns its 2.0 code.
pub(super) fn check(
    contract: &ServiceContract,
    version: Version,
    error: &RawValue,
) -> Result<i64, String> {
    let members = members(error)?;
    if version != Version::V1_1 {
        return check_2_0(contract, &members);
    }
    exactly(&members, &["name", "code", "message", "error"])?;
    let inner = self::members(get(&members, "error")?)?;
    let code = check_2_0(contract, &inner)?;
    same(get(&members, "name")?, "\"JSONRPCError\"")?;
    same(get(&members, "message")?, get(&inner, "message")?.get())?;
    same(get(&members, "code")?, &code_of_1_1(code).to_string())?;
    Ok(code)
}

fn code_of_1_1(code: i64) -> i64 {
    match CODE_TABLE.iter().find(|row| row.code == code) {
        Some(row) => row.code_in_1_1,
        None if (100..=999).contains(&code) => code,
        None => 500,
    }
}

fn check_2_0(contract: &ServiceContract, members: &Members<'_>) -> Result<i64, String> {
    let names: &[&str] = match members.get("data") {
        Some(_) => &["code", "message", "data"],
        None => &["code", "message"],
    };
    exactly(members, names)?;
    let text = get(members, "code")?.get();
    let code = text
        .parse()
        .map_err(|_| format!("the code {text} is not an integer"))?;
    if let Some((_, message)) = contract
        .declared
        .iter()
        .find(|(declared, _)| *declared == code)
    {
        same(get(members, "message")?, &format!("{message:?}"))?;
    }
    if let Some(row) = CODE_TABLE.iter().find(|row| row.code == code) {
        same(get(members, "message")?, &format!("{:?}", row.message))?;
        check_data(code, members.get("data"))?;
    }
    Ok(code)
}

fn check_data(code: i64, data: Option<&RawValue>) -> Result<(), String> {
    let sound = match (code, data) {
        (code::INVALID_PARAMS, Some(data)) => check_blame(data)?,
        (code::INTERNAL_ERROR, Some(data)) => is_incident(data)?,
        (code::TIMED_OUT, Some(data)) => data.get() == r#"{"started":false}"#,
        (code::INVALID_REQUEST | code::PARSE_ERROR | code::METHOD_NOT_FOUND, None) => true,
        (code::METHOD_NOT_FOUND, Some(data)) => {
            let data = members(data)?;
            exactly(&data, &["closest"])?;
            let closest = json::elements(get(&data, "closest")?).unwrap_or_default();
            (1..=3).contains(&closest.len()) && closest.iter().all(|name| is_sentence(name))
        }
        (
            code::INVALID_REQUEST
            | code::PARSE_ERROR
            | code::REQUEST_TOO_LARGE
            | code::BATCH_TOO_LARGE
            | code::NOT_CALLABLE_WITH_GET,
            Some(data),
        ) => {
            let data = members(data)?;
            exactly(&data, &["reason"])?;
            is_sentence(get(&data, "reason")?)
        }
        (_, data) => {
            let needs_data = [code::INVALID_PARAMS, code::INTERNAL_ERROR].contains(&code);
            data.is_none() && !needs_data
        }
    };
    if sound {
        Ok(())
    } else {
        Err(format!("{code} with data {data:?}"))
    }
}

/// Returns whether the data of an Internal error is an incident id and nothing else.
fn is_incident(data: &RawValue) -> Result<bool, String> {
    let data = members(data)?;
    exactly(&data, &["incident"])?;
    let id = json::text(get(&data, "incident")?).unwrap_or_default();
    let is_hexadecimal = id
        .bytes()
        .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    Ok(id.len() == 16 && is_hexadecimal)
}

/// The limit on problems listed after the first.
const MAX_OTHERS: usize = 9;

/// Returns whether the data of Invalid params names the parameter, the place in it and the reason,
/// and does the same for every further problem.
fn check_blame(data: &RawValue) -> Result<bool, String> {
    let data = members(data)?;
    let Some(others) = data.get("others") else {
        return check_problem(&data, &[]);
    };
    let others = json::elements(others).unwrap_or_default();
    let mut sound = (1..=MAX_OTHERS).contains(&others.len());
    for other in others {
        sound &= check_problem(&members(other)?, &[])?;
    }
    Ok(sound && check_problem(&data, &["others"])?)
}

/// Returns whether a problem names the parameter, the place in it and a short reason.
fn check_problem(data: &Members<'_>, more: &[&str]) -> Result<bool, String> {
    let mut names = vec!["reason"];
    names.extend(more);
    if data.get("parameter").is_some() {
        names.extend(["parameter", "pointer"]);
    }
    if data.get("position").is_some() {
        names.push("position");
    }
    exactly(data, &names)?;
    let position = data.get("position").map(RawValue::get);
    let pointer = data.get("pointer").map(json::text);
    let reason = json::text(get(data, "reason")?).unwrap_or_default();
    Ok((1..=MAX_REASON_BYTES).contains(&reason.len())
        && data
            .get("parameter")
            .is_none_or(|name| json::text(name).is_some())
        && position.is_none_or(|position| position.parse::<usize>().is_ok())
        && pointer.is_none_or(|pointer| pointer.is_some_and(|pointer| is_pointer(&pointer))))
}

fn is_sentence(value: &RawValue) -> bool {
    json::text(value).is_some_and(|text| !text.is_empty())
}

/// Returns whether a text is a JSON pointer (RFC 6901, section 3).
fn is_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/'))
        && text
            .split('~')
            .skip(1)
            .all(|escape| escape.starts_with(['0', '1']))
}

/// Returns the members of a value that must be an object.
pub(super) fn members(value: &RawValue) -> Result<Members<'_>, String> {
    json::members(value).ok_or_else(|| format!("not an object: {value}"))
}

/// Checks that an object has exactly these members, each once.
pub(super) fn exactly(members: &Members<'_>, names: &[&str]) -> Result<(), String> {
    let found: Vec<_> = members.iter().map(|(name, _)| name.as_deref()).collect();
    if found.len() == names.len() && names.iter().all(|name| found.contains(&Some(name))) {
        Ok(())
    } else {
        Err(format!("members {found:?}, expected {names:?}"))
    }
}

/// Returns a required member.
pub(super) fn get<'a>(members: &Members<'a>, name: &str) -> Result<&'a RawValue, String> {
    members
        .get(name)
        .ok_or_else(|| format!("missing member {name:?}"))
}

/// Checks that a value has exactly this text.
pub(super) fn same(value: &RawValue, text: &str) -> Result<(), String> {
    if value.get() == text {
        Ok(())
    } else {
        Err(format!("{value}, expected {text}"))
    }
}
