//! Pipelined requests, and connections that are idle between two requests, over each kind of listener.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::carrier::{Carrier, Connection, Over};
use crate::client::{Request, Response};
use crate::interruption::{Event, PATIENCE, call, watched};
use crate::{call_with, service};

/// The smallest possible request.
const TINY: &[u8] = b"GET / HTTP/1.1\r\nHost:\r\n\r\n";

fn count(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"count","id":{id}}}"#)
}

/// Returns requests with the same result in every kind of framing: calls and others.
fn mixed(calls: usize) -> (Vec<u8>, Vec<String>) {
    let (mut bytes, mut outcomes) = (Vec::new(), Vec::new());
    for id in 1..=calls {
        let body = count(id);
        let post = Request::post("/rpc", body.as_bytes());
        bytes.extend_from_slice(&match id % 6 {
            0 => post.bytes(),
            1 => post.chunked(1 + id % 40),
            2 => [b"\r\n", &*post.bytes()].concat(),
            3 => post.header("Expect", "100-continue").bytes(),
            4 => post.header("Upgrade", "websocket").bytes(),
            _ => extended(&post),
        });
        outcomes.push(format!("200 {id} #{id}"));
        bytes.extend_from_slice(b"OPTIONS /rpc HTTP/1.1\r\nHost: localhost\r\n\r\n");
        outcomes.push("204".to_owned());
    }
    (bytes, outcomes)
}

/// Returns a request whose body is one chunk with an extension, followed by a trailer.
fn extended(request: &Request<'_>) -> Vec<u8> {
    let text = String::from_utf8(request.chunked(1_000)).expect("the request is text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let body = body.replacen("\r\n", ";name=\"value\"\r\n", 1);
    let body = body.replace("\r\n0\r\n\r\n", "\r\n0\r\nTrailer: 1\r\nOther: 2\r\n\r\n");
    format!("{head}\r\n\r\n{body}").into_bytes()
}

fn outcome(connection: &mut Connection) -> String {
    let response = Response::read(connection, false);
    match response.status {
        200 => format!("200 {}", response.brief()),
        // The server sends 100 Continue unless the body has already arrived.
        100 => outcome(connection),
        status => status.to_string(),
    }
}

/// Returns a call of this length, and its outcome, which depends on all of it.
fn sum(length: usize) -> (Vec<u8>, String) {
    let ones = (length - 100) / 2;
    let mut body = call_with("sum", &format!("[{}]", vec!["1"; ones].join(","))).into_bytes();
    body.resize(length, b' ');
    (body, format!("200 {ones} #1"))
}

#[test]
fn large_bodies_arrive_whole_and_requests_behind_them_are_answered() {
    let behind = count(0);
    let behind = Request::post("/rpc", behind.as_bytes()).bytes();
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let mut connection = server.connect();
        let mut counted = 0;
        // Around what the server passes on at a time, and multiples of it.
        for portions in [1, 3] {
            for (more, less) in [(0, 200), (0, 1), (0, 0), (1, 0)] {
                let (body, expected) = sum((portions << 16) + more - less);
                let request = Request::post("/rpc", &body);
                for bytes in [
                    request.bytes(),
                    request.chunked(body.len()),
                    request.chunked(10_000),
                ] {
                    let both = [&*bytes, &*behind].concat();
                    connection.write_all(&both).expect("the connection is open");
                    counted += 1;
                    assert_eq!(outcome(&mut connection), expected);
                    assert_eq!(outcome(&mut connection), format!("200 {counted} #0"));
                }
            }
        }
    }
}

#[test]
fn requests_however_framed_and_cut_are_answered_in_order() {
    for &carrier in Carrier::ALL {
        for (calls, piece) in [
            (12, 1),
            (30, 7),
            (60, 100),
            (200, 1_000),
            (400, 5_000),
            (400, usize::MAX),
        ] {
            let server = Over::start(carrier, service());
            let mut connection = server.connect();
            let mut sending = connection.another();
            sending.send_at_once();
            let (bytes, outcomes) = mixed(calls);
            let sender = std::thread::spawn(move || {
                for piece in bytes.chunks(piece.min(bytes.len())) {
                    sending.write_all(piece).expect("a piece is sent");
                }
            });
            for expected in outcomes {
                assert_eq!(outcome(&mut connection), expected, "pieces of {piece}");
            }
            sender.join().expect("the requests are sent");
        }
    }
}

/// Requests of every size, on one connection, one after the other and all at once. Even if little
/// of a request fits into the server's buffer, the server reads all of it.
#[test]
fn a_request_is_answered_whatever_its_size_and_the_size_of_those_before_it() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let paddings: Vec<String> = [1_500, 2_800, 3_000, 6_000, 7_500, 8_300, 9_000, 60_000]
            .map(|size| "a".repeat(size))
            .into();
        for padding in &paddings {
            let mut connection = server.connect();
            for id in 1..=20 {
                let body = count(id);
                let request = Request::post("/rpc", body.as_bytes()).header("X-Padding", padding);
                let response = Response::exchange(&mut connection, &request);
                assert_eq!(response.status, 200, "{} bytes, {id}", padding.len());
            }
        }
        for size in (500..20_000).step_by(750) {
            let mut connection = server.connect();
            let large = call_with("echo", &format!(r#"{{"value":"{}"}}"#, "a".repeat(size)));
            let requests: Vec<u8> = (1..=4)
                .flat_map(|id| {
                    let small = Request::post("/rpc", count(id).as_bytes()).bytes();
                    [small, Request::post("/rpc", large.as_bytes()).bytes()].concat()
                })
                .collect();
            let mut sending = connection.another();
            let sender = std::thread::spawn(move || sending.write_all(&requests));
            for id in 1..=8 {
                let response = Response::read(&mut connection, false);
                assert_eq!(response.status, 200, "{size} bytes, {id}");
            }
            assert!(sender.join().expect("no panic").is_ok());
        }
    }
}

#[test]
fn a_caller_who_leaves_behind_a_large_head_is_let_go() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let padding = "a".repeat(9_000);
        let request = Request::new("GET", "/rpc/sum?0=1").header("X-Padding", &padding);
        for _ in 0..5 {
            let mut connection = server.connect();
            connection
                .write_all(&request.bytes())
                .expect("the request is sent");
            connection.end_sending();
            // The connection ends, with or without a response. The server does not hold it.
            drop(connection.rest());
        }
    }
}

#[test]
fn requests_behind_a_call_that_takes_its_time_are_answered_after_it() {
    for &carrier in Carrier::ALL {
        const CALLS: usize = 2_000;
        let server = Over::start(carrier, service());
        let mut connection = server.connect();
        let mut sending = connection.another();
        let slow = call_with("slow_count", "[300]");
        let mut bytes = Request::post("/rpc", slow.as_bytes()).bytes();
        for id in 2..=CALLS {
            bytes.extend_from_slice(&Request::post("/rpc", count(id).as_bytes()).bytes());
        }
        let sender = std::thread::spawn(move || sending.write_all(&bytes));
        for id in 1..=CALLS {
            let brief = Response::read(&mut connection, false).brief();
            assert_eq!(brief, format!("{id} #{id}"));
        }
        assert!(sender.join().expect("no panic").is_ok());
    }
}

#[test]
fn a_hang_up_is_noticed_behind_requests_that_nobody_has_read() {
    for &carrier in Carrier::ALL {
        let watched = watched(|limits| limits.timeout = PATIENCE);
        let server = Over::start(carrier, watched.service.clone());
        // None, some, and more than the server reads ahead, but less than the socket buffers hold.
        for waiting in [0, 1, 100, 1_000] {
            let mut connection = server.connect();
            let body = call("read");
            let request = Request::post("/rpc", body.as_bytes()).bytes();
            connection.write_all(&request).expect("the request is sent");
            assert_eq!(watched.next(), Event::Started);
            connection
                .write_all(&TINY.repeat(waiting))
                .expect("the requests are sent");
            drop(connection);
            let begun = Instant::now();
            assert_eq!(watched.next(), Event::Dropped, "{waiting} requests");
            assert!(begun.elapsed() < PATIENCE / 2, "{waiting} requests");
        }
    }
}

#[test]
fn requests_behind_a_call_are_not_run_before_it_has_ended() {
    for &carrier in Carrier::ALL {
        let watched = watched(|limits| limits.timeout = PATIENCE);
        let server = Over::start(carrier, watched.service.clone());
        let mut connection = server.connect();
        let body = call("read");
        let request = Request::post("/rpc", body.as_bytes()).bytes();
        connection
            .write_all(&request.repeat(3))
            .expect("the requests are sent");
        for _ in 0..3 {
            assert_eq!(watched.next(), Event::Started);
            watched.gate.add_permits(1);
            assert_eq!(watched.next(), Event::Ended { cancelled: false });
            assert_eq!(outcome(&mut connection), "200 \"waited\" #\"w\"");
        }
    }
}

#[test]
fn a_caller_that_ends_its_own_side_gets_what_is_answered_at_once() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        for calls in [1, 10, 500] {
            let mut connection = server.connect();
            let bytes = Request::new("GET", "/rpc/get_data").bytes().repeat(calls);
            connection.write_all(&bytes).expect("the requests are sent");
            connection.end_sending();
            for _ in 0..calls {
                assert_eq!(Response::read(&mut connection, false).status, 200);
            }
            assert!(connection.is_closed());
        }
    }
}

fn timed(carrier: Carrier, head: Duration, keep_alive: Duration) -> Over {
    let server = docent::Server::new(service());
    Over::serving(carrier, server.head_timeout(head).keep_alive(keep_alive))
}

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(3_600);

#[test]
fn every_head_has_its_time_from_its_first_byte() {
    for &carrier in Carrier::ALL {
        let server = timed(carrier, SHORT, LONG);
        let request = Request::new("GET", "/rpc/get_data");
        let bytes = request.bytes();
        for (requests, beginning) in [(0, 0), (0, 1), (1, 1), (1, bytes.len() - 1), (3, 20)] {
            let mut connection = server.connect();
            for _ in 0..requests {
                assert_eq!(Response::exchange(&mut connection, &request).status, 200);
                // Time without a request in progress does not count.
                std::thread::sleep(SHORT);
            }
            let begun = Instant::now();
            connection
                .write_all(&bytes[..beginning])
                .expect("the connection is open");
            let response = Response::read(&mut connection, false);
            response.assert_request_error(408, "a head that does not end");
            assert_eq!(response.header("connection"), Some("close"));
            assert!(connection.is_closed());
            assert!(begun.elapsed() > SHORT / 2);
        }
        // If it is sent together with what precedes it, its time has started as well.
        let mut connection = server.connect();
        let both = [&*bytes, b"P"].concat();
        connection.write_all(&both).expect("the connection is open");
        assert_eq!(Response::read(&mut connection, false).status, 200);
        Response::read(&mut connection, false).assert_request_error(408, "a second head");
    }
}

#[test]
fn between_two_requests_keep_alive_holds_and_ends_without_a_word() {
    for &carrier in Carrier::ALL {
        let server = timed(carrier, LONG, SHORT);
        let request = Request::new("GET", "/rpc/get_data");
        let mut connection = server.connect();
        for _ in 0..3 {
            assert_eq!(Response::exchange(&mut connection, &request).status, 200);
            std::thread::sleep(SHORT / 4);
            // From the first byte on, the head's timeout applies.
            let bytes = request.bytes();
            connection
                .write_all(&bytes[..1])
                .expect("the connection is open");
            std::thread::sleep(2 * SHORT);
            connection
                .write_all(&bytes[1..])
                .expect("the connection is open");
            assert_eq!(Response::read(&mut connection, false).status, 200);
        }
        let rest = connection.rest();
        assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
    }
}

#[test]
fn a_body_that_goes_on_behind_its_answer_does_not_hold_a_connection() {
    for &carrier in Carrier::ALL {
        let server = timed(carrier, LONG, SHORT);
        let mut connection = server.connect();
        connection
        .write_all(
            b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
        )
        .expect("the connection is open");
        assert_eq!(Response::read(&mut connection, false).status, 404);
        assert!(connection.is_closed());
    }
}

#[test]
fn what_is_no_request_is_refused_with_a_body() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let long = format!(
            "GET /rpc HTTP/1.1\r\nHost: localhost\r\nX: {}",
            "x".repeat(200_000)
        );
        let many = format!(
            "GET /rpc HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
            "X: 1\r\n".repeat(200)
        );
        for (status, head) in [
            (400, "GET /rpc\r\n\r\n"),
            (400, "GET /rpc HTTP/2.0\r\n\r\n"),
            (400, "GET /rpc HTTP/1.1\r\n\r\n"),
            (
                400,
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
            ),
            (
                400,
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n{}",
            ),
            (
                400,
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n{}",
            ),
            (400, "{\"jsonrpc\":\"2.0\"}\r\n\r\n"),
            // The beginning of a handshake, where none is expected.
            (400, "\u{16}\u{3}\u{1}"),
            (431, &*long),
            (431, &*many),
        ] {
            let shown = &head[..head.len().min(60)];
            for before in [0, 2] {
                let mut connection = server.connect();
                let good = Request::new("GET", "/rpc/get_data").bytes().repeat(before);
                let bytes = [&*good, head.as_bytes()].concat();
                // A server that rejects a head does not read all of it.
                let _ = connection.write_all(&bytes);
                for _ in 0..before {
                    assert_eq!(Response::read(&mut connection, false).status, 200);
                }
                let response = Response::read(&mut connection, false);
                response.assert_request_error(status, shown);
                assert_eq!(response.header("connection"), Some("close"), "{shown}");
                assert!(connection.is_closed());
            }
        }
        assert_eq!(server.call("count"), "1 #1");
    }
}
