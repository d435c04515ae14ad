//! The session of a connection: which revision its client speaks, and which requests it may cancel.
//!
//! A connection puts it into the extensions of its messages. Messages over HTTP have none: their header fields name the
//! revision, and a client cancels a request by closing its stream.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::{AbortHandle, Abortable};
use serde_json::Value;

use super::params::CancelledParams;
use super::revision::Revision;
use crate::panic::lock;

/// The state of a connection whose messages are those of the Model Context Protocol.
#[derive(Debug, Default)]
pub(crate) struct McpSession {
    /// The revision that the last `initialize` has agreed on.
    agreed: Mutex<Option<Revision>>,
    /// The requests that are being answered.
    pending: Mutex<Vec<PendingRequest>>,
    last_number: AtomicU64,
}

#[derive(Debug)]
struct PendingRequest {
    /// A number that no other request has: a client may use an id twice.
    number: u64,
    id: Value,
    handle: AbortHandle,
}

impl McpSession {
    pub(super) fn agree(&self, revision: Revision) {
        *lock(&self.agreed) = Some(revision);
    }

    pub(super) fn agreed(&self) -> Option<Revision> {
        *lock(&self.agreed)
    }

    /// Waits for the response to a request. Returns `None` if the client cancels it: it is then dropped like the call of
    /// a caller who has gone. `id` is JSON text.
    pub(super) async fn wait<T>(&self, id: &str, responding: impl Future<Output = T>) -> Option<T> {
        let (handle, registration) = AbortHandle::new_pair();
        let request = PendingRequest {
            number: self.last_number.fetch_add(1, Ordering::Relaxed),
            id: serde_json::from_str(id).unwrap_or_default(),
            handle,
        };
        let _removal = Removal {
            session: self,
            number: request.number,
        };
        lock(&self.pending).push(request);
        Abortable::new(responding, registration).await.ok()
    }

    /// Cancels the requests with an id. A client should have only one.
    pub(super) fn cancel(&self, params: &CancelledParams) {
        for request in lock(&self.pending).iter() {
            if request.id == params.request_id {
                request.handle.abort();
            }
        }
    }
}

/// Removes a request when it is dropped: when it has been answered, or its connection has gone.
struct Removal<'s> {
    session: &'s McpSession,
    number: u64,
}

impl Drop for Removal<'_> {
    fn drop(&mut self) {
        lock(&self.session.pending).retain(|request| request.number != self.number);
    }
}
