//! Limits of procedures over HTTP: who counts as one caller, and what the others are told.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use docent::testing::TestServer;
use docent::{BearerToken, Cx, Fault, Procedure, Routes, Service, TrustedProxy};

fn limited(proxies: &[&str]) -> TestServer {
    let ping = Procedure::sync("ping", |_: Cx, (): ()| Ok::<_, Fault>("pong")).idempotent();
    let service = Service::builder("limited", "urn:example:limited")
        .procedure(ping.rate(2, Duration::from_secs(3_600)))
        .build()
        .expect("no mistakes");
    serve(service, proxies)
}

/// Lets two wrong tokens an hour pass, also for the description.
fn guarded(proxies: &[&str]) -> TestServer {
    let ping = Procedure::sync("ping", |_: Cx, (): ()| Ok::<_, Fault>("pong")).idempotent();
    let service = Service::builder("guarded", "urn:example:guarded")
        .guard(BearerToken::new("guarded", "right", |_| true))
        .failed_logins(2, Duration::from_secs(3_600))
        .procedure(ping)
        .build()
        .expect("no mistakes");
    serve(service, proxies)
}

fn serve(service: Service, proxies: &[&str]) -> TestServer {
    let proxies: Vec<TrustedProxy> = proxies
        .iter()
        .map(|proxy| proxy.parse().expect("a proxy"))
        .collect();
    let routes = Routes::new(service).options(|options| options.trusted_proxies = proxies);
    TestServer::start(routes).expect("a server")
}

/// The whole response to a request whose head has these fields.
fn answer(server: &TestServer, start: &str, fields: &str, body: &str) -> String {
    let mut client = TcpStream::connect(server.address()).expect("a connection");
    let length = body.len();
    let request = format!(
        "{start} HTTP/1.1\r\nHost: localhost\r\n{fields}Content-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    client.write_all(request.as_bytes()).expect("a request");
    let mut response = String::new();
    client.read_to_string(&mut response).expect("a response");
    response
}

fn is_accepted(server: &TestServer, fields: &str) -> bool {
    let response = answer(server, "GET /rpc/ping", fields, "");
    let refused = response.starts_with("HTTP/1.1 429 ");
    assert!(
        refused || response.starts_with("HTTP/1.1 200 "),
        "{response}"
    );
    !refused
}

#[test]
fn get_above_a_rate_is_429_and_says_when_to_come_back_and_post_is_200() {
    let server = limited(&[]);
    let call = r#"{"jsonrpc":"2.0","method":"ping","id":1}"#;
    let post = || answer(&server, "POST /rpc", "", call);
    assert!(post().ends_with(r#"{"jsonrpc":"2.0","result":"pong","id":1}"#));
    assert!(is_accepted(&server, ""));
    let refused = post();
    assert!(refused.starts_with("HTTP/1.1 200 "), "{refused}");
    let error =
        r#""error":{"code":-32008,"message":"Too many requests","data":{"retryAfter":1800}}"#;
    assert!(refused.contains(error), "{refused}");
    let refused = answer(&server, "GET /rpc/ping", "", "");
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    assert!(refused.contains(error), "{refused}");
    let head = refused.to_ascii_lowercase();
    assert!(head.contains("\r\nretry-after: 1800\r\n"), "{refused}");
    assert!(
        head.contains("\r\ncache-control: no-store\r\n"),
        "{refused}"
    );
}

#[test]
fn whom_a_request_is_forwarded_for_counts_only_behind_a_trusted_proxy() {
    let from = |address: &str| format!("X-Forwarded-For: {address}\r\n");
    let open = limited(&["10.0.0.0/8"]);
    let of_open: Vec<bool> = (0..3)
        .map(|place| is_accepted(&open, &from(&format!("192.0.2.{place}"))))
        .collect();
    assert_eq!(of_open, [true, true, false]);
    let behind = limited(&["127.0.0.1"]);
    for address in ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"] {
        for expected in [true, true, false] {
            assert_eq!(is_accepted(&behind, &from(address)), expected, "{address}");
        }
    }
    // A client gets no new limit by putting something in front.
    assert!(!is_accepted(&behind, &from("198.51.100.7, 192.0.2.1")));
    // Nor does another address in its network.
    assert!(!is_accepted(&behind, &from("2001:db8::ffff:ffff")));
}

fn status(server: &TestServer, path: &str, token: &str, fields: &str) -> String {
    let fields = format!("Authorization: Bearer {token}\r\n{fields}");
    let response = answer(server, &format!("GET {path}"), &fields, "");
    response.split(' ').nth(1).expect("a status").to_owned()
}

#[test]
fn after_wrong_tokens_get_is_429_until_the_client_may_show_one_again() {
    let server = guarded(&[]);
    assert_eq!(status(&server, "/rpc/ping", "a", ""), "401");
    assert_eq!(status(&server, "/rpc/ping", "right", ""), "200");
    assert_eq!(status(&server, "/rpc/ping", "b", ""), "401");
    let right = "Authorization: Bearer right\r\n";
    // The description and its front door are behind the same guard.
    for path in ["/rpc/ping", "/rpc/rpc.describe", "/rpc"] {
        let refused = answer(&server, &format!("GET {path}"), right, "");
        assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
        let head = refused.to_ascii_lowercase();
        assert!(head.contains("\r\nretry-after: 1800\r\n"), "{refused}");
        assert!(
            refused.contains(r#""data":{"retryAfter":1800}"#),
            "{refused}"
        );
    }
    let call = r#"{"jsonrpc":"2.0","method":"ping","id":1}"#;
    let refused = answer(&server, "POST /rpc", right, call);
    assert!(refused.starts_with("HTTP/1.1 200 "), "{refused}");
    assert!(refused.contains(r#""code":-32008"#), "{refused}");
    let anonymous = answer(&server, "GET /rpc/ping", "", "");
    assert!(anonymous.starts_with("HTTP/1.1 401 "), "{anonymous}");
}

#[test]
fn wrong_tokens_at_the_front_door_count_too() {
    let server = guarded(&[]);
    assert_eq!(status(&server, "/rpc", "a", ""), "401");
    assert_eq!(status(&server, "/rpc", "b", ""), "401");
    assert_eq!(status(&server, "/rpc/ping", "right", ""), "429");
}

#[test]
fn wrong_tokens_count_for_the_client_that_a_trusted_proxy_names() {
    let from = |address: &str| format!("X-Forwarded-For: {address}\r\n");
    let open = guarded(&["10.0.0.0/8"]);
    for (place, token, expected) in [(1, "a", "401"), (2, "b", "401"), (3, "right", "429")] {
        assert_eq!(
            status(
                &open,
                "/rpc/ping",
                token,
                &from(&format!("192.0.2.{place}"))
            ),
            expected
        );
    }
    let behind = guarded(&["127.0.0.1"]);
    for address in ["192.0.2.1", "2001:db8::1"] {
        for path in ["/rpc/ping", "/rpc"] {
            assert_eq!(status(&behind, path, "a", &from(address)), "401");
        }
        for path in ["/rpc/ping", "/rpc"] {
            assert_eq!(status(&behind, path, "right", &from(address)), "429");
        }
    }
    let neighbour = from("2001:db8::ffff");
    assert_eq!(status(&behind, "/rpc/ping", "right", &neighbour), "429");
    assert_eq!(
        status(&behind, "/rpc/ping", "right", &from("192.0.2.2")),
        "200"
    );
}
