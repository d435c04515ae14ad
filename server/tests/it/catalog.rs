//! The list of services at `/.well-known/api-catalog`.

use std::io::{Read, Write};
use std::net::TcpStream;

use docent::testing::TestServer;
use docent::{BearerToken, Cx, Fault, Procedure, Routes, Service, json};
use serde_json::Value;

fn service(name: &str, public_url: Option<&str>) -> Service {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let builder = Service::builder(name, format!("urn:example:{name}")).procedure(hello);
    let builder = match public_url {
        Some(url) => builder.public_url(url),
        None => builder,
    };
    builder.build().expect("a service")
}

fn ask(server: &TestServer, method: &str, more: &str) -> (String, String) {
    let mut client = TcpStream::connect(server.address()).expect("a connection");
    let request = format!(
        "{method} /.well-known/api-catalog HTTP/1.1\r\nHost: localhost\r\n\
         Connection: close\r\n{more}\r\n"
    );
    client.write_all(request.as_bytes()).expect("a request");
    let mut response = String::new();
    client.read_to_string(&mut response).expect("a response");
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    (head.to_ascii_lowercase(), body.to_owned())
}

fn links(body: &str) -> Value {
    serde_json::from_str(body).expect("JSON")
}

/// Returns the entry of a catalogue with the links from an address.
fn links_of<'a>(catalog: &'a Value, anchor: &str) -> &'a Value {
    catalog["linkset"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|links| links["anchor"] == anchor)
        .expect("an entry")
}

#[test]
fn a_server_lists_its_services_with_their_public_addresses_or_relative_ones() {
    let public = service("public", Some("https://api.example/v2/rpc"));
    let routes = Routes::new(service("plain", None)).mount("/v2", public);
    let server = TestServer::start(routes).expect("a server");
    let (head, body) = ask(&server, "GET", "");
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("\r\nlink: </.well-known/api-catalog>; rel=\"api-catalog\""));
    assert!(head.contains(
        "\r\ncontent-type: application/linkset+json; \
         profile=\"https://www.rfc-editor.org/info/rfc9727\""
    ));
    assert!(!body.contains("evil"));
    let body = links(&body);
    let plain = links_of(&body, "../rpc");
    assert_eq!(plain["service-desc"][0]["href"], "../rpc/rpc.describe");
    let public = links_of(&body, "https://api.example/v2/rpc");
    let description = "https://api.example/v2/rpc/rpc.describe";
    assert_eq!(public["service-desc"][0]["href"], description);
    let catalog = links_of(&body, "api-catalog");
    assert_eq!(catalog["item"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_catalog_is_read_only_and_revalidates() {
    let server = TestServer::start(service("plain", None)).expect("a server");
    let (head, body) = ask(&server, "HEAD", "");
    assert!(
        head.contains("rel=\"api-catalog\"") && body.is_empty(),
        "{head}"
    );
    let (_, tag) = head.split_once("\r\netag: ").expect("a validator");
    let tag = tag.lines().next().expect("a line");
    let (head, body) = ask(&server, "GET", &format!("If-None-Match: {tag}\r\n"));
    assert!(
        head.starts_with("http/1.1 304") && body.is_empty(),
        "{head}"
    );
    let (head, _) = ask(&server, "DELETE", "");
    assert!(head.starts_with("http/1.1 405"), "{head}");
}

#[test]
fn services_whose_description_is_guarded_are_left_out() {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let guarded = Service::builder("guarded", "urn:example:guarded")
        .procedure(hello)
        .guard(BearerToken::new("guarded", "sesame", |_| true))
        .build()
        .expect("a service");
    let routes = Routes::new(service("plain", None)).mount("/secret", guarded);
    let server = TestServer::start(routes).expect("a server");
    let (_, body) = ask(&server, "GET", "");
    assert!(!body.contains("secret"), "{body}");
    let (head, body) = ask(&server, "GET", "Authorization: Bearer sesame\r\n");
    assert!(body.contains("../secret/rpc.describe"), "{body}");
    assert!(
        head.contains("\r\ncache-control: private, no-cache"),
        "{head}"
    );
    assert_eq!(links(&body)["linkset"][2]["anchor"], json!("../secret"));
}
