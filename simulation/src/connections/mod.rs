//! The promises to the peers of connections, and when sources may be polled.
//!
//! The carrier, the handlers and the sources record here what happens to each connection. A record is an error if a
//! promise is broken, such as an answer that was not asked for:
//!
//! ```text
//! a message is taken       receive
//! its handlers run         enter, leave
//! its subscription runs    open_source, poll_source, close_source
//! a message is made        check_message, hand_over
//! its bytes are written    written
//! ```
//!
//! `message.rs` has what peers send, `peer.rs` what is known of one, and `received.rs` checks what one reads. Messages
//! are checked in the order in which a connection hands them over, which is the order in which a peer reads them.

mod message;
mod peer;
mod received;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use docent_core::code;

use crate::settings::Settings;
pub(crate) use message::PeerMessage;
use peer::{Peer, UnansweredMessage};

/// The number of the connection that a call came over.
pub(crate) struct ConnectionOrigin(pub(crate) u64);

/// The peers of all connections, and the sources of all subscriptions.
#[derive(Debug)]
pub(crate) struct Connections {
    settings: Settings,
    peers: BTreeMap<u64, Peer>,
    /// The number of sources of each connection.
    sources: BTreeMap<u64, usize>,
    /// The number of items that each source has had.
    positions: BTreeMap<u64, u64>,
}

impl Connections {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            peers: BTreeMap::new(),
            sources: BTreeMap::new(),
            positions: BTreeMap::new(),
        }
    }

    fn peer(&mut self, connection: u64) -> &mut Peer {
        self.peers.entry(connection).or_default()
    }

    /// Records that a handler gives the source of subscription `n`.
    pub(crate) fn open_source(&mut self, connection: u64, n: u64) -> Result<(), String> {
        self.positions.insert(n, 0);
        let own = self.sources.entry(connection).or_default();
        *own += 1;
        at_most(
            *own,
            self.settings.connection_subscriptions,
            "of a connection",
        )?;
        let all = self.sources.values().sum();
        at_most(all, self.settings.all_subscriptions, "of the service")
    }

    /// Records that a source is dropped.
    pub(crate) fn close_source(&mut self, connection: u64) {
        *self.sources.entry(connection).or_default() -= 1;
    }

    /// Records how many items the source of subscription `n` has had.
    pub(crate) fn set_position(&mut self, n: u64, position: u64) {
        self.positions.insert(n, position);
    }

    /// Records that a source is polled, which happens only while there is room for an item.
    pub(crate) fn poll_source(&mut self, connection: u64) -> Result<(), String> {
        self.check_room(connection, "a source is polled")
    }

    /// Checks that a connection does something only while few bytes wait to be written.
    fn check_room(&mut self, connection: u64, what: &str) -> Result<(), String> {
        let waiting = self.peer(connection).waiting_bytes;
        if waiting < self.settings.waiting_bytes {
            return Ok(());
        }
        Err(format!("{what} while {waiting} bytes wait on {connection}"))
    }

    /// Records that a handler of a connection's call runs.
    pub(crate) fn enter(&mut self, connection: u64, n: u64) -> Result<(), String> {
        let limit = self.settings.connection_calls;
        let peer = self.peer(connection);
        for sent in &mut peer.unanswered {
            if let PeerMessage::Calls(exchange) = &sent.message
                && exchange.calls.iter().any(|call| call.is_counted(n))
            {
                sent.running.insert(n);
            }
        }
        let running = peer
            .unanswered
            .iter()
            .filter(|sent| !sent.running.is_empty())
            .count();
        if running > limit {
            return Err(format!(
                "{running} calls run over connection {connection}, {limit} may"
            ));
        }
        Ok(())
    }

    /// Records that a handler has ended.
    pub(crate) fn leave(&mut self, connection: u64, n: u64) {
        for sent in &mut self.peer(connection).unanswered {
            sent.running.remove(&n);
        }
    }

    /// Records a message that a connection takes.
    pub(crate) fn receive(
        &mut self,
        connection: u64,
        message: &PeerMessage,
        now: Duration,
    ) -> Result<(), String> {
        self.check_room(connection, "a message is read")?;
        let peer = self.peer(connection);
        peer.last_taken = Some(message.clone());
        if message.ids().is_empty() {
            peer.notifications += 1;
            if let PeerMessage::Unsubscribe { subscription, .. } = message
                && let Some(watched) = peer.subscriptions.get_mut(subscription)
            {
                watched.is_over = true;
            }
            return Ok(());
        }
        peer.unanswered.push(UnansweredMessage {
            message: message.clone(),
            since: now,
            running: BTreeSet::new(),
        });
        Ok(())
    }

    /// Records a message that a connection hands over to be written.
    pub(crate) fn hand_over(&mut self, connection: u64, bytes: usize) {
        self.peer(connection).waiting_bytes += bytes;
    }

    /// Records that so many bytes have been written.
    pub(crate) fn written(&mut self, connection: u64, bytes: usize) {
        self.peer(connection).waiting_bytes -= bytes;
    }

    /// Records that the service stops, which may end all subscriptions.
    pub(crate) fn stop(&mut self, connection: u64) {
        self.peer(connection).possible_ends.push(code::GOING_AWAY);
    }

    /// Records that the peer sends no more.
    pub(crate) fn end_input(&mut self, connection: u64) {
        let peer = self.peer(connection);
        peer.has_ended_input = true;
        // The connection drops the subscriptions, which the peer cannot end any more.
        for watched in peer.subscriptions.values_mut() {
            watched.is_over = true;
        }
    }

    /// Records that the credentials of the peer end, which may end all subscriptions.
    pub(crate) fn end_credentials(&mut self, connection: u64) {
        self.peer(connection).possible_ends.push(code::REFUSED);
    }

    /// Records that the peer has gone, and reads nothing more.
    pub(crate) fn disconnect(&mut self, connection: u64) {
        self.peer(connection).is_gone = true;
    }

    /// Returns the ids of the subscriptions of a connection, over or not.
    pub(crate) fn subscriptions(&self, connection: u64) -> Vec<String> {
        match self.peers.get(&connection) {
            Some(peer) => peer.subscriptions.keys().cloned().collect(),
            None => Vec::new(),
        }
    }

    /// Returns how many subscriptions are open.
    pub(crate) fn open_subscriptions(&self) -> usize {
        self.peers.values().map(Peer::open_subscriptions).sum()
    }

    /// Checks that a connection which has finished owes nothing to its peer.
    pub(crate) fn finish(&mut self, connection: u64) -> Result<(), String> {
        let peer = self.peer(connection);
        if let Some(sent) = peer.unanswered.first() {
            return Err(format!("a message is not answered: {:?}", sent.message));
        }
        if peer.open_subscriptions() > 0 {
            return Err(format!(
                "a subscription has no end: {:?}",
                peer.subscriptions
            ));
        }
        peer.is_gone = true;
        Ok(())
    }

    /// Checks the promises that hold while nothing is running.
    pub(crate) fn check_at_rest(&self) -> Result<(), String> {
        let sources: usize = self.sources.values().sum();
        if sources > 0 {
            return Err(format!("{sources} sources are left"));
        }
        Ok(())
    }
}

/// Checks the number of subscriptions that are open.
fn at_most(number: usize, max: usize, of: &str) -> Result<(), String> {
    if number <= max {
        return Ok(());
    }
    Err(format!(
        "{number} subscriptions {of} are open, at most {max} may"
    ))
}
