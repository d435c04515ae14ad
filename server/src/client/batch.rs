//! Calls that are sent together.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use docent_core::BoxFuture;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::oneshot::{self, Sender};

use super::error::TransportError;
use super::transport::{Received, Transport};

/// Requests that wait to be sent. `None` once there is no batch that would send them.
#[derive(Clone)]
pub(super) struct Queue(Arc<Mutex<Option<Vec<Waiting>>>>);

/// A request, and who gets its response.
struct Waiting {
    body: Vec<u8>,
    caller: Sender<Result<Received, TransportError>>,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Some(Vec::new()))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Waiting>>> {
        // No change leaves the state incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the requests whose callers still wait.
    fn take(&self) -> Vec<Waiting> {
        let mut all = self.lock().as_mut().map(std::mem::take).unwrap_or_default();
        all.retain(|waiting| !waiting.caller.is_closed());
        all
    }
}

/// A call is queued when it is first polled: one that is never awaited is never sent.
impl Transport for Queue {
    fn send(&self, body: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let queue = self.clone();
        Box::pin(async move {
            let over = || TransportError::Setup("the batch of this client is over".to_owned());
            let (caller, response) = oneshot::channel();
            match &mut *queue.lock() {
                Some(waiting) => waiting.push(Waiting { body, caller }),
                None => return Err(over()),
            }
            response.await.unwrap_or_else(|_| Err(over()))
        })
    }
}

/// Ends a batch, also one that is dropped before its end.
struct Open<'q>(&'q Queue);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let waiting = self.0.lock().take();
        // Callers are woken after the lock is released.
        drop(waiting);
    }
}

/// Runs some calls of a queue to their end. What is waiting when none of them can go on is sent.
pub(super) async fn run<T>(
    transport: &Arc<dyn Transport>,
    queue: &Queue,
    calls: impl Future<Output = T>,
) -> T {
    let _open = Open(queue);
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
            let waiting = queue.take();
            if waiting.is_empty() {
                return Poll::Pending;
            }
            sending = Some(send(Arc::clone(transport), waiting));
        }
    })
    .await
}

fn send(transport: Arc<dyn Transport>, mut waiting: Vec<Waiting>) -> BoxFuture<()> {
    Box::pin(async move {
        if waiting.len() == 1
            && let Some(Waiting { body, caller }) = waiting.pop()
        {
            // The call may have been dropped meanwhile.
            let _ = caller.send(transport.send(body).await);
            return;
        }
        let bodies: Vec<&[u8]> = waiting.iter().map(|waiting| &*waiting.body).collect();
        let body = [b"[", &*bodies.join(&b','), b"]"].concat();
        distribute(transport.send(body).await, waiting);
    })
}

/// Gives each call its response.
fn distribute(received: Result<Received, TransportError>, waiting: Vec<Waiting>) {
    let received = match received {
        Ok(received) => received,
        Err(error) => {
            let error = Arc::new(error);
            for Waiting { caller, .. } in waiting {
                let _ = caller.send(Err(again(&error)));
            }
            return;
        }
    };
    let whole = received.body.clone();
    let responses: Option<Vec<&RawValue>> = serde_json::from_slice(&whole).ok();
    // Where nothing is answered, there is no array.
    let is_batch = responses.is_some() || whole.is_empty();
    let responses: Vec<(Option<&str>, &RawValue)> = responses
        .unwrap_or_default()
        .into_iter()
        .map(|response| (id(response.get().as_bytes()), response))
        .collect();
    for Waiting { body, caller } in waiting {
        let mut own = received.clone();
        if is_batch {
            match id(&body) {
                // A notification is not answered.
                None => own.body = bytes::Bytes::new(),
                asked => {
                    let response = responses.iter().find(|(id, _)| *id == asked);
                    // Without a response of its own, it gets the whole array, for the message.
                    if let Some((_, response)) = response {
                        own.body = whole.slice_ref(response.get().as_bytes());
                    }
                }
            }
        }
        let _ = caller.send(Ok(own));
    }
}

/// The ID of a request or a response, as it is written.
fn id(body: &[u8]) -> Option<&str> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let message: Message<'_> = serde_json::from_slice(body).ok()?;
    message.id.map(RawValue::get)
}

/// The error of a batch, for one of its calls.
fn again(error: &Arc<TransportError>) -> TransportError {
    match &**error {
        TransportError::Setup(reason) => TransportError::Setup(reason.clone()),
        TransportError::TimedOut(limit) => TransportError::TimedOut(*limit),
        TransportError::TooLarge(limit) => TransportError::TooLarge(*limit),
        TransportError::Connect(_) => TransportError::Connect(Box::new(Shared(Arc::clone(error)))),
        TransportError::Interrupted(_) => {
            TransportError::Interrupted(Box::new(Shared(Arc::clone(error))))
        }
    }
}

/// The cause of the errors of several calls.
#[derive(Debug)]
struct Shared(Arc<TransportError>);

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
