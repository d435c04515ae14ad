//! The state of a connection.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use bytes::BytesMut;
use docent_core::Service;

use super::clock::Clock;
use super::inlet::Inlet;
use super::stream::Stream;
use crate::actix::turn::Turn;
use crate::options::HttpOptions;

/// The most bytes that are read after a request before it has been answered.
pub(super) const AHEAD: usize = 16 << 10;

/// The most bytes of a long body that are passed on before actix-http takes them. Its read buffer
/// grows to less than four times as much: it doubles if bytes reach its end and more than half of them
/// are new.
pub(super) const PORTION: usize = 64 << 10;

/// The most bytes of responses that are held back to be sent with the next one.
pub(super) const GATHERED: usize = 16 << 10;

/// The number of polls for a request to reach the service after its peer has disconnected. It takes
/// one or two.
pub(super) const PATIENCE: u8 = 16;

/// The number of bytes that are read at a time if they must be checked before they are passed on.
pub(super) const PIECE: usize = 4 << 10;

#[derive(Debug)]
pub(in crate::actix::server) struct Connection {
    /// Boxed, so that everything above is compiled once, and not for every kind of stream.
    pub(super) stream: Box<dyn Stream>,
    pub(super) turn: Rc<Turn>,
    pub(super) inlet: Inlet,
    /// Bytes that have been read but not passed on.
    pub(super) ahead: BytesMut,
    /// The number of bytes in `ahead` that may be passed on.
    pub(super) admitted: usize,
    /// The number of bytes of a long body that have been passed on since actix-http last took them.
    pub(super) portion: usize,
    /// True if the peer has disconnected, even if not all that it sent has been read.
    pub(super) hung_up: bool,
    /// The number of polls left for a request to reach the service, once the peer has disconnected.
    pub(super) patience: u8,
    /// Responses that are sent together with that of the next request, which has arrived.
    pub(super) gathered: BytesMut,
    /// True if the stream has not yet accepted all bytes of a response.
    pub(super) unsent: bool,
    /// The time for the peer to read, if it does not and the system has no such timeout. Boxed,
    /// because most connections never need it.
    pub(super) unread: Option<Box<Clock>>,
    pub(super) clock: Clock,
    /// True if nothing of the next request has arrived.
    pub(super) idle: bool,
    /// The number of bytes still to be read and discarded after a refusal.
    pub(super) refused: Option<usize>,
    pub(super) times: Times,
    /// The service whose observers are told of refusals.
    pub(super) service: Service,
    pub(super) peer: Option<SocketAddr>,
}

/// The timeouts and limits of a connection.
#[derive(Debug, Clone, Copy)]
pub(in crate::actix::server) struct Times {
    pub(super) head: Duration,
    pub(super) keep_alive: Duration,
    pub(super) drain: Duration,
    pub(super) write: Duration,
    pub(super) max_drain_bytes: usize,
}

impl Times {
    pub(in crate::actix::server) fn of(options: &HttpOptions) -> Self {
        Self {
            head: options.head_timeout,
            keep_alive: options.keep_alive,
            drain: options.drain_time,
            write: options.write_timeout,
            max_drain_bytes: options.max_drain_bytes,
        }
    }
}

impl Connection {
    /// Creates the state of a connection that has just been accepted.
    pub(in crate::actix::server) fn new(
        stream: impl Stream,
        times: Times,
        service: Service,
        peer: Option<SocketAddr>,
    ) -> Self {
        let mut clock = Clock::new();
        clock.set(times.head);
        Self {
            stream: Box::new(stream),
            turn: Rc::default(),
            inlet: Inlet::new(),
            ahead: BytesMut::new(),
            admitted: 0,
            portion: 0,
            hung_up: false,
            patience: PATIENCE,
            gathered: BytesMut::new(),
            unsent: false,
            unread: None,
            clock,
            idle: false,
            refused: None,
            times,
            service,
            peer,
        }
    }

    pub(in crate::actix::server) fn turn(&self) -> Rc<Turn> {
        Rc::clone(&self.turn)
    }
}
