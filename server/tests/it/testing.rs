//! Helpers for the tests of services.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use docent::testing::{TestServer, assert_matches_golden};
use docent::{BearerToken, CallError, Cx, Fault, Headers, Peer, Procedure, Routes, Service};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Sum {
    a: i64,
    #[schemars(range(max = 100))]
    b: i64,
}

fn service() -> Service {
    Service::builder("tested", "urn:example:tested")
        .procedure(Procedure::sync("sum", |_: Cx, p: Sum| Ok::<_, Fault>(p.a + p.b)).idempotent())
        .procedure(Procedure::sync("language", |cx: Cx, (): ()| {
            let of_headers = cx
                .extension::<Headers>()
                .and_then(|headers| headers.get_str("accept-language"))
                .map(str::to_owned);
            let of_fields = cx.field("Accept-Language").next().map(<[u8]>::to_vec);
            Ok::<_, Fault>((of_headers, of_fields))
        }))
        .build()
        .expect("no mistakes")
}

fn get(server: &TestServer, target: &str) -> String {
    let mut client = TcpStream::connect(server.address()).expect("a connection");
    let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    client.write_all(request.as_bytes()).expect("a request");
    let mut response = String::new();
    client.read_to_string(&mut response).expect("a response");
    response
}

#[test]
fn a_test_server_serves_until_it_is_dropped() {
    let server = TestServer::start(service()).expect("a server");
    assert!(get(&server, "/rpc/sum?a=1&b=2").ends_with(r#""result":3,"id":null}"#));
    assert_eq!(
        server.url("/rpc"),
        format!("http://{}/rpc", server.address())
    );
    // An open connection does not keep it.
    let idle = TcpStream::connect(server.address()).expect("a connection");
    let address = server.address();
    drop(server);
    assert!(TcpStream::connect(address).is_err());
    drop(idle);
}

#[actix_web::test]
async fn a_test_server_runs_beside_a_runtime() {
    let one = TestServer::start(service()).expect("a server");
    let other = TestServer::start(Routes::at("/v2", service())).expect("a server");
    assert!(get(&one, "/rpc/sum?a=1&b=2").contains(r#""result":3"#));
    assert!(get(&other, "/v2/sum?a=1&b=3").contains(r#""result":4"#));
}

#[test]
fn a_test_server_that_cannot_start_says_why() {
    let clash = Routes::at("/rpc", service()).mount("/rpc", service());
    let error = TestServer::start(clash).expect_err("a path that is taken");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

#[actix_web::test]
async fn a_prepared_call_carries_fields_and_extensions() {
    type Languages = (Option<String>, Option<Vec<u8>>);
    let service = service();
    let call = service
        .request("language", &())
        .field("accept-language", "is");
    let found: Languages = call.call().await.expect("a result");
    assert_eq!(found, (None, Some(b"is".to_vec())));
    let headers = Headers::from_iter([("Accept-Language", "fo")]);
    let call = service.request("language", &()).fields(headers);
    let found: Languages = call.call().await.expect("a result");
    assert_eq!(found, (Some("fo".to_owned()), Some(b"fo".to_vec())));

    let guarded = Service::builder("tested", "urn:example:tested")
        .procedure(Procedure::sync("peer", |cx: Cx, (): ()| {
            Ok::<_, Fault>(cx.extension::<Peer>().map(|peer| peer.0.to_string()))
        }))
        .guard(BearerToken::new("tested", "s3cret", |_| true))
        .build()
        .expect("no mistakes");
    let refused: Result<Option<String>, CallError> = guarded.call("peer", &()).await;
    assert_eq!(refused.expect_err("an error").code(), Some(-32007));
    let peer = Peer(([192, 0, 2, 1], 80).into());
    let call = guarded.request("peer", &()).extension(peer);
    let found: Option<String> = call
        .field("Authorization", "Bearer s3cret")
        .call()
        .await
        .expect("a result");
    assert_eq!(found.as_deref(), Some("192.0.2.1:80"));
}

/// Returns the message of a failed comparison with a golden file.
fn failure(service: &Service, path: &Path) -> String {
    let outcome = catch_unwind(AssertUnwindSafe(|| assert_matches_golden(service, path)));
    let panic = outcome.expect_err("a difference");
    *panic.downcast::<String>().expect("a message")
}

#[derive(Deserialize, JsonSchema)]
struct Changed {
    a: i64,
    #[schemars(range(max = 50))]
    b: i64,
    #[serde(default)]
    c: i64,
}

#[test]
fn a_changed_description_differs_from_its_golden_file() {
    assert_matches_golden(&service(), "tests/golden/testing.json");
    if std::env::var_os("DOCENT_UPDATE").is_some() {
        return;
    }

    let changed = service()
        .extend()
        .version("2.0")
        .replace(Procedure::sync("sum", |_: Cx, p: Changed| {
            Ok::<_, Fault>(p.a + p.b + p.c)
        }))
        .remove("language")
        .procedure(Procedure::sync("new", |_: Cx, (): ()| Ok::<_, Fault>(())))
        .build()
        .expect("no mistakes");
    let message = failure(&changed, Path::new("tests/golden/testing.json"));
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(
        lines[0],
        "the description differs from tests/golden/testing.json; DOCENT_UPDATE=1 updates the file, and then \
         `docent diff git:HEAD tests/golden/testing.json` says which changes break callers"
    );
    // The first lines that differ, with those around them.
    assert!(lines[1].starts_with("line "), "{message}");
    let marks: String = lines[2..].iter().map(|line| &line[..1]).collect();
    assert_eq!(marks, "   +   a", "{message}");
    assert!(lines[5].contains("\"version\": \"2.0\""), "{message}");
    assert_eq!(lines[9], "and more below");
    let message = failure(&changed, Path::new("tests/golden/none.json"));
    assert!(
        message.contains("DOCENT_UPDATE=1 writes the file"),
        "{message}"
    );
}
