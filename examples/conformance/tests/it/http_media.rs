//! Media types and content codings of request bodies.

use crate::client::{Request, Response};
use crate::{Server, service};

const BODY: &[u8] = br#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#;

const TAKEN: &[&str] = &[
    "application/json",
    "application/json-rpc",
    "application/jsonrequest",
    "Application/JSON",
    "APPLICATION/JSON-RPC",
    "application/JsonRequest",
    "application/json;charset=utf-8",
    "application/json; charset=utf-8",
    "application/json; charset=UTF-8",
    "application/json; Charset=Utf-8",
    "application/json ; charset=utf-8",
    "application/json; charset=\"utf-8\"",
    "application/json-rpc; charset=utf-8",
    "application/jsonrequest;charset=UTF-8",
    "application/json; version=2",
    "application/json; profile=\"a;charset=latin1\"",
    "application/json; a=b; charset=utf-8",
    "application/json;",
];

const REFUSED: &[&str] = &[
    "",
    "text/plain",
    "text/json",
    "text/html",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/octet-stream",
    "application/javascript",
    "application/jsonp",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/json-seq",
    "application/*",
    "*/*",
    "json",
    "application",
    "application/",
    "/json",
    "application json",
    "application/json, text/plain",
    "text/plain, application/json",
    "text/plain; a=application/json",
    "application/json; charset=iso-8859-1",
    "application/json; charset=latin1",
    "application/json; charset=utf-16",
    "application/json;charset=\"us-ascii\"",
    "application/json-rpc; charset=windows-1252",
    "application/jsonrequest; a=b; charset=utf-7",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json; charset=",
];

#[test]
fn the_media_types_of_json_rpc_are_taken_in_any_case_and_with_parameters() {
    let server = Server::start(service());
    let mut connection = server.connect();
    let mut wrong = Vec::new();
    for kind in TAKEN {
        let request = Request::post("/rpc", BODY).header("Content-Type", kind);
        let response = Response::exchange(&mut connection, &request);
        if (response.status, &*response.brief()) != (200, "3 #1") {
            wrong.push(format!("{kind}: {} {}", response.status, response.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn any_other_media_type_or_charset_is_415() {
    let server = Server::start(service());
    let mut connection = server.connect();
    let mut wrong = Vec::new();
    for kind in REFUSED {
        let request = Request::post("/rpc", BODY).header("Content-Type", kind);
        let response = Response::exchange(&mut connection, &request);
        if response.status == 415 {
            response.assert_request_error(415, kind);
        } else {
            wrong.push(format!("{kind:?}: {} {}", response.status, response.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let without = Request::post("/rpc", BODY).without("Content-Type");
    Response::exchange(&mut connection, &without).assert_request_error(415, "none");
    let at_a_procedure = Request::post("/rpc/sum", BODY).header("Content-Type", "text/plain");
    Response::exchange(&mut connection, &at_a_procedure).assert_request_error(415, "text/plain");
    let response = Response::exchange(&mut connection, &Request::post("/rpc", BODY));
    assert_eq!(response.brief(), "3 #1");
}

#[test]
fn a_body_of_another_media_type_does_not_run() {
    let server = Server::start(service());
    let body = br#"{"jsonrpc":"2.0","method":"count"}"#;
    let request = Request::post("/rpc", body).header("Content-Type", "text/plain");
    server
        .send(&request)
        .assert_request_error(415, "text/plain");
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn a_compressed_body_is_415_and_the_answer_says_what_would_be_taken() {
    let server = Server::start(service());
    let mut connection = server.connect();
    for coding in [
        "gzip",
        "x-gzip",
        "br",
        "deflate",
        "zstd",
        "compress",
        "GZIP",
        "identity, gzip",
        "gzip, identity",
        "unheard-of",
    ] {
        let request = Request::post("/rpc", BODY).header("Content-Encoding", coding);
        let response = Response::exchange(&mut connection, &request);
        response.assert_request_error(415, coding);
        assert_eq!(
            response.header("accept-encoding"),
            Some("identity"),
            "{coding}"
        );
    }
    for coding in ["identity", "Identity"] {
        let request = Request::post("/rpc", BODY).header("Content-Encoding", coding);
        let response = Response::exchange(&mut connection, &request);
        assert_eq!(
            (response.status, &*response.brief()),
            (200, "3 #1"),
            "{coding}"
        );
    }
}

#[test]
fn the_status_is_200_whatever_the_response_says() {
    let server = Server::start(service());
    let mut connection = server.connect();
    for (body, expected) in [
        ("{", "error -32700 #null"),
        ("", "error -32700 #null"),
        ("{}", "error -32600 #null"),
        ("[]", "error -32600 #null"),
        ("[1]", "[error -32600 #null]"),
        (
            r#"{"jsonrpc":"2.0","method":"nope","id":1}"#,
            "error -32601 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"subtract","id":1}"#,
            "error -32602 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"panic","id":1}"#,
            "error -32603 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"fail","params":[404,"x"],"id":1}"#,
            "error 404 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"large","params":[100000000],"id":1}"#,
            "error -32004 #1",
        ),
    ] {
        let response = Response::exchange(&mut connection, &Request::post("/rpc", body.as_bytes()));
        assert_eq!(
            (response.status, &*response.brief()),
            (200, expected),
            "{body}"
        );
        assert_eq!(
            response.header("content-type"),
            Some("application/json"),
            "{body}"
        );
        assert_ne!(response.header("connection"), Some("close"), "{body}");
    }
}
