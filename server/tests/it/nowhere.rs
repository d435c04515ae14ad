//! Responses at addresses without a service.

use std::net::TcpStream;

use docent::testing::TestServer;
use docent::{BearerToken, Cx, Fault, Procedure, Routes, Service};
use raw_http::{Request, Response};

const CALL: &[u8] = br#"{"jsonrpc":"2.0","method":"hello","id":1}"#;

fn service(name: &str, is_private: bool) -> Service {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let builder = Service::builder(name, format!("urn:example:{name}")).procedure(hello);
    let builder = if is_private {
        builder.guard(BearerToken::new("private", "sesame", |_| true))
    } else {
        builder
    };
    builder.build().expect("a service")
}

fn ask(server: &TestServer, request: &Request<'_>) -> Response {
    let mut connection = TcpStream::connect(server.address()).expect("a connection");
    Response::exchange(&mut connection, request)
}

fn text(response: &Response) -> &str {
    assert_eq!(response.status, 404);
    response.text()
}

#[test]
fn an_address_without_a_service_says_where_the_services_are() {
    let one = TestServer::start(service("one", false)).expect("a server");
    let expected = "There is no service at this address: the service of this server is at /rpc\n\
                    GET /rpc/rpc.describe describes it, and /.well-known/api-catalog lists all \
                    descriptions\n";
    for target in ["/rcp", "/", "/rpcs", "/%2Frpc", "/v1/rpc/hello?a=%3Cb%3E"] {
        for request in [Request::post(target, CALL), Request::new("GET", target)] {
            // With a reference site, `/` leads there.
            if target == "/" && request.body.is_none() {
                continue;
            }
            let response = ask(&one, &request);
            assert_eq!(text(&response), expected, "{target}");
            let link = "</.well-known/api-catalog>; rel=\"api-catalog\"";
            assert_eq!(response.header("link"), Some(link));
            let media_type = response.header("content-type");
            assert_eq!(media_type, Some("text/plain; charset=utf-8"));
            assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
        }
    }
    assert_eq!(text(&ask(&one, &Request::new("HEAD", "/rcp"))), "");
    assert_eq!(ask(&one, &Request::post("/rpc", CALL)).status, 200);
}

#[test]
fn an_address_below_a_service_leads_to_its_description() {
    let server = TestServer::start(service("one", false)).expect("a server");
    for (target, link) in [
        ("/rpc/nothing", Some("rpc.describe")),
        ("/rpc/", Some("rpc.describe")),
        ("/rpc/a/b/c", Some("../../rpc.describe")),
        (&*format!("/rpc{}", "/a".repeat(1000)), None),
    ] {
        let response = ask(&server, &Request::new("GET", target));
        assert_eq!(response.status, 404, "{target}");
        let link =
            link.map(|link| format!("<{link}>; rel=\"service-desc\"; type=\"application/json\""));
        assert_eq!(response.header("link"), link.as_deref(), "{target}");
    }
}

#[test]
fn services_with_a_private_description_are_not_mentioned() {
    let routes = Routes::new(service("one", false))
        .mount("/private", service("private", true))
        .mount("/v2", service("two", false));
    let server = TestServer::start(routes).expect("a server");
    let response = ask(&server, &Request::post("/", CALL));
    let text = text(&response);
    assert!(
        text.contains("the services of this server are at /rpc and /v2\n"),
        "{text}"
    );
    let private = TestServer::start(service("private", true)).expect("a server");
    let response = ask(&private, &Request::post("/", CALL));
    assert_eq!(response.status, 404);
    assert!(!response.text().contains("/rpc"), "{response:?}");
}
