//! HTTP methods: which ones an address accepts, and which it advertises.

use crate::client::Request;
use crate::{Server, service};

const ALL: &str = "GET, HEAD, POST, OPTIONS";
const POST_ONLY: &str = "POST, OPTIONS";

/// Addresses and the methods that they accept.
const ADDRESSES: &[(&str, &str)] = &[
    ("/rpc", ALL),
    ("/rpc/subtract", ALL),
    ("/rpc/get_data", ALL),
    ("/rpc/%73ubtract", ALL),
    ("/rpc/sum?values=1", ALL),
    ("/rpc/rpc.describe", ALL),
    ("/rpc/system.describe", ALL),
    ("/rpc/count", POST_ONLY),
    ("/rpc/count?x=1", POST_ONLY),
    ("/rpc/%63ount", POST_ONLY),
    ("/rpc/update", POST_ONLY),
    ("/rpc/fail", POST_ONLY),
];

#[test]
fn options_is_answered_with_the_methods_that_are_true() {
    let server = Server::start(service());
    for (address, allow) in ADDRESSES {
        let response = server.send(&Request::new("OPTIONS", address));
        assert!(
            matches!(response.status, 200 | 204),
            "{address}: {}",
            response.status
        );
        assert_eq!(response.header("allow"), Some(*allow), "{address}");
        assert!(response.body.is_empty(), "{address}");
    }
}

#[test]
fn any_other_method_is_405_with_the_methods_that_are_true() {
    let server = Server::start(service());
    let body = br#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    for (address, allow) in ADDRESSES {
        for method in [
            "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "QUERY", "get", "post",
        ] {
            let mut request = Request::post(address, body);
            request.method = method;
            let response = server.send(&request);
            response.assert_request_error(405, &format!("{method} {address}"));
            assert_eq!(response.header("allow"), Some(*allow), "{method} {address}");
        }
    }
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn head_is_get_without_a_body() {
    let server = Server::start(service());
    for target in [
        "/rpc",
        "/rpc/get_data",
        "/rpc/count",
        "/rpc/nope",
        "/rpc/a/b",
        "/nope",
        "/health",
    ] {
        let get = server.get(target);
        let mut connection = server.connect();
        let head =
            crate::client::Response::exchange(&mut connection, &Request::new("HEAD", target));
        assert_eq!(head.status, get.status, "{target}");
        for name in [
            "content-type",
            "content-length",
            "allow",
            "cache-control",
            "vary",
            "link",
            "etag",
        ] {
            assert_eq!(head.header(name), get.header(name), "{name} of {target}");
        }
        // The next bytes are the next response, not a body.
        let next =
            crate::client::Response::exchange(&mut connection, &Request::new("GET", "/health"));
        assert_eq!(next.status, 200, "{target}");
    }
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn get_of_a_procedure_that_is_not_idempotent_says_which_methods_are_left() {
    let server = Server::start(service());
    for procedure in [
        "count",
        "slow_count",
        "fail",
        "panic",
        "update",
        "notify_hello",
        "notify_sum",
    ] {
        let response = server.get(&format!("/rpc/{procedure}"));
        response.assert_request_error(405, procedure);
        assert_eq!(response.code(), Some(-32006), "{procedure}");
        assert_eq!(response.header("allow"), Some(POST_ONLY), "{procedure}");
        assert_eq!(
            response.header("cache-control"),
            Some("no-store"),
            "{procedure}"
        );
    }
}

#[test]
fn health_is_answered_to_get_and_head() {
    let server = Server::start(service());
    let response = server.get("/health");
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert!(response.json().is_object());
    let head = server.send(&Request::new("HEAD", "/health"));
    assert_eq!((head.status, head.body.len()), (200, 0));
}
