//! Addresses: POST to the address of a procedure, and unknown addresses.

use docent::{Limits, Protocols};

use crate::client::Request;
use crate::{Server, service};

#[test]
fn requests_at_a_procedures_address_have_to_name_that_procedure() {
    let server = Server::start(service());
    for (target, body, expected) in [
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#,
            "3 #1",
        ),
        (
            "/rpc/s%75m",
            r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#,
            "3 #1",
        ),
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"\u0073um","params":[1,2],"id":1}"#,
            "3 #1",
        ),
        (
            "/rpc/sum?a=b",
            r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#,
            "3 #1",
        ),
        (
            "/rpc/count",
            r#"{"jsonrpc":"2.0","method":"count","id":1}"#,
            "1 #1",
        ),
        (
            "/rpc/rpc.describe",
            r#"{"jsonrpc":"2.0","method":"rpc.describe","params":[["nope"]],"id":1}"#,
            "error -32602 #1",
        ),
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"subtract","params":[1,2],"id":1}"#,
            "error -32600 #1",
        ),
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"nope","id":1}"#,
            "error -32600 #1",
        ),
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"SUM","id":1}"#,
            "error -32600 #1",
        ),
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"\ud800","id":1}"#,
            "error -32600 #1",
        ),
        (
            "/rpc/%2573um",
            r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#,
            "error -32600 #1",
        ),
        (
            "/rpc/nope",
            r#"{"jsonrpc":"2.0","method":"nope","id":1}"#,
            "error -32601 #1",
        ),
        (
            "/rpc/nope",
            r#"{"jsonrpc":"2.0","method":"sum","id":1}"#,
            "error -32600 #1",
        ),
        ("/rpc/sum", "{", "error -32700 #null"),
        ("/rpc/sum", "[]", "error -32600 #null"),
        (
            "/rpc/sum",
            r#"{"jsonrpc":"2.0","method":"sum","params":[1,2]}"#,
            "nothing",
        ),
    ] {
        let response = server.send(&Request::post(target, body.as_bytes()));
        assert_eq!(response.brief(), expected, "{target} {body}");
    }
}

#[test]
fn each_entry_of_a_batch_at_a_procedures_address_is_judged_alone() {
    let server = Server::start(service());
    let body = br#"[
        {"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1},
        {"jsonrpc":"2.0","method":"count","id":2},
        {"jsonrpc":"2.0","method":"sum","params":[3],"id":3},
        7
    ]"#;
    let response = server.send(&Request::post("/rpc/sum", body));
    assert_eq!(
        (response.status, &*response.brief()),
        (200, "[3 #1, error -32600 #2, 3 #3, error -32600 #null]")
    );
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn a_notification_at_another_procedures_address_neither_runs_nor_is_answered() {
    let server = Server::start(service());
    let count = br#"{"jsonrpc":"2.0","method":"count"}"#;
    for target in [
        "/rpc/sum",
        "/rpc/s%75m",
        "/rpc/Count",
        "/rpc/nope",
        "/rpc/%2563ount",
        "/rpc/%43ount",
    ] {
        let response = server.send(&Request::post(target, count));
        assert_eq!((response.status, response.body.len()), (204, 0), "{target}");
        let batch = br#"[{"jsonrpc":"2.0","method":"count"},{"jsonrpc":"2.0","method":"\ud800"}]"#;
        let response = server.send(&Request::post(target, batch));
        assert_eq!((response.status, response.body.len()), (204, 0), "{target}");
    }
    let mixed = br#"[
        {"jsonrpc":"2.0","method":"count"},
        {"jsonrpc":"2.0","method":"sum","params":[3],"id":1},
        {"jsonrpc":"2.0","method":"count","id":null},
        {"jsonrpc":"2.0","method":"count","params":3}
    ]"#;
    assert_eq!(
        server.send(&Request::post("/rpc/sum", mixed)).brief(),
        "[3 #1, error -32600 #null, error -32600 #null]"
    );
    assert_eq!(server.call("count"), "1 #1");
    assert_eq!(server.send(&Request::post("/rpc/count", count)).status, 204);
    assert_eq!(server.call("count"), "3 #1");
}

#[test]
fn a_1_0_notification_at_another_procedures_address_is_not_answered() {
    let mut protocols = Protocols::default();
    protocols.v1_0 = true;
    let service = conformance::service(Limits::default(), protocols).expect("a service");
    let server = Server::start(service);
    let count = br#"{"method":"count","params":[],"id":null}"#;
    let response = server.send(&Request::post("/rpc/sum", count));
    assert_eq!((response.status, response.body.len()), (204, 0));
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn the_root_leads_readers_to_the_reference_and_takes_no_calls() {
    let server = Server::start(service());
    let response = server.get("/");
    assert_eq!(
        (response.status, response.header("location")),
        (303, Some("docs/"))
    );
    let count = br#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    assert_eq!(server.send(&Request::post("/", count)).status, 404);
    assert_eq!(server.send(&Request::new("PUT", "/")).status, 404);
    assert_eq!(server.post(count).json()["result"], 1);
}

#[test]
fn addresses_that_lead_nowhere_are_404() {
    let server = Server::start(service());
    let count = br#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    for target in [
        "/rp",
        "/rpcx",
        "/RPC",
        "/rpc2/count",
        "/nope",
        "/count",
        "/health/",
        "/healthy",
        "//rpc",
        "//rpc/count",
        "/rpc//count",
        "/rpc/count/",
        "/rpc/count//",
        "/rpc/a/b",
        "/rpc/count/count",
        "/rpc/./count",
        "/rpc/x/../count",
        "/rpc/%ff",
        "/rpc/%c3",
        "/rpc/%ed%a0%80",
        "/rpc/%c0%af",
        "/x/rpc",
        "/rpc%2fcount",
        "/rpc%2Fcount",
    ] {
        assert_eq!(server.get(target).status, 404, "GET {target}");
        assert_eq!(
            server.send(&Request::post(target, count)).status,
            404,
            "POST {target}"
        );
        assert_eq!(
            server.send(&Request::new("PUT", target)).status,
            404,
            "PUT {target}"
        );
    }
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn below_a_mount_404_is_a_json_rpc_error() {
    let server = Server::start(service());
    for target in [
        "/rpc/a/b",
        "/rpc//sum",
        "/rpc/%ff",
        "/rpc/sum/",
        "/rpc/nope",
    ] {
        let response = server.get(target);
        response.assert_request_error(404, target);
        assert_eq!(response.code(), Some(-32601), "{target}");
        assert_eq!(
            response.header("cache-control"),
            Some("no-store"),
            "{target}"
        );
    }
}
