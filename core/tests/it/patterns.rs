//! Patterns: what they mean, and what they are matched against.

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assert_fine, assert_one, builder, taking};

#[derive(Deserialize, JsonSchema)]
struct Code {
    #[schemars(regex(pattern = r"^\d+$"))]
    code: String,
}

fn service() -> Service {
    let code = Procedure::sync("code", |_: Cx, p: Code| Ok::<_, Fault>(p.code.len()));
    let builder = builder().procedure(code);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

async fn invalid_params(service: &Service, name: &str, params: Value) -> String {
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
    let service = service();
    assert_eq!(
        service.call::<Value>("code", &json!(["12"])).await.ok(),
        Some(json!(2))
    );
    let refused = invalid_params(&service, "code", json!(["٣"])).await;
    assert!(
        refused.contains(r"must match the pattern ^\\d+$"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_text_of_any_length_is_matched_and_the_description_names_no_limit() {
    let service = service();
    let longest = "1".repeat(1_000_000);
    let taken = service.call::<Value>("code", &json!([longest])).await;
    assert_eq!(taken.ok(), Some(json!(1_000_000)));
    let refused = invalid_params(&service, "code", json!([longest + "x"])).await;
    assert!(refused.contains("must match the pattern"), "{refused}");
    assert!(service.description().extensions.is_empty());
}

/// Defines a parameters type with a text that has this pattern and maximum length.
macro_rules! text {
    ($name:ident: $pattern:literal $(, $most:literal)?) => {
        #[derive(Deserialize, JsonSchema)]
        struct $name {
            #[schemars(regex(pattern = $pattern) $(, length(max = $most))?)]
            _text: String,
        }
    };
}

text!(Slow: "a[ab]{800}c");
text!(SlowBackwards: "c[ab]{20}a[ab]*$");
text!(Long: "a[ab]{800}c", 100_000);
text!(Short: "a[ab]{800}c", 10_000);
text!(LongCode: r"^\d+$", 100_000);

#[test]
fn a_pattern_that_takes_too_long_in_the_longest_text_is_a_mistake() {
    let cures = [
        "`_text`",
        "`pattern`",
        "`maxLength` of at most 10",
        "a simpler pattern",
    ];
    let refused = [taking::<Slow>("slow"), taking::<Long>("slow")];
    for procedure in refused {
        assert_one(builder().procedure(procedure), Some("slow"), &cures);
    }
    let backwards = builder().procedure(taking::<SlowBackwards>("slow"));
    assert_one(
        backwards,
        Some("slow"),
        &["`_text`", "`maxLength` of at most"],
    );
    assert_fine(builder().procedures([taking::<Short>("short"), taking::<LongCode>("code")]));
    // The longest text is the body's, if there is no shorter one.
    let small = builder().limits(|limits| limits.max_body_bytes = 40_000);
    assert_fine(small.procedures([taking::<Slow>("slow"), taking::<Long>("long")]));
}

#[test]
fn ordinary_patterns_need_no_maximum_length() {
    text!(Uuid: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$");
    text!(Date: r"^\d{4}-\d{2}-\d{2}$");
    text!(Slug: "^[a-z]{1,64}$");
    text!(Letters: r"^[\p{L}\p{N}][\p{L}\p{N} '-]*$");
    text!(Mail: r"^[\w.!#$%&'*+\/=?^`\{|\}~-]+@[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$");
    text!(Semver: r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-((0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?$");
    text!(Base64: "^([A-Za-z0-9+\\/]{4})*([A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?$");
    text!(Anywhere: "[A-Z]{3}[0-9]{2,10}");
    assert_fine(builder().procedures([
        taking::<Uuid>("uuid"),
        taking::<Date>("date"),
        taking::<Slug>("slug"),
        taking::<Letters>("letters"),
        taking::<Mail>("mail"),
        taking::<Semver>("semver"),
        taking::<Base64>("base64"),
        taking::<Anywhere>("anywhere"),
    ]));
}

#[test]
fn a_slow_pattern_of_names_is_a_mistake_and_one_of_a_result_a_warning() {
    #[derive(Deserialize, JsonSchema)]
    struct Names {
        #[schemars(extend("patternProperties" = {"a[ab]{800}c": true}))]
        _map: Value,
    }
    #[derive(serde::Serialize, JsonSchema)]
    struct Response {
        #[schemars(regex(pattern = "a[ab]{800}c"))]
        text: String,
    }
    let names = builder().procedure(taking::<Names>("names"));
    assert_one(
        names,
        Some("names"),
        &["`_map`", "`patternProperties`", "a simpler pattern"],
    );
    let response = Procedure::sync("answer", |_: Cx, (): ()| {
        Ok::<_, Fault>(Response {
            text: String::new(),
        })
    });
    let service = builder().procedure(response).build().expect("a service");
    let warnings = format!("{:?}", service.warnings());
    assert!(warnings.contains("the result is not checked"), "{warnings}");
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
