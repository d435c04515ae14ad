//! What a request came to: what its caller is sent, and what observers hear of it.

use std::sync::Arc;
use std::time::Duration;

use super::ending::Answer;
use super::{Entry, Reply};
use crate::denial::Denial;
use crate::fault::Fault;
use crate::observer::{Ending, Finished};
use crate::wire::{Protocol, Request, Span};

/// What a request came to.
pub(super) struct Answered {
    /// The answer; none where nothing is to be said.
    pub(super) body: Option<Vec<u8>>,
    pub(super) code: Option<i64>,
    pub(super) protocol: Protocol,
    pub(super) id: Option<Span>,
    pub(super) denial: Option<Denial>,
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
            notification: false,
            request_bytes: 0,
            entry,
        }
    }

    /// What is known of an exchange that never became a call, and is not answered.
    pub(super) fn unread(protocol: Protocol) -> Self {
        Self {
            body: None,
            code: None,
            protocol,
            id: None,
            denial: None,
            notification: false,
            request_bytes: 0,
            entry: None,
        }
    }

    /// What is known of a call before it is answered.
    pub(super) fn nothing(request: Request, entry: Arc<Entry>) -> Self {
        Self {
            body: None,
            code: None,
            protocol: request.protocol,
            request_bytes: request.params.length(),
            id: request.id,
            denial: None,
            notification: request.notification,
            entry: Some(entry),
        }
    }

    /// What observers hear of it.
    pub(super) fn finished(&self, ending: Ending, duration: Option<Duration>) -> Finished<'_> {
        let procedure = self.entry.as_ref().map(|entry| &*entry.description.name);
        let cancelled = ending == Ending::Cancelled;
        let answer = self.body.as_ref().filter(|_| ending == Ending::Answered);
        Finished {
            procedure: procedure.unwrap_or("unknown"),
            protocol: self.protocol,
            ending,
            code: self.code.filter(|_| !cancelled),
            notification: self.notification,
            duration,
            request_bytes: self.request_bytes,
            response_bytes: answer.map_or(0, Vec::len),
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
