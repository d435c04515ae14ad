//! Where bodies and queries arrive.

use std::sync::Arc;

use bytes::Bytes;
use bytestring::ByteString;
use docent_describe::json::{SyntaxError, SyntaxErrorKind};

use super::batch;
use super::dispatch::Dispatch;
use super::reply::{Refusal, Reply};
use super::state::Service;
use crate::call::Meta;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::wire::{self, Message, Protocol, Rules};

/// A body, with what the transport knows about it.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Incoming {
    /// The body.
    pub body: Bytes,
    /// The only procedure that requests may name, if the address names one.
    pub only: Option<Box<str>>,
    /// The values that handlers can get by type.
    pub extensions: Option<Arc<Extensions>>,
}

impl Incoming {
    /// Creates a request with only a body.
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::default()
        }
    }

    /// Allows only requests that name this procedure.
    pub fn only(mut self, procedure: impl Into<Box<str>>) -> Self {
        self.only = Some(procedure.into());
        self
    }

    /// Sets the values that handlers can get by type.
    pub fn extensions(mut self, extensions: Arc<Extensions>) -> Self {
        self.extensions = Some(extensions);
        self
    }
}

impl Service {
    /// Handles a JSON-RPC body, without a transport: takes a request or a batch, and returns the
    /// response, if there is one.
    ///
    /// The future owns its input and can be dropped at any time. A procedure that is not idempotent
    /// and has started is then handed to the runtime of the service.
    pub fn handle<B: Into<Bytes>>(
        &self,
        body: B,
    ) -> impl Future<Output = Option<Vec<u8>>> + Send + use<B> {
        let (service, incoming) = (self.clone(), Incoming::new(body));
        async move { service.receive(incoming).await.into_body() }
    }

    /// Handles a body, and returns the response with details. For transports.
    pub fn exchange(&self, incoming: Incoming) -> impl Future<Output = Reply> + Send + use<> {
        let service = self.clone();
        async move { service.receive(incoming).await }
    }

    /// Creates the response to a request that never became a call, in a protocol version, and
    /// notifies observers. For transports.
    pub fn turn_away(&self, protocol: Protocol, refusal: Refusal) -> Reply {
        self.refuse(protocol, &refusal.into())
    }

    /// Notifies observers of a request whose caller disconnected before it became a call. For
    /// transports.
    pub fn abandon(&self, protocol: Protocol) {
        let nothing = Reply::silence(Meta::bare(protocol, None), None);
        self.tell(&nothing, Ending::Cancelled, None, None);
    }

    /// Calls an idempotent procedure with parameters from a query string (JSON-RPC 1.1, section
    /// 6.3), for GET. Other procedures are rejected and do not run.
    pub fn query(
        &self,
        procedure: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> impl Future<Output = Reply> + Send {
        self.run_query(procedure, query, extensions)
    }

    async fn receive(&self, incoming: Incoming) -> Reply {
        let limits = self.limits();
        if incoming.body.len() > limits.max_body_bytes {
            let refusal = Refusal::TooLarge {
                limit: limits.max_body_bytes,
            };
            return self.refuse(Protocol::V2_0, &refusal.into());
        }
        let rules = Rules {
            nesting: limits.max_depth,
            batch: limits.max_batch_entries,
            protocols: self.inner.frame.protocols,
        };
        let Ok(body) = ByteString::try_from(incoming.body) else {
            return self.refuse(Protocol::V2_0, &Fault::protocol(code::PARSE_ERROR));
        };
        let message = match wire::read(&body, rules) {
            Ok(message) => message,
            Err(error) => return self.refuse(Protocol::V2_0, &unreadable(error, limits.max_depth)),
        };
        let dispatch = Dispatch::new(self, body, incoming.only, incoming.extensions);
        let fault = match message {
            Message::Single(judged) => return dispatch.run_single(judged).await,
            // Boxed, so that the future of a single call does not carry the room for a batch.
            Message::Batch(entries) => return Box::pin(batch::run(dispatch, entries)).await,
            Message::EmptyBatch => Fault::protocol(code::INVALID_REQUEST),
            Message::BatchTooLarge => Fault::explained(
                code::BATCH_TOO_LARGE,
                format_args!(
                    "a batch may have at most {} entries; none of them ran",
                    rules.batch
                ),
            ),
        };
        self.refuse(Protocol::V2_0, &fault)
    }

    /// Refuses a whole exchange. Observers hear of it as of a call.
    fn refuse(&self, protocol: Protocol, fault: &Fault) -> Reply {
        let reply = Reply::fault(Meta::bare(protocol, self.begin()), None, fault);
        self.tell_answered(&reply, None);
        reply
    }
}

/// The error for a body that is not read. The examples of the specification (section 7) show
/// invalid JSON without a reason, and have none for deep nesting.
fn unreadable(error: SyntaxError, nesting: usize) -> Fault {
    match error.kind {
        SyntaxErrorKind::TooDeep => Fault::explained(
            code::PARSE_ERROR,
            format_args!("nested too deeply: at most {nesting} levels of brackets are allowed"),
        ),
        _ => Fault::protocol(code::PARSE_ERROR),
    }
}
