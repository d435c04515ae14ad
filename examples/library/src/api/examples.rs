//! Recorded examples of the procedures.
//!
//! The library's results are long, so the examples are in files, one for each procedure, instead of
//! in the code. They were recorded from a library opened for the first time on 2 March 2026. A test
//! makes every call again and compares the result. If `DOCENT_UPDATE=1` is set, it writes the
//! results to the files, and the next build includes them.

use docent::{Procedure, Subscription};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::store::Store;

/// A call and its result.
#[derive(Deserialize)]
struct Recorded {
    /// A sentence about what the example shows.
    summary: String,
    /// Kept as text to preserve the order of its members.
    params: Box<RawValue>,
    result: Option<Box<RawValue>>,
    /// The first items of a subscription.
    #[serde(default)]
    items: Vec<Box<RawValue>>,
    error: Option<ExampleError>,
}

/// The error of a call that failed. Its message is the declared one.
#[derive(Deserialize)]
struct ExampleError {
    code: i64,
    data: Box<RawValue>,
}

/// The file for each procedure.
const EXAMPLE_FILES: [(&str, &str); 11] = [
    ("author.get", include_str!("examples/author.get.json")),
    ("author.list", include_str!("examples/author.list.json")),
    ("book.add", include_str!("examples/book.add.json")),
    ("book.find", include_str!("examples/book.find.json")),
    ("book.get", include_str!("examples/book.get.json")),
    ("loan.end", include_str!("examples/loan.end.json")),
    ("loan.list", include_str!("examples/loan.list.json")),
    ("loan.start", include_str!("examples/loan.start.json")),
    ("member.add", include_str!("examples/member.add.json")),
    ("member.get", include_str!("examples/member.get.json")),
    ("stats", include_str!("examples/stats.json")),
];

/// Adds the recorded examples to a procedure.
pub(super) fn illustrate(procedure: Procedure<Store>) -> Procedure<Store> {
    let file = EXAMPLE_FILES
        .iter()
        .find(|(name, _)| *name == procedure.name());
    let recorded = file.map_or_else(Vec::new, |(_, text)| read(text));
    recorded.into_iter().fold(procedure, |procedure, example| {
        let Recorded {
            summary,
            params,
            result,
            error,
            ..
        } = example;
        match error {
            Some(ExampleError { code, data }) => {
                procedure.example_error_with_summary(summary, params, code, data)
            }
            None => procedure.example_with_summary(summary, params, result),
        }
    })
}

/// Adds the recorded examples to the subscription.
pub(super) fn illustrate_items<T: JsonSchema + 'static>(
    subscription: Subscription<T, Store>,
) -> Subscription<T, Store> {
    let recorded = read(include_str!("examples/loan.watch.json"));
    recorded
        .into_iter()
        .fold(subscription, |subscription, example| {
            subscription.example_with_summary(example.summary, example.params, example.items)
        })
}

fn read(text: &str) -> Vec<Recorded> {
    // The files are compiled in, so the first test finds one that cannot be read.
    serde_json::from_str(text).expect("a list of examples")
}
