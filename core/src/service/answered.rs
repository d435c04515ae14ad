//! What a request came to: what its caller is sent, and what observers hear of it.

use std::sync::Arc;

use super::ending::Answer;
use super::{Entry, Reply};
use crate::fault::Fault;
use crate::guard::Denial;
use crate::wire::{Protocol, Span};

/// What a request came to.
pub(super) struct Answered {
    /// The answer; none where nothing is to be said.
    pub(super) body: Option<Vec<u8>>,
    pub(super) code: Option<i64>,
    pub(super) protocol: Protocol,
    pub(super) id: Option<Span>,
    pub(super) denial: Option<Denial>,
    /// Whether the answer had to make way for others of its batch.
    pub(super) replaced: bool,
    pub(super) notification: bool,
    /// The size of the parameters as they were written.
    pub(super) request_bytes: usize,
    pub(super) entry: Option<Arc<Entry>>,
}

impl Answered {
    /// A fault under no id.
    pub(super) fn fault(protocol: Protocol, fault: &Fault, entry: Option<Arc<Entry>>) -> Self {
        let mut body = Vec::new();
        protocol.write_fault(&mut body, None, fault);
        Self {
            body: Some(body),
            code: Some(fault.code()),
            protocol,
            id: None,
            denial: None,
            replaced: false,
            notification: false,
            request_bytes: 0,
            entry,
        }
    }

    pub(super) fn to_query(
        answer: Answer,
        protocol: Protocol,
        query: &str,
        entry: Arc<Entry>,
    ) -> Self {
        Self {
            body: Some(answer.body),
            code: answer.code,
            protocol,
            id: None,
            denial: answer.denial,
            replaced: false,
            notification: false,
            request_bytes: query.len(),
            entry: Some(entry),
        }
    }

    pub(super) fn into_reply(self) -> Reply {
        let reply = Reply::new(self.body, self.protocol, self.code);
        match self.entry {
            Some(entry) => reply.of(entry, self.denial),
            None => reply,
        }
    }
}
