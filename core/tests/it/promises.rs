//! Promises in a schema that would go unenforced.

use std::borrow::Cow;

use docent_core::{Cx, Fault, Procedure};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{assert_fine, assert_one, builder, taking};

/// A value of any kind, with a schema that the test sets.
macro_rules! promised {
    ($name:ident, $schema:tt) => {
        #[derive(Deserialize, Serialize)]
        #[serde(transparent)]
        struct $name(Value);

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

promised!(Conditional, {"if": {"type": "string"}, "then": {"minLength": 1}});
promised!(Negated, {"not": {"type": "string"}});
promised!(Dependent, {"type": "object", "dependentRequired": {"a": ["b"]}});
promised!(Containing, {"type": "array", "contains": {"type": "integer"}});
promised!(Counting, {"type": "object", "minProperties": 1});
promised!(BadPattern, {"type": "string", "pattern": "(?=a)a"});
promised!(BrokenPattern, {"type": "string", "pattern": "["});
promised!(Formatted, {"type": "string", "format": "date-time", "contentMediaType": "text/plain", "x-anything": 1});

#[derive(Deserialize, JsonSchema)]
struct Holds<T> {
    #[serde(rename = "value")]
    _value: T,
}

fn holding<T: serde::de::DeserializeOwned + JsonSchema + 'static>() -> Procedure {
    taking::<Holds<T>>("promise")
}

#[test]
fn a_schema_that_asserts_what_nothing_enforces_is_a_mistake() {
    let table = [
        (holding::<Negated>(), "not"),
        (holding::<Dependent>(), "dependentRequired"),
        (holding::<Containing>(), "contains"),
        (holding::<Counting>(), "minProperties"),
    ];
    let mut wrong = Vec::new();
    for (procedure, keyword) in table {
        let found = crate::mistakes(builder().procedure(procedure));
        let words = ["`value`", keyword, "unchecked"];
        let fits = |mistake: &docent_core::Mistake| {
            mistake.procedure() == Some("promise")
                && words.iter().all(|word| mistake.text().contains(word))
        };
        if found.len() != 1 || !found.iter().all(fits) {
            wrong.push(format!("{keyword}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_keyword_that_asserts_is_found() {
    let found = crate::mistakes(builder().procedure(holding::<Conditional>()));
    let texts: Vec<_> = found.iter().map(docent_core::Mistake::text).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(
        texts[0].contains("`if`") && texts[1].contains("`then`"),
        "{texts:?}"
    );
}

#[test]
fn a_pattern_that_does_not_compile_is_a_mistake() {
    assert_one(
        builder().procedure(holding::<BadPattern>()),
        Some("promise"),
        &["`value`", "pattern"],
    );
    assert_one(
        builder().procedure(holding::<BrokenPattern>()),
        Some("promise"),
        &["`value`", "pattern"],
    );
}

#[test]
fn a_promise_inside_of_a_shared_type_is_found() {
    #[derive(Deserialize, JsonSchema)]
    struct Inner {
        #[serde(rename = "deep")]
        _deep: Vec<Negated>,
    }
    assert_one(
        builder().procedure(holding::<Inner>()),
        Some("promise"),
        &["`value`", "not"],
    );
}

#[test]
fn an_author_can_say_that_the_handler_keeps_the_promise_and_the_reason_is_published() {
    let service = builder()
        .procedure(holding::<Negated>().unchecked("the handler looks"))
        .build()
        .expect("unchecked");
    let rendered = String::from_utf8(service.rendered_description().to_vec()).expect("UTF-8");
    assert!(rendered.contains("the handler looks"), "{rendered}");
}

#[tokio::test]
async fn what_can_be_enforced_still_is_where_the_rest_is_left_to_the_handler() {
    #[derive(Deserialize, JsonSchema)]
    struct Mixed {
        #[schemars(range(max = 5), extend("not" = {"const": 3}))]
        value: i64,
    }
    let handler = |_: Cx, p: Mixed| Ok::<_, Fault>(p.value);
    let service = builder()
        .procedure(Procedure::sync("mixed", handler).unchecked("the handler knows about three"))
        .build()
        .expect("unchecked");
    let call = async |value: i64| service.call::<i64>("mixed", &json!([value])).await;
    assert_eq!(call(3).await.expect("left to the handler"), 3);
    assert_eq!(
        call(6).await.expect_err("over the bound").code(),
        Some(-32602)
    );
}

#[test]
fn annotations_are_no_promises() {
    assert_fine(builder().procedure(holding::<Formatted>()));
}

#[test]
fn a_result_may_promise_what_is_not_enforced_of_parameters() {
    let procedure = Procedure::sync("promise", |_: Cx, (): ()| Ok::<_, Fault>(Negated(json!(1))));
    assert_fine(builder().procedure(procedure));
}
