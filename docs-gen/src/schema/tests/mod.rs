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
use std::collections::HashSet;

use docent_describe::json::Json;
use docent_describe::schema::Side;
use docent_describe::{
    ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription,
};
use indexmap::IndexMap;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use self::reader::Reader;
use super::extent::Extent;
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
    let mut lines = Vec::new();
    for row in rows {
        let labels: Vec<_> = row.unions.iter().map(|note| &note.labels).collect();
        lines.push(format!(
            "{:depth$}{}{}: {:?} {:?} {labels:?}",
            "",
            row.name.text(strings),
            if row.is_required { "!" } else { "" },
            row.type_phrase,
            row.facts,
            depth = row.depth * 2,
        ));
    }
    lines.join("\n")
}

#[test]
fn a_reader_of_a_page_accepts_what_the_schema_accepts() {
    // Rows in rows take more of the stack in a debug build than a thread of a test has.
    let thread = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(check)
        .expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check() {
    let strings = Strings::default();
    let decided = Cell::new(0_u32);
    let undecided = Cell::new(0_u32);
    let mut config = Config::with_cases(600);
    config.failure_persistence = None;
    // The same schemas every time: what a run finds does not depend on luck.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&schemas::documents(), |(shared, schema)| {
        let validator = schemas::validator(&shared, &schema);
        let service = service(&shared);
        let schema = Json::from(&schema);
        let schemas = ServiceSchemas::new(&service);
        let reader = Reader::new(&schemas.views);
        let page = reader.page(schemas.views.tree.read(&schema));
        for value in schemas::values(&service.components.schemas, &schema) {
            let is_valid = validator.is_valid(&value.to_string().parse().expect("JSON"));
            let Some(is_accepted) = reader.accepts(&page, &value) else {
                undecided.set(undecided.get() + 1);
                continue;
            };
            decided.set(decided.get() + 1);
            prop_assert!(
                is_accepted == is_valid,
                "{value}: accepted {is_accepted}, valid {is_valid}\n{schema}\n{shared}\n{}",
                outline(&page, &strings)
            );
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    // If a reader could seldom decide, the test would say nothing.
    assert!(
        undecided.get() * 8 < decided.get(),
        "{decided:?} {undecided:?}"
    );
}

/// Marks members that are sent only in one direction.
fn mark(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            for (name, mark) in [("b", "readOnly"), ("x1", "writeOnly")] {
                if let Some(members) = keywords.get_mut("properties")
                    && let Some(Value::Object(member)) = members.get_mut(name)
                {
                    member.insert(mark.to_owned(), Value::Bool(true));
                }
            }
            keywords.values_mut().for_each(mark);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(mark),
        _ => {}
    }
}

/// Checks that a reader of the page of a shared type accepts the same values on both sides. Returns the number of
/// values that the reader could decide on.
#[track_caller]
fn assert_has_no_side<'t>(
    schemas: &'t ServiceSchemas<'t>,
    components: &IndexMap<String, Json>,
    name: &str,
) -> usize {
    let (_, node) = schemas.views.tree.shared(name).expect("a schema");
    let input = Reader::new(&schemas.views).on_side(Side::Input);
    let output = Reader::new(&schemas.views).on_side(Side::Output);
    let input_page = input.page(node);
    let output_page = output.page(node);
    let mut decided = 0;
    for value in schemas::values(components, &components[name]) {
        let is_sent = input.accepts(&input_page, &value);
        let is_returned = output.accepts(&output_page, &value);
        if is_sent.is_some() && is_returned.is_some() {
            decided += 1;
            assert_eq!(is_sent, is_returned, "{name}: {value}");
        }
    }
    decided
}

/// Returns the shared types that rows unfold.
fn unfolded<'t>(rows: &[Row<'t>]) -> HashSet<&'t str> {
    rows.iter()
        .filter(|row| row.extent == Extent::All)
        .filter_map(|row| row.view.own_name())
        .collect()
}

#[test]
fn a_type_is_shown_again_under_the_result_if_it_has_other_members_there() {
    let mut unfolded_twice = 0;
    let mut linked = 0;
    let mut decided = 0;
    let subjects = subjects::random(60, mark);
    let mut service = service(&subjects::components(&subjects));
    for subject in &subjects {
        let schema = Json::from(&subject.schema);
        let mut procedure = ProcedureDescription::new(&subject.name);
        procedure.params = vec![ParamDescription::new("value", schema.clone())];
        procedure.returns = Some(ReturnDescription::new(schema));
        service.procs.push(procedure);
    }
    let schemas = ServiceSchemas::new(&service);
    for procedure in &service.procs {
        let mut tree = RowTree::new(&schemas.views);
        tree.add_params(procedure);
        let params = tree.take_rows();
        tree.add_result(procedure);
        let result = tree.take_rows();
        let in_params = unfolded(&params);
        let in_result = unfolded(&result);
        unfolded_twice += in_result.intersection(&in_params).count();
        for row in result.iter().filter(|row| row.extent == Extent::Own) {
            if let Some(name) = row.view.own_name()
                && in_params.contains(name)
                && !in_result.contains(name)
            {
                linked += 1;
                decided += assert_has_no_side(&schemas, &service.components.schemas, name);
            }
        }
    }
    assert!(
        unfolded_twice > 5 && linked > 5 && decided > 100,
        "{unfolded_twice} {linked} {decided}"
    );
}

/// Returns the number of rows on the pages of all shared types.
fn rows_of_pages(components: serde_json::Map<String, Value>) -> usize {
    let service = service(&components.into());
    let schemas = ServiceSchemas::new(&service);
    let mut rows = 0;
    for name in service.components.schemas.keys() {
        let (name, node) = schemas.views.tree.shared(name).expect("a schema");
        let mut page = RowTree::new(&schemas.views);
        page.add_shared_type(name, node);
        rows += page.take_rows().len();
    }
    rows
}

#[test]
fn the_pages_of_a_long_chain_of_bases_grow_with_its_length() {
    /// Returns types that each extend the next, once or several times.
    fn chain(length: usize, times: usize) -> serde_json::Map<String, Value> {
        let mut components = serde_json::Map::new();
        for at in 0..length {
            let base = json!({"$ref": format!("#/components/schemas/T{}", at + 1)});
            let own = json!({"properties": {format!("m{at}"): {"type": "integer"}}});
            let mut parts = vec![base; times];
            parts.push(own);
            components.insert(format!("T{at}"), json!({"allOf": parts}));
        }
        components.insert(format!("T{length}"), json!({"type": "object"}));
        components
    }
    for times in [1, 2] {
        let rows = rows_of_pages(chain(200, times));
        assert!(rows_of_pages(chain(400, times)) < 2 * rows);
    }
}

#[test]
fn the_pages_of_many_alternatives_that_contain_their_union_grow_with_their_number() {
    /// Returns a union, and its alternatives.
    fn union(length: usize) -> serde_json::Map<String, Value> {
        let mut components = serde_json::Map::new();
        let mut alternatives = Vec::new();
        for at in 0..length {
            alternatives.push(json!({"$ref": format!("#/components/schemas/T{at}")}));
            let properties = json!({
                "kind": {"const": format!("T{at}")},
                "next": {"$ref": "#/components/schemas/Any"},
            });
            components.insert(
                format!("T{at}"),
                json!({"type": "object", "required": ["kind"], "properties": properties}),
            );
        }
        components.insert("Any".to_owned(), json!({"oneOf": alternatives}));
        components
    }
    assert!(rows_of_pages(union(400)) < 3 * rows_of_pages(union(200)));
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
        for (values, is_valid) in [(&subject.valid, true), (&subject.invalid, false)] {
            for value in values {
                assert_ne!(
                    reader.accepts(&page, &Json::from(value)),
                    Some(!is_valid),
                    "{}: {value}\n{}",
                    subject.name,
                    outline(&page, &strings)
                );
            }
        }
    }
}
