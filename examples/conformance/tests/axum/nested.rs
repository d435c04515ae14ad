//! A service below a path of the application, beside routes of its own.

use crate::client::{Answer, Request};
use crate::{Server, service};

#[test]
fn every_link_of_a_nested_service_leads_below_its_path() {
    let server = Server::nested(service());
    let answer = server.get("/api/rpc/subtract?minuend=42&subtrahend=23");
    assert_eq!(answer.brief(), "19 #null");
    for (target, found) in [
        ("/api/rpc", 200),
        ("/api/docs/", 200),
        ("/api/docs/subtract", 200),
        ("/api/llms.txt", 200),
        ("/api/openapi.json", 200),
        ("/api/health", 200),
        ("/api/.well-known/api-catalog", 200),
        ("/api/elsewhere", 404),
        ("/own", 200),
        ("/rpc", 404),
    ] {
        assert_eq!(server.get(target).status, found, "{target}");
    }
    for (target, location) in [
        ("/api/docs", "docs/"),
        ("/api", "/api/docs/"),
        ("/api/", "/api/docs/"),
    ] {
        assert_eq!(
            server.get(target).header("location"),
            Some(location),
            "{target}"
        );
    }
    let answer = server.get("/api/elsewhere");
    let catalog = "</api/.well-known/api-catalog>; rel=\"api-catalog\"";
    assert_eq!(answer.header("link"), Some(catalog));
    let openapi = server.get("/api/openapi.json").json();
    assert!(openapi["paths"]["/api/rpc/sum"].is_object(), "{openapi}");
    let openrpc = server.get("/api/rpc/rpc.discover").json();
    assert_eq!(
        openrpc["result"]["servers"][0]["url"],
        "http://localhost/api/rpc"
    );
}

#[test]
fn a_connection_serves_the_service_and_the_routes_beside_it() {
    let server = Server::start(service());
    let mut connection = server.connect();
    for target in ["/own", "/rpc/get_data", "/nowhere", "/docs/", "/own"] {
        let request = Request::new("GET", target).header("x-request-id", "mine");
        let answer = Answer::exchange(&mut connection, &request);
        let is_call = target.starts_with("/rpc");
        assert_eq!(
            answer.header("x-request-id"),
            is_call.then_some("mine"),
            "{target}"
        );
    }
}
