//! The part of a service for carriers only: programs that bring it messages, such as the HTTP contract of
//! `docent-http`.
//!
//! A carrier passes what it can read to [`Service::exchange`] and the methods beside it. Here is what it tells
//! and asks a service about everything else: messages that it could not read, callers who disconnected,
//! responses that wait to be sent, and pages that only some callers may see. Handlers need none of it.

use std::sync::Arc;

use bytestring::ByteString;

use super::dispatch::Dispatch;
#[cfg(feature = "mcp")]
use super::mcp::failed;
use super::reply::{Reply, RequestError};
use super::state::Service;
use crate::call::{Call, Meta, Permit};
use crate::extensions::Extensions;
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
        self.service.tell_unread(&reply, extensions);
        reply
    }

    /// Notifies observers of a request that was abandoned: its caller disconnected before it became a call.
    pub fn abandon(self, protocol: Protocol) {
        let nothing = Reply::silence(Meta::bare(protocol, None), None);
        self.service.tell(&nothing, Ending::Cancelled, None, None);
    }

    /// Creates the record of a request that the carrier itself answers, at a route beside the service. The
    /// route takes the place of the procedure, so it must not contain text from a caller. Set the other fields to
    /// the outcome of the request, and pass the record to [`tell`](Self::tell).
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
    pub fn tell(self, record: &CallRecord<'_>) {
        self.service.tell_observers(record);
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
        let callee = &callable.callee;
        let meta = Meta::bare(self.service.get_protocol(), self.service.begin());
        let dispatch = Dispatch::new(self.service, ByteString::new(), None, extensions.cloned());
        let call = Arc::new(Call::uncounted(
            callee,
            meta,
            extensions.cloned(),
            self.service.runtime.clone(),
        ));
        let Err(fault) = dispatch.admit(&call).await else {
            return Ok(());
        };
        // The error is bounded like the response to a call.
        let output = Output::new(self.service.limits().max_response_bytes, false);
        let rejected = Err(call.publish(fault));
        let reply = Reply::ended(output, rejected, meta, None, Arc::clone(callee));
        // Rejected attempts are reported to observers wherever they are made.
        self.service.tell_unread(&reply, extensions.cloned());
        Err(Box::new(reply))
    }
}
