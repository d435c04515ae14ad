//! Results of GET in the codings that a caller accepts.

use std::io::Read;
use std::time::Duration;

use actix_web::App;
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use docent::{Cx, Fault, Mount, Procedure, Routes, Service};
use flate2::read::GzDecoder;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::get;

/// Repeats a word.
#[derive(Deserialize, JsonSchema)]
struct Repeat {
    times: usize,
}

fn service() -> Service {
    let repeat = |_: Cx, p: Repeat| Ok::<_, Fault>("word ".repeat(p.times));
    let repeat = Procedure::sync("repeat", repeat).idempotent();
    Service::builder("words", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c3e")
        .procedure(repeat.cache_for(Duration::from_secs(60)))
        .build()
        .expect("a service")
}

/// A response with its body as it was sent.
struct Sent {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Sent {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn coding(&self) -> Option<&str> {
        self.header("content-encoding")
    }

    fn tag(&self) -> &str {
        self.header("etag").expect("a validator")
    }

    fn unzipped(&self) -> String {
        let mut text = String::new();
        GzDecoder::new(&*self.body)
            .read_to_string(&mut text)
            .expect("gzip");
        text
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }
}

async fn ask(request: TestRequest) -> Sent {
    ask_with(Routes::new(service()), request).await
}

/// Sends a request to a service without room to buffer responses.
async fn ask_without_room(request: TestRequest) -> Sent {
    let routes = Routes::new(service()).options(|options| options.max_buffered_bytes = 0);
    ask_with(routes, request).await
}

async fn ask_with(routes: Routes, request: TestRequest) -> Sent {
    let mount = Mount::new(routes).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    let response = call_service(&app, request.to_request()).await;
    Sent {
        status: response.status(),
        headers: response.headers().clone(),
        body: read_body(response).await.to_vec(),
    }
}

fn taking(codings: &str, target: &str) -> TestRequest {
    get(target).insert_header(("accept-encoding", codings))
}

const LONG: &str = "/rpc/repeat?times=1000";

#[actix_web::test]
async fn a_result_comes_in_the_coding_that_the_caller_prefers() {
    for (codings, coding) in [
        ("gzip", Some("gzip")),
        ("GZIP", Some("gzip")),
        ("deflate, gzip, br", Some("gzip")),
        ("gzip;q=0.1, identity;q=0.05", Some("gzip")),
        ("*", None),
        ("identity", None),
        ("br", None),
        ("gzip;q=0", None),
        ("gzip;q=0.5, identity", None),
        ("identity;q=0, br", None),
        ("", None),
    ] {
        let sent = ask(taking(codings, LONG)).await;
        assert_eq!(sent.status, 200, "{codings}");
        assert_eq!(sent.coding(), coding, "{codings}");
    }
    assert_eq!(ask(get(LONG)).await.coding(), None);
}

#[actix_web::test]
async fn each_coding_has_a_validator_of_its_own_and_the_same_text() {
    let plain = ask(get(LONG)).await;
    let gzip = ask(taking("gzip", LONG)).await;
    assert_eq!(gzip.unzipped(), plain.text());
    assert!(gzip.body.len() * 10 < plain.body.len());
    assert_ne!(gzip.tag(), plain.tag());
    for sent in [&plain, &gzip] {
        assert!(sent.tag().starts_with('"'), "{} is not strong", sent.tag());
        assert_eq!(
            sent.header("vary"),
            Some("Accept-Encoding, Authorization, Cookie")
        );
        assert_eq!(sent.header("cache-control"), Some("public, max-age=60"));
        assert_eq!(sent.header("content-type"), Some("application/json"));
    }
    for (has, codings, status) in [
        (&plain, "identity", 304),
        (&gzip, "gzip", 304),
        (&plain, "gzip", 200),
        (&gzip, "identity", 200),
    ] {
        let request = taking(codings, LONG).insert_header(("if-none-match", has.tag()));
        let sent = ask(request).await;
        assert_eq!(sent.status, status, "{codings}");
        assert_eq!(sent.body.is_empty(), status == 304, "{codings}");
        if status == 304 {
            assert_eq!(sent.tag(), has.tag());
            assert_eq!(sent.header("vary"), has.header("vary"));
            assert_eq!(sent.header("cache-control"), has.header("cache-control"));
        }
    }
}

#[actix_web::test]
async fn a_short_result_an_error_and_what_is_personal_stay_as_they_are() {
    let short = taking("gzip", "/rpc/repeat?times=3");
    let error = taking("gzip", &format!("/rpc/repeat?{}=1", "x".repeat(1000)));
    let cookie = taking("gzip", LONG).insert_header(("cookie", "a=b"));
    let token = taking("gzip", LONG).insert_header(("authorization", "Bearer x"));
    for (request, status) in [(short, 200), (error, 400), (cookie, 200), (token, 200)] {
        let sent = ask(request).await;
        assert_eq!((sent.status.as_u16(), sent.coding()), (status, None));
        assert!(sent.text().starts_with("{\"jsonrpc\":\"2.0\""));
    }
}

#[actix_web::test]
async fn a_large_result_and_every_description_can_be_had_in_gzip() {
    for target in [
        "/rpc/repeat?times=100000",
        "/rpc/rpc.describe",
        "/rpc/rpc.describe?procs=repeat",
        "/rpc/rpc.discover",
        "/rpc/rpc.openapi",
        "/rpc/system.describe",
    ] {
        let plain = ask(get(target)).await;
        let gzip = ask(taking("gzip", target)).await;
        assert_eq!(gzip.coding(), Some("gzip"), "{target}");
        assert_eq!(gzip.unzipped(), plain.text(), "{target}");
    }
}

#[actix_web::test]
async fn a_description_that_was_kept_is_the_same_every_time() {
    let mount = Mount::new(service()).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    let mut sent = Vec::new();
    for target in ["/rpc/rpc.describe", "/rpc/rpc.discover"].repeat(2) {
        let response = call_service(&app, taking("gzip", target).to_request()).await;
        sent.push(read_body(response).await);
    }
    assert_eq!(sent[0], sent[2]);
    assert_eq!(sent[1], sent[3]);
    assert_ne!(sent[0], sent[1]);
}

/// Larger than what is compressed at once.
const LARGE: &str = "/rpc/repeat?times=100000";

#[actix_web::test]
async fn a_response_is_compressed_whatever_else_is_being_sent() {
    for target in [LONG, LARGE] {
        let sent = ask_without_room(taking("gzip, identity;q=0", target)).await;
        assert_eq!((sent.status.as_u16(), sent.coding()), (200, Some("gzip")));
    }
}

#[actix_web::test]
async fn a_304_needs_no_room_since_nothing_is_compressed_for_it() {
    let plain = ask(get(LARGE)).await;
    let gzip = ask(taking("gzip", LARGE)).await;
    for (has, codings) in [
        (&gzip, "gzip"),
        (&gzip, "gzip, identity;q=0"),
        (&plain, "identity"),
    ] {
        let request = taking(codings, LARGE).insert_header(("if-none-match", has.tag()));
        let sent = ask_without_room(request).await;
        assert_eq!(sent.status, 304, "{codings}");
        assert_eq!(sent.tag(), has.tag(), "{codings}");
        assert_eq!(sent.header("vary"), has.header("vary"), "{codings}");
    }
}

#[actix_web::test]
async fn head_says_what_get_says_in_every_coding() {
    for target in [LONG, LARGE, "/rpc/rpc.describe", "/rpc/repeat?times=x"] {
        for codings in ["gzip", "identity", "gzip, identity;q=0"] {
            let whole = ask(taking(codings, target)).await;
            let head = ask(taking(codings, target).method(Method::HEAD)).await;
            assert_eq!(head.status, whole.status, "{target} {codings}");
            assert_eq!(head.body, b"", "{target} {codings}");
            for name in [
                "cache-control",
                "etag",
                "vary",
                "content-encoding",
                "content-type",
            ] {
                assert_eq!(head.header(name), whole.header(name), "{target} {codings}");
            }
        }
    }
}
