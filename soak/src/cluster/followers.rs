//! Followers of `loan.watch`, which come back with their last cursor, whatever has ended their connection.
//!
//! They behave as the guide tells clients to. At the end, each of them must have seen every event of the table, once and
//! in order: see [`compare`].

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use postgres::{Client, NoTls};
use serde_json::{Value, json};

use super::Places;
use super::event_stream::{EventStream, NoEvents, ServerEvent};
use super::report::ClusterReport;
use crate::BoxError;
use crate::http::{Trouble, request};
use crate::world::World;

/// A cursor before every event.
const BEGINNING: &str = "0.0";

/// The code of the end of a subscription whose server stops.
const GOING_AWAY: i64 = -32015;

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
    fn connect(&mut self) -> Result<EventStream, NoEvents> {
        let cursor = self.seen.last().map_or(BEGINNING, |event| &event.cursor);
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
            let call = json!({"jsonrpc": "2.0", "method": "loan.watch", "params": params, "id": 1});
            request("POST", "/rpc", &fields, Some(call.to_string().as_bytes()))
        };
        let instance = self.rng.choice(self.places.instances).copied();
        let place = instance.filter(|_| self.rng.u8(..3) == 0);
        EventStream::open(place.unwrap_or(self.places.proxy), &request)
    }

    /// Reads events until the last, a lost connection, or the end of following.
    fn read(&mut self, mut events: EventStream) {
        while !self.is_done() {
            match events.next() {
                Ok(None) => {}
                Ok(Some(event)) => {
                    if !self.take(&event) {
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

    /// Takes an event. Returns false if no other can follow it.
    fn take(&mut self, event: &ServerEvent) -> bool {
        let message: Value = serde_json::from_str(&event.data).unwrap_or_default();
        let params = &message["params"];
        match (params["cursor"].as_str(), params.get("result")) {
            (Some(cursor), Some(value)) if event.id.as_deref() == Some(cursor) => {
                self.seen.push(LoanEvent {
                    cursor: cursor.to_owned(),
                    value: value.clone(),
                });
                true
            }
            // The answer.
            _ if message["result"].is_string() => true,
            _ => {
                if params["error"]["code"] != GOING_AWAY {
                    self.world.found(format!("a follower got {event:?}"));
                }
                false
            }
        }
    }
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

/// Compares what a follower has seen with the table. Returns a finding for each event that it has lost, seen twice, seen
/// too late, or seen otherwise than it is.
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
#[expect(clippy::unwrap_used, reason = "a panic fails the test")]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpListener};

    use super::*;

    fn event(number: u32) -> LoanEvent {
        LoanEvent {
            cursor: format!("7.{number}"),
            value: json!({"kind": "lent", "loan": {"id": number}}),
        }
    }

    fn wrong(numbers: &[u32]) -> Vec<String> {
        let seen: Vec<_> = numbers.iter().copied().map(event).collect();
        let table: Vec<_> = (1..=4).map(event).collect();
        let findings = compare(1, &seen, &table);
        let shortened = findings.iter().map(|finding| {
            let (what, event) = finding.split_once(": ").unwrap();
            let cursor = event.split('"').nth(1).unwrap();
            format!("{what}: {cursor}")
        });
        shortened.collect()
    }

    #[test]
    fn an_event_that_is_lost_repeated_late_or_unknown_is_found() {
        assert_eq!(wrong(&[1, 2, 3, 4]), [""; 0]);
        let lost = ["follower 1 was not told of an event: 7.2"];
        assert_eq!(wrong(&[1, 3, 4]), lost);
        let twice = ["follower 1 was told of an event twice: 7.2"];
        assert_eq!(wrong(&[1, 2, 3, 2, 4]), twice);
        let late = ["follower 1 was told of an event after a later one: 7.2"];
        assert_eq!(wrong(&[1, 3, 2, 4]), late);
        let unknown = ["follower 1 was told of an event that is not in the table: 7.9"];
        assert_eq!(wrong(&[1, 2, 3, 4, 9]), unknown);
        let mut other = event(2);
        other.value["kind"] = json!("returned");
        let changed = compare(1, &[event(1), other], &[event(1), event(2)]);
        assert!(changed[0].starts_with("follower 1 was told of an event with another value"));
    }

    /// Serves events to one caller after the other, and hangs up after each list.
    fn serve(lists: Vec<Vec<u32>>) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for list in lists {
                let (mut caller, _) = listener.accept().unwrap();
                let _ = caller.read(&mut [0; 4_096]).unwrap();
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                            Transfer-Encoding: chunked\r\n\r\n";
                caller.write_all(head.as_bytes()).unwrap();
                let answer = json!({"jsonrpc": "2.0", "result": "s1", "id": 1});
                let mut events = vec![format!(":\n\ndata: {answer}\n\n")];
                for LoanEvent { cursor, value } in list.into_iter().map(event) {
                    let params = json!({"subscription": "s1", "result": value, "cursor": cursor});
                    let item = json!({"params": params});
                    events.push(format!("id: {cursor}\ndata: {item}\n\n"));
                }
                // An event may be in several chunks.
                for piece in events.concat().as_bytes().chunks(50) {
                    let size = format!("{:x}\r\n", piece.len());
                    let chunk = [size.as_bytes(), piece, b"\r\n"].concat();
                    caller.write_all(&chunk).unwrap();
                }
            }
        });
        address
    }

    /// Returns what is wrong with what a follower sees of a server with these lists.
    fn followed(lists: Vec<Vec<u32>>) -> Vec<String> {
        let count = lists.iter().map(Vec::len).sum();
        let proxy = serve(lists);
        let end = OnceLock::new();
        let _ = end.set(FollowEnd {
            events: count,
            latest: Instant::now() + Duration::from_secs(30),
        });
        let world = World::new(1, Duration::from_secs(18));
        let places = Places {
            proxy,
            instances: &[],
        };
        let seen = follow(&world, &ClusterReport::default(), places, 1, &end);
        assert_eq!(world.findings(), 0);
        let numbers: Vec<_> = seen
            .iter()
            .map(|event| event.cursor[2..].parse().unwrap())
            .collect();
        wrong(&numbers)
    }

    #[test]
    fn a_server_that_loses_or_repeats_events_of_a_follower_that_comes_back_is_found() {
        assert_eq!(followed(vec![vec![1, 2], vec![3, 4]]), [""; 0]);
        let lost = ["follower 1 was not told of an event: 7.3"];
        assert_eq!(followed(vec![vec![1, 2], vec![4]]), lost);
        let twice = ["follower 1 was told of an event twice: 7.2"];
        assert_eq!(followed(vec![vec![1, 2], vec![2, 3, 4]]), twice);
    }
}
