//! A connection: messages in both directions for as long as it lives, without I/O.
//!
//! ```text
//! receive({"method": "loan.watch", "id": 1})      poll() ─► {"result": "s1", "id": 1}
//!                                                 poll() ─► {"method": "loan.watch", "params": {"subscription": "s1", …}}
//! written(bytes) makes room for the next item     poll() ─► …
//!
//! received ─ begin ─► calls ─ Reply ─► OutgoingMessage::Response
//!                               └─ has a source ─► OpenSubscription ─► OutgoingMessage::Item, …, End
//! ```
//!
//! A carrier frames: it brings whole messages and writes whole messages. What they mean is decided here, once for every
//! carrier: which calls run, which subscriptions there are, and how much waits to be written. One task drives both, in
//! the loop that [`Connection`] shows. A message is handled by [`Service::exchange`], like the body of a POST, so that
//! guards, limits, keys, observers and all versions of the protocol are those of HTTP; one of MCP by [`Service::mcp`].
//!
//! Nothing in it waits or spawns: `receive` stores a message, `poll` does a bounded amount of work, and to drop the
//! connection is to say that the caller has left. There is no queue of items. A source is polled only while fewer bytes
//! wait than the limit allows, and what it yields is handed over at once. So a slow reader slows its sources down, and
//! only one item and the responses to running calls can exceed the limit. Messages leave in the order in which they
//! were made: the response with the id of a subscription comes before its items, and no item after the response to
//! `rpc.unsubscribe`.
//!
//! [`OpenSubscription`] is a subscription from its answer to its end. What happens before, in its call, is in
//! [`subscription`](crate::subscription): its [`Subscriber`] travels in the extensions of all calls, so that they find
//! the subscriptions of their connection. Carriers keep the clocks: they close a connection that does not move.

mod message;
mod open_subscription;
mod source_waker;

use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use smallvec::SmallVec;

pub use message::OutgoingMessage;
use open_subscription::OpenSubscription;
use source_waker::SourceWaker;

use crate::code;
use crate::extensions::Extensions;
use crate::runtime::BoxFuture;
#[cfg(feature = "mcp")]
use crate::service::McpSession;
use crate::service::{CredentialChecks, Incoming, Reply, RequestError, Service};
use crate::subscription::Subscriber;
use crate::wire::Protocol;

/// The number of items after which a task gets a break, so that sources that are always ready do not block it.
const MAX_ITEMS_IN_A_ROW: usize = 64;

/// The messages of a peer that stays connected: its calls, its subscriptions, and how much waits to be written for it.
///
/// For carriers. One task drives both:
///
/// ```text
/// loop {
///     while connection.poll(cx) is ready with a message: queue it
///     if connection.wants_message() and one has arrived: connection.receive(message), and poll again
///     when bytes of the queue have been written: connection.written(bytes), and poll again
/// }
/// ```
///
/// Dropping it means that the peer has gone: idempotent calls and subscriptions are dropped, other calls run to their end
/// on the [runtime](Service::with_runtime).
pub struct Connection {
    service: Service,
    extensions: Arc<Extensions>,
    subscriber: Arc<Subscriber>,
    /// The checks of the peer's credentials, if they were made at the beginning.
    credential_checks: Option<Arc<CredentialChecks>>,
    /// Set if the messages are those of the Model Context Protocol.
    #[cfg(feature = "mcp")]
    is_mcp: bool,
    /// The messages that have not begun, and the errors of those that could not be read.
    received: VecDeque<Result<Bytes, RequestError>>,
    calls: FuturesUnordered<BoxFuture<Reply>>,
    /// The subscriptions. Over HTTP there is one, which is kept here without a list.
    subscriptions: SmallVec<[OpenSubscription; 1]>,
    /// The place of the subscription that is polled next.
    next_subscription: usize,
    /// Knows whether a subscription may have a message.
    sources: Arc<SourceWaker>,
    /// The bytes of messages that were handed over and are not written.
    waiting_bytes: usize,
    /// True if there is room again, and the carrier could not read since.
    owes_reading: bool,
    items_in_a_row: usize,
    /// Set once no more messages are taken.
    has_stopped_reading: bool,
    /// The treatment of further subscriptions.
    subscribing: Subscribing,
}

/// The treatment of subscriptions that are answered from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subscribing {
    Possible,
    /// They end at once with this error.
    Ended(i64),
    /// They are dropped.
    Dropped,
}

impl Connection {
    /// Creates a connection to a service. All its calls have these extensions.
    pub fn new(service: Service, extensions: Extensions) -> Self {
        let subscriber = Subscriber::new(service.limits());
        Self::of_subscriber(service, extensions, subscriber)
    }

    /// Creates the connection of an exchange that may become a single subscription, as over HTTP. The carrier sends the
    /// request to the service itself, with the [extensions](Self::extensions), and lets the connection
    /// [open](Self::open) the subscription. A cursor takes the place of the resume parameter; `-` is that of a
    /// subscription that is over (-32014).
    pub fn of_exchange(service: Service, extensions: Extensions, cursor: Option<String>) -> Self {
        let subscriber = Subscriber::of_exchange(service.streams(), cursor);
        Self::of_subscriber(service, extensions, subscriber)
    }

    fn of_subscriber(service: Service, mut extensions: Extensions, subscriber: Subscriber) -> Self {
        let subscriber = Arc::new(subscriber);
        extensions.insert(Arc::clone(&subscriber));
        Self {
            service,
            extensions: Arc::new(extensions),
            subscriber,
            credential_checks: None,
            #[cfg(feature = "mcp")]
            is_mcp: false,
            received: VecDeque::new(),
            calls: FuturesUnordered::new(),
            subscriptions: SmallVec::new(),
            next_subscription: 0,
            sources: Arc::default(),
            waiting_bytes: 0,
            owes_reading: false,
            items_in_a_row: 0,
            has_stopped_reading: false,
            subscribing: Subscribing::Possible,
        }
    }

    /// Creates a connection whose messages are those of the Model Context Protocol, as [`Service::mcp`] handles them
    /// without header fields. It knows which revision its client has asked for, and `notifications/cancelled` drops a
    /// request.
    #[cfg(feature = "mcp")]
    pub fn mcp(service: Service, mut extensions: Extensions) -> Self {
        extensions.insert(Arc::new(McpSession::default()));
        Self {
            is_mcp: true,
            ..Self::new(service, extensions)
        }
    }

    /// Finds out who has sent the credentials of the extensions, for all calls: the authenticators of the service run now
    /// and not again. Call it before the first message.
    ///
    /// # Errors
    /// Returns the response for a peer whose credentials are wrong. One without credentials is accepted, and its calls
    /// are unless they need some.
    pub async fn authenticate(&mut self) -> Result<(), Box<Reply>> {
        let carrier = self.service.carrier();
        let checks = Arc::new(carrier.identify(&self.extensions).await?);
        // Nothing else has the extensions before the first message.
        if let Some(extensions) = Arc::get_mut(&mut self.extensions) {
            extensions.insert(Arc::clone(&checks));
        }
        self.credential_checks = Some(checks);
        Ok(())
    }

    /// Returns the extensions of the connection's calls.
    pub fn extensions(&self) -> &Arc<Extensions> {
        &self.extensions
    }

    /// Opens the subscription of a call that a carrier has sent to the service itself, if it is one. Returns whether it
    /// is. The carrier sends the reply before anything else.
    pub fn open(&mut self, reply: &mut Reply) -> bool {
        let Some(new) = reply.take_subscription() else {
            return false;
        };
        let Some(mut subscription) = OpenSubscription::new(&self.service, *new, reply) else {
            return false;
        };
        match self.subscribing {
            Subscribing::Possible => {}
            Subscribing::Ended(code) => subscription.end(code),
            Subscribing::Dropped => return false,
        }
        self.subscriber.open(subscription.id());
        self.subscriptions.push(subscription);
        self.sources.note();
        true
    }

    /// Returns whether a subscription is open.
    pub fn has_subscriptions(&self) -> bool {
        !self.subscriptions.is_empty()
    }

    /// Returns the moment at which the first credentials end: those of the peer, or of the callers of open
    /// subscriptions. It may be earlier once a subscription has opened, and stays when it has passed.
    pub fn valid_until(&self) -> Option<SystemTime> {
        let of_peer = self
            .credential_checks
            .as_ref()
            .and_then(|checks| checks.valid_until());
        self.subscriptions
            .iter()
            .filter_map(OpenSubscription::valid_until)
            .chain(of_peer)
            .min()
    }

    /// Returns whether the connection takes a message now: one at a time, and none while too many bytes wait to be
    /// written.
    ///
    /// Ask after each [`poll`](Self::poll) that is pending: a message that was received begins there, and only then is the
    /// next one wanted. In a `select!`, a precondition that was computed before the poll is out of date.
    pub fn wants_message(&self) -> bool {
        !self.has_stopped_reading && self.received.is_empty() && self.has_room()
    }

    /// Takes a message, which begins with the next [`poll`](Self::poll). It is dropped after [`stop`](Self::stop) and
    /// [`end_input`](Self::end_input).
    pub fn receive(&mut self, message: impl Into<Bytes>) {
        if !self.has_stopped_reading {
            self.received.push_back(Ok(message.into()));
        }
    }

    /// Takes a message that the carrier could not read. It is answered with this error, without an id.
    pub fn receive_unreadable(&mut self, error: RequestError) {
        if !self.has_stopped_reading {
            self.received.push_back(Err(error));
        }
    }

    /// Runs calls and sources, and returns the next message to be written. `None` is the end: no more messages are
    /// taken, and nothing is running.
    ///
    /// After each call of another method, poll until nothing is ready. Once bytes of a full account are
    /// [written](Self::written), the peer is heard before sources fill it again: the poll is pending, and wakes its task.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<OutgoingMessage>> {
        while let Poll::Ready(reply) = self.poll_call(cx) {
            self.drop_closed();
            if let Some(response) = self.response(reply) {
                return Poll::Ready(Some(self.count(response)));
            }
        }
        // Only a running call can have ended one since.
        if !self.calls.is_empty() {
            self.drop_closed();
        }
        // Otherwise a source that is faster than the peer would take all room, and the peer could never unsubscribe.
        let must_read = mem::take(&mut self.owes_reading) && self.wants_message();
        if must_read || self.items_in_a_row == MAX_ITEMS_IN_A_ROW {
            self.items_in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.has_room()
            && let Some(message) = self.poll_subscriptions(cx)
        {
            self.items_in_a_row += 1;
            return Poll::Ready(Some(self.count(message)));
        }
        self.items_in_a_row = 0;
        let is_idle = self.calls.is_empty() && self.subscriptions.is_empty();
        if self.has_stopped_reading && is_idle {
            return Poll::Ready(None);
        }
        Poll::Pending
    }

    /// Says that bytes of the messages that were handed over have been written.
    ///
    /// Framing may be counted in: it does no harm to say more than the connection has handed over.
    pub fn written(&mut self, bytes: usize) {
        let had_room = self.has_room();
        self.waiting_bytes = self.waiting_bytes.saturating_sub(bytes);
        self.owes_reading |= !had_room && self.has_room();
    }

    /// Returns how many bytes of the messages that were handed over are not written.
    pub fn waiting_bytes(&self) -> usize {
        self.waiting_bytes
    }

    /// Ends reading, because the input has ended and the peer may still read. Running calls are answered, subscriptions
    /// are dropped.
    pub fn end_input(&mut self) {
        self.has_stopped_reading = true;
        self.subscribing = Subscribing::Dropped;
        for subscription in self.subscriptions.drain(..) {
            self.subscriber.close(subscription.id());
        }
    }

    /// Ends reading and all subscriptions (-32015), because the server stops. Running calls are answered.
    pub fn stop(&mut self) {
        self.has_stopped_reading = true;
        self.end_subscriptions(code::GOING_AWAY);
    }

    /// Ends all subscriptions (-32007), because what the caller has proved is no longer valid. Later calls that need to
    /// know their caller are refused.
    pub fn end_credentials(&mut self) {
        self.end_subscriptions(code::REFUSED);
    }

    fn end_subscriptions(&mut self, code: i64) {
        if self.subscribing == Subscribing::Possible {
            self.subscribing = Subscribing::Ended(code);
        }
        for subscription in &mut self.subscriptions {
            subscription.end(code);
        }
        self.sources.note();
    }

    fn has_room(&self) -> bool {
        // A message may wait alone, whatever the limit: otherwise nothing could ever be sent.
        self.waiting_bytes == 0 || self.waiting_bytes < self.service.limits().max_waiting_bytes
    }

    /// Begins the messages in the order of their arrival, and returns the next reply.
    fn poll_call(&mut self, cx: &mut Context<'_>) -> Poll<Reply> {
        while let Some(received) = self.received.pop_front() {
            let mut call = match received {
                Ok(message) => self.begin(message),
                Err(error) => return Poll::Ready(self.fail(error)),
            };
            match call.as_mut().poll(cx) {
                Poll::Ready(reply) => return Poll::Ready(reply),
                Poll::Pending => self.calls.push(call),
            }
        }
        // Mostly none is running while items are sent, and asking for one costs as much as an item.
        if self.calls.is_empty() {
            return Poll::Pending;
        }
        match self.calls.poll_next_unpin(cx) {
            Poll::Ready(Some(reply)) => Poll::Ready(reply),
            _ => Poll::Pending,
        }
    }

    fn begin(&self, message: Bytes) -> BoxFuture<Reply> {
        let mut incoming = Incoming::new(message).extensions(Arc::clone(&self.extensions));
        incoming.is_connection_full =
            self.calls.len() >= self.service.limits().max_connection_calls;
        #[cfg(feature = "mcp")]
        if self.is_mcp {
            let responding = self.service.mcp(incoming, None);
            return Box::pin(async move { responding.await.reply });
        }
        Box::pin(self.service.exchange(incoming))
    }

    /// Creates the response to a message that could not be read.
    fn fail(&self, error: RequestError) -> Reply {
        let carrier = self.service.carrier();
        let extensions = Some(Arc::clone(&self.extensions));
        #[cfg(feature = "mcp")]
        if self.is_mcp {
            return carrier.fail_mcp_message(error, extensions);
        }
        carrier.fail_request(Protocol::V2_0, error, extensions)
    }

    /// Opens the subscription of a call, if it is one, and returns the response, if there is one.
    fn response(&mut self, mut reply: Reply) -> Option<OutgoingMessage> {
        self.open(&mut reply);
        if reply.body_length() == 0 {
            return None;
        }
        Some(OutgoingMessage::Response(Box::new(reply)))
    }

    /// Drops the subscriptions that the peer has ended.
    fn drop_closed(&mut self) {
        if self.subscriber.open_count() == self.subscriptions.len() {
            return;
        }
        let subscriber = &self.subscriber;
        self.subscriptions.retain_mut(|subscription| {
            let is_open = subscriber.is_open(subscription.id());
            if !is_open {
                subscription.leave();
            }
            is_open
        });
    }

    /// Polls each subscription once, until one has a message. It is the last to be polled again. Without a source that has
    /// woken the task, none is polled.
    fn poll_subscriptions(&mut self, cx: &mut Context<'_>) -> Option<OutgoingMessage> {
        self.sources.set_task(cx.waker());
        if !self.sources.take() {
            return None;
        }
        let waker = Waker::from(Arc::clone(&self.sources));
        let cx = &mut Context::from_waker(&waker);
        for _ in 0..self.subscriptions.len() {
            if self.next_subscription >= self.subscriptions.len() {
                self.next_subscription = 0;
            }
            let subscription = &mut self.subscriptions[self.next_subscription];
            let message = subscription.poll(cx);
            if subscription.has_ended() {
                self.subscriber.close(subscription.id());
                self.subscriptions.remove(self.next_subscription);
            } else {
                self.next_subscription += 1;
            }
            if message.is_some() {
                // It may have more, and so may those that were not polled.
                self.sources.note();
                return message;
            }
        }
        None
    }

    fn count(&mut self, message: OutgoingMessage) -> OutgoingMessage {
        self.waiting_bytes = self.waiting_bytes.saturating_add(message.body_length());
        message
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("calls", &self.calls.len())
            .field("subscriptions", &self.subscriptions.len())
            .field("waiting_bytes", &self.waiting_bytes)
            .finish_non_exhaustive()
    }
}
