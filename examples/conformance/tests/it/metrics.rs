//! Metrics, scraped from a running server.

use std::io::Write;

use docent::{Metrics, Routes};

use crate::client::{Request, Response, Server};
use crate::interruption::PATIENCE;
use crate::process::eventually;
use crate::service;

const READS: &str =
    r#"docent_calls_total{mount="/rpc",procedure="subtract",protocol="2.0",code="ok"}"#;

/// Returns the value of a series in the exposition.
fn value<'t>(told: &'t str, series: &str) -> Option<&'t str> {
    told.lines()
        .find_map(|line| line.strip_prefix(series)?.strip_prefix(' '))
}

#[test]
fn a_server_tells_them_where_it_is_told_to_and_nowhere_else() {
    let routes = Routes::new(service());
    let silent = Server::serving(docent::Server::new(routes.clone()));
    assert_eq!(silent.get("/metrics").status, 404);

    let telling = Server::serving(docent::Server::new(routes.metrics()));
    for _ in 0..3 {
        telling.get("/rpc/subtract?minuend=42&subtrahend=23");
    }
    let response = telling.get("/metrics");
    assert_eq!(response.status, 200);
    assert_eq!(
        response.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    assert_eq!(value(response.text(), READS), Some("3"));
    assert!(response.text().ends_with("\n# EOF\n"));
    let head = telling.send(&Request::new("HEAD", "/metrics"));
    assert_eq!(
        head.header("content-length"),
        response.header("content-length")
    );
}

#[test]
fn they_are_told_for_the_hosts_that_are_served() {
    let routes = Routes::new(service())
        .metrics()
        .options(|options| options.allowed_hosts = Some(vec!["localhost".to_owned()]));
    let server = Server::serving(docent::Server::new(routes));
    assert_eq!(server.get("/metrics").status, 200);
    let mut connection = server.connect();
    connection
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        .expect("the request is sent");
    Response::read(&mut connection, false).assert_request_error(421, "/metrics");
}

#[test]
fn they_can_be_told_at_an_address_of_their_own() {
    let metrics = Metrics::new();
    let routes = Routes::new(service()).count_in(&metrics);
    let server = Server::serving(docent::Server::new(routes));
    server.get("/rpc/subtract?minuend=42&subtrahend=23");
    assert_eq!(server.get("/metrics").status, 404);
    assert_eq!(value(&metrics.text(), READS), Some("1"));
}

#[test]
fn calls_whose_callers_hang_up_are_counted_when_they_are_over() {
    let (metrics, service) = (Metrics::new(), service());
    let routes = Routes::from(&service).count_in(&metrics);
    let server = Server::serving(docent::Server::new(routes));
    for body in [
        r#"{"jsonrpc":"2.0","method":"sleep","params":[60000],"id":1}"#,
        r#"{"jsonrpc":"2.0","method":"slow_count","params":[300],"id":1}"#,
    ] {
        let mut connection = server.connect();
        let request = Request::post("/rpc", body.as_bytes());
        connection
            .write_all(&request.bytes())
            .expect("the request is sent");
    }
    let series = |procedure, code| {
        format!(
            r#"docent_calls_total{{mount="/rpc",procedure="{procedure}",protocol="2.0",code="{code}"}}"#
        )
    };
    let started = std::time::Instant::now();
    for (procedure, code) in [("sleep", "cancelled"), ("slow_count", "ok")] {
        while value(&metrics.text(), &series(procedure, code)) != Some("1") {
            assert!(started.elapsed() < PATIENCE, "{}", metrics.text());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
    assert_eq!(service.running_calls(), 0);
}

#[test]
fn bodies_that_never_become_calls_are_counted_whatever_becomes_of_their_callers() {
    let routes = Routes::new(service()).metrics().options(|options| {
        options.body_timeout = std::time::Duration::from_millis(500);
    });
    let server = Server::serving(docent::Server::new(routes));
    let send = |framing: &str, body: &str| {
        let mut connection = server.connect();
        let head = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        let request = format!("{head}{framing}\r\n\r\n{body}");
        connection
            .write_all(request.as_bytes())
            .expect("the request is sent");
        connection
    };
    let count = |code: &str| {
        let series = format!(
            r#"docent_calls_total{{mount="/rpc",procedure="unknown",protocol="2.0",code="{code}"}}"#
        );
        value(server.get("/metrics").text(), &series)
            .map_or(0, |count| count.parse::<u64>().expect("a number"))
    };
    let mut late = send("Content-Length: 10", "1");
    Response::read(&mut late, false).assert_request_error(408, "late");
    let mut large = send("Content-Length: 999999999", "");
    Response::read(&mut large, false).assert_request_error(413, "large");
    let mut broken = send("Transfer-Encoding: chunked", "x\r\n");
    let _ = std::io::Read::read_to_end(&mut broken, &mut Vec::new());
    assert_eq!((count("-32600"), count("-32003")), (2, 1));
    // It is not always possible to tell whether a caller has gone or has only stopped sending.
    let before = count("-32600") + count("cancelled");
    for framing in ["Content-Length: 10", "Transfer-Encoding: chunked"] {
        drop(send(framing, ""));
    }
    eventually("the callers are seen to have gone", || {
        (count("-32600") + count("cancelled") == before + 2).then_some(())
    });
}
