//! Everything that is wrong with the parameters of a call, however it is made.

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::builder;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Find {
    #[schemars(length(min = 2))]
    words: String,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u8>,
    exact: Option<bool>,
    tags: Option<Vec<Tag>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tag {
    #[schemars(length(min = 1))]
    name: String,
    weight: u8,
}

fn service() -> Service {
    let service = builder()
        .procedure(Procedure::sync("find", |_: Cx, p: Find| Ok::<_, Fault>(p)).idempotent())
        .procedure(
            Procedure::sync("sum", |_: Cx, addends: Vec<i64>| {
                Ok::<_, Fault>(addends.iter().sum::<i64>())
            })
            .list_name("addends"),
        );
    service.build().expect("a service")
}

async fn answer(service: &Service, body: Value) -> Value {
    let answer = service.handle(body.to_string()).await.expect("an answer");
    serde_json::from_slice(&answer).expect("JSON")
}

/// Returns the problems of a rejection: parameter, place, and the start of the reason.
fn problems(data: &Value) -> Vec<String> {
    let others = data["others"].as_array().map_or(&[][..], Vec::as_slice);
    let all = std::iter::once(data).chain(others);
    all.map(|problem| {
        let text = |name: &str| problem[name].as_str().unwrap_or_default();
        let reason = text("reason").split([',', ':']).next().unwrap_or_default();
        format!("{}{}: {reason}", text("parameter"), text("pointer"))
    })
    .collect()
}

const MISSING: &str = "words: this required parameter is missing";

#[tokio::test]
async fn a_call_of_2_0_is_told_everything() {
    let params = json!({
        "tags": [{"name": "", "weight": 1}, {"name": "x", "weight": 300}],
        "exact": 1, "x": 1, "limit": 0, "words": "m",
    });
    let body = json!({"jsonrpc": "2.0", "method": "find", "params": params, "id": 1});
    assert_eq!(
        problems(&answer(&service(), body).await["error"]["data"]),
        [
            "x: unknown parameter",
            "words: expected at least 2 characters",
            "limit: expected an integer from 1 to 100 or null",
            "exact: expected true or false",
            "tags/1/weight: expected an integer from 0 to 255",
            "tags/0/name: expected at least 1 character",
        ]
    );
}

#[tokio::test]
async fn a_call_of_1_1_is_told_everything_but_what_is_converted() {
    let params = json!({"1": "500", "limit": 3, "x": 1, "7": 1, "exact": "true", "tags": [5]});
    let body = json!({"version": "1.1", "method": "find", "params": params});
    let answer = answer(&service(), body).await;
    assert_eq!(
        problems(&answer["error"]["error"]["data"]),
        [
            ": too many parameters",
            "limit: this parameter is given both by name and by position",
            "x: unknown parameter",
            MISSING,
            "limit: expected an integer from 1 to 100 or null",
            "tags/0: expected an object",
        ]
    );
}

#[tokio::test]
async fn a_query_is_told_everything() {
    for (query, told) in [
        (
            "x=1&limit=0&limit=2&exact=maybe&y=&9=1&tags=5",
            vec![
                "x: unknown parameter",
                "y: unknown parameter",
                ": too many parameters",
                "limit: expected one value",
                "tags: an object cannot be sent by GET",
                MISSING,
                "exact: expected true or false",
            ],
        ),
        (
            "words=m&limit=101",
            vec![
                "words: expected at least 2 characters",
                "limit: expected an integer from 1 to 100 or null",
            ],
        ),
    ] {
        let reply = service().query("find", query, None).await;
        let answer: Value =
            serde_json::from_slice(&reply.body().unwrap_or_default()).expect("JSON");
        assert_eq!(problems(&answer["error"]["data"]), told, "{query}");
    }
}

#[tokio::test]
async fn a_list_is_called_by_its_own_name() {
    for (params, result) in [
        (json!({"addends": [1, 2, 4]}), 7),
        (json!({"addends": []}), 0),
        (json!([1, 2, 4]), 7),
        (json!({}), 0),
    ] {
        let body = json!({"jsonrpc": "2.0", "method": "sum", "params": params, "id": 1});
        assert_eq!(answer(&service(), body).await["result"], result, "{params}");
    }
    let body = json!({"jsonrpc": "2.0", "method": "sum", "params": {"values": [1]}, "id": 1});
    assert_eq!(
        problems(&answer(&service(), body).await["error"]["data"]),
        ["values: unknown parameter"]
    );
}
