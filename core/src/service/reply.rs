//! What a transport is told beside the bytes of an answer.

use std::sync::Arc;
use std::time::Duration;

use docent_describe::ProcedureDescription;

use super::Entry;
use crate::code;
use crate::denial::Denial;
use crate::fault::Fault;
use crate::wire::Protocol;

/// An answer: the bytes to send, if any, and what they stand for.
pub struct Reply {
    body: Option<Vec<u8>>,
    protocol: Protocol,
    code: Option<i64>,
    entry: Option<Arc<Entry>>,
    denial: Option<Denial>,
}

impl Reply {
    pub(super) fn new(body: Option<Vec<u8>>, protocol: Protocol, code: Option<i64>) -> Self {
        Self {
            body,
            protocol,
            code,
            entry: None,
            denial: None,
        }
    }

    /// A fault that stands for a whole exchange.
    pub(super) fn fault(protocol: Protocol, fault: &Fault) -> Self {
        let mut body = Vec::new();
        protocol.write_fault(&mut body, None, fault);
        Self::new(Some(body), protocol, Some(fault.code()))
    }

    pub(super) fn of(mut self, entry: Arc<Entry>, denial: Option<Denial>) -> Self {
        self.entry = Some(entry);
        self.denial = denial;
        self
    }

    /// The body to send; none where there is nothing to say.
    pub fn body(&self) -> Option<&[u8]> {
        self.body.as_deref()
    }

    /// The body to send; none where there is nothing to say.
    pub fn into_body(self) -> Option<Vec<u8>> {
        self.body
    }

    /// The version of the protocol that the answer speaks.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The code of the error that was answered; none for a result, a batch, and silence.
    pub fn error_code(&self) -> Option<i64> {
        self.code
    }

    /// The procedure that was called, where it was exactly one.
    pub fn procedure(&self) -> Option<&ProcedureDescription> {
        Some(&self.entry.as_ref()?.description)
    }

    /// How long an answer to GET may be used without asking again, where the procedure says so.
    pub fn cache_for(&self) -> Option<Duration> {
        self.entry.as_ref()?.cache_for
    }

    /// Whether the answer is for the one who asked, because a guard stands before the procedure and
    /// the procedure does not say that all who are let in get the same.
    pub fn is_personal(&self) -> bool {
        self.entry
            .as_ref()
            .is_some_and(|entry| !entry.guards.is_empty() && !entry.shared_cache)
    }

    /// Whether the procedure says that all who are let in get the same.
    pub fn is_shared(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| entry.shared_cache)
    }

    /// The fields by which the guards before the procedure say that they decide.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.entry.iter().flat_map(|entry| entry.fields())
    }

    /// What a guard wants the caller to be told, where it refused the call.
    pub fn denial(&self) -> Option<&Denial> {
        self.denial.as_ref()
    }

    /// An error for an exchange that never became a call, with `id: null`.
    pub fn refusal(refusal: Refusal) -> Self {
        Self::refusal_in(Protocol::V2_0, refusal)
    }

    /// An error for an exchange that never became a call, in a version of the protocol.
    pub fn refusal_in(protocol: Protocol, refusal: Refusal) -> Self {
        Self::fault(protocol, &refusal.into())
    }
}

/// Why an exchange never became a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Too many calls are running (-32002).
    Busy,
    /// The body is over the limit (-32003).
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The exchange is not one that carries a call (-32600).
    NotARequest {
        /// What is wrong with it, in a sentence that the caller understands.
        reason: String,
    },
    /// The address names no procedure (-32601).
    NoSuchProcedure,
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Busy => Self::protocol(code::BUSY),
            Refusal::TooLarge { limit } => Self::explained(
                code::REQUEST_TOO_LARGE,
                format_args!("the body may have at most {limit} bytes"),
            ),
            Refusal::NotARequest { reason } => Self::explained(code::INVALID_REQUEST, reason),
            Refusal::NoSuchProcedure => Self::protocol(code::METHOD_NOT_FOUND),
        }
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply")
            .field("body", &self.body.as_deref().map(String::from_utf8_lossy))
            .field("protocol", &self.protocol)
            .field("code", &self.code)
            .finish_non_exhaustive()
    }
}
