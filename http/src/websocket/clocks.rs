//! The limits of time that a WebSocket has. Those of HTTP end with its handshake.
//!
//! - A peer has to read some of what waits for it: [`MAX_STALL`], or less while the server shuts down.
//! - A message has to arrive in the time of a body.
//! - A peer has to give a sign of life, and is asked for one: [`PING_INTERVAL`], [`MAX_SILENCE`].

use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use tokio_websockets::CloseCode;

use super::wire::Passed;
use crate::MAX_STALL;
use crate::alarm;
use crate::options::HttpOptions;

/// The interval at which the peer is asked for a sign of life.
const PING_INTERVAL: Duration = Duration::from_secs(20);

/// The time without a sign of life after which the peer counts as gone. It passes only while messages are read.
const MAX_SILENCE: Duration = Duration::from_secs(60);

/// The time in which a peer has to read some of what waits for it while the server shuts down.
const MAX_STALL_AT_SHUTDOWN: Duration = Duration::from_secs(1);

/// The moments from which the limits count.
pub(super) struct Clocks {
    last_ping: Instant,
    /// The last sign of life. While no message is read, the peer can give none.
    last_heard: Instant,
    /// The moment since which a message has been incomplete.
    partial_since: Option<Instant>,
    /// The moment since which the peer has read nothing of what waits for it.
    stalled_since: Option<Instant>,
    /// The moment at which the credentials of the peer end; `None` afterwards.
    expiry: Option<Instant>,
    /// The bytes that had passed at the end of the last turn.
    passed: Passed,
    body_timeout: Duration,
    max_stall: Duration,
}

/// The state of a connection at the end of a turn of its task.
pub(super) struct State {
    pub(super) passed: Passed,
    /// True if messages are read.
    pub(super) is_reading: bool,
    /// True if bytes wait for the peer to read.
    pub(super) is_writing: bool,
    /// True if a message has arrived in part.
    pub(super) has_partial: bool,
}

/// The reason why the time of a connection is over.
pub(super) enum Late {
    /// The peer reads nothing, so no close reaches it.
    Stalled,
    /// The peer gets a close with a code and a reason.
    Close(CloseCode, String),
}

impl Clocks {
    pub(super) fn new(options: &HttpOptions, valid_until: Option<SystemTime>) -> Self {
        let now = Instant::now();
        Self {
            last_ping: now,
            last_heard: now,
            partial_since: None,
            stalled_since: None,
            expiry: valid_until.and_then(alarm::expiry),
            passed: Passed::default(),
            body_timeout: options.body_timeout,
            max_stall: MAX_STALL,
        }
    }

    /// Notes that the server shuts down, and does not wait long for a peer that does not read.
    pub(super) fn shut_down(&mut self) {
        self.max_stall = MAX_STALL_AT_SHUTDOWN;
    }

    /// Notes that a message is complete.
    pub(super) fn end_message(&mut self) {
        self.partial_since = None;
    }

    /// Returns whether the credentials of the peer have ended, once.
    pub(super) fn has_expired(&mut self) -> bool {
        let now = Instant::now();
        self.expiry.take_if(|expiry| *expiry <= now).is_some()
    }

    /// Returns whether the peer has to be asked for a sign of life, once in each interval.
    pub(super) fn is_ping_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = self.last_ping + PING_INTERVAL <= now;
        if is_due {
            self.last_ping = now;
        }
        is_due
    }

    /// Notes the state at the end of a turn.
    pub(super) fn note(&mut self, state: &State) {
        let now = Instant::now();
        let before = std::mem::replace(&mut self.passed, state.passed);
        if state.passed.read != before.read || !state.is_reading {
            self.last_heard = now;
        }
        if !state.has_partial {
            self.partial_since = None;
        } else if self.partial_since.is_none() {
            self.partial_since = Some(now);
        }
        if !state.is_writing {
            self.stalled_since = None;
        } else if state.passed.written != before.written || self.stalled_since.is_none() {
            self.stalled_since = Some(now);
        }
    }

    /// Returns the limit that is exceeded, if there is one.
    pub(super) fn late(&self) -> Option<Late> {
        let now = Instant::now();
        if self.stall_end().is_some_and(|end| end <= now) {
            return Some(Late::Stalled);
        }
        if self.partial_end().is_some_and(|end| end <= now) {
            let seconds = self.body_timeout.as_secs_f64();
            let reason = format!("a message must arrive within {seconds} s (body_timeout)");
            return Some(Late::Close(CloseCode::POLICY_VIOLATION, reason));
        }
        if self.silence_end() <= now {
            let seconds = MAX_SILENCE.as_secs();
            let reason = format!("nothing was heard for {seconds} s, no answer to a ping either");
            return Some(Late::Close(CloseCode::POLICY_VIOLATION, reason));
        }
        None
    }

    /// Returns the next moment at which something is due.
    pub(super) fn next_due(&self) -> Instant {
        let others = [self.stall_end(), self.partial_end(), self.expiry];
        let first = self.silence_end().min(self.last_ping + PING_INTERVAL);
        others.into_iter().flatten().fold(first, Instant::min)
    }

    fn stall_end(&self) -> Option<Instant> {
        self.stalled_since.map(|since| since + self.max_stall)
    }

    fn partial_end(&self) -> Option<Instant> {
        self.partial_since.map(|since| since + self.body_timeout)
    }

    fn silence_end(&self) -> Instant {
        self.last_heard + MAX_SILENCE
    }
}
