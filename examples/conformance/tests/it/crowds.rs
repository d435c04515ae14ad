//! Ten thousand connections at once, and fewer over TLS. These tests are too heavy to run beside others.
//! `cargo xtask ignored` runs them one by one, with enough file descriptors.

use std::io::Read;

use crate::carrier::{Carrier, Connection};
use crate::client::Request;
use crate::process::{AN_HOUR_MS, Program, descriptor_limit, eventually};

/// The limit on the memory of an idle connection, in KiB. Measurements stay below it.
const IDLE: u64 = 40;

/// Returns how many connections to open. In a debug build, ten thousand handshakes take longer than the
/// time for a head.
fn crowd(carrier: Carrier) -> usize {
    match carrier {
        Carrier::Tcp | Carrier::Unix => 10_000,
        Carrier::Tls => 2_000,
    }
}

/// A program that has served a call, and what it used then.
struct Crowded {
    program: Program,
    crowd: usize,
    memory: u64,
    descriptors: usize,
}

impl Crowded {
    fn start(carrier: Carrier, flags: &[&str]) -> Self {
        let crowd = crowd(carrier);
        let limit = descriptor_limit("self");
        assert!(
            limit > crowd,
            "{limit} descriptors are not enough: run `ulimit -n 11000` first, or `cargo xtask ignored`"
        );
        let program = Program::over(carrier, flags);
        program.assert_serves();
        Self {
            crowd,
            memory: program.memory("VmHWM"),
            descriptors: program.descriptors(),
            program,
        }
    }

    /// Opens the connections, sends these bytes on each, and checks that others are served.
    fn begun(&self, bytes: &[u8]) -> Vec<Connection> {
        let connections = self.program.begun(self.crowd, bytes);
        self.program.assert_serves();
        connections
    }

    fn assert_memory_of_each(&self) {
        let each = (self.program.memory("VmHWM") - self.memory) / self.crowd as u64;
        println!("{each} KiB for each of {} connections", self.crowd);
        assert!(each <= IDLE, "{each} KiB for each connection");
    }

    fn wait_until_closed(&self) {
        eventually("the connections are closed", || {
            self.program.assert_serves();
            (self.program.descriptors() <= self.descriptors + 2).then_some(())
        });
    }
}

/// Checks the status of a response, and leaves the rest of it unread.
#[track_caller]
fn assert_status(connection: &mut Connection, status: u16) {
    let mut line = [0; 12];
    connection.read_exact(&mut line).expect("a response");
    let line = String::from_utf8_lossy(&line);
    assert_eq!(line, format!("HTTP/1.1 {status}"));
}

#[test]
#[ignore = "needs 10,000 descriptors: run by `cargo xtask ignored`"]
fn ten_thousand_idle_connections_take_little_memory_and_are_closed_when_their_time_is_over() {
    let request = Request::new("GET", "/rpc/get_data").bytes();
    for &carrier in Carrier::ALL {
        let flags = ["--keep-alive-ms", "20000", "--head-timeout-ms", AN_HOUR_MS];
        let crowded = Crowded::start(carrier, &flags);
        let mut idle = crowded.begun(&request);
        for connection in &mut idle {
            assert_status(connection, 200);
        }
        crowded.assert_memory_of_each();
        crowded.wait_until_closed();
    }
}

#[test]
#[ignore = "needs 10,000 descriptors: run by `cargo xtask ignored`"]
fn ten_thousand_half_sent_heads_take_little_memory_and_are_closed_when_their_time_is_over() {
    let half = b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for &carrier in Carrier::ALL {
        let crowded = Crowded::start(carrier, &["--head-timeout-ms", "15000"]);
        let mut slow = crowded.begun(half);
        crowded.wait_until_closed();
        crowded.assert_memory_of_each();
        assert_status(&mut slow[0], 408);
    }
}

#[test]
#[ignore = "needs 10,000 descriptors: run by `cargo xtask ignored`"]
fn ten_thousand_bodies_that_stop_on_the_way_take_little_memory_and_honest_callers_are_served() {
    let begun = b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                  Content-Length: 2000000\r\n\r\n{";
    for &carrier in Carrier::ALL {
        let flags = ["--body-timeout-ms", AN_HOUR_MS, "--max-calls", "16"];
        let crowded = Crowded::start(carrier, &flags);
        let _slow = crowded.begun(begun);
        crowded.assert_memory_of_each();
        // A body that has not arrived is not a call that a shutdown has to wait for.
        crowded.program.signal("TERM");
        assert_eq!(crowded.program.end().0.code(), Some(0));
    }
}
