//! The task of a connection, which is the only one to touch its socket.
//!
//! A response is told by the id of its request, and an item by that of its subscription. Others are dropped: their
//! caller may have gone. A service that sends something else than messages of JSON-RPC loses the connection.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use docent_core::present;
use futures_util::{SinkExt as _, Stream, StreamExt as _, stream};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{self, OwnedPermit};
use tokio::sync::oneshot;
use tokio::time::{Instant, Interval, interval_at, timeout};
use tokio_websockets::{Error, Message};

use super::handshake::Socket;
use crate::events::Event;
use crate::transport::{Received, Subscribed, TransportError};

/// The time between two pings.
const PING_INTERVAL: Duration = Duration::from_secs(20);

/// The time without a message, such as the answer to a ping, after which a connection is taken for lost.
const MAX_SILENCE: Duration = Duration::from_secs(60);

/// The maximum number of items that wait for the reader of a subscription.
const MAX_WAITING_ITEMS: usize = 1_024;

/// The time that the service has to agree to a close.
const CLOSING_TIME: Duration = Duration::from_secs(2);

/// A request of a caller to the task.
pub(super) enum ConnectionCommand {
    Send(OutgoingRequest),
    /// Ends the subscription with this id.
    Unsubscribe(String),
}

/// A request, or a batch of them, and the caller that waits for the response.
pub(super) struct OutgoingRequest {
    body: Vec<u8>,
    /// The ids of the calls, as they are written. Notifications have none.
    ids: Vec<String>,
    responder: ResponseSender,
}

/// The end of a channel to which a response goes.
pub(super) enum ResponseSender {
    Call(oneshot::Sender<Result<Received, TransportError>>),
    Subscriber(oneshot::Sender<Result<Subscribed, TransportError>>),
}

impl OutgoingRequest {
    pub(super) fn new(body: Vec<u8>, responder: ResponseSender) -> Self {
        let ids = str::from_utf8(&body)
            .map(elements)
            .unwrap_or_default()
            .into_iter()
            .filter_map(read_id)
            .map(str::to_owned)
            .collect();
        Self {
            body,
            ids,
            responder,
        }
    }
}

impl ResponseSender {
    /// Sends a response, or the reason why there is none. The caller may have gone meanwhile.
    fn send(self, outcome: Result<Received, TransportError>) {
        match self {
            Self::Call(responder) => drop(responder.send(outcome)),
            Self::Subscriber(responder) => drop(responder.send(outcome.map(Subscribed::Refused))),
        }
    }

    fn has_gone(&self) -> bool {
        match self {
            Self::Call(responder) => responder.is_closed(),
            Self::Subscriber(responder) => responder.is_closed(),
        }
    }
}

/// A request that was sent and has no response.
struct Waiting {
    ids: Vec<String>,
    responder: ResponseSender,
}

/// The way to the reader of a subscription.
struct Reader {
    events: mpsc::Sender<Result<Event, TransportError>>,
    /// The place of the error with which the events may end. It is there even if the queue is full.
    last: OwnedPermit<Result<Event, TransportError>>,
}

/// The next thing that the task does.
enum Step {
    Receive(Option<Result<Message, Error>>),
    Obey(Option<ConnectionCommand>),
    /// All that was sent has been written.
    Written,
    Ping,
}

pub(super) struct ConnectionTask {
    socket: Socket,
    commands: mpsc::UnboundedReceiver<ConnectionCommand>,
    /// For the events of subscriptions, which keep the connection while they are read.
    own_commands: mpsc::WeakUnboundedSender<ConnectionCommand>,
    /// In the order in which they were sent.
    waiting: VecDeque<Waiting>,
    /// The callers of notifications that are not written yet.
    notifying: Vec<ResponseSender>,
    /// The readers by the ids of their subscriptions, as they are written.
    readers: HashMap<String, Reader>,
    pings: Interval,
    last_heard: Instant,
}

impl ConnectionTask {
    pub(super) fn new(
        socket: Socket,
        commands: mpsc::UnboundedReceiver<ConnectionCommand>,
        own_commands: mpsc::WeakUnboundedSender<ConnectionCommand>,
    ) -> Self {
        Self {
            socket,
            commands,
            own_commands,
            waiting: VecDeque::new(),
            notifying: Vec::new(),
            readers: HashMap::new(),
            pings: interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL),
            last_heard: Instant::now(),
        }
    }

    /// Serves callers until none can come any more, or the connection is lost.
    pub(super) async fn run(mut self) {
        if let Err(reason) = self.serve().await {
            self.fail(&TransportError::Interrupted(reason));
        }
        // However it ends, there is no more to say.
        let _ = timeout(CLOSING_TIME, self.socket.close()).await;
    }

    /// Serves callers. An error is the reason why the connection is lost.
    async fn serve(&mut self) -> Result<(), String> {
        loop {
            match poll_fn(|cx| self.poll_step(cx)).await {
                Step::Receive(Some(Ok(message))) => self.receive(&message)?,
                Step::Receive(Some(Err(error))) => return Err(error.to_string()),
                Step::Receive(None) => return Err("the service has closed it".to_owned()),
                Step::Obey(Some(ConnectionCommand::Send(request))) => self.send(request)?,
                Step::Obey(Some(ConnectionCommand::Unsubscribe(subscription))) => {
                    if self.readers.remove(&subscription).is_some() {
                        self.unsubscribe(&subscription)?;
                    }
                }
                Step::Obey(None) => return Ok(()),
                Step::Written => {
                    for responder in self.notifying.drain(..) {
                        responder.send(Ok(Received::default()));
                    }
                }
                Step::Ping => self.ping()?,
            }
        }
    }

    /// Waits for the next step. Messages are read also while none can be written, because a service need not read before
    /// its answers are read.
    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if self.socket.poll_ready_unpin(cx).is_ready()
            && let Poll::Ready(command) = self.commands.poll_recv(cx)
        {
            return Poll::Ready(Step::Obey(command));
        }
        // This also writes what was sent, and tells errors of writing.
        if let Poll::Ready(received) = self.socket.poll_next_unpin(cx) {
            return Poll::Ready(Step::Receive(received));
        }
        if self.pings.poll_tick(cx).is_ready() {
            return Poll::Ready(Step::Ping);
        }
        if !self.notifying.is_empty()
            && let Poll::Ready(Ok(())) = self.socket.poll_flush_unpin(cx)
        {
            return Poll::Ready(Step::Written);
        }
        Poll::Pending
    }

    fn send(&mut self, request: OutgoingRequest) -> Result<(), String> {
        if request.responder.has_gone() {
            return Ok(());
        }
        let OutgoingRequest {
            body,
            ids,
            responder,
        } = request;
        if ids.is_empty() {
            self.notifying.push(responder);
        } else {
            self.waiting.push_back(Waiting { ids, responder });
        }
        self.write(Message::text(Bytes::from(body)))
    }

    /// Queues a message. It is written when the next step is waited for.
    fn write(&mut self, message: Message) -> Result<(), String> {
        let queued = self.socket.start_send_unpin(message);
        queued.map_err(|error| error.to_string())
    }

    fn unsubscribe(&mut self, subscription: &str) -> Result<(), String> {
        self.write(Message::text(format!(
            r#"{{"jsonrpc":"2.0","method":"rpc.unsubscribe","params":{{"subscription":{subscription}}}}}"#
        )))
    }

    fn ping(&mut self) -> Result<(), String> {
        if self.last_heard.elapsed() >= MAX_SILENCE {
            return Err(format!("nothing came for {MAX_SILENCE:?}"));
        }
        // A subscriber that has gone still has to be unsubscribed, once its answer tells the id.
        self.waiting.retain(|waiting| {
            matches!(waiting.responder, ResponseSender::Subscriber(_))
                || !waiting.responder.has_gone()
        });
        self.write(Message::ping(Bytes::new()))
    }

    fn receive(&mut self, message: &Message) -> Result<(), String> {
        self.last_heard = Instant::now();
        if let Some((code, reason)) = message.as_close() {
            let code = u16::from(code);
            return Err(format!("the service has closed it: {code} {reason}")
                .trim_end()
                .to_owned());
        }
        if message.is_binary() {
            return Err("the service has sent a binary frame".to_owned());
        }
        let Some(text) = message.as_text() else {
            return Ok(());
        };
        if text.trim_ascii_start().starts_with('[') {
            let ids: Vec<&str> = elements(text).into_iter().filter_map(read_id).collect();
            self.take_response(text, &ids);
            return Ok(());
        }
        let read: Incoming<'_> = serde_json::from_str(text)
            .map_err(|_| "the service has sent what is no message of JSON-RPC".to_owned())?;
        if read.method.is_none() {
            self.take_response(text, read.id.map(RawValue::get).as_slice());
            return Ok(());
        }
        match read.params.map(|params| serde_json::from_str(params.get())) {
            Some(Ok(params)) => self.take_item(text, &params),
            // A notification of something else.
            _ => Ok(()),
        }
    }

    /// Gives a response to the caller of its requests. One without an id is for the caller that has waited longest.
    fn take_response(&mut self, text: &str, ids: &[&str]) {
        let position = self.waiting.iter().position(|waiting| {
            ids.is_empty() || waiting.ids.iter().any(|id| ids.contains(&id.as_str()))
        });
        let Some(waiting) = position.and_then(|position| self.waiting.remove(position)) else {
            return;
        };
        let responder = match waiting.responder {
            ResponseSender::Subscriber(responder) => responder,
            responder @ ResponseSender::Call(_) => {
                return responder.send(Ok(Received::new(text.to_owned())));
            }
        };
        let subscribed = match read_subscription(text) {
            Some(subscription) => self.open(subscription, text),
            None => Some(Subscribed::Refused(Received::new(text.to_owned()))),
        };
        if let Some(subscribed) = subscribed {
            // A caller that has gone drops the events, which unsubscribes.
            let _ = responder.send(Ok(subscribed));
        }
    }

    /// Opens a subscription, whose first event is the response to its call.
    fn open(&mut self, subscription: &str, response: &str) -> Option<Subscribed> {
        let (sender, queue) = mpsc::channel(MAX_WAITING_ITEMS + 1);
        let reader = Reader {
            last: sender.clone().try_reserve_owned().ok()?,
            events: sender,
        };
        self.readers.insert(subscription.to_owned(), reader);
        let events = Events {
            subscription: subscription.to_owned(),
            queue,
            commands: self.own_commands.upgrade()?,
        };
        let first = Ok(event(response, None));
        Some(Subscribed::Events(
            stream::iter([first]).chain(events).boxed(),
        ))
    }

    /// Gives an item, or the end of a subscription, to its reader.
    fn take_item(&mut self, text: &str, item: &ItemParams<'_>) -> Result<(), String> {
        let subscription = item.subscription.get();
        let Some(reader) = self.readers.get(subscription) else {
            return Ok(());
        };
        let is_last = item.result.is_none() || item.error.is_some();
        let sent = reader.events.try_send(Ok(event(text, item.cursor.clone())));
        let is_behind = matches!(sent, Err(mpsc::error::TrySendError::Full(_)));
        if !is_last && !is_behind {
            return Ok(());
        }
        let reader = self.readers.remove(subscription);
        if is_behind && let Some(reader) = reader {
            let reason = format!("{MAX_WAITING_ITEMS} items of the subscription wait to be read");
            reader.last.send(Err(TransportError::Interrupted(reason)));
        }
        if is_last {
            return Ok(());
        }
        self.unsubscribe(subscription)
    }

    /// Tells all that wait why there is no more.
    fn fail(&mut self, error: &TransportError) {
        // From here on, calls make a new connection.
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            if let ConnectionCommand::Send(request) = command {
                request.responder.send(Err(error.clone()));
            }
        }
        for waiting in self.waiting.drain(..) {
            waiting.responder.send(Err(error.clone()));
        }
        for responder in self.notifying.drain(..) {
            responder.send(Err(error.clone()));
        }
        for (_, reader) in self.readers.drain() {
            reader.last.send(Err(error.clone()));
        }
    }
}

/// The events of a subscription. Dropping them unsubscribes.
struct Events {
    subscription: String,
    queue: mpsc::Receiver<Result<Event, TransportError>>,
    commands: mpsc::UnboundedSender<ConnectionCommand>,
}

impl Stream for Events {
    type Item = Result<Event, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.queue.poll_recv(cx)
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let subscription = std::mem::take(&mut self.subscription);
        // A subscription that is over is unknown there.
        let _ = self
            .commands
            .send(ConnectionCommand::Unsubscribe(subscription));
    }
}

/// A message of the service. Which members it has tells what it is.
#[derive(Deserialize)]
struct Incoming<'m> {
    #[serde(borrow)]
    id: Option<&'m RawValue>,
    method: Option<IgnoredAny>,
    #[serde(borrow)]
    params: Option<&'m RawValue>,
}

/// The parameters of a notification that belongs to a subscription.
#[derive(Deserialize)]
struct ItemParams<'m> {
    #[serde(borrow)]
    subscription: &'m RawValue,
    #[serde(default, deserialize_with = "present")]
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
    cursor: Option<String>,
}

fn event(data: &str, cursor: Option<String>) -> Event {
    Event {
        data: data.to_owned(),
        id: cursor,
        retry: None,
    }
}

/// Returns the messages of a batch, or the only one.
fn elements(text: &str) -> Vec<&RawValue> {
    if text.trim_ascii_start().starts_with('[') {
        serde_json::from_str(text).unwrap_or_default()
    } else {
        serde_json::from_str(text).into_iter().collect()
    }
}

/// Returns the id of a message, as it is written.
fn read_id(message: &RawValue) -> Option<&str> {
    let message: Incoming<'_> = serde_json::from_str(message.get()).ok()?;
    message.id.map(RawValue::get)
}

/// Returns the id of a subscription, as it is written, if a response has one as its result.
fn read_subscription(response: &str) -> Option<&str> {
    #[derive(Deserialize)]
    struct Response<'m> {
        #[serde(borrow)]
        result: Option<&'m RawValue>,
    }
    let response: Response<'_> = serde_json::from_str(response).ok()?;
    let result = response.result?.get();
    result
        .starts_with(|first: char| first == '"' || first.is_ascii_digit())
        .then_some(result)
}
