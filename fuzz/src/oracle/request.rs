//! Predicts the responses to a body that `serde_json` has read.
//!
//! In comes a body, out comes the expected response to each message: its version, its id and its outcome, or that there
//! must be none. `response.rs` compares these with what the service sends.

use serde_json::value::RawValue;

use super::code;
use super::contract::ServiceContract;
use super::outcome::Outcome;
use super::similar;
use super::value::RequestParams;
use super::version::Version;
use crate::json::{self, Members};

/// The expected response to one message.
pub(crate) struct ExpectedResponse<'a> {
    pub(crate) version: Version,
    /// The `id` that the response must repeat.
    pub(crate) id: Option<&'a str>,
    pub(crate) outcome: Outcome,
    /// True if there must be no response.
    pub(crate) is_unanswered: bool,
    /// True if the message runs the procedure that counts its runs, `count`.
    pub(crate) runs_count: bool,
    /// True if an error of the protocol must give a reason, false if it must not, and `None` if either is right.
    pub(crate) has_reason: Option<bool>,
    /// The name of an unknown procedure, for which the response must suggest similar names.
    pub(crate) unknown_name: Option<String>,
}

/// The expected responses to a body.
pub(crate) enum Body<'a> {
    One(ExpectedResponse<'a>),
    Batch(Vec<ExpectedResponse<'a>>),
}

impl<'a> Body<'a> {
    /// Reads a body as the contract requires.
    pub(crate) fn read(contract: &ServiceContract, input: &'a [u8]) -> Self {
        if input.len() > contract.max_body_bytes {
            return Self::error(code::REQUEST_TOO_LARGE, None);
        }
        let is_too_deep = json::depth(input) > contract.max_nesting;
        let Ok(body) = json::check(input) else {
            // A service may notice that a body is nested too deeply before it notices that it is
            // not JSON.
            return Self::error(code::PARSE_ERROR, (!is_too_deep).then_some(false));
        };
        if is_too_deep {
            return Self::error(code::PARSE_ERROR, Some(true));
        }
        match json::elements(body) {
            None => Self::One(ExpectedResponse::of_message(contract, body, false)),
            Some(entries) if entries.is_empty() => Self::error(code::INVALID_REQUEST, Some(false)),
            Some(entries) if entries.len() > contract.max_batch => {
                Self::error(code::BATCH_TOO_LARGE, None)
            }
            Some(entries) => {
                let mut expected: Vec<_> = entries
                    .into_iter()
                    .map(|entry| ExpectedResponse::of_message(contract, entry, true))
                    .collect();
                keep_first_unknown_name(&mut expected);
                Self::Batch(expected)
            }
        }
    }

    /// Expects one error for the whole body.
    fn error(code: i64, has_reason: Option<bool>) -> Self {
        let error = ExpectedResponse::error(None, code);
        Self::One(ExpectedResponse {
            has_reason,
            ..error
        })
    }

    pub(crate) fn messages(&self) -> &[ExpectedResponse<'a>] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Batch(entries) => entries,
        }
    }
}

impl<'a> ExpectedResponse<'a> {
    fn error(id: Option<&'a str>, code: i64) -> Self {
        Self {
            version: Version::V2_0,
            id,
            outcome: Outcome::Error(code),
            is_unanswered: false,
            runs_count: false,
            has_reason: None,
            unknown_name: None,
        }
    }

    fn invalid(version: Version, id: Option<&'a str>, has_reason: bool) -> Self {
        Self {
            version,
            has_reason: Some(has_reason),
            ..Self::error(id, code::INVALID_REQUEST)
        }
    }

    fn of_message(contract: &ServiceContract, message: &'a RawValue, in_batch: bool) -> Self {
        let Some(members) = json::members(message) else {
            return Self::invalid(Version::V2_0, None, false);
        };
        let version = if members.get("jsonrpc").is_some() {
            Version::V2_0
        } else if contract.v1_1 && !in_batch && is_text(&members, "version", "1.1") {
            Version::V1_1
        } else if contract.v1_0 && !in_batch && members.get("method").is_some() {
            Version::V1_0
        } else {
            let has_reason = match members.get("method") {
                None => members.get("version").is_some(),
                Some(method) => is_string(method) || is_repeated(&members),
            };
            return Self::invalid(Version::V2_0, id_of_2_0(&members), has_reason);
        };
        let is_2_0 = version == Version::V2_0;
        let id = if is_2_0 {
            id_of_2_0(&members)
        } else {
            unrepeated(&members, "id")
        };
        let says_2_0 = is_text(&members, "jsonrpc", "2.0");
        let request = Request::read(version, &members).filter(|_| !is_2_0 || says_2_0);
        // A notification sent to the wrong address is still valid, so it has no response.
        let is_unanswered = match request {
            Some(request) if request.is_for(contract.only_procedure) => {
                return request.expected(contract, version, id);
            }
            misplaced => misplaced.is_some_and(|request| request.is_unanswered),
        };
        let method = members.get("method");
        let is_method_wrong = method.is_some_and(|method| !is_string(method));
        let lacks_reason = is_2_0 && is_method_wrong && says_2_0 && !is_repeated(&members);
        Self {
            is_unanswered,
            ..Self::invalid(version, id, !lacks_reason)
        }
    }
}

/// Keeps only one unknown name of an exchange for which the service must suggest names: the first that
/// is called with an id and is not too long.
fn keep_first_unknown_name(entries: &mut [ExpectedResponse<'_>]) {
    let mut has_found = false;
    for entry in entries {
        let Some(name) = &mut entry.unknown_name else {
            continue;
        };
        if has_found {
            name.clear();
        }
        has_found |= !entry.is_unanswered && name.len() <= similar::MAX_NAME_BYTES;
    }
}

/// Returns whether a member is this text.
fn is_text(members: &Members<'_>, name: &str, text: &str) -> bool {
    members.get(name).and_then(json::text).as_deref() == Some(text)
}

fn is_string(value: &RawValue) -> bool {
    value.get().starts_with('"')
}

fn is_repeated(members: &Members<'_>) -> bool {
    ["jsonrpc", "version", "method", "params", "id"]
        .iter()
        .any(|name| members.count(name) > 1)
}

/// Returns the text of a member's value, unless the member occurs twice.
fn unrepeated<'a>(members: &Members<'a>, name: &str) -> Option<&'a str> {
    let value = members.get(name)?;
    match members.count(name) {
        1 => Some(value.get()),
        _ => None,
    }
}

/// Returns the `id` of a 2.0 message, if it occurs once and its type is allowed.
fn id_of_2_0<'a>(members: &Members<'a>) -> Option<&'a str> {
    unrepeated(members, "id").filter(|id| is_id(id))
}

fn is_id(text: &str) -> bool {
    !text.starts_with(['{', '[', 't', 'f'])
}

/// The member that has the key of a call.
const KEY_MEMBER: &str = "x-idempotency-key";

fn is_key(value: &RawValue) -> bool {
    json::text(value).is_some_and(|key| {
        (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    })
}

/// A valid request.
struct Request<'a> {
    /// The name, or `None` if it has a lone surrogate, which no procedure's name has.
    procedure: Option<String>,
    params: RequestParams<'a>,
    is_unanswered: bool,
    /// True if the request has a key. Only 2.0 knows the member.
    has_key: bool,
}

impl<'a> Request<'a> {
    fn read(version: Version, members: &Members<'a>) -> Option<Self> {
        if is_repeated(members) {
            return None;
        }
        let method = members.get("method")?;
        let id = members.get("id").map(RawValue::get);
        let is_unanswered = match version {
            Version::V2_0 if id.is_some_and(|id| !is_id(id)) => return None,
            Version::V2_0 => id.is_none(),
            Version::V1_1 => false,
            Version::V1_0 => id? == "null",
        };
        let key = members.get(KEY_MEMBER).filter(|_| version == Version::V2_0);
        if key.is_some_and(|key| members.count(KEY_MEMBER) > 1 || !is_key(key)) {
            return None;
        }
        let params = read_params(members.get("params"))?;
        let has_allowed_type =
            version != Version::V1_0 || matches!(params, RequestParams::Array(_));
        (has_allowed_type && is_string(method)).then(|| Self {
            procedure: json::text(method),
            params,
            is_unanswered,
            has_key: key.is_some(),
        })
    }

    fn is_for(&self, only: Option<&str>) -> bool {
        only.is_none() || only == self.procedure.as_deref()
    }

    fn expected(
        self,
        contract: &ServiceContract,
        version: Version,
        id: Option<&'a str>,
    ) -> ExpectedResponse<'a> {
        // No procedure has an empty name.
        let procedure = self.procedure.unwrap_or_default();
        let refuses_key = self.has_key && contract.refuses_keys(&procedure);
        let outcome = if refuses_key {
            Outcome::Error(code::INVALID_REQUEST)
        } else {
            contract.outcome(version, &procedure, &self.params)
        };
        let is_unknown = outcome == Outcome::Error(code::METHOD_NOT_FOUND);
        ExpectedResponse {
            version,
            id,
            outcome,
            is_unanswered: self.is_unanswered,
            runs_count: procedure == "count" && !refuses_key,
            has_reason: refuses_key.then_some(true),
            unknown_name: is_unknown.then_some(procedure),
        }
    }
}

/// Returns the parameters, if `params` has a type that is allowed.
fn read_params(params: Option<&RawValue>) -> Option<RequestParams<'_>> {
    let Some(params) = params else {
        return Some(RequestParams::Nothing);
    };
    match params.get().as_bytes().first()? {
        b'n' => Some(RequestParams::Nothing),
        b'[' => json::elements(params).map(RequestParams::Array),
        b'{' => json::members(params).map(RequestParams::Object),
        _ => None,
    }
}
