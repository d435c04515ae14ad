//! Write calls require the token.

use serde_json::{Value, json};

use crate::http::{Client, Served, call};

const WRITES: [&str; 4] = ["loan.start", "loan.end", "book.add", "member.add"];

const CHALLENGE: &str = "www-authenticate: Bearer realm=\"library\"";

fn members(client: Client<'_>) -> Value {
    client.call("stats", &json!({}))["members"].clone()
}

#[test]
fn what_changes_something_is_refused_without_the_token_whatever_its_parameters_are() {
    let served = Served::new();
    for (credential, error) in [
        (None, ""),
        (Some("Basic eDp5"), ""),
        (Some("Bearer stranger"), ", error=\"invalid_token\""),
    ] {
        let client = served.client().bringing(credential);
        for procedure in WRITES {
            let response = client.post(&call(procedure, &json!(["Tove Berg"]), 1));
            assert_eq!((response.status, response.error().0), (401, -32007));
            assert!(response.has(&format!("{CHALLENGE}{error}")), "{response:?}");
            assert!(response.has("cache-control: no-store"), "{response:?}");
        }
    }
    assert_eq!(members(served.client()), 12);
}

#[test]
fn everybody_may_look() {
    let served = Served::new();
    let client = served.client().bringing(None);
    client.call("book.find", &json!({"words": "whale"}));
    for target in ["stats", "member.get?card=L000001", "rpc.describe"] {
        assert_eq!(client.get(target).status, 200, "{target}");
    }
    assert_eq!(client.send("GET", "/docs/loan.start", "").status, 200);
}

#[test]
fn the_token_counts_for_every_entry_of_a_batch_and_for_notifications() {
    let served = Served::new();
    let stranger = served.client().bringing(None);
    let add = |name: &str| call("member.add", &json!([name]), 1);
    let silent = json!({"jsonrpc": "2.0", "method": "member.add", "params": ["Silent"]});
    let batch = json!([add("Tove Berg"), call("stats", &json!({}), 2), silent]);
    let response = stranger.post(&batch);
    assert_eq!(response.status, 200);
    let responses = response.json();
    assert_eq!(responses[0]["error"]["code"], -32007);
    assert_eq!(responses[1]["result"]["members"], 12);
    assert_eq!(stranger.post(&silent).status, 204);
    assert_eq!(members(stranger), 12);

    assert_eq!(served.client().post(&batch).json()[0]["error"], Value::Null);
    assert_eq!(members(stranger), 14);
}

#[test]
fn a_call_of_1_1_is_refused_with_the_same_status() {
    let served = Served::new();
    let add = json!({"version": "1.1", "method": "member.add", "params": ["Tove Berg"]});
    let refused = served.client().bringing(None).post(&add);
    assert_eq!(refused.status, 401);
    assert!(refused.has(CHALLENGE), "{refused:?}");
    assert_eq!(refused.json()["error"]["error"]["code"], -32007);
    assert_eq!(served.client().post(&add).status, 200);
}

#[test]
fn the_description_says_which_procedures_need_it() {
    let served = Served::new();
    let client = served.client().bringing(None);
    let described = client.call("rpc.describe", &json!({}));
    let scheme = &described["securitySchemes"]["bearer"];
    assert_eq!(
        (&scheme["type"], &scheme["scheme"]),
        (&json!("http"), &json!("bearer"))
    );
    assert!(scheme["description"].as_str().unwrap().contains("token"));
    let openrpc = client.call("rpc.discover", &json!({}));
    assert_eq!(
        &openrpc["components"]["x-securitySchemes"]["bearer"],
        scheme
    );
    for (procedures, security, required) in [
        (&described["procs"], "security", json!(["bearer"])),
        (&openrpc["methods"], "x-security", json!({"bearer": []})),
    ] {
        for procedure in procedures.as_array().unwrap() {
            let is_write = WRITES.iter().any(|write| procedure["name"] == *write);
            let needed = if is_write { &required } else { &Value::Null };
            assert_eq!(&procedure[security], needed, "{}", procedure["name"]);
        }
    }
}
