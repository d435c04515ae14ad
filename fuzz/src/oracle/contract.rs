//! The facts about a service by which the oracle checks its responses.
//!
//! The oracle knows a service only by them, so that it can check the fuzzed one and the library alike.

use super::code;
use super::outcome::{self, Outcome};
use super::value::RequestParams;
use super::version::Version;

/// A service in terms of the contract: versions, limits, procedures and errors.
#[derive(Debug, Clone)]
pub struct ServiceContract {
    /// True if it accepts JSON-RPC 1.1.
    pub(crate) v1_1: bool,
    /// True if it accepts JSON-RPC 1.0.
    pub(crate) v1_0: bool,
    /// The version of the responses to GET.
    pub(crate) get_version: Version,
    /// The only procedure that may be called, if the address names one.
    pub(crate) only_procedure: Option<&'static str>,
    pub(crate) max_body_bytes: usize,
    pub(crate) max_response_bytes: usize,
    /// The maximum number of requests in a batch.
    pub(crate) max_batch: usize,
    /// The maximum number of arrays and objects inside each other.
    pub(crate) max_nesting: usize,
    /// The names of the procedures.
    pub(crate) procedures: Vec<String>,
    /// The procedures whose calls cannot have a key: they are neither idempotent nor repeatable.
    pub(crate) keyless: Vec<String>,
    /// The errors that the procedures declare, with their messages.
    pub(crate) declared: &'static [(i64, &'static str)],
    pub(crate) calls: Calls,
}

/// The oracle's knowledge of a service's calls.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Calls {
    /// The procedures are the fuzzer's own, and their outcomes are known.
    Known,
    /// Any call returns a result or one of these errors.
    Open(&'static [i64]),
}

impl ServiceContract {
    /// Creates a service with the default limits that accepts 2.0 and 1.1. Any of its procedures
    /// may return a result or one of `errors`.
    pub fn new(
        procedures: &[&str],
        declared: &'static [(i64, &'static str)],
        errors: &'static [i64],
    ) -> Self {
        Self {
            v1_1: true,
            v1_0: false,
            get_version: Version::V2_0,
            only_procedure: None,
            max_body_bytes: 2 << 20,
            max_response_bytes: 16 << 20,
            max_batch: 1_000,
            max_nesting: 128,
            procedures: procedures.iter().copied().map(str::to_owned).collect(),
            keyless: Vec::new(),
            declared,
            calls: Calls::Open(errors),
        }
    }

    /// Returns the outcome of a call.
    pub(crate) fn outcome(
        &self,
        version: Version,
        procedure: &str,
        params: &RequestParams<'_>,
    ) -> Outcome {
        match (self.calls, version) {
            (Calls::Known, Version::V1_1) => outcome::lenient(procedure, params),
            (Calls::Known, Version::V2_0 | Version::V1_0) => outcome::strict(procedure, params),
            (Calls::Open(errors), _) if self.has(procedure) => Outcome::Undecided(errors),
            (Calls::Open(_), _) => Outcome::Error(code::METHOD_NOT_FOUND),
        }
    }

    /// Returns whether a call of this procedure with a key is refused.
    pub(crate) fn refuses_keys(&self, procedure: &str) -> bool {
        self.keyless.iter().any(|name| name == procedure)
    }

    /// Returns the names of all procedures, including the reserved ones.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.procedures
            .iter()
            .map(String::as_str)
            .chain(outcome::RESERVED)
    }

    fn has(&self, procedure: &str) -> bool {
        self.names().any(|name| name == procedure)
    }
}
