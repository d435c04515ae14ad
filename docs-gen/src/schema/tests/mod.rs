//! What a page says accepts exactly what the schema accepts.
//!
//! Random schemas, read as a reader reads their pages, against another implementation of JSON Schema: with values that
//! are made from the schema, and with others that differ from them in one place.

mod reader;
#[path = "../../../../describe/tests/it/views/schemas.rs"]
mod schemas;

use std::cell::Cell;

use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Examples, variations};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use self::reader::Reader;
use super::row::Row;
use super::service::ServiceSchemas;
use crate::strings::Strings;

/// The maximum number of values of one schema.
const MAX_VALUES: usize = 120;

/// Returns values that fit a schema, and values that fit it less.
fn values(service: &ServiceDescription, schema: &Json) -> Vec<Json> {
    let components = &service.components.schemas;
    let fitting = Examples::new(components).of_each_form(schema);
    let others = [
        Json::Null,
        Json::from(1),
        Json::from("a"),
        Json::Array(Vec::new()),
        Json::Object(Object::new()),
    ];
    let mut values: Vec<Json> = fitting.iter().take(40).cloned().chain(others).collect();
    for value in fitting.iter().take(12) {
        values.extend(variations(schema, value, components));
    }
    values.truncate(MAX_VALUES);
    values
}

fn judge(components: &Value, schema: &Value) -> jsonschema::Validator {
    let document = json!({"components": {"schemas": components}, "allOf": [schema]});
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&document)
        .expect("a schema")
}

fn service(components: &Value) -> ServiceDescription {
    let mut service = ServiceDescription::default();
    for (name, schema) in components.as_object().expect("schemas by name") {
        service
            .components
            .schemas
            .insert(name.clone(), Json::from(schema));
    }
    service
}

fn outline(rows: &[Row<'_>], strings: &Strings) -> String {
    let lines = rows.iter().map(|row| {
        format!(
            "{:depth$}{}{}: {:?} {:?} {:?}",
            "",
            row.name.text(strings),
            if row.is_required { "!" } else { "" },
            row.words,
            row.facts,
            row.unions,
            depth = row.depth * 2,
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_reader_of_a_page_accepts_what_the_schema_accepts() {
    // Rows in rows take more of the stack in a debug build than a thread of a test has.
    let deep = std::thread::Builder::new().stack_size(64 << 20);
    let checked = deep.spawn(check).map(std::thread::JoinHandle::join);
    if let Err(panic) = checked.expect("a thread") {
        std::panic::resume_unwind(panic);
    }
}

fn check() {
    let strings = Strings::default();
    let told = Cell::new(0_u32);
    let untold = Cell::new(0_u32);
    let mut config = Config::with_cases(600);
    config.failure_persistence = None;
    // The same schemas every time: what a run finds does not depend on luck.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&schemas::documents(), |(shared, schema)| {
        let judge = judge(&shared, &schema);
        let service = service(&shared);
        let schema = Json::from(&schema);
        let schemas = ServiceSchemas::new(&service);
        let reader = Reader::new(&schemas.views);
        let page = reader.page(schemas.views.tree.read(&schema));
        for value in values(&service, &schema) {
            let meant = judge.is_valid(&value.to_string().parse().expect("JSON"));
            let Some(said) = reader.accepts(&page, &value) else {
                untold.set(untold.get() + 1);
                continue;
            };
            told.set(told.get() + 1);
            prop_assert!(
                said == meant,
                "{value}: said {said}, is {meant}\n{schema}\n{shared}\n{}",
                outline(&page, &strings)
            );
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    // Answers that nobody can give are few, or the test says nothing.
    assert!(untold.get() * 8 < told.get(), "{told:?} {untold:?}");
}
