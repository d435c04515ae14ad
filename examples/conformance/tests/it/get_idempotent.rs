//! GET runs idempotent procedures and no others, however their names are written.

use std::io::Write;

use crate::client::{Request, Response};
use crate::{Server, service};

/// Returns targets that decode, once, to the address of `count`.
fn exact() -> Vec<String> {
    let mut targets: Vec<String> = [
        "/rpc/count",
        "/rpc/count?",
        "/rpc/count?a=1",
        "/rpc/count?0=1&0=2",
        "/rpc/count?/",
        "/rpc/count?method=sum",
    ]
    .map(str::to_owned)
    .to_vec();
    // Each letter percent-encoded alone, and all of them.
    let encode = |byte: u8| format!("%{byte:02x}");
    for at in 0.."count".len() {
        let (before, after) = ("count"[..at].to_owned(), &"count"[at + 1..]);
        let letter = encode("count".as_bytes()[at]);
        targets.push(format!("/rpc/{before}{letter}{after}"));
        targets.push(format!("/rpc/{before}{}{after}", letter.to_uppercase()));
    }
    targets.push(format!(
        "/rpc/{}",
        "count".bytes().map(encode).collect::<String>()
    ));
    targets
}

/// Targets that look similar but have another address, or are the mount with something after it.
const SIMILAR: &[&str] = &[
    "/rpc/COUNT",
    "/rpc/Count",
    "/rpc/counT",
    "/RPC/count",
    "/Rpc/count",
    "/rpc/count/",
    "/rpc/count//",
    "/rpc//count",
    "//rpc/count",
    "/rpc///count",
    "/rpc/count/.",
    "/rpc/count/..",
    "/rpc/./count",
    "/rpc/../rpc/count",
    "/rpc/x/../count",
    "/./rpc/count",
    "/rpc/%2e/count",
    "/rpc/%2e%2e/rpc/count",
    "/rpc/sum/../count",
    "/rpc/sum/%2e%2e/count",
    "/rpc/sum%2f..%2fcount",
    "/rpc/sum/count",
    "/rpc/sum;/count",
    "/rpc%2fcount",
    "/rpc%2Fcount",
    "/rpc/%2fcount",
    "/rpc/%2Fcount",
    "/rpc/count%2f",
    "/rpc/count%2F",
    "/%72pc%2fcount",
    "/rpc/%2563ount",
    "/rpc/%25%36%33ount",
    "/rpc/%252563ount",
    "/rpc/coun%2574",
    "/rpc/count%253f",
    "/rpc/count;",
    "/rpc/count;a=b",
    "/rpc;/count",
    "/rpc/;count",
    "/rpc/count%3b",
    "/rpc/count%3Ba=b",
    "/rpc/count.",
    "/rpc/.count",
    "/rpc/count..",
    "/rpc/count.json",
    "/rpc/count%2e",
    "/rpc/count*",
    "/rpc/*",
    "/rpc/count,",
    "/rpc/count%00",
    "/rpc/%00count",
    "/rpc/count%20",
    "/rpc/%20count",
    "/rpc/count+",
    "/rpc/+count",
    "/rpc/count%09",
    "/rpc/count%0a",
    "/rpc/count%0d%0a",
    "/rpc/count%3f",
    "/rpc/count%3Fa=1",
    "/rpc/count%23",
    "/rpc/count%26",
    "/rpc/count&",
    "/rpc/count=",
    "/rpc/count:",
    "/rpc/count@",
    "/rpc/count!",
    "/rpc/count\\",
    "/rpc\\count",
    "/rpc/\\count",
    "/rpc/count%5c",
    "/rpc%5ccount",
    "/rpc/c%6funt%",
    "/rpc/c%6",
    "/rpc/count%",
    "/rpc/count%6",
    "/rpc/count%zz",
    "/rpc/%u0063ount",
    "/rpc/%0063ount",
    "/rpc/%c1%a3ount",
    "/rpc/%e0%81%a3ount",
    "/rpc/%f0%80%81%a3ount",
    "/rpc/%ff",
    "/rpc/count%ff",
    "/rpc/count%80",
    "/rpc/\u{441}ount",
    "/rpc/c\u{43e}unt",
    "/rpc/%d1%81ount",
    "/rpc/%ef%bd%83ount",
    "/rpc/count%cc%81",
    "/rpc/count%e2%80%8b",
    "/rpc/count%ef%bb%bf",
    "/rpc/%ef%bb%bfcount",
    "/rpc/\"count\"",
    "/rpc/'count'",
    "/rpc/(count)",
    "/rpc/[count]",
    "/rpc/%22count%22",
    "/rpc/{count}",
    "/rpc/<count>",
    "/rpc/count?method=count/",
    "/rpc?count",
    "/rpc?/count",
    "/rpc?method=count",
    "/rpc?method=count&id=1",
    "/rpc/?count",
    "/rpc/?method=count",
    "/rpc/",
    "/rpc/rpc.count",
    "/rpc/system.count",
    "/rpc/conformance.count",
    "/count",
    "/health/count",
    "/rpc/counts",
    "/rpc/coun",
    "/rpc/ccount",
    "/rpc/slow_count?ms=1",
    "http://localhost/rpc/count",
    "http://localhost/rpc/%63ount",
    "HTTP://LOCALHOST/rpc/count",
    "http://evil.example/rpc/count",
    "https://localhost:443/rpc/count",
    "http://localhost//rpc/count",
    "http://localhost/rpc/count/",
    "http://rpc/count",
    "rpc/count",
    "*",
    "localhost:80",
    "?method=count",
    "#/rpc/count",
    "/rpc/count#",
    "/rpc/count#fragment",
];

fn ways_of_reading() -> Vec<Request<'static>> {
    let overridden = |name| Request::new("GET", "").header(name, "POST");
    let mut with_body = Request::post("", br#"{"jsonrpc":"2.0","method":"count","id":1}"#);
    with_body.method = "GET";
    vec![
        Request::new("GET", ""),
        Request::new("HEAD", ""),
        overridden("X-HTTP-Method-Override"),
        overridden("X-Method-Override"),
        with_body,
    ]
}

/// Sends a request and returns the status of the response. Some targets are not valid HTTP and get
/// no response.
fn status(server: &Server, request: &Request<'_>) -> Option<u16> {
    let mut connection = server.connect();
    connection.write_all(&request.bytes()).ok()?;
    let mut peeked = [0];
    let responses = connection.peek(&mut peeked).is_ok_and(|read| read > 0);
    responses.then(|| Response::read(&mut connection, request.method == "HEAD").status)
}

#[test]
fn no_way_of_writing_its_name_lets_get_run_a_procedure_that_is_not_idempotent() {
    let server = Server::start(service());
    for way in ways_of_reading() {
        for target in exact() {
            let request = Request {
                target: &target,
                ..way.clone()
            };
            assert_eq!(
                status(&server, &request),
                Some(405),
                "{} {target}",
                way.method
            );
        }
        for target in SIMILAR {
            let request = Request {
                target,
                ..way.clone()
            };
            let status = status(&server, &request);
            // The mount itself is the front door.
            let is_mount = target.starts_with("/rpc?");
            let expected = is_mount || status.is_none_or(|status| (400..500).contains(&status));
            assert!(expected, "{} {target}: {status:?}", way.method);
        }
    }
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn the_same_ways_of_writing_lead_get_to_an_idempotent_procedure_or_nowhere() {
    let server = Server::start(service());
    for target in [
        "/rpc/get_data",
        "/rpc/%67et_data",
        "/rpc/get%5fdata",
        "/rpc/get%5Fdata",
        "/rpc/%67%65%74%5f%64%61%74%61",
        "http://localhost/rpc/get_data",
        "http://localhost/rpc/%67et_data",
    ] {
        let response = server.get(target);
        let expected = r#"{"jsonrpc":"2.0","result":["hello",5],"id":null}"#;
        assert_eq!(
            (response.status, response.text()),
            (200, expected),
            "{target}"
        );
    }
    for target in [
        "/rpc/get%255fdata",
        "/rpc/GET_DATA",
        "/rpc/get_data/",
        "/rpc/./get_data",
        "/rpc//get_data",
        "/rpc/get_data;",
        "/rpc/get_data%2f",
        "/rpc/get_data%3f",
    ] {
        assert_eq!(server.get(target).status, 404, "{target}");
    }
}

#[test]
fn head_runs_what_get_runs() {
    let server = Server::start(service());
    assert_eq!(
        server.send(&Request::new("HEAD", "/rpc/get_data")).status,
        200
    );
    assert_eq!(server.send(&Request::new("HEAD", "/rpc/count")).status, 405);
    assert_eq!(
        server.send(&Request::new("HEAD", "/rpc/subtract")).status,
        400
    );
    assert_eq!(server.call("count"), "1 #1");
}
