//! What a connection keeps.

use std::rc::Rc;
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use bytes::BytesMut;

use super::clock::Clock;
use super::inlet::Inlet;
use super::socket::Socket;
use crate::actix::turn::Turn;
use crate::options::HttpOptions;

/// The most bytes that are read beyond a request that has not been answered.
pub(super) const AHEAD: usize = 16 << 10;

/// The most bytes of answers that wait for those to the requests behind them.
pub(super) const GATHERED: usize = 16 << 10;

/// How often a connection whose peer has disconnected is polled before its request reaches the
/// service, which takes one or two polls.
pub(super) const PATIENCE: u8 = 16;

/// How much is read at once if it has to be checked before it is passed on.
pub(super) const PIECE: usize = 4 << 10;

#[derive(Debug)]
pub(in crate::actix::server) struct Connection {
    pub(super) socket: Socket,
    pub(super) turn: Rc<Turn>,
    pub(super) inlet: Inlet,
    /// What has been read and not been passed on.
    pub(super) ahead: BytesMut,
    /// How much of it may be passed on.
    pub(super) admitted: usize,
    /// Whether the peer has disconnected, although not all that it sent has been read.
    pub(super) hung_up: bool,
    /// How many more polls to wait for a request to reach the service, once the peer has
    /// disconnected.
    pub(super) patience: u8,
    /// Answers that go out together with that of the next request, which is there.
    pub(super) gathered: BytesMut,
    /// Whether bytes of an answer have not been taken by the socket.
    pub(super) unsent: bool,
    pub(super) clock: Clock,
    /// Whether nothing of the next request has arrived.
    pub(super) idle: bool,
    /// How many bytes more are read and forgotten, once the connection has been refused.
    pub(super) refused: Option<usize>,
    pub(super) times: Times,
}

/// What is waited for, and for how long.
#[derive(Debug, Clone, Copy)]
pub(in crate::actix::server) struct Times {
    pub(super) head: Duration,
    pub(super) keep_alive: Duration,
    pub(super) drain: Duration,
    pub(super) max_drain_bytes: usize,
}

impl Times {
    pub(in crate::actix::server) fn of(options: &HttpOptions) -> Self {
        Self {
            head: options.head_timeout,
            keep_alive: options.keep_alive,
            drain: options.drain_time,
            max_drain_bytes: options.max_drain_bytes,
        }
    }
}

impl Connection {
    /// A connection that has just been accepted.
    pub(in crate::actix::server) fn new(stream: TcpStream, times: Times) -> Self {
        let mut clock = Clock::new();
        clock.set(times.head);
        // Answers are handed over whole, or in pieces that a caller should not wait for: to hold back
        // the last of them until the one before is confirmed takes 40 ms. Where this fails, the
        // connection is gone, and the next read says so.
        let _ = stream.set_nodelay(true);
        Self {
            socket: Socket::new(stream),
            turn: Rc::default(),
            inlet: Inlet::new(),
            ahead: BytesMut::new(),
            admitted: 0,
            hung_up: false,
            patience: PATIENCE,
            gathered: BytesMut::new(),
            unsent: false,
            clock,
            idle: false,
            refused: None,
            times,
        }
    }

    pub(in crate::actix::server) fn turn(&self) -> Rc<Turn> {
        Rc::clone(&self.turn)
    }
}
