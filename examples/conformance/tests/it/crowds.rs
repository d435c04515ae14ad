//! Ten thousand connections at once. These tests are too heavy to run beside others. `cargo xtask
//! test` runs them one by one, with enough file descriptors.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::client::{Answer, Request};
use crate::process::{AN_HOUR_MS, Program, eventually};

const CROWD: usize = 10_000;

/// The limit on the memory of an idle connection, in KiB. Measurements stay below it.
const IDLE: u64 = 40;

/// Opens many connections. Fails with a message if this process may not open enough.
fn crowd(program: &Program) -> Vec<TcpStream> {
    let connect = |place| {
        TcpStream::connect(program.server.address).unwrap_or_else(|error| {
            panic!(
                "only {place} of {CROWD} connections, for: {error}. \
                 These tests need `ulimit -n 11000`; `cargo xtask test` sees to it."
            )
        })
    };
    (0..CROWD).map(connect).collect()
}

fn assert_memory_of_each(program: &Program, before: u64) {
    let each = (program.memory("VmHWM") - before) / CROWD as u64;
    println!("{each} KiB for each of {CROWD} connections");
    assert!(each <= IDLE, "{each} KiB for each connection");
}

fn wait_until_closed(program: &Program, before: usize) {
    eventually("the connections are closed", || {
        program.assert_serves();
        (program.descriptors() <= before + 2).then_some(())
    });
}

#[test]
#[ignore = "needs 10,000 descriptors: run by `cargo xtask test`"]
fn ten_thousand_idle_connections_take_little_memory_and_are_closed_when_their_time_is_over() {
    let program = Program::start(&["--keep-alive-ms", "20000", "--head-timeout-ms", AN_HOUR_MS]);
    program.assert_serves();
    let (before, descriptors) = (program.memory("VmHWM"), program.descriptors());
    let mut idle = crowd(&program);
    let request = Request::new("GET", "/rpc/get_data");
    for connection in &mut idle {
        assert_eq!(Answer::exchange(connection, &request).status, 200);
    }
    program.assert_serves();
    assert_memory_of_each(&program, before);
    wait_until_closed(&program, descriptors);
}

#[test]
#[ignore = "needs 10,000 descriptors: run by `cargo xtask test`"]
fn ten_thousand_half_sent_heads_take_little_memory_and_are_closed_when_their_time_is_over() {
    let program = Program::start(&["--head-timeout-ms", "15000"]);
    program.assert_serves();
    let (before, descriptors) = (program.memory("VmHWM"), program.descriptors());
    let mut slow = crowd(&program);
    for connection in &mut slow {
        let half = b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
        connection.write_all(half).expect("the request is sent");
    }
    program.assert_serves();
    wait_until_closed(&program, descriptors);
    assert_memory_of_each(&program, before);
    let mut status = [0; 12];
    slow[0].read_exact(&mut status).expect("a response");
    assert_eq!(&status, b"HTTP/1.1 408");
}

#[test]
#[ignore = "needs 10,000 descriptors: run by `cargo xtask test`"]
fn ten_thousand_bodies_that_stop_on_the_way_take_little_memory_and_honest_callers_are_served() {
    let program = Program::start(&["--body-timeout-ms", AN_HOUR_MS, "--max-calls", "16"]);
    program.assert_serves();
    let before = program.memory("VmHWM");
    let mut slow = crowd(&program);
    for connection in &mut slow {
        let begun = b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                      Content-Length: 2000000\r\n\r\n{";
        connection.write_all(begun).expect("the request is sent");
    }
    program.assert_serves();
    assert_memory_of_each(&program, before);
    // A body that has not arrived is not a call that a shutdown has to wait for.
    program.signal("TERM");
    assert_eq!(program.end().0.code(), Some(0));
}
