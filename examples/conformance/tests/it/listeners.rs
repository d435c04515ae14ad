//! Attacks on connections, over each kind of listener, and on the handshake of TLS.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use docent_server::rustls::{AlertDescription, ClientConnection, Error};
use docent_server::{Cx, Fault, HttpOptions, Procedure, Server, Service};

use crate::carrier::{Carrier, Connection, Everywhere, TRUST};
use crate::client::Request;
use crate::interruption::{Event, PATIENCE, call, watched};
use crate::{call_with, service, service_with};

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(3_600);

/// The smallest possible request.
const TINY: &[u8] = b"GET / HTTP/1.1\r\nHost:\r\n\r\n";

fn start(service: &Service, change: impl FnOnce(&mut HttpOptions)) -> Everywhere {
    Everywhere::serving(Server::new(service.clone()).options(change))
}

#[track_caller]
fn read(connection: &mut Connection) -> raw_http::Answer {
    raw_http::Answer::read(connection, false)
}

#[track_caller]
fn assert_refused(connection: &mut Connection, status: u16, what: &str) {
    let answer = read(connection);
    assert_eq!(answer.status, status, "{what}");
    assert_eq!(answer.header("connection"), Some("close"), "{what}");
    assert!(answer.header("x-request-id").is_some(), "{what}");
    assert!(answer.json()["error"]["code"].is_i64(), "{what}");
    assert!(connection.is_closed(), "{what}");
}

fn count(id: usize) -> Vec<u8> {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"count","id":{id}}}"#);
    Request::post("/rpc", body.as_bytes()).bytes()
}

#[test]
fn requests_in_pieces_of_any_size_are_answered_in_order() {
    for carrier in Carrier::ALL {
        for (calls, piece) in [(8, 1), (30, 7), (200, 1_000), (400, usize::MAX)] {
            let server = start(&service(), |_| {});
            let mut connection = server.connect(*carrier);
            let mut sending = connection.another();
            let bytes: Vec<u8> = (1..=calls).flat_map(count).collect();
            let sender = std::thread::spawn(move || {
                for piece in bytes.chunks(piece.min(bytes.len())) {
                    sending.write_all(piece).expect("a piece is sent");
                }
            });
            for id in 1..=calls {
                let answer = read(&mut connection);
                assert_eq!(
                    answer.json()["result"],
                    id,
                    "{carrier:?}, pieces of {piece}"
                );
            }
            sender.join().expect("the requests are sent");
        }
    }
}

#[test]
fn requests_behind_a_call_that_takes_its_time_are_answered_after_it() {
    const CALLS: usize = 2_000;
    for carrier in Carrier::ALL {
        let server = start(&service(), |_| {});
        let mut connection = server.connect(*carrier);
        let mut sending = connection.another();
        let slow = call_with("slow_count", "[300]");
        let mut bytes = Request::post("/rpc", slow.as_bytes()).bytes();
        bytes.extend((2..=CALLS).flat_map(count));
        let sender = std::thread::spawn(move || sending.write_all(&bytes));
        for id in 1..=CALLS {
            let answer = read(&mut connection);
            assert_eq!(answer.json()["result"], id, "{carrier:?}");
        }
        assert!(sender.join().expect("no panic").is_ok(), "{carrier:?}");
    }
}

#[test]
fn a_hang_up_is_noticed_also_behind_requests_that_nobody_has_read() {
    for carrier in Carrier::ALL {
        let watched = watched(|limits| limits.timeout = PATIENCE);
        let server = start(&watched.service, |_| {});
        // None, some, and more than the server reads ahead.
        for waiting in [0, 1, 100, 1_000] {
            let mut connection = server.connect(*carrier);
            let body = call("read");
            let request = Request::post("/rpc", body.as_bytes()).bytes();
            connection.write_all(&request).expect("the request is sent");
            assert_eq!(watched.next(), Event::Started);
            let requests = TINY.repeat(waiting);
            connection.write_all(&requests).expect("they are sent");
            drop(connection);
            let begun = Instant::now();
            assert_eq!(watched.next(), Event::Dropped, "{carrier:?}, {waiting}");
            assert!(begun.elapsed() < PATIENCE / 2, "{carrier:?}, {waiting}");
        }
    }
}

#[test]
fn a_caller_that_ends_its_own_side_gets_what_is_answered_at_once() {
    for carrier in Carrier::ALL {
        let server = start(&service(), |_| {});
        for calls in [1, 10, 500] {
            let mut connection = server.connect(*carrier);
            let bytes = Request::new("GET", "/rpc/get_data").bytes().repeat(calls);
            connection.write_all(&bytes).expect("they are sent");
            connection.end_sending();
            for _ in 0..calls {
                assert_eq!(read(&mut connection).status, 200, "{carrier:?}");
            }
            assert!(connection.is_closed(), "{carrier:?}");
        }
    }
}

#[test]
fn every_head_has_its_time_from_its_first_byte() {
    for carrier in Carrier::ALL {
        let server = start(&service(), |options| {
            options.head_timeout = SHORT;
            options.keep_alive = LONG;
        });
        let request = Request::new("GET", "/rpc/get_data");
        let bytes = request.bytes();
        for (requests, beginning) in [(0, 0), (0, 1), (1, 1), (1, bytes.len() - 1), (3, 20)] {
            let mut connection = server.connect(*carrier);
            for _ in 0..requests {
                let answer = raw_http::Answer::exchange(&mut connection, &request);
                assert_eq!(answer.status, 200);
                // Time without a request in progress does not count.
                std::thread::sleep(SHORT);
            }
            let begun = Instant::now();
            connection
                .write_all(&bytes[..beginning])
                .expect("the connection is open");
            assert_refused(&mut connection, 408, &format!("{carrier:?}"));
            assert!(begun.elapsed() < 10 * SHORT, "{carrier:?}");
        }
    }
}

#[test]
fn an_idle_connection_ends_without_a_word() {
    for carrier in Carrier::ALL {
        let server = start(&service(), |options| options.keep_alive = SHORT);
        let mut connection = server.connect(*carrier);
        let request = Request::new("GET", "/rpc/get_data");
        let answer = raw_http::Answer::exchange(&mut connection, &request);
        assert_eq!(answer.status, 200);
        assert!(connection.is_closed(), "{carrier:?}");
    }
}

#[test]
fn what_is_no_request_is_refused_with_a_body() {
    let long = format!("GET /rpc HTTP/1.1\r\nHost: x\r\nX: {}", "x".repeat(200_000));
    for carrier in Carrier::ALL {
        let server = start(&service(), |_| {});
        for (status, head) in [
            (400, "GET /rpc\r\n\r\n"),
            (400, "{\"jsonrpc\":\"2.0\"}\r\n\r\n"),
            // The beginning of a handshake, where none is expected.
            (400, "\u{16}\u{3}\u{1}"),
            (431, &*long),
        ] {
            for before in [0, 2] {
                let mut connection = server.connect(*carrier);
                let good = Request::new("GET", "/rpc/get_data").bytes().repeat(before);
                // A server that rejects a head does not read all of it.
                let _ = connection.write_all(&[&*good, head.as_bytes()].concat());
                for _ in 0..before {
                    assert_eq!(read(&mut connection).status, 200);
                }
                let shown = format!("{carrier:?}, {}", &head[..head.len().min(30)]);
                assert_refused(&mut connection, status, &shown);
            }
        }
    }
}

#[test]
fn a_body_that_is_too_large_is_413_and_its_caller_can_read_that() {
    for carrier in Carrier::ALL {
        let limited = service_with(|limits| limits.max_body_bytes = 1_000);
        let server = start(&limited, |_| {});
        for size in [1_001, 100_000, 4 << 20] {
            let mut connection = server.connect(*carrier);
            let body = vec![b' '; size];
            let mut sending = connection.another();
            let bytes = Request::post("/rpc", &body).bytes();
            let sender = std::thread::spawn(move || sending.write_all(&bytes));
            assert_refused(&mut connection, 413, &format!("{carrier:?}, {size}"));
            let _ = sender.join().expect("no panic");
        }
    }
}

#[test]
fn a_body_that_stops_on_the_way_is_408() {
    for carrier in Carrier::ALL {
        let server = start(&service(), |options| options.body_timeout = SHORT);
        let mut connection = server.connect(*carrier);
        connection
            .write_all(b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
            .expect("the connection is open");
        assert_refused(&mut connection, 408, &format!("{carrier:?}"));
    }
}

#[test]
fn a_large_response_arrives_whole_and_one_that_nobody_reads_ends() {
    const SIZE: usize = 6_000_000;
    for carrier in Carrier::ALL {
        let server = start(&service(), |options| options.write_timeout = SHORT);
        let body = call_with("large", &format!("[{SIZE}]"));
        let request = Request::post("/rpc", body.as_bytes());
        let mut connection = server.connect(*carrier);
        let answer = raw_http::Answer::exchange(&mut connection, &request);
        assert!(answer.body.len() > SIZE, "{carrier:?}");
        if cfg!(target_os = "linux") || !matches!(carrier, Carrier::Tcp | Carrier::Tls) {
            let mut connection = server.connect(*carrier);
            connection.write_all(&request.bytes()).expect("it is sent");
            std::thread::sleep(10 * SHORT);
            let mut rest = Vec::new();
            // The system has buffered some of it.
            let _ = connection.read_to_end(&mut rest);
            assert!(rest.len() < SIZE, "{carrier:?}: {}", rest.len());
        }
    }
}

#[test]
fn a_handle_stops_all_listeners_after_their_running_calls() {
    let mut server = start(&service(), |_| {});
    let body = call_with("slow_count", "[600]");
    let bytes = Request::post("/rpc", body.as_bytes()).bytes();
    let mut connections: Vec<_> = Carrier::ALL.iter().map(|it| server.connect(*it)).collect();
    for connection in &mut connections {
        connection.write_all(&bytes).expect("the call is sent");
    }
    std::thread::sleep(Duration::from_millis(200));
    let stopped = server.stop();
    assert!(stopped.is_ok(), "{stopped:?}");
    for connection in &mut connections {
        assert_eq!(read(connection).status, 200);
    }
    assert!(TcpStream::connect(server.plain).is_err());
    assert!(TcpStream::connect(server.secure).is_err());
    assert!(!server.folder.path().join("socket").exists());
}

/// Returns everything that a server sends until it closes the connection, and how long that takes.
fn attack(server: &Everywhere, bytes: &[u8]) -> (Vec<u8>, Duration) {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(server.secure).expect("the server listens");
    let patience = Some(Duration::from_secs(30));
    stream.set_read_timeout(patience).expect("it can be set");
    stream.write_all(bytes).expect("it is sent");
    let mut said = Vec::new();
    let ended = stream.read_to_end(&mut said);
    let reset = ended.is_err_and(|error| error.kind() != std::io::ErrorKind::ConnectionReset);
    assert!(!reset, "the connection stays open");
    (said, begun.elapsed())
}

/// Returns a client that offers these protocols, and its first message.
fn hello(protocols: &[&[u8]]) -> (ClientConnection, Vec<u8>) {
    let mut config = (*TRUST.client).clone();
    config.alpn_protocols = protocols.iter().map(|it| it.to_vec()).collect();
    let name = "localhost".try_into().expect("a name");
    let mut session = ClientConnection::new(Arc::new(config), name).expect("a session");
    let mut bytes = Vec::new();
    session.write_tls(&mut bytes).expect("it writes to memory");
    (session, bytes)
}

#[test]
fn a_handshake_that_does_not_end_is_cut_off_and_others_are_served() {
    let server = start(&service(), |options| options.handshake_timeout = SHORT);
    let (_, hello) = hello(&[]);
    for sent in [&[][..], &hello[..1], &hello[..hello.len() / 2], &hello] {
        let (_, time) = attack(&server, sent);
        assert!(time > SHORT / 2 && time < 10 * SHORT, "{time:?}");
    }
    let mut connection = server.connect(Carrier::Tls);
    connection.write_all(&count(1)).expect("it is sent");
    assert_eq!(read(&mut connection).json()["result"], 1);
}

#[test]
fn what_is_no_handshake_is_answered_at_once() {
    let server = start(&service(), |options| options.handshake_timeout = LONG);
    // Plain HTTP gets a response that a person understands.
    let request = Request::new("GET", "/rpc/get_data").bytes();
    let (said, _) = attack(&server, &request);
    let answer = raw_http::Answer::read(&mut &said[..], false);
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("https://"), "{}", answer.text());
    // Anything else gets an alert of TLS.
    for sent in [
        &b"\x16\x03\x01\xff\xff"[..],
        &[0x80, 0x2e, 1],
        &[0; 100],
        &[255; 9_000],
    ] {
        let (said, time) = attack(&server, sent);
        assert!(said.is_empty() || said[0] == 21, "{said:?}");
        assert!(time < Duration::from_secs(10));
    }
}

#[test]
fn a_client_of_http_2_alone_is_told_that_there_is_none() {
    let server = start(&service(), |options| options.handshake_timeout = LONG);
    let (mut session, hello) = hello(&[b"h2"]);
    let (said, _) = attack(&server, &hello);
    session.read_tls(&mut &*said).expect("it reads from memory");
    let alert = AlertDescription::NoApplicationProtocol;
    let told = session.process_new_packets().err();
    assert_eq!(told, Some(Error::AlertReceived(alert)));
}

#[test]
fn large_bodies_that_all_callers_share_arrive_whole_also_at_callers_that_read_late() {
    let text = "eight b ".repeat(1_000_000);
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let service = Service::builder("large", "urn:uuid:0b7a52d4-3c66-4f0e-8f1c-5d2a9e3b7c03")
        .procedure(hello.description(text))
        .build()
        .expect("no mistakes");
    let description = service.rendered_description().to_vec();
    let description = String::from_utf8(description).expect("UTF-8");
    let expected = format!(r#"{{"jsonrpc":"2.0","result":{description},"id":null}}"#);
    let request = Request::new("GET", "/rpc/rpc.describe").bytes();
    let server = start(&service, |_| {});
    for carrier in Carrier::ALL {
        let mut connection = server.connect(*carrier);
        let requests = request.repeat(2);
        connection.write_all(&requests).expect("they are sent");
        std::thread::sleep(Duration::from_millis(300));
        for _ in 0..2 {
            let answer = read(&mut connection);
            assert!(answer.text() == expected, "{carrier:?}");
        }
    }
}
