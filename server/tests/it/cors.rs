//! Cross-origin requests: the responses to preflights, and which header fields a page can read.

use actix_cors::Cors;
use actix_web::App;
use actix_web::http::Method;
use actix_web::http::header::{
    AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::test::{TestRequest, call_service, init_service};
use docent::{BearerToken, Cx, Fault, Mount, Procedure, Routes, Server, Service};

use crate::{Response, ask, ask_with, get, post};

const FRIEND: &str = "https://reader.example";
const STRANGER: &str = "https://evil.example";

fn service() -> Service {
    Service::builder("open", "urn:uuid:0d9c8b7a-6f5e-4d3c-8b1a-09f8e7d6c5b4")
        .procedure(Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(42)).idempotent())
        .procedure(Procedure::sync("write", |_: Cx, (): ()| Ok::<_, Fault>(43)))
        .guard(BearerToken::new("open", "friend", |procedure| {
            procedure.name == "write"
        }))
        .build()
        .expect("a service")
}

/// Returns the preflight request that a browser sends before a page's call.
fn preflight(target: &str, origin: &str) -> TestRequest {
    get(target)
        .method(Method::OPTIONS)
        .insert_header(("origin", origin))
        .insert_header(("access-control-request-method", "POST"))
        .insert_header(("access-control-request-headers", "content-type"))
}

fn cors_fields(headers: &HeaderMap) -> Vec<&str> {
    headers
        .keys()
        .map(HeaderName::as_str)
        .filter(|name| name.starts_with("access-control-"))
        .collect()
}

#[actix_web::test]
async fn by_default_no_origin_is_allowed() {
    let service = service();
    for target in ["/rpc", "/rpc/read", "/rpc/write", "/rpc/rpc.describe"] {
        let response = ask(&service, preflight(target, STRANGER)).await;
        assert_eq!(response.status, 204, "{target}");
        assert!(response.header("allow").is_some(), "{target}");
        assert!(cors_fields(&response.headers).is_empty(), "{target}");
    }
    let requests = [
        get("/rpc"),
        get("/rpc/read"),
        post(r#"{"jsonrpc":"2.0","method":"write","id":1}"#),
    ];
    for request in requests {
        let response = ask(&service, request.insert_header(("origin", STRANGER))).await;
        assert!(cors_fields(&response.headers).is_empty());
    }
}

/// Returns the status and the header fields of a response from a service behind `actix-cors`.
async fn behind_cors(request: TestRequest) -> (u16, HeaderMap) {
    let cors = Cors::default()
        .allowed_origin(FRIEND)
        .allowed_methods(["GET", "POST"])
        .allowed_headers([CONTENT_TYPE, AUTHORIZATION])
        .expose_headers([ETAG, RETRY_AFTER, WWW_AUTHENTICATE]);
    let mount = Mount::new(service()).expect("a mount");
    let app = init_service(App::new().wrap(cors).service(mount)).await;
    let response = call_service(&app, request.to_request()).await;
    (response.status().as_u16(), response.headers().clone())
}

fn field<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

#[actix_web::test]
async fn a_page_of_an_origin_that_is_allowed_may_call() {
    for target in ["/rpc", "/rpc/read", "/rpc/write"] {
        let (status, headers) = behind_cors(preflight(target, FRIEND)).await;
        assert_eq!(status, 200, "{target}");
        assert_eq!(field(&headers, "access-control-allow-origin"), FRIEND);
        assert!(field(&headers, "access-control-allow-methods").contains("POST"));
        let allowed = field(&headers, "access-control-allow-headers");
        assert!(allowed.contains("content-type"), "{allowed}");
    }
}

#[actix_web::test]
async fn a_page_of_another_origin_is_not_allowed_to() {
    let (status, headers) = behind_cors(preflight("/rpc", STRANGER)).await;
    assert_eq!(status, 400);
    assert_eq!(field(&headers, "access-control-allow-origin"), "");
    let read = get("/rpc/read").insert_header(("origin", STRANGER));
    let (_, headers) = behind_cors(read).await;
    assert_eq!(field(&headers, "access-control-allow-origin"), "");
}

#[actix_web::test]
async fn a_page_sees_validators_waits_and_challenges_and_caches_tell_origins_apart() {
    let read = get("/rpc/read").insert_header(("origin", FRIEND));
    let (status, headers) = behind_cors(read).await;
    assert_eq!(status, 200);
    assert_eq!(field(&headers, "access-control-allow-origin"), FRIEND);
    let exposed = field(&headers, "access-control-expose-headers").to_ascii_lowercase();
    for name in ["etag", "retry-after", "www-authenticate"] {
        assert!(exposed.contains(name), "{exposed}");
    }
    assert!(headers.contains_key("etag"));
    let vary = format!("{:?}", headers.get_all("vary").collect::<Vec<_>>());
    for name in ["Authorization", "Cookie", "Origin"] {
        assert!(vary.contains(name), "{vary}");
    }
    let write = post(r#"{"jsonrpc":"2.0","method":"write","id":1}"#);
    let (status, headers) = behind_cors(write.insert_header(("origin", FRIEND))).await;
    assert_eq!(status, 401);
    assert_eq!(field(&headers, "access-control-allow-origin"), FRIEND);
    assert_eq!(field(&headers, "www-authenticate"), "Bearer realm=\"open\"");
}

#[actix_web::test]
async fn an_options_request_that_is_no_preflight_gets_the_usual_response() {
    for request in [
        get("/rpc/read").method(Method::OPTIONS),
        get("/rpc/read")
            .method(Method::OPTIONS)
            .insert_header(("origin", FRIEND)),
    ] {
        let (status, headers) = behind_cors(request).await;
        assert_eq!(status, 204);
        assert_eq!(field(&headers, "allow"), "GET, HEAD, POST, OPTIONS");
    }
}

/// Sends a request to a service that pages of `FRIEND` may call.
async fn ask_open(service: &Service, request: TestRequest) -> Response {
    ask_with(Routes::from(service).cors([FRIEND]), request).await
}

#[actix_web::test]
async fn a_page_of_a_listed_origin_may_call_and_read_what_it_needs() {
    let service = service();
    for target in ["/rpc", "/rpc/read", "/rpc/write", "/rpc/rpc.describe"] {
        let response = ask_open(&service, preflight(target, FRIEND)).await;
        assert_eq!(response.status, 204, "{target}");
        assert_eq!(response.header("access-control-allow-origin"), Some(FRIEND));
        assert_eq!(
            response.header("access-control-allow-credentials"),
            Some("true")
        );
        assert_eq!(
            response.header("access-control-allow-headers"),
            Some("content-type")
        );
        let methods = response
            .header("access-control-allow-methods")
            .expect("methods");
        assert!(methods.contains("POST"), "{methods}");
        let vary = response.header("vary").expect("a list");
        assert!(vary.contains("Origin"), "{vary}");
    }
    let read = ask_open(&service, get("/rpc/read").insert_header(("origin", FRIEND))).await;
    assert_eq!(read.header("access-control-allow-origin"), Some(FRIEND));
    assert_eq!(
        read.header("vary"),
        Some("Accept-Encoding, Authorization, Cookie, Origin")
    );
    let exposed = read.header("access-control-expose-headers").expect("names");
    assert!(
        exposed.contains("etag") && exposed.contains("x-request-id"),
        "{exposed}"
    );
    let tag = read.header("etag").expect("a validator").to_owned();
    let revalidation = get("/rpc/read")
        .insert_header(("origin", FRIEND))
        .insert_header(("if-none-match", tag));
    let unchanged = ask_open(&service, revalidation).await;
    assert_eq!(unchanged.status, 304);
    assert_eq!(
        unchanged.header("access-control-allow-origin"),
        Some(FRIEND)
    );
    // The browser keeps the list that came with the result.
    assert_eq!(unchanged.header("access-control-expose-headers"), None);
    // Refusals can be read, too, with what they ask for.
    let write = post(r#"{"jsonrpc":"2.0","method":"write","id":1}"#);
    let refused = ask_open(&service, write.insert_header(("origin", FRIEND))).await;
    assert_eq!(refused.status, 401);
    let exposed = refused
        .header("access-control-expose-headers")
        .expect("names");
    assert!(exposed.contains("www-authenticate"), "{exposed}");
}

#[actix_web::test]
async fn what_comes_from_an_origin_that_is_not_listed_does_not_run() {
    let service = service();
    let body = r#"{"jsonrpc":"2.0","method":"read","id":1}"#;
    for origin in [
        STRANGER,
        "null",
        "https://reader.example.evil.example",
        "http://reader.example",
        "",
    ] {
        for request in [
            post(body),
            get("/rpc/read"),
            get("/rpc"),
            preflight("/rpc", FRIEND),
        ] {
            // `append`: two origins are none that is listed.
            let response = ask_open(&service, request.append_header(("origin", origin))).await;
            assert_eq!(response.status, 403, "{origin}");
            assert_eq!(response.json()["id"], serde_json::Value::Null);
            assert_eq!(
                response.header("access-control-allow-origin"),
                None,
                "{origin}"
            );
            let vary = response.header("vary").expect("a list");
            assert!(vary.contains("Origin"), "{vary}");
        }
    }
}

#[actix_web::test]
async fn the_services_own_origin_and_requests_without_one_pass() {
    let service = service();
    let without_origin = ask_open(&service, get("/rpc/read")).await;
    assert_eq!(without_origin.status, 200);
    assert_eq!(without_origin.header("access-control-allow-origin"), None);
    let vary = without_origin.header("vary").expect("a list");
    assert!(vary.ends_with(", Origin"), "{vary}");
    for origin in ["http://here.example:8080", "https://here.example:8080"] {
        let request = get("/rpc/read")
            .insert_header(("host", "here.example:8080"))
            .insert_header(("origin", origin));
        let response = ask_open(&service, request).await;
        assert_eq!(response.status, 200, "{origin}");
    }
    let other_port = get("/rpc/read")
        .insert_header(("host", "here.example:8080"))
        .insert_header(("origin", "http://here.example"));
    assert_eq!(ask_open(&service, other_port).await.status, 403);
}

#[actix_web::test]
async fn a_server_refuses_origins_that_are_none() {
    for origin in ["*", "https://reader.example/", "reader.example", "null"] {
        let routes = Routes::new(service()).cors([FRIEND, origin]);
        let refused = Server::new(routes)
            .bind("127.0.0.1:0")
            .expect_err("a mistake")
            .to_string();
        assert!(refused.contains("is not an origin"), "{refused}");
    }
    let _ = Server::new(Routes::new(service()).cors([FRIEND]))
        .bind("127.0.0.1:0")
        .expect("a server");
}
