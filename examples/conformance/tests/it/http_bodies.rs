//! Bodies that are too large, too slow, sent in pieces, or truncated, over each kind of listener.

use std::io::Write;
use std::time::Duration;

use crate::carrier::{Carrier, Connection, Over};
use crate::client::{Request, Response};
use crate::{service, service_with};

/// Returns a call of `sum` whose body has exactly this length.
pub(crate) fn padded(length: usize) -> Vec<u8> {
    let mut body = br#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#.to_vec();
    body.resize(length, b' ');
    body
}

fn small(carrier: Carrier) -> Over {
    Over::start(
        carrier,
        service_with(|limits| limits.max_body_bytes = 1_000),
    )
}

#[test]
fn a_body_at_the_limit_is_taken_and_one_byte_more_is_413() {
    for &carrier in Carrier::ALL {
        let server = small(carrier);
        assert_eq!(server.post(padded(1_000)).brief(), "3 #1");
        let response = server.post(padded(1_001));
        response.assert_request_error(413, "one byte more");
        assert_eq!(response.code(), Some(-32003));
    }
}

#[test]
fn the_limit_holds_for_bodies_that_do_not_say_how_long_they_are() {
    for &carrier in Carrier::ALL {
        let server = small(carrier);
        for size in [1, 7, 100, 4_096] {
            for (length, status) in [(1_000, 200), (1_001, 413), (5_000, 413)] {
                let body = padded(length);
                let mut connection = server.connect();
                let bytes = Request::post("/rpc", &body).chunked(size);
                connection.write_all(&bytes).expect("the request is sent");
                let response = Response::read(&mut connection, false);
                assert_eq!(
                    response.status, status,
                    "{length} bytes in chunks of {size}"
                );
                let code = (status == 413).then_some(-32003);
                assert_eq!(response.code(), code);
            }
        }
    }
}

#[test]
fn the_limit_is_2_mib_unless_configured() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        assert_eq!(server.post(padded(2 << 20)).brief(), "3 #1");
        server
            .post(padded((2 << 20) + 1))
            .assert_request_error(413, "2 MiB and a byte");
    }
}

#[test]
fn a_client_that_sends_all_of_a_body_that_is_too_large_sees_the_answer_and_then_the_end() {
    for &carrier in Carrier::ALL {
        let server = small(carrier);
        let body = padded(5 << 20);
        let request = Request::post("/rpc", &body);
        for bytes in [request.bytes(), request.chunked(64 << 10)] {
            let mut connection = server.connect();
            connection.write_all(&bytes).expect("the request is sent");
            let response = Response::read(&mut connection, false);
            response.assert_request_error(413, "5 MiB");
            assert_eq!(response.header("connection"), Some("close"));
            assert!(connection.is_closed(), "the connection closes");
        }
        assert_eq!(server.call("count"), "1 #1");
    }
}

#[test]
fn a_body_that_is_too_large_does_not_run() {
    for &carrier in Carrier::ALL {
        let server = small(carrier);
        let mut body = br#"{"jsonrpc":"2.0","method":"count"}"#.to_vec();
        body.resize(1_001, b' ');
        server.post(&body).assert_request_error(413, "count");
        assert_eq!(server.call("count"), "1 #1");
    }
}

#[test]
fn a_client_that_announces_much_and_sends_nothing_is_told_before_the_time_for_bodies_is_over() {
    for &carrier in Carrier::ALL {
        let server = Over::with_options(
            carrier,
            service_with(|limits| limits.max_body_bytes = 1_000),
            |options| {
                options.drain_time = Duration::from_millis(50);
            },
        );
        let mut connection = server.connect();
        let head = b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n";
        connection.write_all(head).expect("the head is sent");
        let response = Response::read(&mut connection, false);
        response.assert_request_error(413, "announced");
        assert_eq!(response.header("connection"), Some("close"));
    }
}

/// Sends the start of a request whose body never ends.
fn begin(server: &Over, framing: &str, body: &[u8]) -> Connection {
    let mut connection = server.connect();
    let head = format!(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{framing}\r\n\r\n"
    );
    connection
        .write_all(&[head.as_bytes(), body].concat())
        .expect("the start of the request is sent");
    connection
}

#[test]
fn no_more_than_the_configured_rest_of_a_body_is_read() {
    for &carrier in Carrier::ALL {
        let server = Over::with_options(
            carrier,
            service_with(|limits| limits.max_body_bytes = 1_000),
            |options| {
                options.max_drain_bytes = 10_000;
                options.drain_time = Duration::from_secs(3_600);
            },
        );
        let mut open = Vec::new();
        for (framing, size) in [
            ("Content-Length: 99999999999", ""),
            ("Transfer-Encoding: chunked", "30d40\r\n"),
        ] {
            let body = [size.as_bytes(), &vec![b' '; 200_000]].concat();
            let mut connection = begin(&server, framing, b"");
            // The server may close before all of it is sent.
            let _ = connection.write_all(&body);
            let response = Response::read(&mut connection, false);
            response.assert_request_error(413, framing);
            if !connection.is_closed() {
                open.push(framing);
            }
        }
        assert!(open.is_empty(), "the connection stays open: {open:?}");
    }
}

#[test]
fn who_goes_on_sending_is_cut_off() {
    for &carrier in Carrier::ALL {
        let server = Over::with_options(
            carrier,
            service_with(|limits| limits.max_body_bytes = 1_000),
            |options| {
                options.max_drain_bytes = 10_000;
            },
        );
        let mut connection = begin(&server, "Content-Length: 99999999999", b"");
        let piece = vec![b' '; 64 << 10];
        let pieces = (0..).take_while(|_| connection.write_all(&piece).is_ok());
        // The rest is in the buffers of both ends of the connection.
        let most = (64 << 20) / piece.len();
        let sent = pieces.take(most).count();
        assert!(sent < most, "{sent} pieces were sent");
    }
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_408_and_the_connection_closes() {
    for &carrier in Carrier::ALL {
        let server = Over::with_options(carrier, service(), |options| {
            options.body_timeout = Duration::from_millis(80);
        });
        let mut open = Vec::new();
        for (framing, body) in [
            ("Content-Length: 100", "{\"jsonrpc\""),
            ("Content-Length: 1", ""),
            ("Transfer-Encoding: chunked", "5\r\n{\"jso\r\n"),
            ("Transfer-Encoding: chunked", "5\r\n{\"j"),
            ("Transfer-Encoding: chunked", ""),
        ] {
            let mut connection = begin(&server, framing, body.as_bytes());
            let response = Response::read(&mut connection, false);
            response.assert_request_error(408, framing);
            assert_eq!(response.header("connection"), Some("close"), "{framing}");
            if !connection.is_closed() {
                open.push((framing, body));
            }
        }
        assert_eq!(server.call("count"), "1 #1");
        assert!(open.is_empty(), "the connection stays open: {open:?}");
    }
}

#[test]
fn a_body_that_comes_in_pieces_is_one_body() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let mut connection = server.connect();
        let body = padded(60);
        let request = Request::post("/rpc", &body);
        for bytes in [request.bytes(), request.chunked(1), request.chunked(13)] {
            for piece in bytes.chunks(17) {
                connection.write_all(piece).expect("a piece is sent");
            }
            let response = Response::read(&mut connection, false);
            assert_eq!((response.status, &*response.brief()), (200, "3 #1"));
        }
    }
}

#[test]
fn requests_sent_before_the_first_answer_are_answered_in_order() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let mut connection = server.connect();
        let bodies: Vec<_> = (0..20)
            .map(|id| format!(r#"{{"jsonrpc":"2.0","method":"count","id":{id}}}"#))
            .collect();
        let bytes: Vec<u8> = bodies
            .iter()
            .flat_map(|body| Request::post("/rpc", body.as_bytes()).bytes())
            .collect();
        connection.write_all(&bytes).expect("the requests are sent");
        for id in 0..20 {
            assert_eq!(
                Response::read(&mut connection, false).brief(),
                format!("{} #{id}", id + 1)
            );
        }
    }
}

#[test]
fn a_body_that_is_cut_short_or_badly_coded_does_not_run_and_the_server_goes_on() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let count = r#"{"jsonrpc":"2.0","method":"count"}"#;
        for rest in [
            format!("Content-Length: 100\r\n\r\n{count}"),
            format!("Transfer-Encoding: chunked\r\n\r\n22\r\n{count}\r\n"),
            format!("Transfer-Encoding: chunked\r\n\r\nxyz\r\n{count}\r\n0\r\n\r\n"),
            format!("Content-Length: -1\r\n\r\n{count}"),
            format!("Content-Length: 34\r\nContent-Length: 35\r\n\r\n{count}"),
        ] {
            let mut connection = server.connect();
            let bytes = format!(
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{rest}"
            );
            connection
                .write_all(bytes.as_bytes())
                .expect("the bytes are sent");
            drop(connection);
        }
        assert_eq!(server.call("count"), "1 #1");
    }
}

#[test]
fn a_body_whose_framing_is_broken_gets_one_answer() {
    for &carrier in Carrier::ALL {
        let server = Over::start(carrier, service());
        let body = r#"{"jsonrpc":"2.0","method":"sum","params":[1],"id":1}"#;
        let length = format!("{:x}", body.len());
        for (request, status) in [
            ("POST /rpc", "400"),
            ("POST /rpc/sum", "400"),
            ("POST /nowhere", "404"),
            ("POST /docs/", "405"),
            ("GET /rpc/sum?0=1", "200"),
            ("GET /health", "200"),
        ] {
            for framing in [
                format!("xyz\r\n{body}\r\n0\r\n\r\n"),
                format!("\r\n{body}\r\n0\r\n\r\n"),
                format!("{length}\r\n{body}and more\r\n0\r\n\r\n"),
                format!("{length}\r\n{body}\r\n0\r\n\rx"),
                format!("{length}\n{body}\r\n0\r\n\r\n"),
                format!("{length} 1\r\n{body}\r\n0\r\n\r\n"),
                format!("fffffffffffffffff\r\n{body}\r\n0\r\n\r\n"),
            ] {
                // Alone, in two pieces, and after other requests.
                for (before, cut) in [(0, false), (0, true), (2, false)] {
                    let mut connection = server.connect();
                    let good = Request::new("GET", "/rpc/get_data").bytes().repeat(before);
                    let head = format!(
                        "{request} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                     Transfer-Encoding: chunked\r\n\r\n"
                    );
                    let first = [&*good, head.as_bytes()].concat();
                    if cut {
                        connection
                            .write_all(&first)
                            .expect("the connection is open");
                        std::thread::sleep(Duration::from_millis(2));
                        let _ = connection.write_all(framing.as_bytes());
                    } else {
                        let all = [&*first, framing.as_bytes()].concat();
                        connection.write_all(&all).expect("the connection is open");
                    }
                    let said = connection.rest();
                    let said = String::from_utf8_lossy(&said);
                    let statuses: Vec<_> = said.match_indices("HTTP/1.1 ").collect();
                    assert_eq!(statuses.len(), before + 1, "{request} {framing:?} {said}");
                    let (last, _) = statuses[before];
                    assert_eq!(&said[last + 9..last + 12], status, "{request} {framing:?}");
                }
            }
        }
    }
}

/// Returns a connection that has sent the head of a request with `Expect: 100-continue` and a body
/// of this length.
fn expecting(server: &Over, target: &str, kind: &str, length: usize) -> Connection {
    let mut connection = server.connect();
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n\
         Expect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
    );
    connection
        .write_all(head.as_bytes())
        .expect("the head is sent");
    connection
}

#[test]
fn a_client_that_waits_to_be_told_to_go_on_is_told_so_where_its_body_is_read_and_not_before() {
    for &carrier in Carrier::ALL {
        let service = service_with(|limits| limits.max_body_bytes = 1_000);
        let server = Over::with_options(carrier, service, |options| {
            options.drain_time = Duration::from_secs(3_600);
        });
        let mut connection = expecting(&server, "/rpc", "application/json", 1_000);
        assert_eq!(Response::read(&mut connection, false).status, 100);
        connection
            .write_all(&padded(1_000))
            .expect("the body is sent");
        assert_eq!(Response::read(&mut connection, false).brief(), "3 #1");
        for (target, kind, length, status) in [
            ("/rpc", "application/json", 1_001, 413),
            ("/rpc/sum", "application/json", 99_999_999, 413),
            ("/rpc", "text/plain", 10, 415),
            ("/rpc/a/b", "application/json", 10, 404),
        ] {
            let mut connection = expecting(&server, target, kind, length);
            // The server does not wait for a body that it told the client not to send.
            let response = Response::read(&mut connection, false);
            response.assert_request_error(status, target);
            let says_so = response.header("connection") == Some("close");
            assert!(says_so || connection.is_closed(), "{target}");
        }
    }
}

#[test]
fn a_request_that_offers_to_upgrade_is_answered_like_any_other_and_its_connection_goes_on() {
    for &carrier in Carrier::ALL {
        let server = small(carrier);
        let body = padded(60);
        for upgrade in ["websocket", "WebSocket", "h2c", "TLS/1.0, h2c"] {
            for connection in ["Upgrade", "keep-alive, Upgrade", "Upgrade, HTTP2-Settings"] {
                let request = Request::post("/rpc", &body)
                    .header("Connection", connection)
                    .header("Upgrade", upgrade)
                    .header("HTTP2-Settings", "AAMAAABkAAQAoAAAAAIAAAAA");
                let mut connection = server.connect();
                for _ in 0..3 {
                    for bytes in [request.bytes(), request.chunked(7)] {
                        connection
                            .write_all(&bytes)
                            .expect("the connection is open");
                        let response = Response::read(&mut connection, false);
                        assert_eq!((response.status, &*response.brief()), (200, "3 #1"));
                        assert_eq!(response.header("connection"), None);
                        assert_eq!(response.header("upgrade"), None);
                    }
                }
                let large = padded(1_001);
                let request = Request {
                    body: Some(&large),
                    ..request
                };
                server
                    .send(&request)
                    .assert_request_error(413, "one byte more");
            }
        }
        let bodiless = Request::new("POST", "/rpc")
            .header("Content-Type", "application/json")
            .header("Upgrade", "websocket");
        assert_eq!(server.send(&bodiless).brief(), "error -32700 #null");
        let get = Request::new("GET", "/rpc/get_data").header("Upgrade", "websocket");
        assert_eq!(server.send(&get).status, 200);
        let last = Request::post("/rpc", &body).header("Connection", "Upgrade, close");
        let mut connection = server.connect();
        let response = Response::exchange(&mut connection, &last);
        assert_eq!(response.header("connection"), Some("close"));
        assert!(connection.is_closed());
    }
}
