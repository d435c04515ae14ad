//! The constraints that a check enforces, for each keyword and for the schemas of real types.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod keywords;
mod reasons;
mod structure;
mod types;
mod unenforceable;

use crate::json::Json;
use indexmap::IndexMap;

use super::{Check, Compiler, Unenforceable};

/// Returns no components.
fn none() -> IndexMap<String, Json> {
    IndexMap::new()
}

fn json(text: &str) -> Json {
    text.parse().unwrap()
}

/// Returns components from an object.
fn components(text: &str) -> IndexMap<String, Json> {
    json(text)
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| (name.to_string(), schema.clone()))
        .collect()
}

/// Compiles a schema, unless decoding enforces all of it.
fn compile(schema: &str) -> Result<Option<Check>, Vec<Unenforceable>> {
    let components = none();
    let schema = json(schema);
    let mut compiler = Compiler::new(&components);
    let check = compiler.compile(&schema)?;
    Ok(compiler.asserts_beyond_decoding(&schema).then_some(check))
}

fn check(schema: &str) -> Check {
    compile(schema).unwrap().expect("something to check")
}

fn full(schema: &str) -> Check {
    Compiler::new(&none()).compile(&json(schema)).unwrap()
}

/// Returns the pointer and the reason of a violation.
#[track_caller]
fn reason(check: &Check, value: &str) -> String {
    let violation = check.check(value).expect_err(value);
    violation.to_string()
}
