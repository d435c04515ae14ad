//! A connection as its peer sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::message::PeerMessage;
use crate::watch::WatchParams;

/// A subscription as its peer sees it.
#[derive(Debug)]
pub(super) struct WatchedSubscription {
    pub(super) params: WatchParams,
    /// The position of the next item, if none is lost.
    pub(super) next: u64,
    /// Set once it has ended, or the peer has left it.
    pub(super) is_over: bool,
}

/// A message that has not been answered.
#[derive(Debug)]
pub(super) struct UnansweredMessage {
    pub(super) message: PeerMessage,
    /// The time at which the connection took it.
    pub(super) since: Duration,
    /// The numbers of its calls whose handlers are running.
    pub(super) running: BTreeSet<u64>,
}

/// A connection as its peer sees it.
#[derive(Debug, Default)]
pub(super) struct Peer {
    /// The number of bytes that the connection has handed over and that are not written yet.
    pub(super) waiting_bytes: usize,
    /// The messages that are answered, and have not been yet.
    pub(super) unanswered: Vec<UnansweredMessage>,
    /// The message that was taken last. Only it can be refused as a whole.
    pub(super) last_taken: Option<PeerMessage>,
    /// The number of messages that are never answered, which may be running.
    pub(super) notifications: usize,
    pub(super) subscriptions: BTreeMap<String, WatchedSubscription>,
    /// The codes of the errors with which the run may have ended all subscriptions.
    pub(super) possible_ends: Vec<i64>,
    pub(super) has_ended_input: bool,
    pub(super) is_gone: bool,
}

impl Peer {
    /// Returns how many subscriptions are open.
    pub(super) fn open_subscriptions(&self) -> usize {
        if self.is_gone {
            return 0;
        }
        self.subscriptions
            .values()
            .filter(|watched| !watched.is_over)
            .count()
    }

    /// Returns how many permits the subscriptions may hold: one each that is open, or requested and not answered.
    pub(super) fn permits(&self) -> usize {
        if self.is_gone {
            return 0;
        }
        let requested = self
            .unanswered
            .iter()
            .filter(|sent| matches!(sent.message, PeerMessage::Watch(_)))
            .count();
        self.open_subscriptions() + requested
    }
}
