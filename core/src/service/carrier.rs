//! The part of a service for carriers only: programs that bring it messages, such as the HTTP contract of
//! `docent-http`.
//!
//! A carrier passes what it can read to [`Service::exchange`] and the methods beside it. Here is what it reports to a
//! service, and asks of it, about everything else: messages that it could not read, callers who disconnected,
//! responses that wait to be sent, and pages that only some callers may see. Handlers need none of it.

use std::sync::Arc;

use bytestring::ByteString;

use super::credential_checks::CredentialChecks;
use super::dispatch::{Dispatch, decide_in_time};
#[cfg(feature = "mcp")]
use super::mcp::failed;
use super::reply::{Reply, RequestError};
use super::state::Service;
use crate::call::{Call, Callee, Meta, Permit};
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::observer::{CallRecord, Ending, Sender};
use crate::output::Output;
use crate::wire::Protocol;

/// The functions of a service that only carriers need. From [`Service::carrier`].
#[derive(Debug, Clone, Copy)]
pub struct CarrierHandle<'s> {
    service: &'s Service,
}

impl Service {
    /// Returns the functions that only carriers need.
    pub fn carrier(&self) -> CarrierHandle<'_> {
        CarrierHandle { service: self }
    }
}

impl CarrierHandle<'_> {
    /// Counts one more running call until the returned permit is dropped, for a response that still waits to be
    /// sent.
    pub fn occupy(self) -> Permit {
        Permit::new(&self.service.inner.frame.gauge)
    }

    /// Takes the place of a WebSocket among the streams of the service, until the returned permit is dropped.
    ///
    /// # Errors
    /// As many streams are open as [`Limits::max_streams`](crate::Limits::max_streams) allows.
    pub fn open_stream(self) -> Result<Permit, RequestError> {
        let streams = self.service.streams();
        let limit = streams.limit();
        Permit::take(streams).ok_or(RequestError::TooManyStreams { limit })
    }

    /// Creates the response to a request that never became a call, in this protocol version, and notifies
    /// observers. They also get the extensions.
    pub fn fail_request(
        self,
        protocol: Protocol,
        error: RequestError,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        self.service
            .fail_unread(protocol, &error.into(), extensions)
    }

    /// Creates the response to a message of MCP that was not read, and notifies observers. They also get the
    /// extensions.
    #[cfg(feature = "mcp")]
    pub fn fail_mcp_message(
        self,
        error: RequestError,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let reply = failed(self.service, None, &error.into());
        self.service.notify_unread(&reply, extensions);
        reply
    }

    /// Notifies observers of a request that was abandoned: its caller disconnected before it became a call.
    pub fn abandon(self, protocol: Protocol) {
        let nothing = Reply::without_body(Meta::bare(protocol, None), None);
        self.service
            .notify_ended(&nothing, Ending::Cancelled, None, None);
    }

    /// Creates the record of a request that the carrier itself answers, at a route beside the service. The
    /// route takes the place of the procedure, so it must not contain text from a caller. Set the other fields to
    /// the outcome of the request, and pass the record to [`report`](Self::report).
    pub fn record<'a>(self, route: &'a str, extensions: Option<&'a Extensions>) -> CallRecord<'a>
    where
        Self: 'a,
    {
        let meta = Meta::bare(self.service.get_protocol(), None);
        CallRecord {
            sender: Sender {
                extensions,
                caller: None,
            },
            ..self.service.finished(route, meta, Ending::Answered)
        }
    }

    /// Notifies observers of a request that the carrier itself has answered.
    pub fn report(self, record: &CallRecord<'_>) {
        self.service.notify_observers(record);
    }

    /// Checks that the guards and authenticators of a procedure accept the caller. For content that is served
    /// alongside the procedure, such as the reference site alongside `rpc.describe`. If there is no such
    /// procedure, everyone is accepted.
    ///
    /// # Errors
    /// Returns the response for a caller that is rejected.
    pub async fn admits(
        self,
        procedure: &str,
        extensions: Option<&Arc<Extensions>>,
    ) -> Result<(), Box<Reply>> {
        let Some(callable) = self.service.callable(procedure) else {
            return Ok(());
        };
        let meta = Meta::bare(self.service.get_protocol(), self.service.begin());
        let dispatch = Dispatch::new(self.service, ByteString::new(), None, extensions.cloned());
        let call = self.attempt(&callable.callee, meta, extensions);
        dispatch
            .admit(&call)
            .await
            .map_err(|fault| self.rejected(&call, fault, meta))
    }

    /// Runs all authenticators of the service with the credentials of a connection.
    ///
    /// # Errors
    /// Returns the response for a caller whose credentials are wrong. One without credentials is accepted.
    pub(crate) async fn identify(
        self,
        extensions: &Arc<Extensions>,
    ) -> Result<CredentialChecks, Box<Reply>> {
        let checks = CredentialChecks::of_connection();
        let meta = Meta::bare(Protocol::V2_0, self.service.begin());
        for callee in self.service.authenticated() {
            let call = self.attempt(callee, meta, Some(extensions));
            decide_in_time(&call, checks.authenticate(self.service, &call))
                .await
                .map_err(|fault| self.rejected(&call, fault, meta))?;
        }
        Ok(checks)
    }

    /// Creates a call that only its guards and its authenticator see.
    fn attempt(
        self,
        callee: &Arc<Callee>,
        meta: Meta,
        extensions: Option<&Arc<Extensions>>,
    ) -> Arc<Call> {
        let runtime = self.service.runtime.clone();
        let call = Call::uncounted(callee, meta, extensions.cloned(), runtime);
        Arc::new(call)
    }

    /// Creates the response to a rejected attempt. Observers hear of it wherever it was made.
    fn rejected(self, call: &Call, fault: Fault, meta: Meta) -> Box<Reply> {
        // The error is bounded like the response to a call.
        let output = Output::new(self.service.limits().max_response_bytes, false);
        let rejected = Err(call.publish(fault));
        let callee = Arc::clone(call.callee());
        let reply = Reply::ended(output, rejected, meta, None, callee);
        self.service.notify_unread(&reply, call.extensions.clone());
        Box::new(reply)
    }
}
