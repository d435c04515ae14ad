//! Memory stays bounded, whatever callers do, over each carrier. These tests measure the program's
//! process from outside.
//!
//! Only Linux reports the memory of a process. The limits are the same elsewhere.

use std::io::{ErrorKind, Read, Write};
use std::thread;
use std::time::Duration;

use crate::call_with;
use crate::carrier::{Carrier, Connection};
use crate::client::{Request, Response};
use crate::process::{AN_HOUR_MS, Program, eventually, outcome};

const MIB: u64 = 1 << 10;

/// The most memory that a connection uses besides its buffered responses, in KiB. actix-web's read
/// buffer never shrinks.
const CONNECTION: u64 = 320;

/// The memory that a connection over TLS uses besides while its peer stops within a record, in KiB: its session, and
/// the part of the record that has arrived.
const RECORD: u64 = 40;

/// The growth of the program's peak memory, in KiB.
struct Growth(u64);

impl Growth {
    fn of(program: &Program) -> Self {
        program.assert_serves();
        Self(program.memory("VmHWM"))
    }

    #[track_caller]
    fn assert_at_most(&self, program: &Program, kib: u64) {
        let grown = program.memory("VmHWM") - self.0;
        println!("{grown} KiB more, {kib} KiB allowed");
        assert!(grown <= kib, "{grown} KiB more, {kib} KiB allowed");
    }
}

/// Sends bytes to a server that may have stopped reading. Returns whether it accepted them.
fn send(connection: &mut Connection, bytes: &[u8]) -> bool {
    connection.write_all(bytes).is_ok()
}

fn call(procedure: &str, params: &str) -> Vec<u8> {
    Request::post("/rpc", call_with(procedure, params).as_bytes()).bytes()
}

/// Returns the head of a POST with a JSON body and these framing header fields.
fn head(framing: &str) -> String {
    format!(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{framing}\r\n\r\n"
    )
}

#[test]
fn a_flood_of_four_times_the_capacity_is_shed_and_every_call_is_answered_once() {
    for &carrier in Carrier::ALL {
        let program = Program::over(carrier, &["--max-calls", "16"]);
        let growth = Growth::of(&program);
        // Handshakes take a while, so all connections are there before the first call.
        let mut flood = program.connections(64);
        for connection in &mut flood {
            assert!(send(connection, &call("slow_count", "[2000]")));
        }
        let outcomes: Vec<_> = flood.iter_mut().map(outcome).collect();
        let ran = outcomes
            .iter()
            .filter(|outcome| **outcome == (200, None))
            .count();
        // Rejected before or after the body was read.
        let shed = [(503, Some(-32002)), (200, Some(-32002))];
        let refused = outcomes
            .iter()
            .filter(|outcome| shed.contains(outcome))
            .count();
        assert!(
            ran >= 16 && refused > 0,
            "{ran} ran, {refused} were rejected"
        );
        assert_eq!(ran + refused, 64, "{outcomes:?}");
        // The server recovers by itself, and no rejected call ran.
        assert_eq!(program.server.call("count"), format!("{} #1", ran + 1));
        growth.assert_at_most(&program, 16 * MIB);
    }
}

#[test]
fn bodies_that_stop_on_the_way_are_bounded_by_their_bytes_and_honest_ones_are_taken() {
    for &carrier in Carrier::ALL {
        const BODY: usize = 1 << 20;
        let limits = ["--max-waiting", "8388608", "--max-body", "1048576"];
        let flags = [&limits[..], &["--body-timeout-ms", "4000"]].concat();
        let program = Program::over(carrier, &flags);
        let growth = Growth::of(&program);
        let bytes = [
            head(&format!("Content-Length: {BODY}")).as_bytes(),
            &vec![b' '; BODY - 1],
        ]
        .concat();
        let begin = |_| {
            let mut connection = program.connect();
            send(&mut connection, &bytes);
            connection
        };
        let mut stopped: Vec<_> = (0..300).map(begin).collect();
        let mut whole = call_with("sum", "[1,2]").into_bytes();
        whole.resize(BODY, b' ');
        eventually("an honest caller gets a response", || {
            let response = program.post(&whole);
            (response.status == 200).then(|| assert_eq!(response.brief(), "3 #1"))
        });
        let each = match carrier {
            Carrier::Tcp | Carrier::Unix => CONNECTION,
            Carrier::Tls => CONNECTION + RECORD,
        };
        // The allocator keeps some of what it has been given back.
        growth.assert_at_most(&program, 8 * MIB + 300 * each + 8 * MIB);
        let told: Vec<_> = stopped
            .iter_mut()
            .map(|connection| outcome(connection).0)
            .collect();
        let count = |status| told.iter().filter(|found| **found == status).count();
        let (late, refused) = (count(408), count(503));
        assert_eq!(late + refused, 300, "{told:?}");
        assert!(late > 0 && refused > late, "{late} are late");
    }
}

#[test]
fn bodies_of_a_byte_now_and_then_are_408_when_their_time_is_over_and_honest_callers_are_served() {
    for &carrier in Carrier::ALL {
        let program = Program::over(carrier, &["--body-timeout-ms", "1500", "--max-calls", "16"]);
        let growth = Growth::of(&program);
        let begin = |place: usize| {
            let framing = ["Content-Length: 1000", "Transfer-Encoding: chunked"][place % 2];
            let mut connection = program.connect();
            assert!(send(&mut connection, head(framing).as_bytes()));
            connection.set_read_timeout(Duration::from_millis(1));
            connection
        };
        let mut slow: Vec<_> = (0..300).map(begin).collect();
        let mut open: Vec<_> = slow.iter_mut().enumerate().collect();
        eventually("all of them are told", || {
            program.assert_serves();
            open.retain_mut(|(place, connection)| {
                let byte: &[u8] = [&b" "[..], b"1\r\n \r\n"][*place % 2];
                let mut status = [0; 12];
                match connection.read(&mut status) {
                    Ok(12) => {
                        assert_eq!(&status, b"HTTP/1.1 408");
                        false
                    }
                    Ok(read) => panic!("{read} bytes of an answer"),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => send(connection, byte),
                    Err(error) => panic!("no answer: {error}"),
                }
            });
            open.is_empty().then_some(())
        });
        growth.assert_at_most(&program, 32 * MIB);
    }
}

#[test]
fn heads_that_never_end_are_408_when_their_time_is_over() {
    for &carrier in Carrier::ALL {
        let program = Program::over(carrier, &["--head-timeout-ms", "500"]);
        let growth = Growth::of(&program);
        let mut slow = program.begun(300, b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nX-");
        program.assert_serves();
        for connection in &mut slow {
            let response = Response::read(connection, false);
            assert_eq!(
                (response.status, response.header("connection")),
                (408, Some("close"))
            );
        }
        growth.assert_at_most(&program, 32 * MIB);
    }
}

#[test]
fn a_head_without_an_end_is_431_before_it_takes_much_memory() {
    for &carrier in Carrier::ALL {
        let program = Program::over(carrier, &[]);
        let growth = Growth::of(&program);
        for mut connection in program.connections(20) {
            send(&mut connection, b"GET /rpc HTTP/1.1\r\nX-Long: ");
            while send(&mut connection, &[b'x'; 8_192]) {}
        }
        program.assert_serves();
        growth.assert_at_most(&program, 16 * MIB);
    }
}

#[test]
fn a_body_without_an_end_is_413_and_little_of_it_is_read() {
    for &carrier in Carrier::ALL {
        let program = Program::over(carrier, &[]);
        let growth = Growth::of(&program);
        for framing in ["Content-Length: 999999999999", "Transfer-Encoding: chunked"] {
            let mut connection = program.connect();
            assert!(send(&mut connection, head(framing).as_bytes()));
            let chunk = [&b"10000\r\n"[..], &vec![b' '; 65_536], b"\r\n"].concat();
            // The loop ends because the connection does.
            while send(&mut connection, &chunk) {}
            program.assert_serves();
        }
        growth.assert_at_most(&program, 16 * MIB);
    }
}

#[test]
fn answers_that_nobody_takes_are_bounded_by_their_bytes_and_their_connections_close() {
    for &carrier in Carrier::ALL {
        const ANSWER: usize = 8_000_000;
        let flags = ["--max-waiting", "16777216", "--answer-timeout-ms", "1000"];
        let program = Program::over(carrier, &flags);
        let growth = Growth::of(&program);
        let before = program.descriptors();
        let params = format!("[{ANSWER}]");
        let mut unread = program.begun(16, &call("large", &params));
        for connection in &mut unread {
            connection
                .read_exact(&mut [0])
                .expect("the response starts");
        }
        // While the others hold all room, an honest caller's call does not start.
        eventually("an honest caller gets a response", || {
            let body = call_with("large", &params);
            let request = Request::post("/rpc", body.as_bytes()).header("Connection", "close");
            let mut connection = program.connect();
            connection
                .write_all(&request.bytes())
                .expect("the request is sent");
            let mut response = Vec::new();
            let _ = connection.read_to_end(&mut response);
            response.ends_with(b"x\",\"id\":1}").then_some(())
        });
        // The buffered responses, and one growing response in each worker.
        growth.assert_at_most(&program, (16 + 2 * 24) * MIB);
        eventually("the connections are closed", || {
            (program.descriptors() <= before + 2).then_some(())
        });
        drop(unread);
    }
}

#[test]
fn batches_of_large_answers_are_bounded_by_the_response_limit_and_the_calls_at_once() {
    for &carrier in Carrier::ALL {
        const RESPONSE: usize = 2 << 20;
        let flags = [
            "--max-calls",
            "8",
            "--max-waiting",
            "8388608",
            "--max-response",
            "2097152",
            "--answer-timeout-ms",
            "1000",
        ];
        let program = Program::over(carrier, &flags);
        let growth = Growth::of(&program);
        let batch = format!("[{}]", vec![call_with("large", "[500000]"); 6].join(","));
        let request = Request::post("/rpc", batch.as_bytes()).bytes();
        let mut unread = program.begun(24, &request);
        for connection in &mut unread {
            connection
                .read_exact(&mut [0])
                .expect("the response starts");
        }
        // While the others hold all room, an honest caller's calls do not start.
        eventually("an honest caller gets results", || {
            let response = program.post(&batch);
            assert!(response.body.len() <= RESPONSE, "{}", response.body.len());
            let results = response.text().matches("\"result\":").count();
            let replaced = response.text().matches("\"code\":-32004").count();
            (results > 0).then(|| assert_eq!((results, replaced), (4, 2)))
        });
        // The buffered responses, and one batch in progress in each worker.
        growth.assert_at_most(&program, (8 + 2 * 3 * 2 + 8) * MIB);
    }
}

/// Returns a GET whose response has this many bytes, compressed with gzip.
fn get_in_gzip(bytes: usize) -> Vec<u8> {
    let target = format!("/rpc/large?bytes={bytes}");
    Request::new("GET", &target)
        .header("Accept-Encoding", "gzip")
        .bytes()
}

#[test]
fn answers_that_are_compressed_are_bounded_by_their_bytes_and_what_compresses_them() {
    for &carrier in Carrier::ALL {
        const ANSWER: usize = 2_000_000;
        let limits = ["--max-calls", "4", "--max-waiting", "8388608"];
        let program = Program::over(
            carrier,
            &[&limits[..], &["--head-timeout-ms", AN_HOUR_MS]].concat(),
        );
        let growth = Growth::of(&program);
        let mut flood = program.begun(24, &get_in_gzip(ANSWER));
        let mut answered = 0;
        for connection in &mut flood {
            let mut status = [0; 12];
            // An uncompressed response may have been dropped because nobody reads it.
            if connection.read_exact(&mut status).is_ok() {
                let status = String::from_utf8_lossy(&status);
                assert!(
                    ["HTTP/1.1 200", "HTTP/1.1 503"].contains(&&*status),
                    "{status}"
                );
                answered += 1;
            }
        }
        assert!(answered > 0, "no caller was answered");
        program.assert_serves();
        // The buffered responses, and one growing response in each worker.
        growth.assert_at_most(&program, (8 + 2 * 6) * MIB + 24 * CONNECTION);
        // When the others have gone, there is room for compression.
        drop(flood);
        eventually("an honest caller gets its answer in gzip", || {
            let mut connection = program.connect();
            assert!(send(&mut connection, &get_in_gzip(ANSWER)));
            let head = Response::read(&mut connection, true);
            (head.header("content-encoding") == Some("gzip")).then_some(())
        });
    }
}

#[test]
fn connections_over_the_limit_wait_and_are_served_when_others_close() {
    for &carrier in Carrier::ALL {
        let flags = ["--max-connections", "20", "--keep-alive-ms", AN_HOUR_MS];
        let program = Program::over(carrier, &flags);
        // Two workers with 20 connections each.
        let mut open = program.connections(40);
        let request = Request::new("GET", "/rpc/get_data");
        for connection in &mut open {
            assert_eq!(Response::exchange(connection, &request).status, 200);
        }
        thread::scope(|scope| {
            // With TLS, they wait for the handshake.
            let call = || Response::exchange(&mut program.connect(), &request).status;
            let more: Vec<_> = (0..40).map(|_| scope.spawn(call)).collect();
            thread::sleep(Duration::from_millis(300));
            assert!(!more.iter().any(thread::ScopedJoinHandle::is_finished));
            drop(open);
            for caller in more {
                assert_eq!(caller.join().expect("no panic"), 200);
            }
        });
    }
}

#[test]
fn pipelines_behind_calls_that_take_their_time_take_little_memory() {
    for &carrier in Carrier::ALL {
        const PIPELINES: usize = 40;
        let program = Program::over(carrier, &[]);
        let mut waiting = program.begun(PIPELINES, &call("slow_count", "[3000]"));
        let growth = Growth::of(&program);
        let tiny = "GET /rpc/get_data HTTP/1.1\r\nHost:\r\n\r\n".repeat((128 << 10) / 39);
        for connection in &mut waiting {
            connection.set_write_timeout(Duration::from_millis(20));
            // As many requests as the buffers of the connection hold.
            let sent = connection.write(tiny.as_bytes());
            assert!(sent.is_ok_and(|sent| sent > 32 << 10));
        }
        for connection in &mut waiting {
            assert_eq!(Response::read(connection, false).code(), None);
        }
        growth.assert_at_most(&program, PIPELINES as u64 * 128 + 4 * MIB);
    }
}

#[test]
fn an_idle_connection_takes_at_most_4_kib() {
    const IDLE: u64 = 500;
    let program = Program::over(Carrier::Tcp, &[]);
    program.assert_serves();
    let before = program.memory("VmRSS");
    let mut idle = Vec::new();
    for _ in 0..IDLE {
        let mut connection = program.begun(1, &call("sum", "[1,2]")).remove(0);
        assert_eq!(Response::read(&mut connection, false).status, 200);
        idle.push(connection);
    }
    let grown = program.memory("VmRSS").saturating_sub(before);
    println!("{grown} KiB for {IDLE} connections");
    assert!(grown <= IDLE * 4, "{grown} KiB");
}

/// Sends requests on one connection and never reads. Returns whether the server stops reading
/// requests.
fn is_held_back(program: &Program, request: &str) -> bool {
    let mut connection = program.connect();
    connection.set_write_timeout(Duration::from_secs(1));
    let requests = request.repeat(1_000);
    let many = (128 << 20) / requests.len();
    (0..many).any(|_| connection.write_all(requests.as_bytes()).is_err())
}

#[test]
fn answers_without_a_body_wait_for_callers_that_do_not_read() {
    for &carrier in Carrier::ALL {
        let program = Program::over(carrier, &["--metrics"]);
        let requests = [
            ("OPTIONS /rpc", ""),
            ("GET /rpc", "Accept: text/html\r\n"),
            ("GET /rpc/subtract?0=1&1=2", "If-None-Match: *\r\n"),
            ("GET /nothing", ""),
            ("GET /", ""),
            ("GET /docs", ""),
            ("DELETE /docs/", ""),
            ("DELETE /health", ""),
            ("DELETE /metrics", ""),
        ];
        let program = &program;
        thread::scope(|scope| {
            for (line, field) in requests {
                scope.spawn(move || {
                    let request = format!("{line} HTTP/1.1\r\nHost: localhost\r\n{field}\r\n");
                    assert!(is_held_back(program, &request), "{line}");
                });
            }
        });
        program.assert_serves();
    }
}
