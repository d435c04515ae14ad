//! The entrance of a service, for bodies and queries.
//!
//! A transport calls these functions and sends the reply. It needs to know nothing about requests
//! and batches, and the service nothing about the transport.

use std::sync::Arc;

use bytes::Bytes;
use bytestring::ByteString;

use super::batch;
use super::dispatch::Dispatch;
use super::reply::{Reply, RequestError};
use super::state::Service;
use crate::call::Meta;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::wire::{self, Message, Protocol, WireRules};

/// The reason why a batch with a key is invalid.
pub(super) const KEY_OF_BATCH: &str =
    "Idempotency-Key is for one request; in a batch, each request has its own x-idempotency-key";

/// The body of a message, and the values that the transport attaches to it.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Incoming {
    /// The body.
    pub body: Bytes,
    /// The only procedure that requests may call, if the address of the message names one.
    pub only: Option<Box<str>>,
    /// The values that handlers can get by type.
    pub extensions: Option<Arc<Extensions>>,
    /// Set if the connection of the message runs as many calls as it may: its calls are answered without being run.
    pub(crate) is_connection_full: bool,
}

impl Incoming {
    /// Creates a message with only a body.
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::default()
        }
    }

    /// Allows only requests for this procedure.
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
    /// Handles the body of a message: takes a request or a batch, and returns the response; `None` for
    /// notifications.
    ///
    /// The future owns its input and can be dropped at any time. A procedure that is not idempotent
    /// and has started is then handed to the runtime of the service.
    pub fn handle<B: Into<Bytes>>(
        &self,
        body: B,
    ) -> impl Future<Output = Option<Vec<u8>>> + Send + use<B> {
        let service = self.clone();
        let incoming = Incoming::new(body);
        async move { service.receive(incoming).await.into_body() }
    }

    /// Handles the body of a message, and returns the response with details. For transports.
    ///
    /// ```
    /// # use docent::carrier::Incoming;
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c34")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
    ///     .build()?;
    /// let call = r#"{"jsonrpc": "2.0", "method": "helo", "id": 1}"#;
    /// let reply = service.exchange(Incoming::new(call)).await;
    /// assert_eq!(reply.error_code(), Some(-32601));
    /// # Ok(())
    /// # }
    /// ```
    pub fn exchange(&self, incoming: Incoming) -> impl Future<Output = Reply> + Send + use<> {
        let service = self.clone();
        async move { service.receive(incoming).await }
    }

    async fn receive(&self, incoming: Incoming) -> Reply {
        let (dispatch, message) = match self.open(incoming) {
            Ok(opened) => opened,
            Err(reply) => return *reply,
        };
        match message {
            Message::Single(classified) => {
                let begun = self.begin();
                let reply = match dispatch.look_up(&classified, begun) {
                    Ok((request, callable)) => {
                        dispatch.call_request(request, callable, begun).await
                    }
                    Err(reply) => *reply,
                };
                self.notify_answered(&reply, Some(&dispatch));
                reply
            }
            // A batch is one call of its connection.
            Message::Batch(_) if dispatch.is_connection_full => {
                let busy = self.connection_is_full();
                self.fail_unread(Protocol::V2_0, &busy, dispatch.extensions.clone())
            }
            // Boxed, so that the future of a single call does not carry the room for a batch.
            Message::Batch(entries) => Box::pin(batch::run(&dispatch, entries)).await,
        }
    }

    /// Returns the error of a call or a batch over the share of its connection.
    #[cold]
    pub(super) fn connection_is_full(&self) -> Fault {
        let limit = self.limits().max_connection_calls;
        let reason =
            format_args!("a connection may run {limit} calls at once (max_connection_calls)");
        Fault::over_limit(code::BUSY, limit, reason)
    }

    /// Reads a body. Returns the reply if nothing in it can be called.
    #[inline]
    fn open(&self, incoming: Incoming) -> Result<(Dispatch<'_>, Message), Box<Reply>> {
        let limits = self.limits();
        let extensions = incoming.extensions.clone();
        let rules = WireRules {
            nesting: limits.max_depth,
            batch: limits.max_batch_entries,
            protocols: self.inner.frame.registration.protocols,
        };
        let fault = match self.read(incoming, rules) {
            Ok((dispatch, Message::Batch(_))) if dispatch.key_field(0).is_some() => {
                Fault::explained(code::INVALID_REQUEST, KEY_OF_BATCH)
            }
            Ok(read) => return Ok(read),
            Err(fault) => fault,
        };
        Err(Box::new(self.fail_unread(
            Protocol::V2_0,
            &fault,
            extensions,
        )))
    }

    /// Reads a body by these rules.
    #[inline]
    pub(super) fn read(
        &self,
        incoming: Incoming,
        rules: WireRules,
    ) -> Result<(Dispatch<'_>, Message), Fault> {
        let limits = self.limits();
        if incoming.body.len() > limits.max_body_bytes {
            let error = RequestError::TooLarge {
                limit: limits.max_body_bytes,
            };
            return Err(error.into());
        }
        let Ok(body) = ByteString::try_from(incoming.body) else {
            return Err(Fault::protocol(code::PARSE_ERROR));
        };
        let message = wire::read(&body, rules)?;
        let mut dispatch = Dispatch::new(self, body, incoming.only, incoming.extensions);
        dispatch.is_batch = matches!(message, Message::Batch(_));
        dispatch.is_connection_full = incoming.is_connection_full;
        Ok((dispatch, message))
    }

    /// Answers a whole exchange with an error. Observers are notified as of a call.
    pub(super) fn fail_unread(
        &self,
        protocol: Protocol,
        fault: &Fault,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let reply = Reply::fault(Meta::bare(protocol, self.begin()), None, fault);
        self.notify_unread(&reply, extensions);
        reply
    }

    /// Notifies observers of a request that never became a call.
    pub(super) fn notify_unread(&self, reply: &Reply, extensions: Option<Arc<Extensions>>) {
        let unread = Dispatch::new(self, ByteString::new(), None, extensions);
        self.notify_answered(reply, Some(&unread));
    }
}
