//! Checks responses: the members that the protocol version requires, and their values.
//!
//! If the contract leaves a choice, such as the length of an error's words, either is accepted.

use serde_json::json;
use serde_json::value::RawValue;

use super::code;
use super::contract::ServiceContract;
use super::error::{self, exactly, get, same};
use super::outcome::Outcome;
use super::request::ExpectedResponse;
use super::similar;
use super::version::Version;

/// Displays bytes as text, for the report of a failure.
pub struct Bytes<'a>(pub Option<&'a [u8]>);

impl std::fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, "{}", bytes.escape_ascii()),
            None => f.write_str("nothing"),
        }
    }
}

/// The limit on a response, unless its call carries or requests more.
const MAX_ERROR_BYTES: usize = 4_096;

/// The content of a response.
#[derive(Debug, Clone, Copy)]
pub enum ResponseContent<'a> {
    /// The text of the result.
    Result(&'a RawValue),
    /// An error.
    Error {
        /// The 2.0 code, even in a 1.1 response.
        code: i64,
        /// The text of the error object.
        error: &'a RawValue,
    },
}

/// The sum of the responses of a batch, in order.
#[derive(Default)]
struct Sum {
    limit: usize,
    /// The size of the responses so far, including commas.
    held: usize,
    /// The size of all responses, including commas.
    total: usize,
    /// True if a response has exceeded the limit. From then on, responses are as short as possible.
    full: bool,
    /// True if that is unknown, because the length of an error cannot be predicted, or a response came after later
    /// ones.
    unsure: bool,
}

impl Sum {
    /// Returns whether a response fits after those before it, between two brackets.
    fn has_room_for(&self, length: usize) -> bool {
        !self.full && self.held + length + 2 <= self.limit
    }

    fn add(
        &mut self,
        expected: &ExpectedResponse<'_>,
        found: &ResponseContent<'_>,
        length: usize,
        alone: Option<bool>,
    ) -> Result<(), String> {
        let replaced = matches!(
            found,
            ResponseContent::Error { code, .. } if *code == code::RESPONSE_TOO_LARGE
        );
        match alone {
            Some(true) if replaced && !self.unsure => self.full = true,
            _ if replaced => self.unsure |= !self.full,
            _ if self.has_room_for(length) => self.held += length + 1,
            _ => {
                self.full = true;
                let id = expected.id.unwrap_or("null");
                let least = r#"{"jsonrpc":"2.0","error":{"code":-32004,"message":"Response too large"},"id":}"#;
                if matches!(found, ResponseContent::Result(_)) || length > least.len() + id.len() {
                    return Err(format!("{found} without room for {length} bytes"));
                }
            }
        }
        Ok(())
    }
}

/// Checks the response to a single message.
pub(super) fn check_one<'a>(
    contract: &ServiceContract,
    expected: &ExpectedResponse<'_>,
    response: &'a RawValue,
) -> Result<ResponseContent<'a>, String> {
    let found = envelope(contract, expected.version, expected.id, response)?;
    let fits = size(expected).map(|size| size <= contract.max_response_bytes);
    if matches!(found, ResponseContent::Result(_))
        && response.get().len() > contract.max_response_bytes
    {
        return Err("a result over the limit".to_owned());
    }
    compare(contract, expected, &found, fits)?;
    Ok(found)
}

/// Checks the responses of a batch. Together they must fit, and those that are ready first take precedence.
pub(super) fn check_batch<'a>(
    contract: &ServiceContract,
    expected: &[&ExpectedResponse<'_>],
    responses: &[&'a RawValue],
) -> Result<Vec<ResponseContent<'a>>, String> {
    let mut all = Vec::new();
    let mut sum = Sum {
        limit: contract.max_response_bytes,
        total: responses
            .iter()
            .map(|response| response.get().len() + 1)
            .sum(),
        ..Sum::default()
    };
    for (index, (expected, response)) in expected.iter().zip(responses).enumerate() {
        let found = check_entry(contract, expected, response, &mut sum)
            .map_err(|wrong| format!("response {index}: {wrong}"))?;
        all.push(found);
    }
    Ok(all)
}

/// Checks the next response of a batch, and adds it to the sum.
fn check_entry<'a>(
    contract: &ServiceContract,
    expected: &ExpectedResponse<'_>,
    response: &'a RawValue,
    sum: &mut Sum,
) -> Result<ResponseContent<'a>, String> {
    let found = envelope(contract, expected.version, expected.id, response)?;
    let size = size(expected);
    let alone = size.map(|size| size <= contract.max_response_bytes);
    // A call that takes longer than later ones may find that theirs have taken the room.
    let others = sum.total - response.get().len();
    sum.unsure |= size.is_some_and(|size| others + size + 1 > sum.limit);
    let fits = size
        .map(|size| size <= contract.max_response_bytes && sum.has_room_for(size))
        .filter(|fits| !fits || !sum.unsure);
    compare(contract, expected, &found, fits)?;
    sum.add(expected, &found, response.get().len(), alone)?;
    Ok(found)
}

fn compare(
    contract: &ServiceContract,
    expected: &ExpectedResponse<'_>,
    found: &ResponseContent<'_>,
    fits: Option<bool>,
) -> Result<(), String> {
    if let ResponseContent::Error {
        code: code::RESPONSE_TOO_LARGE,
        ..
    } = found
    {
        // The contract does not limit the length of an error's words.
        let may = match fits {
            Some(fits) => !fits,
            None => contract.max_response_bytes < MAX_ERROR_BYTES,
        };
        return if may { Ok(()) } else { wrong(found, expected) };
    }
    let right = match (&expected.outcome, found) {
        (Outcome::Result(_), ResponseContent::Result(_)) if fits == Some(false) => false,
        (Outcome::Result(text), ResponseContent::Result(result)) => result.get() == text,
        (Outcome::Error(expected), ResponseContent::Error { code, .. }) => expected == code,
        (Outcome::Declared(expected, message, data), ResponseContent::Error { code, error }) => {
            let members = error::members(innermost(error)?)?;
            same(get(&members, "message")?, &format!("{message:?}"))?;
            same(get(&members, "data")?, data)?;
            expected == code
        }
        (Outcome::Undecided(_), ResponseContent::Result(_)) => true,
        (Outcome::Undecided(codes), ResponseContent::Error { code, .. }) => {
            codes.contains(code)
                || contract
                    .declared
                    .iter()
                    .any(|(declared, _)| declared == code)
        }
        _ => false,
    };
    if right {
        check_reason(contract, expected, found)
    } else {
        wrong(found, expected)
    }
}

fn wrong(found: &ResponseContent<'_>, expected: &ExpectedResponse<'_>) -> Result<(), String> {
    Err(format!("{found}, expected {:?}", expected.outcome))
}

/// Checks the data of a protocol error: a reason, or similar names.
fn check_reason(
    contract: &ServiceContract,
    expected: &ExpectedResponse<'_>,
    found: &ResponseContent<'_>,
) -> Result<(), String> {
    let ResponseContent::Error { error, .. } = found else {
        return Ok(());
    };
    let members = error::members(innermost(error)?)?;
    let data = members.get("data").map(RawValue::get);
    if let Some(has_reason) = expected.has_reason
        && has_reason != data.is_some()
    {
        return Err(format!(
            "the data is {data:?}, expected a reason: {has_reason}"
        ));
    }
    let Some(unknown_name) = &expected.unknown_name else {
        return Ok(());
    };
    let closest = similar::closest(contract, unknown_name);
    let right = (!closest.is_empty()).then(|| json!({ "closest": closest }).to_string());
    if data == right.as_deref() {
        Ok(())
    } else {
        Err(format!("the data is {data:?}, expected {right:?}"))
    }
}

impl std::fmt::Display for ResponseContent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Result(result) => write!(f, "the result {result}"),
            Self::Error { error, .. } => write!(f, "the error {error}"),
        }
    }
}

/// Returns the 2.0 error inside a 1.1 error, or the error itself.
fn innermost(error: &RawValue) -> Result<&RawValue, String> {
    Ok(error::members(error)?.get("error").unwrap_or(error))
}

/// Returns the size of a response with the expected result, if it is known.
fn size(expected: &ExpectedResponse<'_>) -> Option<usize> {
    let Outcome::Result(result) = &expected.outcome else {
        return None;
    };
    let around = match expected.version {
        Version::V2_0 => r#"{"jsonrpc":"2.0","result":,"id":}"#.len(),
        Version::V1_1 if expected.id.is_none() => r#"{"version":"1.1","result":}"#.len(),
        Version::V1_1 => r#"{"version":"1.1","result":,"id":}"#.len(),
        Version::V1_0 => r#"{"result":,"error":null,"id":}"#.len(),
    };
    let id = match expected.version {
        Version::V1_1 => expected.id.unwrap_or_default(),
        Version::V2_0 | Version::V1_0 => expected.id.unwrap_or("null"),
    };
    Some(around + result.len() + id.len())
}

/// Checks the envelope of a response and returns its content.
pub(super) fn envelope<'a>(
    contract: &ServiceContract,
    version: Version,
    id: Option<&str>,
    response: &'a RawValue,
) -> Result<ResponseContent<'a>, String> {
    let members = error::members(response)?;
    let outcome = if members
        .get("error")
        .is_some_and(|error| error.get() != "null")
    {
        "error"
    } else {
        "result"
    };
    match version {
        Version::V2_0 => {
            exactly(&members, &["jsonrpc", outcome, "id"])?;
            same(get(&members, "jsonrpc")?, "\"2.0\"")?;
        }
        Version::V1_1 if id.is_none() => exactly(&members, &["version", outcome])?,
        Version::V1_1 => exactly(&members, &["version", outcome, "id"])?,
        Version::V1_0 => {
            exactly(&members, &["result", "error", "id"])?;
            if outcome == "error" {
                same(get(&members, "result")?, "null")?;
            }
        }
    }
    if version == Version::V1_1 {
        same(get(&members, "version")?, "\"1.1\"")?;
    }
    if let Some(own_id) = members.get("id") {
        same(own_id, id.unwrap_or("null")).map_err(|wrong| format!("the id is {wrong}"))?;
    }
    let content = get(&members, outcome)?;
    Ok(match outcome {
        "error" => ResponseContent::Error {
            code: error::check(contract, version, content)?,
            error: content,
        },
        _ => ResponseContent::Result(content),
    })
}
