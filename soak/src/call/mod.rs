//! A call: its text, and the checks on its response.
//!
//! A call says beforehand which outcomes it may have, and is checked against that when its outcome is known:
//!
//! ```text
//! let call = ExpectedCall::new("book.get", json!({"id": 7})).may_fail(&[1404]).shows("/title", "Emma");
//! call.note(world);                   // a write may take effect from here on
//! call.settle(world, outcome);        // a finding, unless it is a result with that title, or 1404
//! ```
//!
//! Each write that the library has acknowledged or rejected goes into the ledger, which is compared with the records of
//! the library later. The form of a response is checked before, by the [`contract`](super::contract).

#[cfg(test)]
mod tests;

use serde_json::Value;

use super::contract::{Outcome, Version, code};
use super::http::{Request, request};
use super::ledger::{Kind, WrittenRecord};
use super::world::World;

/// The record that a call creates or changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) kind: Kind,
    pub(crate) key: String,
}

/// A JSON-RPC call and the outcomes it may have.
#[derive(Debug, Clone)]
pub(crate) struct ExpectedCall {
    pub(crate) procedure: &'static str,
    pub(crate) params: Value,
    /// The text of the `id`. `None` makes a 2.0 notification.
    pub(crate) id: Option<String>,
    pub(crate) write: Option<Write>,
    /// The error codes that the response may carry.
    pub(crate) errors: &'static [i64],
    /// True if the response must be one of these errors.
    pub(crate) fails: bool,
    /// A pointer into the result and the value expected there.
    pub(crate) shows: Option<(&'static str, Value)>,
    /// The key by which the service recognises a repetition.
    pub(crate) key: Option<String>,
    /// The outcome of an earlier call with the same key.
    pub(crate) before: Option<Outcome>,
}

/// Errors that any call may return.
const COMMON_ERRORS: [i64; 3] = [code::TIMED_OUT, code::BUSY, 1503];

impl ExpectedCall {
    pub(crate) fn new(procedure: &'static str, params: Value) -> Self {
        Self {
            procedure,
            params,
            id: Some("1".to_owned()),
            write: None,
            errors: &[],
            fails: false,
            shows: None,
            key: None,
            before: None,
        }
    }

    pub(crate) fn writes(mut self, kind: Kind, key: String) -> Self {
        self.write = Some(Write { kind, key });
        self
    }

    pub(crate) fn may_fail(mut self, errors: &'static [i64]) -> Self {
        self.errors = errors;
        self
    }

    pub(crate) fn fails(mut self, errors: &'static [i64]) -> Self {
        self.fails = true;
        self.may_fail(errors)
    }

    pub(crate) fn shows(mut self, pointer: &'static str, value: impl Into<Value>) -> Self {
        self.shows = Some((pointer, value.into()));
        self
    }

    /// Gives the call a unique key.
    pub(crate) fn keyed(mut self, world: &World) -> Self {
        self.key = Some(format!("soak-{:x}-{}", world.seed, world.serial()));
        self
    }

    /// Returns the text of the request.
    pub(crate) fn text(&self, version: Version) -> String {
        let is_1_1 = version == Version::V1_1;
        let version = if is_1_1 {
            r#""version":"1.1""#
        } else {
            r#""jsonrpc":"2.0""#
        };
        let Self {
            procedure, params, ..
        } = self;
        let mut call = format!(r#"{{{version},"method":"{procedure}","params":{params}"#);
        // 1.1 does not know the member: there the key is in a header field.
        if let Some(key) = self.key.as_ref().filter(|_| !is_1_1) {
            call = format!(r#"{call},"x-idempotency-key":"{key}""#);
        }
        match &self.id {
            Some(id) => format!("{call},\"id\":{id}}}"),
            None => format!("{call}}}"),
        }
    }

    /// Records in the ledger that the write is about to be sent.
    pub(crate) fn note(&self, world: &World) {
        if let Some(Write { kind, key }) = &self.write {
            world.ledger().send(*kind, key);
        }
    }

    /// Checks the outcome against what the call promised, and returns the result, if any.
    pub(crate) fn settle(&self, world: &World, outcome: Outcome) -> Option<Value> {
        if let Some(before) = &self.before
            && !outcome.is_pending()
            && outcome != *before
        {
            let call = self.text(Version::V2_0);
            world.found(format!(
                "{call} ended with {before:?}, then with {outcome:?}"
            ));
        }
        match outcome {
            Outcome::Result(result) => {
                self.succeeded(world, &result);
                Some(result)
            }
            Outcome::Error(code) => {
                self.failed(world, code);
                None
            }
        }
    }

    fn succeeded(&self, world: &World, result: &Value) {
        let call = self.text(Version::V2_0);
        if self.fails {
            world.found(format!("{call} should have failed, but returned {result}"));
        }
        if let Some((pointer, value)) = &self.shows
            && result.pointer(pointer) != Some(value)
        {
            world.found(format!("{call}: {pointer} is not {value} in {result}"));
        }
        let Some(Write { kind, key }) = &self.write else {
            return;
        };
        match WrittenRecord::read(*kind, result).filter(|written| written.key == *key) {
            Some(written) => {
                // The ledger is unlocked before a finding is reported.
                let acknowledged = world.ledger().acknowledge(written);
                if let Err(finding) = acknowledged {
                    world.found(finding.to_string());
                }
            }
            None => world.found(format!("{call} returned {result}")),
        }
    }

    fn failed(&self, world: &World, code: i64) {
        world.tally().error(code);
        let is_running = self.key.is_some() && code == code::STILL_RUNNING;
        if !COMMON_ERRORS.contains(&code) && !self.errors.contains(&code) && !is_running {
            let call = self.text(Version::V2_0);
            world.found(format!("{call} failed with {code}"));
        }
        // A write that times out keeps running, so its outcome is unknown. Any other error means
        // that this attempt changed nothing. If the write was sent before, only an error of the
        // library itself proves that the earlier attempt changed nothing either.
        let Some(Write { kind, key }) = &self.write else {
            return;
        };
        if code == code::TIMED_OUT || is_running || self.is_again() && COMMON_ERRORS.contains(&code)
        {
            return;
        }
        if let Err(finding) = world.ledger().refuse(*kind, key) {
            world.found(finding.to_string());
        }
    }

    /// Returns whether the call starts a loan. Such a call is never a notification: without the
    /// loan's number the loan could not be ended, and its copy would never be lent again.
    pub(crate) fn lends(&self) -> bool {
        self.write
            .as_ref()
            .is_some_and(|write| write.kind == Kind::Loan)
    }

    /// Returns whether the call may be a retry: its key lets the library recognise it.
    pub(crate) fn is_again(&self) -> bool {
        self.key.is_some()
    }
}

/// Returns a POST request with this body and the token that writes require.
pub(crate) fn post(world: &World, body: &[u8]) -> Vec<u8> {
    post_with(world, &[("Content-Type", "application/json")], body)
}

/// Returns a POST request with this body and its key in a header field.
pub(crate) fn post_with_key(world: &World, key: &str, body: &[u8]) -> Vec<u8> {
    let headers = [
        ("Content-Type", "application/json"),
        ("Idempotency-Key", key),
    ];
    post_with(world, &headers, body)
}

/// Returns a POST request with these header fields and the token that writes require.
pub(crate) fn post_with(world: &World, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    request("POST", "/rpc", &with_token(world, headers), Some(body))
}

fn with_token<'a>(world: &'a World, headers: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![("Authorization", world.credential.as_str())];
    all.extend_from_slice(headers);
    all
}

/// Returns the same request as [`post`], with the body in chunks of `size` bytes.
pub(crate) fn post_in_chunks(world: &World, body: &[u8], size: usize) -> Vec<u8> {
    let mut request = Request::post("/rpc", body);
    request.headers = with_token(world, &request.headers);
    request.chunked(size)
}
