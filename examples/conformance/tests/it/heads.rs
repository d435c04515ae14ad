//! Malformed heads: the table of the guide is what the three hosts answer.

use std::io::Write as _;

use crate::client::{Response, Server};
use crate::{axum_host, service};

const EMBEDDING: &str = include_str!("../../../../server/guide/embedding.md");

/// A call, in one chunk and whole.
const CALL: &str = r#"{"jsonrpc":"2.0","method":"get_data","id":1}"#;

/// Returns a POST with these fields, in one chunk if it is chunked.
fn post(fields: &str) -> String {
    let body = if fields.contains("chunked") {
        format!("{:x}\r\n{CALL}\r\n0\r\n\r\n", CALL.len())
    } else {
        CALL.to_owned()
    };
    let fields = fields.replace("LENGTH", &CALL.len().to_string());
    format!(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{fields}\r\n\r\n{body}"
    )
}

fn get(fields: &str) -> String {
    format!("GET /rpc/get_data HTTP/1.1\r\n{fields}\r\n\r\n")
}

fn get_with_fields(count: usize) -> String {
    let others = "\r\nX: x".repeat(count - 1);
    get(&format!("Host: localhost{others}"))
}

/// Returns requests for the words of the table.
fn requests(words: &str) -> Vec<String> {
    let localhost = get("Host: localhost");
    match words {
        "a bare line feed" => vec![
            localhost.replace("\r\n", "\n"),
            get("Host: localhost\nX: x"),
        ],
        "an invalid `Host`" => ["a b", "::1", "user@localhost", "localhost/rpc"]
            .map(|host| get(&format!("Host: {host}")))
            .to_vec(),
        "no `Host`" => vec![
            get("X: x"),
            get("X: x").replace("/rpc/", "http://localhost/rpc/"),
        ],
        "the same `Content-Length` twice, or one with `Transfer-Encoding`" => [
            "Content-Length: LENGTH\r\nContent-Length: LENGTH",
            "Content-Length: LENGTH\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: LENGTH",
        ]
        .map(post)
        .to_vec(),
        "two transfer codings" => ["gzip, chunked", "chunked, chunked"]
            .map(|coding| post(&format!("Transfer-Encoding: {coding}")))
            .to_vec(),
        "130 kB" => vec![get(&format!(
            "Host: localhost\r\nX: {}",
            "x".repeat(133_000)
        ))],
        "97 to 100 fields" => [97, 100].map(get_with_fields).to_vec(),
        "two `Host` fields" => ["localhost", "other"]
            .map(|other| get(&format!("Host: localhost\r\nHost: {other}")))
            .to_vec(),
        "two different lengths" => vec![post("Content-Length: LENGTH\r\nContent-Length: 3")],
        "a folded line" => vec![get("Host: localhost\r\nX: x\r\n x")],
        "a space before a colon" => ["Host : localhost", "Host: localhost\r\nX : x"]
            .map(get)
            .to_vec(),
        other => panic!("no request for {other:?}"),
    }
}

fn status(host: &Server, request: &str) -> u16 {
    let mut connection = host.connect();
    // A host that rejects a head may not read all of it.
    let _ = connection.write_all(request.as_bytes());
    Response::read(&mut connection, false).status
}

#[test]
fn hosts_answer_malformed_heads_as_the_guide_says() {
    let hosts = [
        Server::start(service()),
        Server::mounted(service()),
        Server {
            address: axum_host::start(service()),
        },
    ];
    for host in &hosts {
        for well_formed in [
            get("Host: localhost"),
            post("Content-Length: LENGTH"),
            post("Transfer-Encoding: chunked"),
            get_with_fields(96),
        ] {
            assert_eq!(status(host, &well_formed), 200, "{well_formed}");
        }
    }
    let (_, table) = EMBEDDING.split_once("| the head has |").expect("the table");
    let mut heads = 0;
    for line in table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
    {
        let [words, expected @ ..] = &*line
            .trim_matches(['|', ' '])
            .split(" | ")
            .collect::<Vec<_>>()
        else {
            panic!("a row without cells");
        };
        for words in words.split("; ") {
            for request in requests(words) {
                let statuses = hosts
                    .each_ref()
                    .map(|host| status(host, &request).to_string());
                assert_eq!(
                    statuses,
                    *expected,
                    "{words}: {}",
                    &request[..request.len().min(200)]
                );
            }
            heads += 1;
        }
    }
    assert_eq!(heads, 11);
}
