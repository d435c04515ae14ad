//! The positional order of parameters, where the author lists it, and where there is none.

use docent_core::{CallError, Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assert_fine, assert_one, builder, mistakes, taking};

#[derive(Deserialize, JsonSchema)]
struct Page {
    #[serde(default)]
    offset: u32,
    #[serde(default)]
    limit: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Find {
    words: String,
    #[serde(flatten)]
    page: Page,
    in_stock: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Late {
    language: Option<String>,
    words: String,
}

fn find() -> Procedure {
    Procedure::sync("find", |_: Cx, p: Find| {
        Ok::<_, Fault>((p.words, p.in_stock, p.page.limit, p.page.offset))
    })
    .idempotent()
}

fn late() -> Procedure {
    let late = Procedure::sync("late", |_: Cx, p: Late| {
        Ok::<_, Fault>((p.language, p.words))
    });
    late.idempotent()
}

fn built(procedure: Procedure) -> Service {
    let builder = builder().procedure(procedure);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn names(service: &Service) -> Vec<&str> {
    let params = &service.description().procs[0].params;
    params.iter().map(|param| &*param.name).collect()
}

async fn query(service: &Service, procedure: &str, query: &str) -> Value {
    let reply = service.query(procedure, query, None).await;
    serde_json::from_slice(&reply.body().unwrap_or_default()).expect("a result")
}

#[tokio::test]
async fn a_listed_order_is_the_positional_order() {
    let order = ["in_stock", "words", "limit", "offset"];
    let service = built(find().order(order));
    assert_eq!(names(&service), order);
    assert!(!service.description().procs[0].by_name_only);
    let expected = ("whale".to_owned(), true, 5, 10);
    for params in [
        json!([true, "whale", 5, 10]),
        json!({"offset": 10, "words": "whale", "limit": 5, "in_stock": true}),
    ] {
        let found: (String, bool, u32, u32) =
            service.call("find", &params).await.expect("a result");
        assert_eq!(found, expected, "{params}");
    }
    let found: (String, bool, u32, u32) = service
        .call("find", &json!([false, "a"]))
        .await
        .expect("a result");
    assert_eq!(found, ("a".to_owned(), false, 0, 0));
    let found = query(&service, "find", "0=true&1=whale&3=10&2=5").await;
    assert_eq!(found["result"], json!(["whale", true, 5, 10]));

    // The mistake is told of the right parameter.
    let refused = service.call::<Value>("find", &json!([true, "a", -1])).await;
    let CallError::Fault {
        data: Some(data), ..
    } = refused.expect_err("an error")
    else {
        panic!("no fault")
    };
    assert_eq!(data["parameter"], "limit");
}

#[tokio::test]
async fn an_order_may_differ_from_that_of_the_fields() {
    let service = built(late().order(["words", "language"]));
    let found: (Option<String>, String) = service.call("late", &["a"]).await.expect("a result");
    assert_eq!(found, (None, "a".to_owned()));
}

#[tokio::test]
async fn without_an_order_required_parameters_come_first_and_then_the_others_by_alphabet() {
    let service = built(find());
    assert_eq!(names(&service), ["words", "in_stock", "limit", "offset"]);
    assert!(service.description().procs[0].by_name_only);
}

#[test]
fn an_order_lists_every_parameter_once_and_required_ones_first() {
    let mistakes = mistakes(builder().procedure(find().order(["words", "word", "words", "limit"])));
    let texts: Vec<&str> = mistakes.iter().map(docent_core::Mistake::text).collect();
    assert_eq!(
        texts,
        [
            "the order lists `word`, which is not a parameter; remove it",
            "the order lists the parameter `words` twice; remove one",
            "the order does not list the parameter `in_stock`; add it",
            "the order does not list the parameter `offset`; add it",
        ]
    );
    let late_words = ["in_stock", "limit", "words", "offset"];
    assert_one(
        builder().procedure(find().order(late_words)),
        Some("find"),
        &["the required parameter `words` follows the optional `limit`"],
    );
    assert_fine(builder().procedure(find().order(late_words).by_name_only()));
    assert_one(
        builder().procedure(taking::<Vec<u8>>("list").order(["values"])),
        Some("list"),
        &["order needs named parameters"],
    );
}

#[tokio::test]
async fn a_procedure_by_name_only_may_have_required_parameters_behind_optional_ones() {
    assert_one(
        builder().procedure(late()),
        Some("late"),
        &[
            "the required parameter `words` follows",
            "`.by_name_only()`",
        ],
    );
    let service = built(late().by_name_only());
    let found: (Option<String>, String) = service
        .call("late", &json!({"words": "a"}))
        .await
        .expect("a result");
    assert_eq!(found, (None, "a".to_owned()));

    let reason = "this procedure takes its parameters by name only";
    for params in [json!(["en", "a"]), json!(["en"]), json!(["en", "a", 3])] {
        let refused = service
            .call::<Value>("late", &params)
            .await
            .expect_err("an error");
        assert_eq!(refused.code(), Some(-32602));
        assert!(refused.to_string().contains(reason), "{refused}");
    }
    for text in ["0=en&1=a", "words=a&0=en"] {
        let refused = query(&service, "late", text).await;
        assert_eq!(refused["error"]["data"]["reason"], reason);
    }
    let body = r#"{"version": "1.1", "method": "late", "params": {"1": "a"}}"#;
    let response =
        String::from_utf8(service.handle(body).await.expect("a result")).expect("a result");
    assert!(response.contains(reason), "{response}");

    let described: Value = service.call("rpc.describe", &()).await.expect("a result");
    assert_eq!(described["procs"][0]["byNameOnly"], true);
    let openrpc: Value = service.call("rpc.discover", &()).await.expect("a result");
    assert_eq!(openrpc["methods"][0]["paramStructure"], "by-name");
}

#[tokio::test]
async fn procedures_of_one_type_may_differ_in_how_they_take_it() {
    #[derive(Deserialize, JsonSchema)]
    struct Words {
        words: String,
        language: Option<String>,
    }

    let procedure = |name: &str| {
        Procedure::sync(name, |_: Cx, p: Words| {
            Ok::<_, Fault>((p.words, p.language))
        })
    };
    let service = builder()
        .procedure(procedure("plain"))
        .procedure(procedure("named").by_name_only())
        .procedure(procedure("renamed").alias("words", "query"))
        .build()
        .expect("a service");
    for (params, taken) in [
        (json!(["a"]), ["plain", "renamed"]),
        (json!({"query": "a"}), ["renamed", "renamed"]),
    ] {
        for name in ["plain", "named", "renamed"] {
            let found = service.call::<Value>(name, &params).await;
            assert_eq!(found.is_ok(), taken.contains(&name), "{name} {params}");
        }
    }
}

#[test]
fn only_parameters_with_names_can_be_taken_by_name_only() {
    assert_one(
        builder().procedure(taking::<Vec<u8>>("list").by_name_only()),
        Some("list"),
        &["by_name_only needs named parameters"],
    );
    assert_fine(builder().procedure(taking::<()>("nothing").by_name_only()));
}

#[tokio::test]
async fn a_deprecated_parameter_is_described_as_such() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only their description is of interest")]
    struct Old {
        #[deprecated]
        #[serde(default)]
        by_attribute: u8,
        #[serde(default)]
        #[schemars(extend("deprecated" = true))]
        by_extension: Page,
        #[serde(default)]
        current: u8,
    }

    let service = built(taking::<Old>("old"));
    let described: Value = service.call("rpc.describe", &()).await.expect("a result");
    let params = &described["procs"][0]["params"];
    for (index, deprecated) in [(0, json!(true)), (1, json!(true)), (2, Value::Null)] {
        assert_eq!(params[index]["deprecated"], deprecated, "{params}");
        assert_eq!(
            params[index]["schema"]["deprecated"], deprecated,
            "{params}"
        );
    }
}

impl Default for Page {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: 20,
        }
    }
}
