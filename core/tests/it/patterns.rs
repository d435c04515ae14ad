//! Patterns: what they mean, and what they are matched against.

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assert_one, builder, taking};

#[derive(Deserialize, JsonSchema)]
struct Code {
    #[schemars(regex(pattern = r"^\d+$"))]
    code: String,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    #[schemars(extend("patternProperties" = {"^a*$": true}))]
    map: Value,
}

fn service(limit: Option<usize>) -> Service {
    let code = Procedure::sync("code", |_: Cx, p: Code| Ok::<_, Fault>(p.code.len()));
    let named = Procedure::sync("named", |_: Cx, p: Named| {
        Ok::<_, Fault>(p.map.as_object().map(serde_json::Map::len))
    });
    let builder = builder().procedures([code, named]).limits(|limits| {
        limits.max_pattern_chars = limit.unwrap_or(limits.max_pattern_chars);
    });
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

async fn refusal(service: &Service, name: &str, params: Value) -> String {
    match service.call::<Value>(name, &params).await {
        Ok(result) => panic!("taken: {result}"),
        Err(error) => {
            assert_eq!(error.code(), Some(-32602), "{error}");
            error.to_string()
        }
    }
}

#[tokio::test]
async fn a_class_of_characters_is_that_of_ecma_262() {
    let service = service(None);
    assert_eq!(
        service.call::<Value>("code", &json!(["12"])).await.ok(),
        Some(json!(2))
    );
    let refused = refusal(&service, "code", json!(["٣"])).await;
    assert!(
        refused.contains(r"must match the pattern ^\\d+$"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_text_that_is_too_long_is_not_matched() {
    let standard = service(None);
    let longest = "1".repeat(65_536);
    assert_eq!(
        standard.call::<Value>("code", &json!([longest])).await.ok(),
        Some(json!(65_536))
    );
    let refused = refusal(&standard, "code", json!([longest + "1"])).await;
    assert!(refused.contains("at most 65536 characters"), "{refused}");
    assert!(refused.contains("found 65537"), "{refused}");

    // The length counts characters, not bytes.
    let small = service(Some(3));
    let refused = refusal(&small, "code", json!(["ééé"])).await;
    assert!(refused.contains("must match"), "{refused}");
    let refused = refusal(&small, "named", json!({"map": {"aaaa": 1}})).await;
    assert!(refused.contains("at most 3 characters"), "{refused}");
    assert!(refused.contains("/aaaa"), "{refused}");
    let taken = small
        .call::<Value>("named", &json!({"map": {"aaa": 1}}))
        .await;
    assert_eq!(taken.ok(), Some(json!(1)));
}

#[test]
fn a_description_with_patterns_says_how_long_a_text_may_be() {
    let limit = |service: &Service| {
        service
            .description()
            .extensions
            .get("$patternText")
            .cloned()
    };
    assert_eq!(limit(&service(None)), Some(65_536.into()));
    assert_eq!(limit(&service(Some(10))), Some(10.into()));
    let plain = builder().procedure(crate::plain("plain")).build();
    assert_eq!(limit(&plain.expect("a service")), None);
}

#[test]
fn a_pattern_that_only_rust_knows_is_a_mistake() {
    #[derive(Deserialize, JsonSchema)]
    struct Rusty {
        #[schemars(inner(regex(pattern = r"(?i)\Aa\z")))]
        _names: Vec<String>,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Keys {
        #[schemars(extend("patternProperties" = {r"^\pL$": true}))]
        _map: Value,
    }
    assert_one(
        builder().procedure(taking::<Rusty>("rusty")),
        Some("rusty"),
        &["`_names`", "/items", "`pattern`", "ECMA-262", "(?i)"],
    );
    assert_one(
        builder().procedure(taking::<Keys>("keys")),
        Some("keys"),
        &["`_map`", "`patternProperties`", r"`\p{L}`"],
    );
}
