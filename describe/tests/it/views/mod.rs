//! Views accept the same values as their schemas.
//!
//! Random and awkward schemas are read in two ways: by a [`Reader`] of views, and by an independent validator of JSON
//! Schema. Both have to accept the same values.

mod reader;
mod schemas;
#[expect(dead_code, reason = "tools use more of it")]
mod subjects;

use std::cell::Cell;

use docent_describe::json::Json;
use docent_describe::schema::{SchemaContext, SchemaViews, Validator};
use indexmap::IndexMap;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use self::reader::Reader;

/// Closes objects over all that is evaluated, where a schema counts their members instead.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if keywords.remove("minProperties").is_some() {
                keywords.insert("unevaluatedProperties".to_owned(), json!(false));
            }
            keywords.values_mut().for_each(close);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(close),
        _ => {}
    }
}

#[test]
fn a_reader_of_views_accepts_what_the_schema_accepts() {
    // Generating schemas takes more of the stack in a debug build than a thread of a test has.
    let deep = std::thread::Builder::new().stack_size(64 << 20);
    let thread = deep.spawn(check_random_schemas).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check_random_schemas() {
    let decided = Cell::new(0_u32);
    let undecided = Cell::new(0_u32);
    let mut config = Config::with_cases(600);
    config.failure_persistence = None;
    // The same schemas every time: what a run finds does not depend on luck.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let documents = (schemas::documents(), any::<bool>());
    let outcome = runner.run(&documents, |((mut shared, mut schema), closes)| {
        if closes {
            close(&mut shared);
            close(&mut schema);
        }
        let validator = schemas::validator(&shared, &schema);
        let components: IndexMap<String, Json> = Json::from(&shared)
            .as_object()
            .expect("schemas by name")
            .iter()
            .map(|(name, schema)| (name.as_str().to_owned(), schema.clone()))
            .collect();
        let schema = Json::from(&schema);
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        let node = views.tree.read(&schema);
        let reader = Reader::new(&views);
        for value in schemas::values(&components, &schema) {
            let expected = validator.is_valid(&value.to_string().parse().expect("JSON"));
            let Some(accepts) = reader.accepts(&[node], &value) else {
                undecided.set(undecided.get() + 1);
                continue;
            };
            decided.set(decided.get() + 1);
            prop_assert!(
                accepts == expected,
                "{value}: the view accepts it: {accepts}, the schema: {expected}\n{schema}\n{shared}"
            );
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    // If most answers were unknown, the test would say nothing.
    assert!(
        undecided.get() * 4 < decided.get(),
        "{decided:?} {undecided:?}"
    );
}

#[test]
fn views_and_the_check_accept_the_same_values_of_awkward_schemas() {
    let subjects = subjects::awkward();
    let components: IndexMap<String, Json> = subjects
        .iter()
        .map(|subject| (subject.name.clone(), Json::from(&subject.schema)))
        .collect();
    let context = SchemaContext::new(&components, Some(&[]));
    let views = SchemaViews::new(context);
    let check = Validator::new(context);
    for subject in &subjects {
        let independent = subjects::validator(&subjects, &subject.name);
        let schema = &components[&subject.name];
        let node = views.tree.read(schema);
        for (values, is_valid) in [(&subject.valid, true), (&subject.invalid, false)] {
            for value in values {
                let name = &subject.name;
                assert_eq!(independent.is_valid(value), is_valid, "{name}: {value}");
                let value = Json::from(value);
                let accepts = Reader::new(&views).accepts(&[node], &value);
                assert_ne!(accepts, Some(!is_valid), "{name}: {value}");
                assert_eq!(
                    check.is_valid(schema, &value),
                    Some(is_valid),
                    "{name}: {value}"
                );
            }
        }
    }
}
