//! Followers of `loan.watch`, which come back with their last cursor, whatever has ended their connection.
//!
//! They behave as the guide tells clients to. Each time one comes back, chance decides over which carrier, SSE or a
//! WebSocket, and whether through the proxy or to an instance, so that a cursor of one has to hold on the other:
//!
//! ```text
//! follow ── place, cursor ──► EventStream or Socket ── behind one Connection: messages ──► seen
//!   ▲                                                                                      │
//!   └──────────────────────────── lost, cut, or the server stops ──────────────────────────┘
//! ```
//!
//! Nothing here is shared with the clients of the project, which would hide the same mistake twice. A follower writes
//! down what it has seen and checks nothing; at the end, [`compare`] holds that against the table of events: each of
//! them once, in order, and with its value.

mod connection;
mod event_stream;
mod socket;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use postgres::{Client, NoTls};
use serde_json::{Value, json};

use super::Places;
use super::report::ClusterReport;
use crate::BoxError;
use crate::http::{Trouble, request};
use crate::world::World;
use connection::{Connection, NoEvents};
use event_stream::EventStream;
use socket::Socket;

/// A cursor before every event.
const BEGINNING: &str = "0.0";

/// The code of the end of a subscription whose server stops.
const GOING_AWAY: i64 = -32015;

/// The codes of an answer over a WebSocket that has the status 503 or 504 over HTTP.
const BUSY: [i64; 3] = [-32001, -32002, GOING_AWAY];

/// The longest pause before a follower comes back.
const MAX_PAUSE: Duration = Duration::from_millis(200);

/// An event of a loan, in the table or as a follower has seen it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LoanEvent {
    pub(super) cursor: String,
    pub(super) value: Value,
}

/// The end of following: once that many events were seen, or at the latest at that time.
pub(super) struct FollowEnd {
    pub(super) events: usize,
    pub(super) latest: Instant,
}

/// Follows all loans from the beginning to the end, once that is known. Returns the events as they came.
pub(super) fn follow(
    world: &World,
    report: &ClusterReport,
    places: Places<'_>,
    number: u64,
    end: &OnceLock<FollowEnd>,
) -> Vec<LoanEvent> {
    let mut follower = Follower {
        world,
        report,
        places,
        end,
        rng: Rng::with_seed(world.seed ^ number.wrapping_mul(0x51_7c_c1_b7_27_22_0a_95)),
        seen: Vec::new(),
    };
    while !follower.is_done() {
        match follower.connect() {
            Ok(events) => follower.read(events),
            Err(NoEvents::Trouble(Trouble::Garbled(what))) => world.found(what),
            // The database or the instance restarts.
            Err(NoEvents::Trouble(_) | NoEvents::Refused(502..=504, _)) => {}
            Err(NoEvents::Refused(status, body)) => {
                world.found(format!("a follower got {status} {body}"));
            }
        }
        report.follower_returns.add_one();
        thread::sleep(MAX_PAUSE.mul_f64(follower.rng.f64()));
    }
    follower.seen
}

struct Follower<'w> {
    world: &'w World,
    report: &'w ClusterReport,
    places: Places<'w>,
    end: &'w OnceLock<FollowEnd>,
    rng: Rng,
    seen: Vec<LoanEvent>,
}

impl Follower<'_> {
    fn is_done(&self) -> bool {
        let end = self.end.get();
        end.is_some_and(|end| self.seen.len() >= end.events || Instant::now() > end.latest)
    }

    /// Subscribes after the last event that was seen, in any of the ways in which one can.
    fn connect(&mut self) -> Result<Connection, NoEvents> {
        let place = match self.rng.choice(self.places.instances) {
            Some(instance) if self.rng.u8(..3) == 0 => *instance,
            _ => self.places.proxy,
        };
        let cursor = self.seen.last().map_or(BEGINNING, |event| &event.cursor);
        if self.rng.bool() {
            self.report.follower_sockets.add_one();
            let socket = Socket::open(place, subscribe(&json!({"after": cursor})))?;
            return Ok(Connection::Socket(Box::new(socket)));
        }
        let mut fields = vec![("Accept", "text/event-stream"), ("Connection", "close")];
        let in_field = self.rng.bool();
        if in_field {
            fields.push(("Last-Event-ID", cursor));
        }
        let request = if self.rng.bool() {
            let target = if in_field {
                "/rpc/loan.watch".to_owned()
            } else {
                format!("/rpc/loan.watch?after={cursor}")
            };
            request("GET", &target, &fields, None)
        } else {
            let params = if in_field {
                json!({})
            } else {
                json!({"after": cursor})
            };
            fields.push(("Content-Type", "application/json"));
            request("POST", "/rpc", &fields, Some(subscribe(&params).as_bytes()))
        };
        Ok(Connection::Events(EventStream::open(place, &request)?))
    }

    /// Reads messages until the last, a lost connection, or the end of following.
    fn read(&mut self, mut connection: Connection) {
        while !self.is_done() {
            match connection.next() {
                Ok(None) => {}
                Ok(Some(message)) => {
                    if !self.take(&message) {
                        return;
                    }
                    // Occasionally hang up, as if the connection had broken.
                    if self.rng.u8(..) == 0 {
                        self.report.follower_cuts.add_one();
                        return;
                    }
                }
                Err(trouble) => {
                    if let Trouble::Garbled(what) = trouble {
                        self.world.found(what);
                    }
                    return;
                }
            }
        }
    }

    /// Takes a message. Returns false if no other can follow it.
    fn take(&mut self, message: &Value) -> bool {
        let params = &message["params"];
        if let (Some(cursor), Some(value)) = (params["cursor"].as_str(), params.get("result")) {
            self.seen.push(LoanEvent {
                cursor: cursor.to_owned(),
                value: value.clone(),
            });
            return true;
        }
        if message["result"].is_string() {
            return true;
        }
        let is_passing = if let Some(error) = message.get("error") {
            BUSY.iter().any(|code| error["code"] == *code)
        } else {
            params["error"]["code"] == GOING_AWAY
        };
        if !is_passing {
            self.world.found(format!("a follower got {message}"));
        }
        false
    }
}

/// Returns a request to subscribe.
fn subscribe(params: &Value) -> String {
    json!({"jsonrpc": "2.0", "method": "loan.watch", "params": params, "id": 1}).to_string()
}

/// Reads the table of events.
pub(super) fn table(database: &str) -> Result<Vec<LoanEvent>, BoxError> {
    let mut client = Client::connect(database, NoTls)?;
    let sql = "SELECT transaction || '.' || number, json FROM docent_events WHERE topic = 'loans' \
               ORDER BY transaction, number";
    let mut events = Vec::new();
    for row in client.query(sql, &[])? {
        events.push(LoanEvent {
            cursor: row.try_get(0)?,
            value: serde_json::from_str(row.try_get(1)?)?,
        });
    }
    Ok(events)
}

/// Compares what a follower has seen with the table. Returns a finding for each event that it has lost, seen twice,
/// seen too late, or seen otherwise than it is.
pub(super) fn compare(follower: u64, seen: &[LoanEvent], table: &[LoanEvent]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut found = |what: &str, event: &LoanEvent| {
        findings.push(format!("follower {follower} {what}: {event:?}"));
    };
    let places: HashMap<&str, usize> = table
        .iter()
        .enumerate()
        .map(|(place, event)| (&*event.cursor, place))
        .collect();
    let mut told = HashSet::new();
    let mut next = 0;
    for event in seen {
        let Some(&place) = places.get(&*event.cursor) else {
            found("was told of an event that is not in the table", event);
            continue;
        };
        if table[place] != *event {
            found("was told of an event with another value", event);
        }
        if !told.insert(place) {
            found("was told of an event twice", event);
        } else if place < next {
            found("was told of an event after a later one", event);
        }
        next = next.max(place + 1);
    }
    for (place, event) in table.iter().enumerate() {
        if !told.contains(&place) {
            found("was not told of an event", event);
        }
    }
    findings
}

#[cfg(test)]
mod tests;
