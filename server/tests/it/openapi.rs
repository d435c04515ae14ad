//! OpenAPI documents: at `/openapi.json`, and beside each site.

use std::io::{Read, Write};
use std::net::TcpStream;

use docent::testing::TestServer;
use docent::{BearerToken, Cx, Fault, Procedure, Protocol, Routes, Service, json};
use serde_json::Value;

use crate::{ask, get};

fn service(name: &str) -> Service {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let builder =
        Service::builder(name, format!("urn:example:{name}")).procedure(hello.idempotent());
    builder.build().expect("a service")
}

/// Returns the head, in lower case, and the body of a response.
fn send(server: &TestServer, request: &str, more: &str) -> (String, String) {
    let mut client = TcpStream::connect(server.address()).expect("a connection");
    let request =
        format!("{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n");
    client.write_all(request.as_bytes()).expect("a request");
    let mut response = Vec::new();
    client.read_to_end(&mut response).expect("a response");
    let response = String::from_utf8_lossy(&response);
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    (head.to_ascii_lowercase(), body.to_owned())
}

fn document(server: &TestServer, path: &str) -> Value {
    let (head, body) = send(server, &format!("GET {path}"), "");
    assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
    assert!(
        head.contains("\r\ncontent-type: application/json\r\n"),
        "{head}"
    );
    serde_json::from_str(&body).expect("JSON")
}

#[test]
fn a_server_with_one_service_has_the_document_where_tools_look_for_it() {
    let routes = Routes::at("/v2/rpc", service("greeter"));
    let server = TestServer::start(routes).expect("a server");
    let found = document(&server, "/openapi.json");
    assert_eq!(found["servers"], json!([{"url": "/"}]));
    let paths = found["paths"].as_object().expect("paths");
    let (path, methods) = paths.iter().next().expect("a path");
    assert_eq!(path, "/v2/rpc/hello");
    assert_eq!(methods["get"]["operationId"], "hello_get");
    let (head, _) = send(&server, &format!("GET {path}"), "");
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert_eq!(document(&server, "/docs/openapi.json"), found);
    assert_eq!(
        document(&server, "/v2/rpc/rpc.openapi")["result"],
        found,
        "the procedure sends the same"
    );
}

#[test]
fn the_document_is_read_only_and_revalidates() {
    let server = TestServer::start(service("greeter")).expect("a server");
    let (head, _) = send(&server, "GET /openapi.json", "");
    assert!(head.contains("\r\ncache-control: no-cache\r\n"), "{head}");
    let (_, tag) = head.split_once("\r\netag: ").expect("a validator");
    let tag = tag.lines().next().expect("a line");
    let (head, body) = send(
        &server,
        "GET /openapi.json",
        &format!("If-None-Match: {tag}\r\n"),
    );
    assert!(
        head.starts_with("http/1.1 304") && body.is_empty(),
        "{head}"
    );
    let gzip = "Accept-Encoding: gzip\r\n";
    let (head, _) = send(&server, "GET /openapi.json", gzip);
    assert!(head.contains("\r\ncontent-encoding: gzip"), "{head}");
    assert!(
        !head.contains(tag) && head.contains("\r\nvary: accept-encoding"),
        "{head}"
    );
    let (head, body) = send(&server, "HEAD /openapi.json", "");
    assert!(
        head.starts_with("http/1.1 200") && body.is_empty(),
        "{head}"
    );
    let (head, _) = send(&server, "DELETE /openapi.json", "");
    assert!(head.starts_with("http/1.1 405"), "{head}");
    let foreign = send(&server, "GET http://evil.example/openapi.json", "").0;
    assert!(foreign.starts_with("http/1.1 421"), "{foreign}");
}

#[test]
fn each_of_several_services_has_its_document_beside_its_site() {
    let routes = Routes::new(service("first")).mount("/other", service("second"));
    let server = TestServer::start(routes).expect("a server");
    let (head, _) = send(&server, "GET /openapi.json", "");
    assert!(head.starts_with("http/1.1 404"), "{head}");
    for (name, path) in [("first", "/rpc/hello"), ("second", "/other/hello")] {
        let found = document(&server, &format!("/docs/{name}/openapi.json"));
        assert_eq!(found["info"]["title"], name);
        assert!(found["paths"][path].is_object(), "{found}");
    }
}

#[test]
fn a_guard_of_the_description_covers_the_document() {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let guarded = Service::builder("guarded", "urn:example:guarded")
        .procedure(hello)
        .guard(BearerToken::new("guarded", "sesame", |_| true))
        .build()
        .expect("a service");
    let server = TestServer::start(&guarded).expect("a server");
    let (head, body) = send(&server, "GET /openapi.json", "");
    assert!(head.starts_with("http/1.1 401"), "{head}");
    assert!(!body.contains("hello"), "{body}");
    let (head, body) = send(
        &server,
        "GET /openapi.json",
        "Authorization: Bearer sesame\r\n",
    );
    assert!(
        head.contains("\r\ncache-control: private, no-cache"),
        "{head}"
    );
    let found: Value = serde_json::from_str(&body).expect("JSON");
    let post = &found["paths"]["/rpc/hello"]["post"];
    assert!(post["responses"]["401"].is_object(), "{found}");
    assert_eq!(post["security"].as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn get_is_left_out_where_it_answers_in_1_1() {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let service = Service::builder("old", "urn:example:old")
        .procedure(hello.idempotent())
        .protocols(|protocols| protocols.get = Protocol::V1_1)
        .build()
        .expect("a service");
    let found = ask(&service, get("/rpc/rpc.openapi")).await.json();
    let methods = &found["result"]["paths"]["/rpc/hello"];
    assert!(methods["post"].is_object() && methods["get"].is_null());
}
