#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::iter;
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

/// Serves events to one caller after the other, over SSE or a WebSocket, and hangs up after each list.
fn serve(lists: Vec<Vec<u32>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for list in lists {
            let (mut caller, _) = listener.accept().unwrap();
            let mut request = [0; 4_096];
            let length = caller.read(&mut request).unwrap();
            let is_socket = request[..length].starts_with(b"GET /rpc HTTP");
            let events = list.into_iter().map(event);
            let response = if is_socket {
                over_a_socket(events)
            } else {
                over_sse(events)
            };
            caller.write_all(&response).unwrap();
            if is_socket {
                // The subscription.
                let _ = caller.read(&mut request).unwrap();
            }
        }
    });
    address
}

/// Returns the answer to a subscription.
fn answer() -> Value {
    json!({"jsonrpc": "2.0", "result": "s1", "id": 1})
}

/// Returns the message with an event.
fn item(LoanEvent { cursor, value }: &LoanEvent) -> Value {
    json!({"params": {"subscription": "s1", "result": value, "cursor": cursor}})
}

fn over_a_socket(events: impl Iterator<Item = LoanEvent>) -> Vec<u8> {
    let mut response = b"HTTP/1.1 101 Switching Protocols\r\n\r\n".to_vec();
    for message in iter::once(answer()).chain(events.map(|event| item(&event))) {
        let text = message.to_string();
        // The last frame of a text of less than 126 bytes, or of up to 65,535 (RFC 6455, section 5.2).
        response.push(0x81);
        let length = u16::try_from(text.len()).unwrap();
        match u8::try_from(length) {
            Ok(length) if length < 126 => response.push(length),
            _ => {
                response.push(126);
                response.extend(length.to_be_bytes());
            }
        }
        response.extend(text.as_bytes());
    }
    response
}

fn over_sse(events: impl Iterator<Item = LoanEvent>) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    let mut body = format!(":\n\ndata: {}\n\n", answer());
    for event in events {
        let _ = write!(body, "id: {}\ndata: {}\n\n", event.cursor, item(&event));
    }
    let mut response = head.as_bytes().to_vec();
    // An event may be in several chunks.
    for piece in body.as_bytes().chunks(50) {
        response.extend(format!("{:x}\r\n", piece.len()).as_bytes());
        response.extend(piece);
        response.extend(b"\r\n");
    }
    response
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
    assert_eq!(
        followed(vec![vec![1], vec![2], vec![], vec![3], vec![4]]),
        [""; 0]
    );
    let lost = ["follower 1 was not told of an event: 7.3"];
    assert_eq!(followed(vec![vec![1, 2], vec![4]]), lost);
    let twice = ["follower 1 was told of an event twice: 7.2"];
    assert_eq!(followed(vec![vec![1, 2], vec![2, 3, 4]]), twice);
}
