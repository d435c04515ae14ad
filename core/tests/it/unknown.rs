//! Unknown parameters that a procedure or a service ignores.

use std::time::Duration;

use docent_core::carrier::Incoming;
use docent_core::{Cx, Fault, Procedure, Service, ServiceBuilder, procedure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assert_one, builder};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Words {
    words: String,
    limit: Option<u8>,
}

fn find(name: &str) -> Procedure {
    Procedure::sync(name, |_: Cx, p: Words| Ok::<_, Fault>((p.words, p.limit)))
}

fn list(name: &str) -> Procedure {
    Procedure::sync(name, |_: Cx, p: Vec<u8>| Ok::<_, Fault>(p))
}

fn built(builder: ServiceBuilder) -> Service {
    builder.build().expect("a service")
}

async fn send(service: &Service, request: &Value) -> Value {
    let reply = service.exchange(Incoming::new(request.to_string())).await;
    serde_json::from_slice(&reply.body().expect("a body")).expect("JSON")
}

#[tokio::test]
async fn unknown_names_are_ignored_where_the_procedure_says_so() {
    let strict = find("strict").idempotent();
    let lenient = find("lenient").idempotent().ignore_unknown();
    let service = built(builder().procedure(strict).procedure(lenient));
    for params in [
        json!({"words": "a", "fuzzy": true}),
        json!({"fuzzy": {"words": [1]}, "words": "a"}),
        json!({"": null, "words": "a", "WORDS": "b"}),
    ] {
        let call = |method| json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1});
        let response = send(&service, &call("lenient")).await;
        assert_eq!(response["result"], json!(["a", null]), "{params}");
        let refused = send(&service, &call("strict")).await;
        assert_eq!(refused["error"]["code"], -32602, "{params}");
        let old = json!({"version": "1.1", "method": "lenient", "params": params, "id": 1});
        assert_eq!(send(&service, &old).await["result"], json!(["a", null]));
    }
    let read = service
        .query("lenient", "fuzzy=1&words=a&fuzzy=2", None)
        .await;
    let read = String::from_utf8_lossy(&read.body().expect("a body")).into_owned();
    assert!(read.contains(r#""result":["a",null]"#), "{read}");
}

#[tokio::test]
async fn everything_else_about_parameters_stays_strict() {
    let service = built(builder().procedure(find("find").ignore_unknown()));
    for params in [
        json!({"word": "a"}),
        json!({"words": "a", "limit": 300, "fuzzy": 1}),
        json!(["a", 1, 2]),
        json!({"words": "a", "$serde_json::private::RawValue": "1"}),
    ] {
        let refused = service
            .call::<Value>("find", &params)
            .await
            .expect_err("an error");
        assert_eq!(refused.code(), Some(-32602), "{params}");
    }
    let twice =
        r#"{"jsonrpc":"2.0","method":"find","params":{"words":"a","words":"b","x":1},"id":1}"#;
    let response = service.handle(twice).await.expect("an answer");
    assert!(String::from_utf8_lossy(&response).contains("-32602"));
}

#[tokio::test]
async fn a_service_can_say_it_for_all_procedures_that_have_names() {
    let all = builder()
        .ignore_unknown()
        .procedure(find("find"))
        .procedure(list("list"));
    let service = built(all);
    let described: Value = service
        .call("rpc.describe", &())
        .await
        .expect("a description");
    assert_eq!(described["procs"][0]["ignoresUnknown"], true);
    assert_eq!(described["procs"][1].get("ignoresUnknown"), None);
    let later = service.extend().version("2.0").procedure(find("later"));
    for service in [&service, &built(later)] {
        let procs = &service.description().procs;
        let last = procs
            .iter()
            .rfind(|known| known.name != "list")
            .expect("a procedure");
        let params = json!({"words": "a", "x": 1});
        service
            .call::<Value>(&last.name, &params)
            .await
            .expect("a result");
    }
    // The procedures that describe the service stay strict.
    let refused = service
        .call::<Value>("rpc.describe", &json!({"procedures": ["find"]}))
        .await;
    assert_eq!(refused.expect_err("an error").code(), Some(-32602));
    assert_one(
        builder().procedure(list("list").ignore_unknown()),
        Some("list"),
        &["ignore_unknown needs named parameters"],
    );
}

#[tokio::test]
async fn a_repeated_write_is_the_same_whatever_is_ignored() {
    let write = find("write").repeatable(Duration::from_secs(60));
    let service = built(builder().procedure(write.keys_without_caller().ignore_unknown()));
    for (params, code) in [
        (json!({"words": "a"}), None),
        (json!({"x": 1, "words": "a"}), None),
        (json!({"words": "b"}), Some(-32010)),
    ] {
        let request = json!({
            "jsonrpc": "2.0", "method": "write", "params": params, "id": 1, "x-idempotency-key": "k",
        });
        let response = send(&service, &request).await;
        assert_eq!(
            response["error"]["code"].as_i64(),
            code,
            "{params}: {response}"
        );
    }
}

#[procedure(ignore_unknown)]
fn greet(name: String) -> Result<String, Fault> {
    Ok(name)
}

#[tokio::test]
async fn the_attribute_has_it_as_an_option() {
    let service = built(builder().procedure(greet::procedure()));
    let params = json!({"name": "Ada", "title": "Countess"});
    let greeted: String = service.call("greet", &params).await.expect("a result");
    assert_eq!(greeted, "Ada");
}
