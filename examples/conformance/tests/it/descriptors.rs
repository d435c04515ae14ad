//! Connections and the limit on open file descriptors.

use crate::carrier::Carrier;
use crate::client::{Request, Response};
use crate::process::{AN_HOUR_MS, Program, eventually};

#[test]
fn the_limit_of_the_process_is_raised_as_far_as_the_connections_need_it() {
    let flags = ["--max-connections", "500"];
    let program = Program::with_descriptors(Carrier::Tcp, 100, 4_000, &flags);
    program.assert_serves();
    // Two workers with 500 connections each.
    let limit = program.descriptor_limit();
    assert!((1_000..1_200).contains(&limit), "{limit}");
    let request = Request::new("GET", "/rpc/get_data");
    let mut open = Vec::new();
    for _ in 0..300 {
        let mut connection = program.connect();
        assert_eq!(Response::exchange(&mut connection, &request).status, 200);
        open.push(connection);
    }
    assert!(
        !program.log().contains("RLIMIT_NOFILE"),
        "{}",
        program.log()
    );
}

#[test]
fn a_limit_that_cannot_be_raised_far_enough_bounds_the_connections_and_is_logged() {
    let flags = ["--max-connections", "1000", "--head-timeout-ms", AN_HOUR_MS];
    for most in [300, 200] {
        let program = Program::with_descriptors(Carrier::Tcp, 200, most, &flags);
        program.assert_serves();
        assert_eq!(program.descriptor_limit(), most);
        eventually("a warning is logged", || {
            let log = program.log();
            (log.contains("WARN") && log.contains("RLIMIT_NOFILE")).then_some(())
        });
        // More connections than file descriptors: the rest wait.
        let request = Request::new("GET", "/rpc/get_data");
        for mut connection in program.connections(400) {
            assert_eq!(Response::exchange(&mut connection, &request).status, 200);
        }
    }
}

#[test]
fn second_heads_that_never_end_keep_nobody_out() {
    let flags = ["--head-timeout-ms", "1000", "--keep-alive-ms", AN_HOUR_MS];
    let request = Request::new("GET", "/rpc/get_data").bytes();
    // One request, and one byte of a second.
    let bytes = [&*request, b"G"].concat();
    for &carrier in Carrier::ALL {
        let program = Program::with_descriptors(carrier, 200, 200, &flags);
        let mut held = program.begun(175, &bytes);
        program.assert_serves();
        for connection in &mut held {
            assert_eq!(Response::read(connection, false).status, 200);
            Response::read(connection, false).assert_request_error(408, "a second head");
        }
    }
}
