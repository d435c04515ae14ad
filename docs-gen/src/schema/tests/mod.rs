//! Tests that a page describes exactly the values that the schema accepts.
//!
//! Random schemas are read as a reader reads their pages, and compared with another implementation of JSON Schema: with
//! values that are made from the schema, and with others that differ from them in one place.

mod reader;
#[path = "../../../../describe/tests/it/views/schemas.rs"]
mod schemas;
#[expect(dead_code, reason = "tools use more of it")]
#[path = "../../../../describe/tests/it/views/subjects.rs"]
mod subjects;

use std::cell::Cell;

use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use self::reader::Reader;
use super::row::Row;
use super::service::ServiceSchemas;
use super::tree::RowTree;
use crate::strings::Strings;

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
            row.unions
                .iter()
                .map(|note| &note.labels)
                .collect::<Vec<_>>(),
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
        let judge = schemas::judge(&shared, &schema);
        let service = service(&shared);
        let schema = Json::from(&schema);
        let schemas = ServiceSchemas::new(&service);
        let reader = Reader::new(&schemas.views);
        let page = reader.page(schemas.views.tree.read(&schema));
        for value in schemas::values(&service.components.schemas, &schema) {
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

#[test]
fn the_pages_of_a_long_chain_of_bases_grow_with_its_length() {
    /// Returns the number of rows on the pages of types that each extend the next.
    fn rows(length: usize) -> usize {
        let mut components = serde_json::Map::new();
        for at in 0..length {
            let base = json!({"$ref": format!("#/components/schemas/T{}", at + 1)});
            let own = json!({"properties": {format!("m{at}"): {"type": "integer"}}});
            components.insert(format!("T{at}"), json!({"allOf": [base, own]}));
        }
        components.insert(format!("T{length}"), json!({"type": "object"}));
        let service = service(&components.into());
        let schemas = ServiceSchemas::new(&service);
        let pages = service.components.schemas.keys().map(|name| {
            let (name, node) = schemas.views.tree.shared(name).expect("a schema");
            let mut page = RowTree::new(&schemas.views);
            page.add_shared_type(name, node);
            page.take_rows().len()
        });
        pages.sum()
    }
    assert!(rows(400) < 2 * rows(200));
}

#[test]
fn pages_say_of_awkward_schemas_what_the_schemas_say() {
    let strings = Strings::default();
    let subjects = subjects::awkward();
    let service = service(&subjects::components(&subjects));
    let schemas = ServiceSchemas::new(&service);
    let reader = Reader::new(&schemas.views);
    for subject in &subjects {
        let (_, node) = schemas.views.tree.shared(&subject.name).expect("a schema");
        let page = reader.page(node);
        for (values, meant) in [(&subject.valid, true), (&subject.invalid, false)] {
            for value in values {
                let said = reader.accepts(&page, &Json::from(value));
                assert_ne!(
                    said,
                    Some(!meant),
                    "{}: {value}\n{}",
                    subject.name,
                    outline(&page, &strings)
                );
            }
        }
    }
}
