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
    let response = service.handle(body.to_string()).await.expect("an answer");
    serde_json::from_slice(&response).expect("JSON")
}

/// Returns the problems of a rejection: parameter, pointer, and the start of the reason.
fn problems(data: &Value) -> Vec<String> {
    let mut problems = vec![in_short(data)];
    if let Some(others) = data["others"].as_array() {
        problems.extend(others.iter().map(in_short));
    }
    problems
}

fn in_short(problem: &Value) -> String {
    let parameter = problem["parameter"].as_str().unwrap_or_default();
    let pointer = problem["pointer"].as_str().unwrap_or_default();
    let reason = problem["reason"]
        .as_str()
        .unwrap_or_default()
        .split([',', ':'])
        .next()
        .unwrap_or_default();
    format!("{parameter}{pointer}: {reason}")
}

const MISSING: &str = "words: this required parameter is missing";

#[tokio::test]
async fn a_call_of_2_0_gets_all_problems() {
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
            "limit: expected an integer from 1 to 100",
            "exact: expected true or false or null",
            "tags/0/name: expected at least 1 character",
            "tags/1/weight: expected an integer from 0 to 255",
        ]
    );
}

#[tokio::test]
async fn a_call_of_1_1_gets_all_problems_except_with_what_is_converted() {
    let params = json!({"1": "500", "limit": 3, "x": 1, "7": 1, "exact": "true", "tags": [5]});
    let body = json!({"version": "1.1", "method": "find", "params": params});
    let response = answer(&service(), body).await;
    assert_eq!(
        problems(&response["error"]["error"]["data"]),
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
async fn a_query_gets_all_problems() {
    for (query, reported) in [
        (
            "x=1&limit=0&limit=2&exact=maybe&y=&9=1&tags=5",
            vec![
                "x: unknown parameter",
                "y: unknown parameter",
                ": too many parameters",
                "limit: expected one value",
                "tags: an object cannot be sent by GET",
                MISSING,
                "exact: expected true or false or null",
            ],
        ),
        (
            "words=m&limit=101",
            vec![
                "words: expected at least 2 characters",
                "limit: expected an integer from 1 to 100",
            ],
        ),
    ] {
        let reply = service().query("find", query, None).await;
        let response: Value =
            serde_json::from_slice(&reply.body().unwrap_or_default()).expect("JSON");
        assert_eq!(problems(&response["error"]["data"]), reported, "{query}");
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

#[derive(Serialize, Deserialize, JsonSchema)]
struct Shelves {
    by_name: std::collections::BTreeMap<String, Vec<std::collections::HashMap<u8, bool>>>,
    any: Option<Value>,
    tag: Option<Tag>,
}

fn shelves() -> Service {
    let shelves = Procedure::sync("shelves", |_: Cx, p: Shelves| Ok::<_, Fault>(p));
    let service = builder().procedure(shelves.idempotent());
    service.build().expect("a service")
}

/// Sends parameters as they are written, and returns the place and the reason of the only problem.
async fn invalid_params(service: &Service, params: &str) -> Option<(String, String)> {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"shelves","params":{params},"id":1}}"#);
    let response: Value =
        serde_json::from_slice(&service.handle(body).await.expect("an answer")).expect("JSON");
    let error = response.get("error")?;
    assert_eq!(error["code"], -32602, "{params}");
    assert_eq!(error["data"].get("others"), None, "{params}");
    let text = |name: &str| error["data"][name].as_str().unwrap_or_default().to_owned();
    Some((text("parameter") + &text("pointer"), text("reason")))
}

#[tokio::test]
async fn a_member_of_a_map_that_is_given_twice_is_refused_by_its_name_at_any_depth() {
    let service = shelves();
    for (params, place, name) in [
        (r#"{"by_name":{"a":[],"b":[],"a":[]}}"#, "by_name", "a"),
        (r#"{"by_name":{"a":[],"\u0061":[]}}"#, "by_name", "a"),
        (
            r#"{"by_name":{"a":[{},{"1":true,"1":true}]}}"#,
            "by_name/a/1",
            "1",
        ),
        (
            r#"{"by_name":{},"any":{"x":[{"y":1,"y":2}]}}"#,
            "any/x/0",
            "y",
        ),
        (r#"{"by_name":{},"any":{"":1,"":1}}"#, "any", ""),
        (
            r#"{"by_name":{},"tag":{"name":"n","weight":1,"name":"n"}}"#,
            "tag",
            "name",
        ),
    ] {
        let reason = format!("the member {name:?} is given twice");
        let expected = Some((place.to_owned(), reason));
        assert_eq!(invalid_params(&service, params).await, expected, "{params}");
    }
    for params in [
        r#"{"by_name":{"a":[{"1":true},{"1":true}],"A":[]},"any":{"a":{"a":{}}}}"#,
        // A member that no type looks at is ignored, twice too.
        r#"{"by_name":{},"tag":{"name":"n","weight":1,"x":1,"x":2}}"#,
    ] {
        assert_eq!(invalid_params(&service, params).await, None, "{params}");
    }
}

#[tokio::test]
async fn of_a_hundred_thousand_members_the_one_that_is_given_twice_is_found() {
    let service = shelves();
    let members: Vec<String> = (0..100_000).map(|n| format!("\"{n}\":[]")).collect();
    let members = members.join(",");
    let params = |more: &str| format!(r#"{{"by_name":{{{members}{more}}}}}"#);
    let long = "x".repeat(10_000);
    let twice = params(&format!(r#","{long}":[],"{long}":[]"#));
    let calls = [params(""), params(r#","77777":[]"#), twice].map(|params| {
        let service = service.clone();
        tokio::spawn(async move { invalid_params(&service, &params).await })
    });
    let [fine, twice, long] = calls;
    assert_eq!(fine.await.expect("no panic"), None);
    let (_, reason) = twice.await.expect("no panic").expect("an error");
    assert_eq!(reason, "the member \"77777\" is given twice");
    let (_, reason) = long.await.expect("no panic").expect("an error");
    assert!(reason.len() < 200, "{reason}");
}

#[tokio::test]
async fn a_container_where_a_listed_text_is_expected_is_one_problem() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Order {
        Title,
        Author,
    }
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct List {
        order: Option<Order>,
    }
    let list = Procedure::sync("list", |_: Cx, p: List| Ok::<_, Fault>(p));
    let service = builder().procedure(list).build().expect("a service");
    for (wrong, found) in [
        (json!({"a": 1}), "an object"),
        (json!({"title": 1}), "an object"),
        (json!(["title"]), "an array"),
        (json!(1), "1"),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "list", "params": {"order": wrong}});
        let data = &answer(&service, body).await["error"]["data"];
        assert_eq!(data.get("others"), None, "{data}");
        assert_eq!(data["pointer"], "", "{data}");
        let reason = data["reason"].as_str().expect("a reason");
        assert!(
            reason.contains("\"title\"") && reason.ends_with(found),
            "{data}"
        );
    }
}
