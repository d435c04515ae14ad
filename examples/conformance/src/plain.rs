//! Procedures that do almost nothing, each with different parameters.
//!
//! Together they have the forms of parameters that the specifications know: none, a list, names, and values
//! that may be left out.

use std::borrow::Cow;

use docent::{Cx, Fault, Procedure, json};
use schemars::JsonSchema;
use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Any JSON value, in the text that it was written with.
#[derive(Debug, Deserialize, Serialize)]
#[serde(transparent)]
struct Anything(Box<RawValue>);

impl JsonSchema for Anything {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Anything".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// Answers what it gets.
#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// Any value.
    value: Anything,
}

/// Takes a number and a word within bounds.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Constrained {
    /// A number from 1 to 10.
    #[schemars(range(min = 1, max = 10))]
    n: i64,
    /// A word of two to five letters.
    #[schemars(regex(pattern = r"^[A-Za-z]{2,5}$"))]
    word: String,
}

/// Takes one parameter that has to be there and two that need not.
#[derive(Deserialize, JsonSchema)]
struct Optional {
    /// Has to be there.
    a: i64,
    /// An integer that is 7 if it is left out.
    #[serde(default = "seven")]
    b: i64,
    /// An integer that is null if it is left out.
    c: Option<i64>,
}

fn seven() -> i64 {
    7
}

/// The parameters that `optional` got.
#[derive(Serialize, JsonSchema)]
struct Got {
    a: i64,
    b: i64,
    c: Option<i64>,
}

/// An element of the data.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Datum {
    Word(&'static str),
    Number(i32),
}

pub(crate) fn procedures() -> Vec<Procedure> {
    vec![
        Procedure::sync("get_data", |_: Cx, (): ()| {
            Ok::<_, Fault>([Datum::Word("hello"), Datum::Number(5)])
        })
        .summary("Answers the same array every time.")
        .idempotent()
        .example((), json!(["hello", 5])),
        Procedure::sync("echo", |_: Cx, p: Echo| Ok::<_, Fault>(p.value))
            .idempotent()
            .example(json!({"value": [1, "two", null]}), json!([1, "two", null])),
        Procedure::sync("constrained", |_: Cx, p: Constrained| Ok::<_, Fault>(p))
            .idempotent()
            .example(
                json!({"n": 3, "word": "three"}),
                json!({"n": 3, "word": "three"}),
            ),
        Procedure::sync("optional", |_: Cx, p: Optional| {
            Ok::<_, Fault>(Got {
                a: p.a,
                b: p.b,
                c: p.c,
            })
        })
        .idempotent()
        .example(json!([1]), json!({"a": 1, "b": 7, "c": null}))
        .example(json!({"a": 1, "c": 3}), json!({"a": 1, "b": 7, "c": 3})),
        heard("update", "Takes any values and forgets them."),
        heard("notify_hello", "Takes a greeting and forgets it."),
        heard("notify_sum", "Takes numbers and forgets them."),
    ]
}

/// Returns a procedure for notifications.
fn heard(name: &str, summary: &str) -> Procedure {
    Procedure::sync(name, |_: Cx, _: Vec<Anything>| Ok::<_, Fault>(()))
        .summary(summary)
        .notification()
        .tag("notifications")
}
