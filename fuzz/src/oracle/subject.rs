//! What the oracle has to know of a service in order to judge its answers.

use super::outcome::{self, Outcome};
use super::request::Version;
use super::value::Given;

/// A service as the contract sees it: its versions, its limits, its procedures and its errors.
#[derive(Debug, Clone)]
pub struct Subject {
    pub(crate) v1_1: bool,
    pub(crate) v1_0: bool,
    /// The version of the answers to GET.
    pub(crate) get: Version,
    /// The only procedure that may be called, where the address says one.
    pub(crate) only: Option<&'static str>,
    pub(crate) body: usize,
    pub(crate) response: usize,
    pub(crate) batch: usize,
    pub(crate) nesting: usize,
    /// The names of its procedures.
    pub(crate) procedures: Vec<String>,
    /// The errors that its procedures declare, each with its message.
    pub(crate) declared: &'static [(i64, &'static str)],
    pub(crate) calls: Calls,
}

/// What is known of the calls of a service.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Calls {
    /// The procedures are those that the fuzzer calls, and their outcomes are known.
    Known,
    /// Every call has a result or one of these errors.
    Open(&'static [i64]),
}

impl Subject {
    /// A service with the limits that services have unless they are told otherwise, which speaks 2.0
    /// and 1.1. Any of its procedures may answer with a result or with one of `errors`.
    pub fn new(
        procedures: &[&str],
        declared: &'static [(i64, &'static str)],
        errors: &'static [i64],
    ) -> Self {
        Self {
            v1_1: true,
            v1_0: false,
            get: Version::V2_0,
            only: None,
            body: 2 << 20,
            response: 16 << 20,
            batch: 1_000,
            nesting: 128,
            procedures: procedures.iter().copied().map(str::to_owned).collect(),
            declared,
            calls: Calls::Open(errors),
        }
    }

    /// The outcome of a call.
    pub(crate) fn outcome(&self, version: Version, procedure: &str, given: &Given<'_>) -> Outcome {
        match (self.calls, version) {
            (Calls::Known, Version::V1_1) => outcome::lenient(procedure, given),
            (Calls::Known, Version::V2_0 | Version::V1_0) => outcome::strict(procedure, given),
            (Calls::Open(errors), _) if self.has(procedure) => Outcome::Unjudged(errors),
            (Calls::Open(_), _) => Outcome::Error(outcome::METHOD_NOT_FOUND),
        }
    }

    /// The names of its procedures, the reserved ones included.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let procedures = self.procedures.iter().map(String::as_str);
        procedures.chain(outcome::RESERVED)
    }

    fn has(&self, procedure: &str) -> bool {
        self.names().any(|name| name == procedure)
    }
}
