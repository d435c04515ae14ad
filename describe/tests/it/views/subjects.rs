//! Schemas that tools are held to: awkward ones, written by hand, and random ones, each with values that fit and values
//! that do not.

use docent_describe::json::Json;
use indexmap::IndexMap;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use super::schemas;

/// The prefix of references to shared schemas.
const SHARED: &str = "#/components/schemas/";

/// The maximum number of values of a random schema, of those that fit and of those that do not.
const MAX_VALUES: usize = 12;

/// A shared schema with values to try.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) valid: Vec<Value>,
    pub(super) invalid: Vec<Value>,
}

/// Returns the schemas that are written by hand.
pub(super) fn awkward() -> Vec<Subject> {
    let written: Map<String, Value> =
        serde_json::from_str(include_str!("awkward.json")).expect("schemas by name");
    let subjects = written.into_iter().map(|(name, written)| Subject {
        name,
        schema: written["schema"].clone(),
        valid: list(&written["valid"]),
        invalid: list(&written["invalid"]),
    });
    subjects.collect()
}

fn list(values: &Value) -> Vec<Value> {
    values.as_array().expect("values").clone()
}

/// Returns random schemas and the schemas that they refer to, with a change to each: the same ones every time. Making
/// them takes more of the stack in a debug build than a thread of a test has.
pub(super) fn random(count: usize, change: fn(&mut Value)) -> Vec<Subject> {
    let deep = std::thread::Builder::new().stack_size(64 << 20);
    let made = deep.spawn(move || {
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let documents = (0..count).map(|number| {
            let document = schemas::documents().new_tree(&mut runner);
            let (mut shared, mut schema) = document.expect("a document").current();
            change(&mut shared);
            change(&mut schema);
            named(number, &shared, &schema)
        });
        documents.flatten().collect()
    });
    made.expect("a thread").join().expect("schemas")
}

/// Gives the schemas of one document names that no other document has.
fn named(number: usize, shared: &Value, schema: &Value) -> Vec<Subject> {
    let components: IndexMap<String, Json> = shared
        .as_object()
        .expect("schemas by name")
        .iter()
        .map(|(name, schema)| (name.clone(), Json::from(schema)))
        .collect();
    let validator = schemas::validator(shared, schema);
    let values = schemas::values(&components, &Json::from(schema));
    let values = values
        .iter()
        .map(|value| value.to_string().parse().expect("JSON"));
    let (mut valid, mut invalid): (Vec<Value>, Vec<Value>) =
        values.partition(|value| validator.is_valid(value));
    valid.truncate(MAX_VALUES);
    invalid.truncate(MAX_VALUES);
    let prefix = format!("R{number}");
    let renamed = |schema: &Value| {
        let text = schema.to_string();
        let text = text.replace(SHARED, &format!("{SHARED}{prefix}"));
        text.parse().expect("JSON")
    };
    let mut subjects = vec![Subject {
        name: prefix.clone(),
        schema: renamed(schema),
        valid,
        invalid,
    }];
    for (name, schema) in shared.as_object().expect("schemas by name") {
        subjects.push(Subject {
            name: format!("{prefix}{name}"),
            schema: renamed(schema),
            valid: Vec::new(),
            invalid: Vec::new(),
        });
    }
    subjects
}

/// Returns the schemas by name.
pub(super) fn components(subjects: &[Subject]) -> Value {
    let schemas = subjects
        .iter()
        .map(|subject| (subject.name.clone(), subject.schema.clone()));
    Value::Object(schemas.collect())
}

/// Returns a reference to a shared schema.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("{SHARED}{name}")})
}

/// Returns another implementation's check of a schema, beside those that it refers to.
pub(super) fn validator(subjects: &[Subject], name: &str) -> jsonschema::Validator {
    let mut shared = Map::new();
    let mut left = vec![name.to_owned()];
    while let Some(name) = left.pop() {
        let subject = subjects.iter().find(|subject| subject.name == name);
        let schema = &subject.expect("a schema").schema;
        if shared.insert(name, schema.clone()).is_none() {
            let text = schema.to_string();
            let names = text.split(SHARED).skip(1);
            left.extend(names.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
    schemas::validator(&Value::Object(shared), &reference(name))
}

/// Returns an OpenRPC document with a method for each schema, which takes a value of it and returns one.
pub(super) fn openrpc(subjects: &[Subject]) -> Value {
    let methods = subjects.iter().map(|subject| {
        let schema = reference(&subject.name);
        json!({
            "name": subject.name,
            "params": [{"name": "value", "required": true, "schema": schema}],
            "result": {"name": "result", "schema": schema},
        })
    });
    json!({
        "openrpc": "1.3.2",
        "info": {"title": "Schemas", "version": "1.0"},
        "methods": methods.collect::<Vec<_>>(),
        "components": {"schemas": components(subjects)},
    })
}
