//! What a page says accepts exactly what the schema accepts.
//!
//! Random schemas, read as a reader reads their pages, against the compiled check: with values that
//! are made from the schema, and with others that differ from them in one place.

mod reader;
#[path = "../../../../describe/tests/it/views/schemas.rs"]
mod schemas;

use std::cell::Cell;

use docent_describe::json::Json;
use docent_describe::schema::{Examples, SchemaContext, Validator, variations};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use self::reader::Reader;
use super::layers::needs_row;
use super::refs::SharedSchemas;
use crate::strings::Strings;

/// The most values of one schema.
const MOST: usize = 120;

/// Returns values that fit a schema, and values that fit it less.
fn values(shared: &SharedSchemas<'_>, schema: &Json) -> Vec<Json> {
    let fitting = Examples::new(shared.by_name).of_each_form(schema);
    let start = [
        Json::Null,
        Json::from(1),
        Json::from("a"),
        Json::Array(Vec::new()),
    ];
    let object = Json::Object(docent_describe::json::Object::new());
    let mut values: Vec<Json> = fitting
        .iter()
        .take(40)
        .cloned()
        .chain(start)
        .chain([object])
        .collect();
    for value in fitting.iter().take(12) {
        values.extend(variations(schema, value, shared.by_name));
    }
    values.truncate(MOST);
    values
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
    let (told, untold) = (Cell::new(0_u32), Cell::new(0_u32));
    let mut config = Config::with_cases(300);
    config.failure_persistence = None;
    // The same schemas every time: what a run finds does not depend on luck.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&schemas::documents(), |(shared, schema)| {
        let (shared, schema) = (Json::from(&shared), Json::from(&schema));
        let members = shared.as_object().into_iter().flatten();
        let by_name = members
            .map(|(name, schema)| (name.as_str().to_owned(), schema.clone()))
            .collect();
        let shared = SharedSchemas::new(&by_name, 1);
        let context = SchemaContext {
            components: &by_name,
            enforced_formats: Some(&[]),
        };
        let validator = Validator::new(context);
        let reader = Reader::new(&shared, &strings);
        let page = reader.page("value", &schema);
        for value in values(&shared, &schema) {
            let said = reader.accepts(&page, &value);
            let (Some(said), Some(meant)) = (said, validator.is_valid(&schema, &value)) else {
                untold.set(untold.get() + 1);
                continue;
            };
            told.set(told.get() + 1);
            let rows = page.iter().map(|row| {
                let depth = row.depth * 2;
                let mark = if row.required { ", required" } else { "" };
                let note = row.note.as_deref().unwrap_or_default();
                format!("{:depth$}{}{mark}. {note}", "", row.name)
            });
            let rows = || rows.collect::<Vec<_>>().join("\n");
            prop_assert!(
                said == meant,
                "{value}: said {said}, is {meant}\n{schema}\n{by_name:?}\n{}",
                rows()
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
fn elements_that_are_lists_by_an_alias_have_a_row_through_any_number_of_aliases() {
    let json = |text: &str| text.parse::<Json>().expect("JSON");
    let alias = |name: &str| json(&format!(r##"{{"$ref": "#/components/schemas/{name}"}}"##));
    let by_name = [
        (
            "list",
            json(r#"{"type": "array", "items": {"type": "string"}}"#),
        ),
        ("alias", alias("list")),
        ("circle", alias("circle")),
    ];
    let by_name = by_name
        .map(|(name, schema)| (name.to_owned(), schema))
        .into();
    let shared = SharedSchemas::new(&by_name, 1);
    assert!(needs_row(&shared, &alias("list"), 3));
    assert!(needs_row(&shared, &alias("alias"), 3));
    assert!(!needs_row(&shared, &alias("circle"), 3));
}
