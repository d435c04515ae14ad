//! Carries a [`Connection`] over a WebSocket. One task drives both, and wakes for whichever moves.
//!
//! In each turn the task takes all messages that have arrived, and only then writes, so that the answers to messages that
//! came together leave together.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use docent_core::BoxFuture;
use docent_core::carrier::{Connection, OutgoingMessage};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_websockets::CloseCode;

use super::clocks::{Clocks, Late, State};
use super::socket::{Received, Socket};
use crate::alarm::Alarm;
use crate::endpoint::Endpoint;
use crate::pieces::PIECE_SIZE;
use crate::traffic::Room;

/// The number of messages after which a task gets a break.
const MAX_MESSAGES_IN_A_ROW: usize = 128;

/// A connection and its stream.
pub(super) struct WebSocketCarrier<S> {
    connection: Connection,
    endpoint: Endpoint,
    socket: Socket<S>,
    /// The messages that wait for the room of the one before them: mostly none.
    outgoing: VecDeque<OutgoingMessage>,
    taking_room: Option<TakingRoom>,
    /// The room of large messages, and the number of written bytes at which it is given back.
    rooms: VecDeque<(u64, Room)>,
    /// The number of written bytes that the connection knows of.
    reported: u64,
    /// True if the connection takes messages.
    is_reading: bool,
    /// True if all messages that have arrived were taken.
    has_taken_all: bool,
    clocks: Clocks,
    alarm: Alarm,
}

/// The wait for the room of a large message.
struct TakingRoom {
    length: usize,
    taking: BoxFuture<(Bytes, Room)>,
}

/// The reason why a connection ends.
enum End {
    /// The peer knows it.
    Mutual,
    /// The peer gets a close with a code and a reason.
    Close(CloseCode, String),
    /// The peer takes no more bytes.
    Stalled,
}

impl<S: AsyncRead + AsyncWrite + Unpin> WebSocketCarrier<S> {
    pub(super) fn new(
        connection: Connection,
        endpoint: Endpoint,
        stream: S,
        arrived: Bytes,
    ) -> Self {
        let most = endpoint.service.limits().max_body_bytes;
        let traffic = Arc::clone(&endpoint.traffic);
        Self {
            socket: Socket::new(stream, arrived, most, traffic),
            outgoing: VecDeque::new(),
            taking_room: None,
            rooms: VecDeque::new(),
            reported: 0,
            is_reading: true,
            has_taken_all: true,
            clocks: Clocks::new(&endpoint.options, connection.valid_until()),
            alarm: Alarm::new(&endpoint.shutdown),
            connection,
            endpoint,
        }
    }

    /// Carries messages until one side ends the connection.
    pub(super) async fn run(mut self) {
        let end = loop {
            if let Some(end) = poll_fn(|cx| self.poll(cx)).await {
                break end;
            }
            let most = self.endpoint.service.limits().max_body_bytes;
            self.socket = self.socket.shrunk(most);
        };
        let Self {
            connection,
            endpoint,
            socket,
            ..
        } = self;
        // Calls that change something run to their end, and all others are dropped.
        drop(connection);
        match end {
            End::Stalled => {}
            End::Mutual => socket.close(None, &endpoint.options).await,
            End::Close(code, reason) => {
                socket.close(Some((code, reason)), &endpoint.options).await;
            }
        }
    }

    /// Waits for the end of the connection, or, with `None`, for a moment at which the socket can shrink.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<End>> {
        loop {
            if self.alarm.has_shut_down() {
                self.clocks.shut_down();
                self.connection.stop();
            }
            if self.clocks.has_expired() {
                self.connection.end_credentials();
            }
            // A peer for whom bytes wait is judged by how it reads them.
            if self.clocks.is_ping_due() && self.socket.unwritten() == 0 {
                self.socket.ping();
            }
            if let Poll::Ready(end) = self.poll_messages(cx) {
                return Poll::Ready(Some(end));
            }
            if self.has_taken_all && self.socket.can_shrink() {
                return Poll::Ready(None);
            }
            self.clocks.note(&State {
                passed: self.socket.wire().passed(),
                is_reading: self.is_reading,
                is_writing: self.socket.unwritten() > 0,
                has_partial: self.socket.wire().has_partial(),
            });
            match self.clocks.late() {
                None => {}
                Some(Late::Stalled) => return Poll::Ready(Some(End::Stalled)),
                Some(Late::Close(code, reason)) => {
                    return Poll::Ready(Some(End::Close(code, reason)));
                }
            }
            if self.alarm.poll(cx, self.clocks.next_due()).is_pending() {
                return Poll::Pending;
            }
        }
    }

    /// Takes messages, runs calls and sources, and writes what they say, until all of them wait.
    fn poll_messages(&mut self, cx: &mut Context<'_>) -> Poll<End> {
        let mut messages = 0;
        loop {
            if self.poll_connection(cx) && self.has_sent_everything() {
                let reason = "the server stops".to_owned();
                return Poll::Ready(End::Close(CloseCode::GOING_AWAY, reason));
            }
            if messages < MAX_MESSAGES_IN_A_ROW
                && let Poll::Ready(received) = self.poll_receive(cx)
            {
                messages += 1;
                if let Some(end) = self.take(received) {
                    return Poll::Ready(end);
                }
                continue;
            }
            if self.socket.wire().lacks_room {
                let reason = "too many bytes wait for callers (max_buffered_bytes)".to_owned();
                return Poll::Ready(End::Close(CloseCode::SERVICE_OVERLOAD, reason));
            }
            if self.write(cx).is_err() {
                return Poll::Ready(End::Mutual);
            }
            if !self.report_written() {
                break;
            }
            // There may be room for more now.
        }
        if messages == MAX_MESSAGES_IN_A_ROW {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }

    /// Runs calls and sources. Returns whether the connection has ended.
    fn poll_connection(&mut self, cx: &mut Context<'_>) -> bool {
        while let Poll::Ready(message) = self.connection.poll(cx) {
            let Some(message) = message else {
                return true;
            };
            // An end that the service does not tell is empty.
            if message.body_length() > 0 {
                self.outgoing.push_back(message);
            }
        }
        false
    }

    fn has_sent_everything(&self) -> bool {
        self.outgoing.is_empty() && self.taking_room.is_none() && self.socket.unwritten() == 0
    }

    /// Waits for the next message, if the connection takes one.
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Received> {
        // A peer that sends pings, and does not read their answers, must not fill the memory with them.
        let unwritten = self.socket.unwritten();
        let most = self.endpoint.service.limits().max_waiting_bytes as u64;
        let has_room = unwritten == 0 || unwritten < most;
        self.is_reading = has_room && self.connection.wants_message();
        let received = if self.is_reading {
            self.socket.poll_receive(cx)
        } else {
            Poll::Pending
        };
        self.has_taken_all = self.is_reading && received.is_pending();
        received
    }

    /// Gives the connection what has come. Returns the end, if it ends the connection.
    fn take(&mut self, received: Received) -> Option<End> {
        match received {
            Received::Message(message) => {
                self.clocks.end_message();
                self.connection.receive(message);
                None
            }
            Received::Control => None,
            Received::Binary => {
                let reason = "messages are JSON in text frames".to_owned();
                Some(End::Close(CloseCode::UNSUPPORTED_DATA, reason))
            }
            Received::TooLarge => {
                let limit = self.endpoint.service.limits().max_body_bytes;
                let reason = format!("a message may have {limit} bytes (max_body_bytes)");
                Some(End::Close(CloseCode::MESSAGE_TOO_BIG, reason))
            }
            Received::End => Some(End::Mutual),
        }
    }

    /// Queues messages in the socket, and writes what is queued there.
    fn write(&mut self, cx: &mut Context<'_>) -> Result<(), tokio_websockets::Error> {
        self.queue_messages(cx);
        match self.socket.poll_flush(cx) {
            Poll::Ready(flushed) => flushed,
            Poll::Pending => Ok(()),
        }
    }

    /// Queues messages in the socket. A large one has to wait for room, and so do those behind it.
    fn queue_messages(&mut self, cx: &mut Context<'_>) {
        loop {
            if let Some(TakingRoom { length, taking }) = &mut self.taking_room {
                let Poll::Ready((message, room)) = taking.as_mut().poll(cx) else {
                    return;
                };
                // Without room in time, an answer has become a short error.
                self.connection
                    .written(length.saturating_sub(message.len()));
                self.taking_room = None;
                self.socket.send(message);
                self.rooms.push_back((self.socket.queued(), room));
            }
            let Some(message) = self.outgoing.pop_front() else {
                return;
            };
            let length = message.body_length();
            if length > PIECE_SIZE {
                let taking = Box::pin(take_room(self.endpoint.clone(), message));
                self.taking_room = Some(TakingRoom { length, taking });
            } else {
                self.socket.send(message.into_body().into());
            }
        }
    }

    /// Tells the connection how many bytes have been written since it was last told. Returns whether there were any.
    ///
    /// They include the framing. That is little, and in the end nothing waits.
    fn report_written(&mut self) -> bool {
        let written = self.socket.wire().passed().written;
        let new = written - self.reported;
        self.reported = written;
        self.connection
            .written(usize::try_from(new).unwrap_or(usize::MAX));
        while self.rooms.front().is_some_and(|(end, _)| *end <= written) {
            self.rooms.pop_front();
        }
        new > 0
    }
}

/// Waits for the room of a large message, and returns both. An answer that gets none in time is an error instead.
async fn take_room(endpoint: Endpoint, message: OutgoingMessage) -> (Bytes, Room) {
    let room = match message {
        OutgoingMessage::Response(mut reply) => {
            let room = endpoint.room_for(&mut reply).await;
            let body = reply.into_body().unwrap_or_default();
            return (body.into(), room.unwrap_or_default());
        }
        _ => endpoint.traffic.take(message.body_length()).await,
    };
    (message.into_body().into(), room)
}
