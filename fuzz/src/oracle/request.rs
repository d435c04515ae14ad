//! Predicts the responses to a body that `serde_json` has read.
//!
//! It finds the protocol, the id and the procedure of each message, and which of them must stay unanswered.

use serde_json::value::RawValue;

use super::code;
use super::outcome::Outcome;
use super::similar;
use super::subject::ServiceContract;
use super::value::RequestParams;
use super::version::Version;
use crate::json::{self, Members};

/// The expected response to one message.
pub(crate) struct Expected<'a> {
    pub(crate) version: Version,
    /// The `id` that the response must repeat.
    pub(crate) id: Option<&'a str>,
    pub(crate) outcome: Outcome,
    /// True if there must be no response.
    pub(crate) is_unanswered: bool,
    /// True if the message calls the procedure that counts its runs.
    pub(crate) counts: bool,
    /// Set to true if an error of the protocol must give a reason, and to false if it must not. `None`
    /// leaves it open.
    pub(crate) explained: Option<bool>,
    /// The name of an unknown procedure, if the response must suggest similar names.
    pub(crate) unknown: Option<String>,
}

/// The expected responses to a body.
pub(crate) enum Body<'a> {
    One(Expected<'a>),
    Batch(Vec<Expected<'a>>),
}

impl<'a> Body<'a> {
    /// Reads a body as the contract requires.
    pub(crate) fn read(subject: &ServiceContract, input: &'a [u8]) -> Self {
        if input.len() > subject.body {
            return Self::error(code::REQUEST_TOO_LARGE, None);
        }
        let deep = json::depth(input) > subject.nesting;
        let Ok(body) = json::check(input) else {
            // A service may notice that a body is nested too deeply before it notices that it is
            // not JSON.
            return Self::error(code::PARSE_ERROR, (!deep).then_some(false));
        };
        if deep {
            return Self::error(code::PARSE_ERROR, Some(true));
        }
        match json::elements(body) {
            None => Self::One(Expected::of_message(subject, body, false)),
            Some(entries) if entries.is_empty() => Self::error(code::INVALID_REQUEST, Some(false)),
            Some(entries) if entries.len() > subject.batch => {
                Self::error(code::BATCH_TOO_LARGE, None)
            }
            Some(entries) => {
                let mut expected: Vec<_> = entries
                    .into_iter()
                    .map(|entry| Expected::of_message(subject, entry, true))
                    .collect();
                search_once(&mut expected);
                Self::Batch(expected)
            }
        }
    }

    /// Expects one error for the whole body.
    fn error(code: i64, explained: Option<bool>) -> Self {
        let error = Expected::error(None, code);
        Self::One(Expected { explained, ..error })
    }

    pub(crate) fn messages(&self) -> &[Expected<'a>] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Batch(entries) => entries,
        }
    }
}

impl<'a> Expected<'a> {
    fn error(id: Option<&'a str>, code: i64) -> Self {
        Self {
            version: Version::V2_0,
            id,
            outcome: Outcome::Error(code),
            is_unanswered: false,
            counts: false,
            explained: None,
            unknown: None,
        }
    }

    fn invalid(version: Version, id: Option<&'a str>, explained: bool) -> Self {
        Self {
            version,
            explained: Some(explained),
            ..Self::error(id, code::INVALID_REQUEST)
        }
    }

    fn of_message(subject: &ServiceContract, message: &'a RawValue, in_batch: bool) -> Self {
        let Some(members) = json::members(message) else {
            return Self::invalid(Version::V2_0, None, false);
        };
        let version = if members.get("jsonrpc").is_some() {
            Version::V2_0
        } else if subject.v1_1 && !in_batch && says(&members, "version", "1.1") {
            Version::V1_1
        } else if subject.v1_0 && !in_batch && members.get("method").is_some() {
            Version::V1_0
        } else {
            let explained = match members.get("method") {
                None => members.get("version").is_some(),
                Some(method) => is_string(method) || is_repeated(&members),
            };
            return Self::invalid(Version::V2_0, id_of_2_0(&members), explained);
        };
        let is_2_0 = version == Version::V2_0;
        let id = if is_2_0 {
            id_of_2_0(&members)
        } else {
            only(&members, "id")
        };
        let says_2_0 = says(&members, "jsonrpc", "2.0");
        let request = Request::read(version, &members).filter(|_| !is_2_0 || says_2_0);
        // A notification sent to the wrong address is still valid, so it has no response.
        let is_unanswered = match request {
            Some(request) if request.is_for(subject.only) => {
                return request.expected(subject, version, id);
            }
            misplaced => misplaced.is_some_and(|request| request.is_unanswered),
        };
        let method = members.get("method");
        let odd_method = method.is_some_and(|method| !is_string(method));
        let bare = is_2_0 && odd_method && says_2_0 && !is_repeated(&members);
        Self {
            is_unanswered,
            ..Self::invalid(version, id, !bare)
        }
    }
}

/// Keeps only one unknown name of an exchange for which the service must suggest names: the first that
/// is called with an id and is not too long.
fn search_once(entries: &mut [Expected<'_>]) {
    let mut has_searched = false;
    for entry in entries {
        let Some(name) = &mut entry.unknown else {
            continue;
        };
        if has_searched {
            name.clear();
        }
        has_searched |= !entry.is_unanswered && name.len() <= similar::MAX_NAME_BYTES;
    }
}

/// Returns whether a member is this text.
fn says(members: &Members<'_>, name: &str, text: &str) -> bool {
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
fn only<'a>(members: &Members<'a>, name: &str) -> Option<&'a str> {
    let value = members.get(name)?;
    (members.count(name) == 1).then(|| value.get())
}

/// Returns the `id` of a 2.0 message, if it occurs once and its type is allowed.
fn id_of_2_0<'a>(members: &Members<'a>) -> Option<&'a str> {
    only(members, "id").filter(|id| is_id(id))
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
    given: RequestParams<'a>,
    is_unanswered: bool,
    /// True if the request has a key. Only 2.0 knows the member.
    keyed: bool,
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
        let given = given(members.get("params"))?;
        let takes = version != Version::V1_0 || matches!(given, RequestParams::Array(_));
        (takes && is_string(method)).then(|| Self {
            procedure: json::text(method),
            given,
            is_unanswered,
            keyed: key.is_some(),
        })
    }

    fn is_for(&self, only: Option<&str>) -> bool {
        only.is_none() || only == self.procedure.as_deref()
    }

    fn expected(
        self,
        subject: &ServiceContract,
        version: Version,
        id: Option<&'a str>,
    ) -> Expected<'a> {
        // No procedure has an empty name.
        let procedure = self.procedure.unwrap_or_default();
        let refused = self.keyed && subject.refuses_keys(&procedure);
        let outcome = if refused {
            Outcome::Error(code::INVALID_REQUEST)
        } else {
            subject.outcome(version, &procedure, &self.given)
        };
        let unknown = outcome == Outcome::Error(code::METHOD_NOT_FOUND);
        Expected {
            version,
            id,
            outcome,
            is_unanswered: self.is_unanswered,
            counts: procedure == "count" && !refused,
            explained: refused.then_some(true),
            unknown: unknown.then_some(procedure),
        }
    }
}

/// Returns the parameters, if `params` has a type that is allowed.
fn given(params: Option<&RawValue>) -> Option<RequestParams<'_>> {
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
