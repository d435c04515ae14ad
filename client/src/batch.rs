//! Calls that are sent together.
//!
//! A batch is a [`Transport`] of its own: its [`Queue`] takes the requests of all calls that wait, [`run`] sends them
//! as one message, and each call gets its part of the response. A call does not know whether it is part of a batch.

use std::collections::{HashMap, HashSet};
use std::future::poll_fn;
use std::iter;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use docent_core::BoxFuture;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot::{self, Sender};

use crate::transport::{Received, Transport, TransportError};

/// The maximum number of bytes that are read of the response that rejects a whole batch.
const MAX_REJECTION_BYTES: usize = 64 * 1024;

/// Takes the requests that wait to be sent. It is closed once the batch that would send them is over.
#[derive(Clone)]
pub(crate) struct Queue(UnboundedSender<Waiting>);

/// A request, and the caller that gets its response.
pub(crate) struct Waiting {
    body: Vec<u8>,
    caller: Sender<Result<Received, TransportError>>,
}

impl Queue {
    /// Returns a queue, and its end for [`run`].
    pub(crate) fn new() -> (Self, UnboundedReceiver<Waiting>) {
        let (queue, queued) = mpsc::unbounded_channel();
        (Self(queue), queued)
    }
}

/// A call is queued when it is first polled: one that is never awaited is never sent.
impl Transport for Queue {
    fn send(&self, body: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let queue = self.0.clone();
        Box::pin(async move {
            let (caller, response) = oneshot::channel();
            if queue.send(Waiting { body, caller }).is_ok()
                && let Ok(outcome) = response.await
            {
                return outcome;
            }
            let reason = "the batch of this client is over";
            Err(TransportError::Setup(reason.to_owned()))
        })
    }
}

/// Runs the calls of a queue to their end. When none of them can go on, the requests that wait are
/// sent.
pub(crate) async fn run<T>(
    transport: &Arc<dyn Transport>,
    mut queued: UnboundedReceiver<Waiting>,
    calls: impl Future<Output = T>,
) -> T {
    let mut calls = pin!(calls);
    let mut sending: Option<BoxFuture<()>> = None;
    poll_fn(|context| {
        loop {
            if let Poll::Ready(outcome) = calls.as_mut().poll(context) {
                return Poll::Ready(outcome);
            }
            if let Some(sent) = &mut sending {
                if sent.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                sending = None;
                // Some calls have their responses now.
                continue;
            }
            let mut waiting: Vec<_> = iter::from_fn(|| queued.try_recv().ok()).collect();
            waiting.retain(|waiting| !waiting.caller.is_closed());
            if waiting.is_empty() {
                return Poll::Pending;
            }
            sending = Some(send(Arc::clone(transport), waiting));
        }
    })
    .await
}

/// Sends the requests that wait, and gives each caller its response. A single request is not sent as a batch.
fn send(transport: Arc<dyn Transport>, mut waiting: Vec<Waiting>) -> BoxFuture<()> {
    Box::pin(async move {
        if waiting.len() == 1
            && let Some(Waiting { body, caller }) = waiting.pop()
        {
            // The call may have been dropped meanwhile.
            let _ = caller.send(transport.send(body).await);
            return;
        }
        let response = transport.send(array_of(&waiting)).await;
        distribute(&response, waiting);
    })
}

/// Returns the body of a batch.
fn array_of(requests: &[Waiting]) -> Vec<u8> {
    let mut body = Vec::new();
    for request in requests {
        body.push(if body.is_empty() { b'[' } else { b',' });
        body.extend_from_slice(&request.body);
    }
    body.push(b']');
    body
}

/// Gives each call its response.
fn distribute(received: &Result<Received, TransportError>, waiting: Vec<Waiting>) {
    let bodies = match received {
        Ok(received) => split(&received.body, &waiting),
        Err(_) => vec![Bytes::new(); waiting.len()],
    };
    for (Waiting { caller, .. }, body) in waiting.into_iter().zip(bodies) {
        // The call may have been dropped meanwhile.
        let _ = caller.send(match received {
            Ok(received) => Ok(Received {
                body,
                ..received.clone()
            }),
            Err(error) => Err(error.clone()),
        });
    }
}

/// Returns the part of a response that is for each call.
fn split(array: &Bytes, waiting: &[Waiting]) -> Vec<Bytes> {
    let ids: Vec<Option<&str>> = waiting
        .iter()
        .map(|request| read_id(&request.body))
        .collect();
    let responses = match array.trim_ascii_start().first() {
        Some(b'[') => responses_by_id(array, &ids).unwrap_or_default(),
        // Without a single response, there is no array.
        None => HashMap::new(),
        // The batch was rejected as a whole. Each call reads this, so it has to be short.
        Some(_) => {
            let rejection = array.slice(..array.len().min(MAX_REJECTION_BYTES));
            return vec![rejection; waiting.len()];
        }
    };
    ids.iter()
        .map(|id| match id {
            // A notification is not answered.
            None => Bytes::new(),
            Some(id) => match responses.get(id) {
                Some(response) => array.slice_ref(response.as_bytes()),
                // A call without a response of its own gets the whole array, for the error message.
                None => array.clone(),
            },
        })
        .collect()
}

/// Returns the responses in an array, by the ids of the requests. Returns `None` if there is one too
/// many: it has the id of no request, or of one that has a response already, or there are more
/// responses than requests.
fn responses_by_id<'m>(
    array: &'m [u8],
    ids: &[Option<&'m str>],
) -> Option<HashMap<&'m str, &'m str>> {
    let ids: HashSet<&str> = ids.iter().copied().flatten().collect();
    // Elements that are only counted take no memory.
    let elements: Vec<IgnoredAny> = serde_json::from_slice(array).ok()?;
    if elements.len() > ids.len() {
        return None;
    }
    let elements: Vec<&RawValue> = serde_json::from_slice(array).ok()?;
    let mut responses = HashMap::new();
    for response in elements.into_iter().map(RawValue::get) {
        // A request that was not read has a response without an id.
        if let Some(id) = read_id(response.as_bytes())
            && (!ids.contains(id) || responses.insert(id, response).is_some())
        {
            return None;
        }
    }
    Some(responses)
}

/// Returns the id of a request or a response, as it is written.
fn read_id(body: &[u8]) -> Option<&str> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let message: Message<'_> = serde_json::from_slice(body).ok()?;
    message.id.map(RawValue::get)
}
