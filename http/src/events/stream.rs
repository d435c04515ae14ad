//! The events of a subscription, as a carrier sends them.
//!
//! The stream polls its connection only when the carrier wants another piece, so a reader that does not read slows its
//! source down: what waits is one piece, or one item. A reader that takes nothing of it for 10 s loses the subscription,
//! and with it everything that is stored for it, even if its host still holds the response.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use docent_core::BoxFuture;
use docent_core::carrier::{Connection, LAST_CURSOR, OutgoingMessage, Reply};
use docent_core::code;
use memchr::memchr2;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::alarm::{self, Alarm};
use crate::endpoint::Endpoint;
use crate::pieces::PIECE_SIZE;
use crate::traffic::{Room, Traffic};
use crate::waiting::lock;

/// The time in which a reader has to take some of what waits for it.
pub const MAX_STALL: Duration = Duration::from_secs(10);

/// A line that readers ignore.
const COMMENT: &[u8] = b":\n\n";

/// The time without an event after which a comment is sent, so that proxies and readers see that the response lives.
const COMMENT_INTERVAL: Duration = Duration::from_secs(15);

/// The bounds of the time in milliseconds after which a browser comes back to a server that stops. It is drawn at random,
/// so that not all of them come back at once.
const RETRY_MILLISECONDS: std::ops::Range<u64> = 1_000..5_000;

/// The events of a subscription. Dropping it unsubscribes.
#[derive(Debug)]
pub struct EventStream {
    /// `None` after the end, and once the reader has stalled.
    open: Arc<Mutex<Option<OpenStream>>>,
    has_ended: bool,
    /// The task that watches the reader. It ends with the stream.
    _watch: JoinSet<()>,
}

impl EventStream {
    /// Creates the events of an open subscription: the reply to its call comes first.
    pub(super) fn new(endpoint: &Endpoint, connection: Connection, reply: Reply) -> Self {
        let open = Arc::new(Mutex::new(Some(OpenStream::new(
            endpoint, connection, reply,
        ))));
        let mut watch = JoinSet::new();
        watch.spawn(drop_if_stalled(Arc::downgrade(&open)));
        Self {
            open,
            has_ended: false,
            _watch: watch,
        }
    }

    /// Creates the events of a response to HEAD, which has none.
    pub(super) fn of_head() -> Self {
        Self {
            open: Arc::default(),
            has_ended: true,
            _watch: JoinSet::new(),
        }
    }

    /// Returns the next events, of at most this many bytes. To ask for them means that all before have been written.
    ///
    /// # Errors
    /// The reader has stalled.
    pub(crate) fn poll_piece(
        &mut self,
        cx: &mut Context<'_>,
        max_length: usize,
    ) -> Poll<Option<io::Result<Bytes>>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        let mut shared = lock(&self.open);
        let Some(open) = &mut *shared else {
            return Poll::Ready(Some(Err(ErrorKind::TimedOut.into())));
        };
        open.is_waiting = false;
        if open.rest.is_empty() {
            let Some(events) = ready!(open.poll_events(cx)) else {
                *shared = None;
                self.has_ended = true;
                return Poll::Ready(None);
            };
            open.rest = events;
        }
        open.is_waiting = true;
        open.last_piece = Instant::now();
        // Small pieces show that a slow reader moves.
        let length = open.rest.len().min(max_length).min(PIECE_SIZE);
        Poll::Ready(Some(Ok(open.rest.split_to(length))))
    }
}

/// A stream that has not ended.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is independent of the others"
)]
struct OpenStream {
    connection: Connection,
    /// True if the subscription can be resumed.
    is_resumable: bool,
    /// The events that have not been handed over.
    events: Vec<u8>,
    /// The rest of a piece that was larger than the carrier wanted.
    rest: Bytes,
    /// True if the last events were handed over since the connection had nothing to send.
    comes_after_another: bool,
    /// The bytes of messages in what was handed over or is about to be.
    unwritten: usize,
    /// True while the carrier has a piece, and has not asked for the next.
    is_waiting: bool,
    /// The moment at which it got the last piece.
    last_piece: Instant,
    /// True if the last event has been made.
    is_over: bool,
    alarm: Alarm,
    /// The moment at which the credentials of the caller end; `None` afterwards.
    expiry: Option<Instant>,
    traffic: Arc<Traffic>,
    /// The wait for the room of a large item, and the room of what was handed over.
    taking_room: Option<BoxFuture<Room>>,
    room: Room,
}

impl OpenStream {
    fn new(endpoint: &Endpoint, connection: Connection, reply: Reply) -> Self {
        let expiry = connection.valid_until().and_then(alarm::expiry);
        let mut open = Self {
            connection,
            is_resumable: reply
                .procedure()
                .and_then(|procedure| procedure.subscription.as_ref())
                .is_some_and(|subscription| subscription.resume.is_some()),
            events: Vec::new(),
            rest: Bytes::new(),
            // The response comes first.
            comes_after_another: true,
            unwritten: 0,
            // The response waits, even for a carrier that never asks for it.
            is_waiting: true,
            last_piece: Instant::now(),
            is_over: false,
            alarm: Alarm::new(&endpoint.shutdown),
            expiry,
            traffic: Arc::clone(&endpoint.traffic),
            taking_room: None,
            room: Room::default(),
        };
        open.write(None, &reply.into_body().unwrap_or_default());
        open
    }

    /// Returns the next events together, or `None` after the last.
    fn poll_events(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if self.taking_room.is_none() {
                self.make_events(cx);
            }
            if !self.events.is_empty() {
                break;
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            self.comes_after_another = false;
            ready!(self.alarm.poll(cx, self.next_due()));
            if self.is_comment_due() {
                return Poll::Ready(Some(Bytes::from_static(COMMENT)));
            }
        }
        if self.events.len() > PIECE_SIZE {
            let size = self.events.len();
            let traffic = &self.traffic;
            let taking = self.taking_room.get_or_insert_with(|| {
                let traffic = Arc::clone(traffic);
                Box::pin(async move { traffic.take(size).await })
            });
            let Poll::Ready(room) = taking.as_mut().poll(cx) else {
                // An end waits for the room of the item before it.
                let _ = self.alarm.poll(cx, self.comment_due());
                if self.is_comment_due() {
                    return Poll::Ready(Some(Bytes::from_static(COMMENT)));
                }
                return Poll::Pending;
            };
            self.room = room;
            self.taking_room = None;
        }
        self.comes_after_another = true;
        Poll::Ready(Some(std::mem::take(&mut self.events).into()))
    }

    fn comment_due(&self) -> Instant {
        self.last_piece + COMMENT_INTERVAL
    }

    fn is_comment_due(&self) -> bool {
        self.comment_due() <= Instant::now()
    }

    /// Returns the moment at which a comment is due, or the credentials of the caller end.
    fn next_due(&self) -> Instant {
        let comment = self.comment_due();
        self.expiry.map_or(comment, |expiry| expiry.min(comment))
    }

    /// Writes the events that are ready. All before have been written.
    ///
    /// Mostly one item is ready, so the connection is asked for a second only if events follow each other.
    fn make_events(&mut self, cx: &mut Context<'_>) {
        self.room = Room::default();
        self.connection.written(std::mem::take(&mut self.unwritten));
        if self.alarm.has_shut_down() {
            self.connection.stop();
        }
        if self.expiry.is_some_and(|expiry| expiry <= Instant::now()) {
            self.expiry = None;
            self.connection.end_credentials();
        }
        let enough = if self.comes_after_another {
            PIECE_SIZE
        } else {
            1
        };
        while self.events.len() < enough
            && let Poll::Ready(Some(message)) = self.connection.poll(cx)
        {
            self.unwritten += message.body_length();
            self.write_message(message);
        }
    }

    fn write_message(&mut self, message: OutgoingMessage) {
        match message {
            OutgoingMessage::Item { body, cursor } => self.write(cursor.as_deref(), &body),
            OutgoingMessage::End { body, code } => self.write_end(code, &body),
            // The reply was sent before.
            _ => {}
        }
    }

    /// Writes the last event. It tells browsers with which cursor to come back, and when.
    fn write_end(&mut self, end: Option<i64>, body: &[u8]) {
        self.is_over = true;
        let keeps_cursor = match end {
            Some(code::GOING_AWAY) => true,
            Some(code::TIMED_OUT | code::FELL_BEHIND) => self.is_resumable,
            _ => false,
        };
        if end == Some(code::GOING_AWAY) {
            let span = RETRY_MILLISECONDS.end - RETRY_MILLISECONDS.start;
            let retry = RETRY_MILLISECONDS.start + RandomState::new().hash_one(()) % span;
            self.events
                .extend_from_slice(format!("retry: {retry}\n").as_bytes());
        }
        self.write((!keeps_cursor).then_some(LAST_CURSOR), body);
    }

    /// Writes an event. One without a body sets only the fields before it.
    fn write(&mut self, id: Option<&str>, body: &[u8]) {
        let events = &mut self.events;
        events.reserve(body.len() + 32);
        if let Some(id) = id {
            events.extend_from_slice(b"id: ");
            events.extend_from_slice(id.as_bytes());
            events.push(b'\n');
        }
        if !body.is_empty() {
            events.extend_from_slice(b"data: ");
            let start = events.len();
            events.extend_from_slice(body);
            // A line break in JSON is white space, because strings have none.
            if memchr2(b'\r', b'\n', body).is_some() {
                for byte in &mut events[start..] {
                    if matches!(byte, b'\r' | b'\n') {
                        *byte = b' ';
                    }
                }
            }
            events.push(b'\n');
        }
        events.push(b'\n');
    }
}

impl fmt::Debug for OpenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStream")
            .field("connection", &self.connection)
            .finish_non_exhaustive()
    }
}

/// Drops a stream of which something waits, and for which its carrier has not asked for a while.
async fn drop_if_stalled(stream: Weak<Mutex<Option<OpenStream>>>) {
    loop {
        sleep(MAX_STALL).await;
        let Some(stream) = stream.upgrade() else {
            return;
        };
        match &mut *lock(&stream) {
            Some(open) if !open.is_waiting || open.last_piece.elapsed() < MAX_STALL => {}
            stalled => {
                *stalled = None;
                return;
            }
        }
    }
}
