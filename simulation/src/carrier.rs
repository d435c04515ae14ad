//! A carrier of a connection that takes and writes at the pace of the run.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use docent_core::carrier::{Connection, OutgoingMessage, ReplyBody};

use crate::answers::check_answers;
use crate::connections::{ConnectionOrigin, PeerMessage};
use crate::executor::lock;
use crate::plan::Exchange;
use crate::settings::Planted;
use crate::world::World;

/// The other end of a connection, which the run has in its hands.
#[derive(Default)]
pub(crate) struct Line(Mutex<LineState>);

/// The requests of the run that the carrier has not carried out yet.
#[derive(Default)]
struct LineState {
    /// The messages that the peer sends.
    messages: VecDeque<PeerMessage>,
    /// The number of bytes that the peer reads next.
    reads: usize,
    stop: bool,
    end_input: bool,
    end_credentials: bool,
    waker: Option<Waker>,
}

impl Line {
    /// Asks for something, and wakes the carrier.
    fn change(&self, change: impl FnOnce(&mut LineState)) {
        let mut state = lock(&self.0);
        change(&mut state);
        if let Some(waker) = state.waker.take() {
            drop(state);
            waker.wake();
        }
    }

    pub(crate) fn send(&self, message: PeerMessage) {
        self.change(|state| state.messages.push_back(message));
    }

    pub(crate) fn read(&self, bytes: usize) {
        self.change(|state| state.reads = state.reads.saturating_add(bytes));
    }

    pub(crate) fn stop(&self) {
        self.change(|state| state.stop = true);
    }

    pub(crate) fn end_input(&self) {
        self.change(|state| state.end_input = true);
    }

    pub(crate) fn end_credentials(&self) {
        self.change(|state| state.end_credentials = true);
    }
}

/// Carries the messages of a connection until it ends.
pub(crate) async fn carry(world: World, handshake: Exchange, line: Arc<Line>) {
    let Some(service) = world.service() else {
        return;
    };
    world.ledger().begin(handshake.number);
    let mut extensions = world.extensions(&handshake);
    extensions.insert(ConnectionOrigin(handshake.number));
    let mut carrier = Carrier {
        connection: Connection::new(service, extensions),
        number: handshake.number,
        waiting: 0,
        held: None,
        world,
        line,
    };
    poll_fn(|cx| carrier.poll(cx)).await;
}

/// Carries messages between a line and a connection of the service.
struct Carrier {
    world: World,
    connection: Connection,
    number: u64,
    line: Arc<Line>,
    /// The bytes that the peer has not read.
    waiting: usize,
    /// A message that a planted fault holds back.
    held: Option<Vec<u8>>,
}

impl Carrier {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut has_moved = self.obey(cx);
            while let Poll::Ready(message) = self.connection.poll(cx) {
                let Some(message) = message else {
                    let finished = self.world.ledger().connections.finish(self.number);
                    self.world.record_check(finished);
                    self.world
                        .note(format_args!("connection {} ends", self.number));
                    return Poll::Ready(());
                };
                has_moved = true;
                self.hand_over(message);
                if self.world.chance(10) {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
            }
            has_moved |= self.write();
            if !has_moved {
                return Poll::Pending;
            }
        }
    }

    /// Does what the run has asked for. Returns whether there was anything.
    fn obey(&mut self, cx: &Context<'_>) -> bool {
        let line = Arc::clone(&self.line);
        let mut state = lock(&line.0);
        state.waker = Some(cx.waker().clone());
        let stop = std::mem::take(&mut state.stop);
        let end_input = std::mem::take(&mut state.end_input);
        let end_credentials = std::mem::take(&mut state.end_credentials);
        let message = if self.connection.wants_message() {
            state.messages.pop_front()
        } else {
            None
        };
        drop(state);
        let has_message = message.is_some();
        if let Some(message) = message {
            self.receive(&message);
        }
        if stop {
            self.world.ledger().connections.stop(self.number);
            self.connection.stop();
        }
        if end_input {
            self.world.ledger().connections.end_input(self.number);
            self.connection.end_input();
        }
        if end_credentials {
            self.world.ledger().connections.end_credentials(self.number);
            self.connection.end_credentials();
        }
        has_message || stop || end_input || end_credentials
    }

    /// Hands a message of the peer over to the connection.
    fn receive(&mut self, message: &PeerMessage) {
        let world = self.world.clone();
        let number = self.number;
        let body = message.body();
        world.note(format_args!("{number} takes {body}"));
        world.check_running_calls();
        let taken = world
            .ledger()
            .connections
            .receive(number, message, world.now());
        world.record_check(taken);
        if let PeerMessage::Unsubscribe { id: Some(id), .. } = message
            && world.settings().is(Planted::UnsubscribeIgnored)
        {
            self.check(format!(r#"{{"jsonrpc":"2.0","result":true,"id":{id}}}"#).as_bytes());
            return;
        }
        world.ledger().expect(number, message.calls());
        self.connection.receive(body);
    }

    /// Hands a message over to the peer, which reads it later.
    fn hand_over(&mut self, message: OutgoingMessage) {
        let is_answer = matches!(message, OutgoingMessage::Response(_));
        let is_end = matches!(message, OutgoingMessage::End { .. });
        let ReplyBody::Whole(body) = message.into_parts() else {
            self.world
                .record_check(Err("a description that no call asked for".to_owned()));
            return;
        };
        let planted = self.world.settings().planted;
        let is_unlucky = self.world.chance(10);
        match planted {
            Some(Planted::AnswerLost) if is_answer && is_unlucky => {}
            Some(Planted::EndLost) if is_end && is_unlucky => {}
            Some(Planted::ItemLost) if !is_answer && !is_end && is_unlucky => {}
            Some(Planted::AnswerLate) if is_answer && self.held.is_none() => {
                self.held = Some(body.clone());
            }
            Some(Planted::AnswerTwice) if is_answer && is_unlucky => {
                self.check(&body);
                self.check(&body);
            }
            _ => self.check(&body),
        }
        if let Some(held) = self.held.take_if(|held| *held != body) {
            self.check(&held);
        }
        self.waiting += body.len();
        self.world
            .ledger()
            .connections
            .hand_over(self.number, body.len());
        if planted == Some(Planted::AccountForgotten) {
            self.connection.written(body.len());
        }
    }

    /// Checks a message, and the outcomes of the calls that it answers.
    fn check(&self, body: &[u8]) {
        let Self { world, number, .. } = self;
        let text = String::from_utf8_lossy(body);
        let beginning: String = text.chars().take(200).collect();
        world.note(format_args!("{number} gets {beginning}"));
        world.check_running_calls();
        let mut ledger = world.ledger();
        let checked = match ledger.connections.check_message(*number, body, world.now()) {
            Err(broken) => Err(broken),
            Ok(None) => Ok(()),
            Ok(Some(answered)) if answered.is_refused => {
                // Observers are notified of a refused batch as of one call.
                ledger.retract(*number, answered.exchange.calls.len() - 1);
                Ok(())
            }
            Ok(Some(answered)) => {
                check_answers(&ledger, &answered.exchange, Some(body), world.now()).map(drop)
            }
        };
        drop(ledger);
        world.record_check(checked);
    }

    /// Writes what the peer reads. Returns whether it has read something.
    fn write(&mut self) -> bool {
        let mut state = lock(&self.line.0);
        let bytes = state.reads.min(self.waiting);
        state.reads -= bytes;
        drop(state);
        self.waiting -= bytes;
        self.world.ledger().connections.written(self.number, bytes);
        if !self.world.settings().is(Planted::AccountForgotten) {
            self.connection.written(bytes);
        }
        bytes > 0
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        self.world.ledger().connections.disconnect(self.number);
    }
}
