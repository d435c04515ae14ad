//! Checks what peers read: answers, items and ends of subscriptions.

use std::time::Duration;

use docent_core::code;
use serde_json::{Value, json};

use super::Connections;
use super::message::PeerMessage;
use super::peer::{Peer, WatchedSubscription};
use crate::plan::{Exchange, Form};
use crate::settings::CALL_TIMEOUT;
use crate::watch::{SourceStep, WatchParams};

/// Calls that a message has answered. The ledger checks their outcomes.
pub(crate) struct AnsweredCalls {
    pub(crate) exchange: Exchange,
    /// Set if the whole message was refused, because its connection runs too many calls.
    pub(crate) is_refused: bool,
}

impl Connections {
    /// Checks a message that a connection hands over. Returns the calls that it answers, if it answers calls.
    pub(crate) fn check_message(
        &mut self,
        connection: u64,
        body: &[u8],
        now: Duration,
    ) -> Result<Option<AnsweredCalls>, String> {
        let message: Value = serde_json::from_slice(body)
            .map_err(|error| format!("a message is no JSON: {error}"))?;
        if message.get("method").is_some() {
            self.check_room(connection, "an item or an end is made")?;
            return self
                .check_notification(connection, &message["params"])
                .map(|()| None)
                .map_err(|wrong| format!("{wrong}: {message}"));
        }
        self.check_answer(connection, &message, now)
            .map_err(|wrong| format!("{wrong}: {message}"))
    }

    /// Checks the answer to a message, which its id identifies.
    fn check_answer(
        &mut self,
        connection: u64,
        message: &Value,
        now: Duration,
    ) -> Result<Option<AnsweredCalls>, String> {
        let first = message.get(0).unwrap_or(message);
        let id = first["id"].as_u64();
        let limit = self.settings.connection_calls;
        let peer = self.peer(connection);
        let running = peer.unanswered.len() + peer.notifications;
        let error = &message["error"];
        let is_refused = error["code"] == code::BUSY && error["data"]["limit"] == limit;
        if is_refused && running <= limit {
            return Err("a call is refused by a connection that runs fewer".to_owned());
        }
        let Some(id) = id else {
            return self.check_refused_batch(connection, is_refused);
        };
        let Some(index) = peer
            .unanswered
            .iter()
            .position(|sent| sent.message.ids().contains(&id))
        else {
            return Err("an answer that was not asked for".to_owned());
        };
        let answered = peer.unanswered.remove(index);
        match answered.message {
            PeerMessage::Calls(exchange) => Ok(Some(AnsweredCalls {
                exchange,
                is_refused,
            })),
            PeerMessage::Watch(params) => {
                if !is_refused {
                    let taken = now.saturating_sub(answered.since);
                    self.check_opened(connection, params, message, taken)?;
                }
                Ok(None)
            }
            PeerMessage::Unsubscribe { subscription, .. } => {
                let watched = self.peer(connection).subscriptions.get_mut(&subscription);
                let was_open =
                    watched.is_some_and(|watched| !std::mem::replace(&mut watched.is_over, true));
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
    fn check_refused_batch(
        &mut self,
        connection: u64,
        is_refused: bool,
    ) -> Result<Option<AnsweredCalls>, String> {
        let peer = self.peer(connection);
        let Some(PeerMessage::Calls(exchange)) = peer.last_taken.take().filter(|_| is_refused)
        else {
            return Err("an answer without an id".to_owned());
        };
        if exchange.form != Form::Batch {
            return Err("a call is answered without its id".to_owned());
        }
        if exchange.calls.iter().any(|call| call.id.is_some()) {
            peer.unanswered.pop();
        } else {
            peer.notifications -= 1;
        }
        Ok(Some(AnsweredCalls {
            exchange,
            is_refused,
        }))
    }

    /// Checks the answer to a subscription.
    fn check_opened(
        &mut self,
        connection: u64,
        params: WatchParams,
        message: &Value,
        taken: Duration,
    ) -> Result<(), String> {
        let Some(id) = message["result"].as_str() else {
            let is_full = self.peer(connection).permits() >= self.settings.connection_subscriptions
                || self.peers.values().map(Peer::permits).sum::<usize>()
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
        let watched = WatchedSubscription {
            params,
            next: 0,
            is_over: peer.has_ended_input,
        };
        match peer.subscriptions.insert(id.to_owned(), watched) {
            None => Ok(()),
            Some(_) => Err("an id is used twice".to_owned()),
        }
    }

    /// Checks an item or an end of a subscription.
    fn check_notification(&mut self, connection: u64, params: &Value) -> Result<(), String> {
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
            Some(code) => peer.possible_ends.contains(&code),
        };
        if has_reason {
            Ok(())
        } else {
            Err("an end without a reason".to_owned())
        }
    }
}
