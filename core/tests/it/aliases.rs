//! Other names of parameters, such as those that they had before.

use docent_core::{CallError, Cx, Fault, Procedure, Service, ServiceBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ID, assert_one, builder, taking};

#[derive(Deserialize, JsonSchema)]
struct Find {
    #[serde(alias = "words")]
    query: String,
    #[serde(default, alias = "max")]
    limit: u8,
}

fn find() -> Procedure {
    Procedure::sync("find", |_: Cx, p: Find| Ok::<_, Fault>((p.query, p.limit)))
        .idempotent()
        .alias("query", "q")
}

fn sum() -> Procedure {
    Procedure::sync("sum", |_: Cx, values: Vec<i64>| {
        Ok::<_, Fault>(values.iter().sum::<i64>())
    })
    .idempotent()
    .list_name("addends")
    .alias("addends", "values")
}

fn service() -> Service {
    let builder = builder().procedure(find()).procedure(sum());
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the reason why a call failed.
fn reason(error: CallError) -> Value {
    match error {
        CallError::Fault {
            code: -32602,
            data: Some(data),
            ..
        } => data,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_alias_stands_for_its_parameter() {
    let service = service();
    for params in [
        json!({"query": "whale", "limit": 2}),
        json!({"words": "whale", "limit": 2}),
        json!({"max": 2, "q": "whale"}),
        json!(["whale", 2]),
    ] {
        let found: (String, u8) = service.call("find", &params).await.expect("a result");
        assert_eq!(found, ("whale".to_owned(), 2), "{params}");
    }
    for params in [
        json!([1, 2]),
        json!({"values": [1, 2]}),
        json!({"addends": [1, 2]}),
    ] {
        assert_eq!(
            service.call::<i64>("sum", &params).await.expect("a result"),
            3
        );
    }
}

#[tokio::test]
async fn a_parameter_under_two_of_its_names_is_given_twice() {
    let service = service();
    for (procedure, parameter, params) in [
        ("find", "query", json!({"query": "a", "words": "a"})),
        ("find", "query", json!({"words": "a", "q": "a"})),
        ("find", "limit", json!({"max": 1, "query": "a", "limit": 1})),
        ("sum", "addends", json!({"values": [1], "addends": [1]})),
    ] {
        let refused = service.call::<Value>(procedure, &params).await;
        assert_eq!(
            reason(refused.expect_err("an error")),
            json!({"parameter": parameter, "pointer": "", "reason": "this parameter is given twice"}),
            "{params}"
        );
    }
}

#[tokio::test]
async fn a_problem_with_an_alias_names_its_parameter() {
    let refused = service()
        .call::<Value>("find", &json!({"words": "a", "max": 256}))
        .await;
    let data = reason(refused.expect_err("an error"));
    assert_eq!(data["parameter"], "limit");
    let refused = service()
        .call::<Value>("find", &json!({"wrods": "a"}))
        .await;
    assert_eq!(
        reason(refused.expect_err("an error"))["reason"],
        "unknown parameter: expected \"query\" or \"limit\""
    );
}

async fn query(service: &Service, procedure: &str, query: &str) -> Value {
    let reply = service.query(procedure, query, None).await;
    serde_json::from_slice(&reply.body().unwrap_or_default()).expect("a result")
}

#[tokio::test]
async fn an_alias_may_stand_in_a_query_and_in_a_call_of_1_1() {
    let service = service();
    let found = query(&service, "find", "words=whale&max=3").await;
    assert_eq!(found["result"], json!(["whale", 3]));
    let sum = query(&service, "sum", "values=1&values=5").await;
    assert_eq!(sum["result"], 6);
    for (procedure, text) in [
        ("find", "words=a&query=a"),
        ("find", "query=a&max=1&limit=1"),
        ("sum", "values=1&addends=2"),
    ] {
        let refused = query(&service, procedure, text).await;
        assert_eq!(refused["error"]["code"], -32602, "{text}");
        let reason = &refused["error"]["data"]["reason"];
        assert_eq!(reason, "this parameter is given twice", "{text}");
    }
    let body = r#"{"version": "1.1", "method": "find", "params": {"words": "a", "1": 4}}"#;
    let response = service.handle(body).await.expect("a result");
    assert_eq!(response, br#"{"version":"1.1","result":["a",4]}"#);
    let body = r#"{"version": "1.1", "method": "find", "params": {"words": "a", "query": "b"}}"#;
    let response =
        String::from_utf8(service.handle(body).await.expect("a result")).expect("a result");
    assert!(
        response.contains("this parameter is given twice"),
        "{response}"
    );
}

#[tokio::test]
async fn aliases_are_described_as_deprecated_and_not_in_1_1() {
    let service = service();
    let described: Value = service.call("rpc.describe", &()).await.expect("a result");
    assert_eq!(
        described["procs"][0]["params"][0]["aliases"],
        json!([{"name": "words", "deprecated": true}, {"name": "q", "deprecated": true}])
    );
    let openrpc: Value = service.call("rpc.discover", &()).await.expect("a result");
    assert_eq!(
        openrpc["methods"][0]["params"][1]["x-aliases"],
        json!([{"name": "max", "deprecated": true}])
    );
    let strict: Value = service
        .call("system.describe", &())
        .await
        .expect("a result");
    assert!(!strict.to_string().contains("words"), "{strict}");
}

#[tokio::test]
async fn an_alias_may_be_declared_where_a_flattened_field_hides_those_of_serde() {
    #[derive(Deserialize, JsonSchema)]
    struct Flat {
        #[serde(flatten)]
        find: Find,
    }

    let flat = Procedure::sync("flat", |_: Cx, p: Flat| Ok::<_, Fault>(p.find.query));
    let service = builder()
        .procedure(flat.alias("query", "words"))
        .build()
        .expect("a result");
    let found: String = service
        .call("flat", &json!({"words": "a"}))
        .await
        .expect("a result");
    assert_eq!(found, "a");
    let unknown = service
        .call::<Value>("flat", &json!({"query": "a", "max": 1}))
        .await;
    assert_eq!(reason(unknown.expect_err("an error"))["parameter"], "max");
}

#[test]
fn an_alias_needs_a_parameter_and_a_name_of_its_own() {
    let one = |procedure: Procedure| Service::builder("tested", ID).procedure(procedure);
    let assert_mistake =
        |builder: ServiceBuilder, words: &str| assert_one(builder, Some("find"), &[words]);
    assert_mistake(
        one(find().alias("word", "w")),
        "there is no parameter `word`",
    );
    assert_mistake(
        one(find().alias("query", "limit")),
        "the alias `limit` of the parameter `query` is also",
    );
    assert_mistake(
        one(find().alias("query", "query")),
        "the alias `query` of the parameter `query` is also",
    );
    assert_mistake(
        one(find().alias("query", "7")),
        "`7` cannot be a parameter's name",
    );
    assert_mistake(
        one(taking::<()>("find").alias("a", "b")),
        "there is no parameter `a`",
    );
    let twice = crate::mistakes(one(find().alias("query", "max")));
    assert!(
        twice.iter().all(|mistake| mistake.text().contains("`max`")),
        "{twice:?}"
    );
    assert!(!twice.is_empty());
    // Said twice is said once.
    crate::assert_fine(one(find().alias("query", "words")));
}

#[tokio::test]
async fn many_parameters_have_aliases_too() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only two of them are of interest")]
    struct Many {
        #[serde(alias = "z")]
        a: Option<u8>,
        b: Option<u8>,
        c: Option<u8>,
        d: Option<u8>,
        e: Option<u8>,
        f: Option<u8>,
        g: Option<u8>,
        h: Option<u8>,
        i: Option<u8>,
        j: Option<u8>,
        k: Option<u8>,
        l: Option<u8>,
        m: Option<u8>,
        n: Option<u8>,
        o: Option<u8>,
        p: Option<u8>,
        #[serde(alias = "y")]
        q: Option<u8>,
    }

    let many = Procedure::sync("many", |_: Cx, p: Many| Ok::<_, Fault>((p.a, p.q)));
    let service = builder().procedure(many).build().expect("a result");
    let found: (u8, u8) = service
        .call("many", &json!({"y": 2, "z": 1}))
        .await
        .expect("a result");
    assert_eq!(found, (1, 2));
}

/// Plans are shared between procedures that take one type, but only if nothing else differs.
#[tokio::test]
async fn procedures_that_take_one_type_keep_names_and_ways_of_their_own() {
    let taking = |name: &str| Procedure::sync(name, |_: Cx, p: Find| Ok::<_, Fault>(p.query));
    let listing = |name: &str| {
        Procedure::sync(name, |_: Cx, values: Vec<i64>| {
            Ok::<_, Fault>(values.iter().sum::<i64>())
        })
    };
    let builder = builder().procedures([
        taking("plain"),
        taking("other.name").alias("query", "q"),
        taking("by.name").by_name_only(),
        listing("values"),
        listing("addends").list_name("addends"),
    ]);
    let service = builder.build().unwrap_or_else(|error| panic!("{error}"));
    for (procedure, params, is_taken) in [
        ("plain", json!({"query": "whale"}), true),
        ("plain", json!(["whale"]), true),
        ("plain", json!({"q": "whale"}), false),
        ("other.name", json!({"q": "whale"}), true),
        ("by.name", json!({"query": "whale"}), true),
        ("by.name", json!(["whale"]), false),
        ("by.name", json!({"q": "whale"}), false),
        ("values", json!({"values": [1]}), true),
        ("values", json!({"addends": [1]}), false),
        ("addends", json!({"addends": [1]}), true),
        ("addends", json!({"values": [1]}), false),
    ] {
        let found = service.call::<Value>(procedure, &params).await;
        assert_eq!(found.is_ok(), is_taken, "{procedure} {params}");
    }
}
