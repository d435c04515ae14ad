//! The promises to the peers of connections, and when sources may be polled.
//!
//! Messages are checked in the order in which a connection hands them over, which is the order in which a peer reads
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use docent_core::code;
use serde_json::{Value, json};

use crate::plan::{Exchange, Form};
use crate::settings::{CALL_TIMEOUT, Settings};
use crate::watch::{SourceStep, WatchParams};

/// The number of the connection that a call came over.
pub(crate) struct ConnectionOrigin(pub(crate) u64);

/// A message that a peer sends.
#[derive(Debug, Clone)]
pub(crate) enum PeerMessage {
    Calls(Exchange),
    Watch(WatchParams),
    /// The id is `None` for a notification.
    Unsubscribe(Option<u64>, String),
}

impl PeerMessage {
    pub(crate) fn body(&self) -> String {
        let body = match self {
            Self::Calls(exchange) => return exchange.body(),
            Self::Watch(params) => {
                json!({"jsonrpc": "2.0", "method": "watch", "params": params, "id": params.id()})
            }
            Self::Unsubscribe(id, subscription) => {
                let mut request = json!({"jsonrpc": "2.0", "method": "rpc.unsubscribe"});
                request["params"] = json!({ "subscription": subscription });
                if let Some(id) = id {
                    request["id"] = (*id).into();
                }
                request
            }
        };
        body.to_string()
    }

    /// Returns the number of calls that observers hear of.
    pub(crate) fn calls(&self) -> usize {
        match self {
            Self::Calls(exchange) => exchange.calls.len(),
            _ => 1,
        }
    }

    /// Returns the ids under which it is answered.
    fn ids(&self) -> Vec<u64> {
        match self {
            Self::Calls(exchange) => exchange.calls.iter().filter_map(|call| call.id).collect(),
            Self::Watch(params) => vec![params.id()],
            Self::Unsubscribe(id, _) => id.iter().copied().collect(),
        }
    }
}

/// A subscription as its peer sees it.
#[derive(Debug)]
struct Watched {
    params: WatchParams,
    /// The position of the next item, if none is lost.
    next: u64,
    /// Set once it has ended, or the peer has left it.
    is_over: bool,
}

/// A message that has not been answered.
#[derive(Debug)]
struct Sent {
    message: PeerMessage,
    since: Duration,
    /// The running handlers of its calls.
    inside: BTreeSet<u64>,
}

/// A connection as its peer sees it.
#[derive(Debug, Default)]
struct Peer {
    /// The bytes that were handed over and are not written.
    waiting: usize,
    sent: Vec<Sent>,
    /// The message that was taken last. Only it can be refused as a whole.
    last: Option<PeerMessage>,
    /// The number of messages that are not answered in any case, which may be running.
    unanswered: usize,
    subscriptions: BTreeMap<String, Watched>,
    /// The errors with which the run may have ended all subscriptions.
    ends: Vec<i64>,
    has_ended_input: bool,
    is_gone: bool,
}

/// An answer to calls, which the ledger checks.
pub(crate) struct AnsweredCalls {
    pub(crate) exchange: Exchange,
    /// Set if the whole message was refused because its connection runs too many calls.
    pub(crate) is_refused: bool,
}

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

    pub(crate) fn open_source(&mut self, connection: u64, n: u64) -> Result<(), String> {
        self.positions.insert(n, 0);
        let own = self.sources.entry(connection).or_default();
        *own += 1;
        let own = *own;
        at_most(
            own,
            self.settings.connection_subscriptions,
            "of a connection",
        )?;
        let all = self.sources.values().sum();
        at_most(all, self.settings.all_subscriptions, "of the service")
    }

    pub(crate) fn close_source(&mut self, connection: u64) {
        *self.sources.entry(connection).or_default() -= 1;
    }

    pub(crate) fn set_position(&mut self, n: u64, position: u64) {
        self.positions.insert(n, position);
    }

    /// Records that a source is polled, which happens only while there is room for an item.
    pub(crate) fn poll_source(&mut self, connection: u64) -> Result<(), String> {
        self.has_room(connection, "a source is polled")
    }

    fn has_room(&mut self, connection: u64, what: &str) -> Result<(), String> {
        let waiting = self.peer(connection).waiting;
        if waiting < self.settings.waiting_bytes {
            return Ok(());
        }
        Err(format!("{what} while {waiting} bytes wait on {connection}"))
    }

    /// Records that a handler of a connection's call runs.
    pub(crate) fn enter(&mut self, connection: u64, n: u64) -> Result<(), String> {
        let limit = self.settings.connection_calls;
        let peer = self.peer(connection);
        for sent in &mut peer.sent {
            if let PeerMessage::Calls(exchange) = &sent.message
                && exchange.calls.iter().any(|call| call.is_counted(n))
            {
                sent.inside.insert(n);
            }
        }
        let running = peer
            .sent
            .iter()
            .filter(|sent| !sent.inside.is_empty())
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
        for sent in &mut self.peer(connection).sent {
            sent.inside.remove(&n);
        }
    }

    /// Records a message that a connection takes.
    pub(crate) fn receive(
        &mut self,
        connection: u64,
        message: &PeerMessage,
        now: Duration,
    ) -> Result<(), String> {
        self.has_room(connection, "a message is read")?;
        let peer = self.peer(connection);
        peer.last = Some(message.clone());
        if message.ids().is_empty() {
            peer.unanswered += 1;
            if let PeerMessage::Unsubscribe(_, subscription) = message
                && let Some(watched) = peer.subscriptions.get_mut(subscription)
            {
                watched.is_over = true;
            }
            return Ok(());
        }
        peer.sent.push(Sent {
            message: message.clone(),
            since: now,
            inside: BTreeSet::new(),
        });
        Ok(())
    }

    pub(crate) fn waits(&mut self, connection: u64, bytes: usize) {
        self.peer(connection).waiting += bytes;
    }

    pub(crate) fn written(&mut self, connection: u64, bytes: usize) {
        self.peer(connection).waiting -= bytes;
    }

    pub(crate) fn stop(&mut self, connection: u64) {
        self.peer(connection).ends.push(code::GOING_AWAY);
    }

    pub(crate) fn end_input(&mut self, connection: u64) {
        let peer = self.peer(connection);
        peer.has_ended_input = true;
        // They are dropped.
        for watched in peer.subscriptions.values_mut() {
            watched.is_over = true;
        }
    }

    pub(crate) fn end_credentials(&mut self, connection: u64) {
        self.peer(connection).ends.push(code::REFUSED);
    }

    pub(crate) fn drop(&mut self, connection: u64) {
        self.peer(connection).is_gone = true;
    }

    /// Returns the ids of the subscriptions of a connection, over or not.
    pub(crate) fn subscriptions(&self, connection: u64) -> Vec<String> {
        let peer = self.peers.get(&connection);
        peer.map_or(Vec::new(), |peer| {
            peer.subscriptions.keys().cloned().collect()
        })
    }

    /// Returns how many subscriptions are open.
    pub(crate) fn open(&self) -> usize {
        self.peers.values().map(Peer::open).sum()
    }

    /// Checks a message that a connection hands over.
    pub(crate) fn see(
        &mut self,
        connection: u64,
        body: &[u8],
        now: Duration,
    ) -> Result<Option<AnsweredCalls>, String> {
        let message: Value = serde_json::from_slice(body)
            .map_err(|error| format!("a message is no JSON: {error}"))?;
        if message.get("method").is_some() {
            self.has_room(connection, "an item or an end is made")?;
            return self
                .notification(connection, &message["params"])
                .map(|()| None)
                .map_err(|wrong| format!("{wrong}: {message}"));
        }
        self.answer(connection, &message, now)
            .map_err(|wrong| format!("{wrong}: {message}"))
    }

    fn answer(
        &mut self,
        connection: u64,
        message: &Value,
        now: Duration,
    ) -> Result<Option<AnsweredCalls>, String> {
        let first = message.get(0).unwrap_or(message);
        let id = first["id"].as_u64();
        let limit = self.settings.connection_calls;
        let peer = self.peer(connection);
        let running = peer.sent.len() + peer.unanswered;
        let error = &message["error"];
        let is_refused = error["code"] == code::BUSY && error["data"]["limit"] == limit;
        if is_refused && running <= limit {
            return Err("a call is refused by a connection that runs fewer".to_owned());
        }
        if id.is_none() {
            return self.refused_batch(connection, is_refused);
        }
        let is_of = |sent: &Sent| id.is_some_and(|id| sent.message.ids().contains(&id));
        let Some(at) = peer.sent.iter().position(is_of) else {
            return Err("an answer that was not asked for".to_owned());
        };
        let Sent {
            message: sent,
            since,
            ..
        } = peer.sent.remove(at);
        match sent {
            PeerMessage::Calls(exchange) => Ok(Some(AnsweredCalls {
                exchange,
                is_refused,
            })),
            PeerMessage::Watch(params) => {
                if !is_refused {
                    self.opened(connection, params, message, now.saturating_sub(since))?;
                }
                Ok(None)
            }
            PeerMessage::Unsubscribe(_, subscription) => {
                let watched = self.peer(connection).subscriptions.get_mut(&subscription);
                let was_open = match watched {
                    Some(watched) => !std::mem::replace(&mut watched.is_over, true),
                    None => false,
                };
                if message["result"] != was_open {
                    return Err(format!(
                        "the wrong answer: {subscription} is open: {was_open}"
                    ));
                }
                Ok(None)
            }
        }
    }

    /// Checks the answer without an id that the last message gets if it is a batch and is refused.
    fn refused_batch(
        &mut self,
        connection: u64,
        is_refused: bool,
    ) -> Result<Option<AnsweredCalls>, String> {
        let peer = self.peer(connection);
        let Some(PeerMessage::Calls(exchange)) = peer.last.take().filter(|_| is_refused) else {
            return Err("an answer without an id".to_owned());
        };
        if exchange.form != Form::Batch {
            return Err("a call is answered without its id".to_owned());
        }
        if exchange.calls.iter().any(|call| call.id.is_some()) {
            peer.sent.pop();
        } else {
            peer.unanswered -= 1;
        }
        Ok(Some(AnsweredCalls {
            exchange,
            is_refused,
        }))
    }

    /// Checks the answer to a subscription.
    fn opened(
        &mut self,
        connection: u64,
        params: WatchParams,
        message: &Value,
        taken: Duration,
    ) -> Result<(), String> {
        let Some(id) = message["result"].as_str() else {
            let is_full = self.peer(connection).held() >= self.settings.connection_subscriptions
                || self.peers.values().map(Peer::held).sum::<usize>()
                    >= self.settings.all_subscriptions;
            let has_reason = match message["error"]["code"].as_i64() {
                Some(7) => params.fails,
                Some(code::TIMED_OUT) => taken >= CALL_TIMEOUT,
                Some(code::TOO_MANY_SUBSCRIPTIONS) => is_full,
                // The ledger of calls checks the limits of the service.
                Some(code::BUSY) => true,
                _ => false,
            };
            return if has_reason {
                Ok(())
            } else {
                Err("an error without a reason".to_owned())
            };
        };
        let peer = self.peer(connection);
        let watched = Watched {
            params,
            next: 0,
            is_over: peer.has_ended_input,
        };
        match peer.subscriptions.insert(id.to_owned(), watched) {
            None => Ok(()),
            Some(_) => Err("an id is used twice".to_owned()),
        }
    }

    /// Checks an item or an end.
    fn notification(&mut self, connection: u64, params: &Value) -> Result<(), String> {
        let positions = &self.positions;
        let peer = self.peers.entry(connection).or_default();
        let id = params["subscription"].as_str().unwrap_or_default();
        let Some(watched) = peer.subscriptions.get_mut(id) else {
            return Err("a message of a subscription before its answer".to_owned());
        };
        if watched.is_over {
            return Err("a message of a subscription that is over".to_owned());
        }
        let missed = params["missed"].as_u64().unwrap_or(0);
        let n = watched.params.n;
        if let Some(item) = params.get("result") {
            let position = watched.next + missed;
            if *item != json!({"n": n, "k": position}) {
                return Err(format!("items are lost untold: {position} is next"));
            }
            if params["cursor"].as_str() != Some(&*position.to_string()) {
                return Err("the cursor of another item".to_owned());
            }
            watched.next = position + 1;
            return Ok(());
        }
        watched.is_over = true;
        if Some(&(watched.next + missed)) != positions.get(&n) {
            return Err("items are lost untold before an end".to_owned());
        }
        let script = &watched.params.script;
        let has = |step: SourceStep| script.contains(&step);
        let has_reason = match params["error"]["code"].as_i64() {
            None => params["ended"] == true && !has(SourceStep::Hang),
            Some(7) => has(SourceStep::Fail),
            Some(code::INTERNAL_ERROR) => has(SourceStep::Panic),
            Some(code::RESPONSE_TOO_LARGE) => has(SourceStep::Large),
            Some(code) => peer.ends.contains(&code),
        };
        if has_reason {
            Ok(())
        } else {
            Err("an end without a reason".to_owned())
        }
    }

    /// Checks that a connection which has finished owes nothing to its peer.
    pub(crate) fn finish(&mut self, connection: u64) -> Result<(), String> {
        let peer = self.peer(connection);
        if let Some(sent) = peer.sent.first() {
            return Err(format!("a message is not answered: {:?}", sent.message));
        }
        if peer.open() > 0 {
            return Err(format!(
                "a subscription has no end: {:?}",
                peer.subscriptions
            ));
        }
        peer.is_gone = true;
        Ok(())
    }

    /// Checks the promises that hold while nothing is running.
    pub(crate) fn rest(&self) -> Result<(), String> {
        let sources: usize = self.sources.values().sum();
        if sources > 0 {
            return Err(format!("{sources} sources are left"));
        }
        Ok(())
    }
}

impl Peer {
    /// Returns how many subscriptions are open.
    fn open(&self) -> usize {
        if self.is_gone {
            return 0;
        }
        self.subscriptions
            .values()
            .filter(|watched| !watched.is_over)
            .count()
    }

    /// Returns how many subscriptions may hold a permit: the open ones, and those that are not answered.
    fn held(&self) -> usize {
        let unanswered = self
            .sent
            .iter()
            .filter(|sent| matches!(sent.message, PeerMessage::Watch(..)));
        if self.is_gone {
            0
        } else {
            self.open() + unanswered.count()
        }
    }
}

fn at_most(number: usize, max: usize, of: &str) -> Result<(), String> {
    if number <= max {
        return Ok(());
    }
    Err(format!(
        "{number} subscriptions {of} are open, at most {max} may"
    ))
}
