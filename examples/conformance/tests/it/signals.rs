//! SIGTERM and SIGINT, sent to the program.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::carrier::Connection;
use crate::client::{Request, Response};
use crate::process::{AN_HOUR_MS, Program, outcome};

const COUNT: &[u8] = br#"{"jsonrpc":"2.0","method":"count","id":1}"#;

/// Returns a connection whose call has yet to send its body: the server has sent 100 Continue.
fn arriving(program: &Program) -> TcpStream {
    let mut connection = program.server.connect();
    let head = format!(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        COUNT.len()
    );
    connection
        .write_all(head.as_bytes())
        .expect("the request is sent");
    assert_eq!(Response::read(&mut connection, false).status, 100);
    connection
}

/// Starts a program that allows one call at a time, without a timeout.
fn endless(flags: &[&str]) -> Program {
    let own = ["--max-calls", "1", "--timeout-ms", AN_HOUR_MS];
    Program::start(&[&own, flags].concat())
}

#[test]
fn a_server_that_shuts_down_says_on_each_connection_that_it_closes() {
    let program = Program::start(&["--max-calls", "1", "--keep-alive-ms", AN_HOUR_MS]);
    let call = Request::post("/rpc", COUNT);
    let mut open = program.server.connect();
    assert_eq!(
        Response::exchange(&mut open, &call).header("connection"),
        None
    );
    let mut running = program.running("slow_count", "[2000]");
    program.signal("TERM");
    program.wait_until_leaving();
    let refused = Response::exchange(&mut open, &call);
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("connection"), Some("close"));
    assert!(Connection::Tcp(open).is_closed());
    let response = Response::read(&mut running, false);
    assert_eq!(response.status, 200);
    assert_eq!(response.header("connection"), Some("close"));
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
}

fn leaves_in_good_order_on(signal: &str) {
    let program = Program::start(&["--max-calls", "1", "--keep-alive-ms", AN_HOUR_MS]);
    let mut open = program.server.connect();
    let health = Request::new("GET", "/health");
    assert_eq!(Response::exchange(&mut open, &health).status, 200);
    let mut arriving = arriving(&program);
    let mut running = program.running("slow_count", "[4000]");
    program.signal(signal);
    program.wait_until_leaving();
    // A connection that was open before says so too.
    assert_eq!(Response::exchange(&mut open, &health).status, 503);
    let refused = program.server.call("count");
    assert_eq!(refused, "error -32002 #null");
    arriving.write_all(COUNT).expect("the body is sent");
    assert_eq!(outcome(&mut arriving), (503, Some(-32002)));
    assert_eq!(Response::read(&mut running, false).brief(), "1 #1");
    let address = program.server.address;
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn sigterm_refuses_new_calls_finishes_what_runs_and_leaves_with_status_0() {
    leaves_in_good_order_on("TERM");
}

#[test]
fn sigint_refuses_new_calls_finishes_what_runs_and_leaves_with_status_0() {
    leaves_in_good_order_on("INT");
}

#[test]
fn calls_are_accepted_until_the_notice_is_over() {
    let program = Program::start(&["--notice-ms", "2000", "--keep-alive-ms", AN_HOUR_MS]);
    let mut open = program.server.connect();
    let call = Request::post("/rpc", COUNT);
    let health = Request::new("GET", "/health");
    program.signal("TERM");
    program.wait_until_leaving();
    // On connections that were open before and on new ones, which stay open.
    for number in 1..=3 {
        let response = Response::exchange(&mut open, &call);
        assert_eq!(
            (response.status, response.header("connection")),
            (200, None)
        );
        assert_eq!(Response::exchange(&mut open, &health).status, 503);
        assert_eq!(program.server.call("count"), format!("{} #1", number * 2));
    }
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("calls are still accepted"), "{log}");
}

#[test]
fn a_second_signal_ends_a_notice() {
    let program = Program::start(&["--notice-ms", AN_HOUR_MS]);
    program.signal("TERM");
    program.wait_until_leaving();
    program.signal("TERM");
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(1), "{log}");
}

/// Calls repeatedly, each time on a new connection, until connections are refused. Returns what
/// went wrong. The last call may be reset: it connected in the moment in which the listener closed.
fn calls_until_refused(address: std::net::SocketAddr) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut calls = 0;
    while let Ok(mut connection) = TcpStream::connect(address) {
        calls += 1;
        let request = Request::post("/rpc", COUNT).header("Connection", "close");
        let mut said = Vec::new();
        let outcome = connection
            .write_all(&request.bytes())
            .and_then(|()| connection.read_to_end(&mut said));
        if outcome.as_ref().is_err_and(is_reset) && TcpStream::connect(address).is_err() {
            break;
        }
        let said = String::from_utf8_lossy(&said);
        let is_answer = said.starts_with("HTTP/1.1 200") || said.starts_with("HTTP/1.1 503");
        if outcome.is_err() || !is_answer || !said.ends_with('}') {
            wrong.push(format!("call {calls}: {outcome:?} {said}"));
        }
    }
    wrong
}

fn is_reset(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
    )
}

#[test]
fn callers_who_connect_while_the_server_leaves_are_answered_until_its_listener_closes() {
    for _ in 0..5 {
        let program = Program::start(&[]);
        let address = program.server.address;
        program.assert_serves();
        let callers: Vec<_> = (0..8)
            .map(|_| std::thread::spawn(move || calls_until_refused(address)))
            .collect();
        std::thread::sleep(Duration::from_millis(50));
        program.signal("TERM");
        let (status, log) = program.end();
        assert_eq!(status.code(), Some(0), "{log}");
        for caller in callers {
            let wrong = caller.join().expect("no panic");
            assert!(wrong.is_empty(), "{wrong:?}");
        }
    }
}

#[test]
fn a_signal_before_the_first_request_is_not_lost() {
    let program = Program::start(&[]);
    program.signal("TERM");
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn what_has_not_ended_when_the_deadline_is_over_is_cut_off_and_the_status_is_1() {
    let program = endless(&["--shutdown-ms", "300"]);
    let running = program.running("slow_count", &format!("[{AN_HOUR_MS}]"));
    program.signal("TERM");
    assert!(Connection::Tcp(running).is_closed(), "no answer");
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(log.contains("the shutdown timed out"), "{log}");
}

#[test]
fn a_second_signal_leaves_at_once_with_status_1() {
    for second in ["TERM", "INT"] {
        let program = endless(&["--shutdown-ms", AN_HOUR_MS]);
        let running = program.running("slow_count", &format!("[{AN_HOUR_MS}]"));
        program.signal("TERM");
        program.wait_until_leaving();
        program.signal(second);
        let (status, log) = program.end();
        assert_eq!(status.code(), Some(1), "{log}");
        assert!(log.contains("shutting down immediately"), "{log}");
        drop(running);
    }
}

#[test]
fn idle_connections_and_half_sent_requests_do_not_keep_the_server() {
    let flags = [
        "--keep-alive-ms",
        "--head-timeout-ms",
        "--body-timeout-ms",
        "--shutdown-ms",
    ];
    let flags: Vec<_> = flags.iter().flat_map(|flag| [*flag, AN_HOUR_MS]).collect();
    let program = Program::start(&flags);
    let request = Request::new("GET", "/rpc/get_data");
    let mut idle: Vec<_> = (0..20).map(|_| program.server.connect()).collect();
    for connection in &mut idle {
        assert_eq!(Response::exchange(connection, &request).status, 200);
    }
    for (connection, beginning) in idle.iter_mut().zip([
        "GET /rpc/get",
        "POST /rpc HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ]) {
        connection
            .write_all(beginning.as_bytes())
            .expect("the request is sent");
    }
    program.assert_serves();
    program.signal("TERM");
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn a_large_answer_that_is_being_taken_is_finished_before_the_server_leaves() {
    let program = Program::start(&[]);
    let bytes = 16_000_000;
    let mut taking = program.begin("large", &format!("[{bytes}]"));
    let mut first = [0];
    taking.read_exact(&mut first).expect("the response starts");
    program.signal("TERM");
    program.wait_until_leaving();
    let mut rest = Vec::new();
    taking.read_to_end(&mut rest).expect("the response ends");
    assert!(
        rest.len() > bytes && rest.ends_with(b"x\",\"id\":1}"),
        "{}",
        rest.len()
    );
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn a_started_write_runs_to_its_end_when_its_caller_hangs_up() {
    let program = Program::start(&["--max-calls", "1"]);
    let running = program.running("slow_count", "[1000]");
    drop(running);
    // The next call is accepted when the first has ended, and the first has counted.
    let counted = crate::process::eventually("the slow one counts", || {
        let response = program.server.post(crate::call_with("count", "[]"));
        (response.status == 200).then(|| response.brief())
    });
    assert_eq!(counted, "2 #1");
}

#[test]
fn a_server_that_leaves_waits_for_a_started_write_whose_caller_has_gone() {
    let program = endless(&["--shutdown-ms", "300"]);
    let hour = format!("[{AN_HOUR_MS}]");
    drop(program.running("slow_count", &hour));
    program.signal("TERM");
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(log.contains("the shutdown timed out"), "{log}");
    // A call that no client waits for does not delay the shutdown.
    let program = endless(&["--shutdown-ms", AN_HOUR_MS]);
    drop(program.running("sleep", &hour));
    program.signal("TERM");
    let (status, log) = program.end();
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn an_idempotent_call_is_cancelled_at_once_when_its_caller_hangs_up() {
    let program = endless(&[]);
    let running = program.running("sleep", &format!("[{AN_HOUR_MS}]"));
    drop(running);
    crate::process::eventually("the call is gone", || {
        (program.server.get("/rpc/get_data").status == 200).then_some(())
    });
}

#[test]
fn a_panic_is_logged_with_the_procedures_name_and_its_cause_is_not_sent() {
    let program = Program::start(&[]);
    let response = program.server.post(crate::call_with("panic", "[]"));
    assert_eq!(
        (response.status, &*response.brief()),
        (200, "error -32603 #1")
    );
    assert!(!response.text().contains("told to"), "{}", response.text());
    program.assert_serves();
    program.signal("TERM");
    let (_, log) = program.end();
    let named = |line: &str| line.contains("procedure=\"panic\"") && line.contains("told to panic");
    assert!(log.lines().any(named), "{log}");
}
