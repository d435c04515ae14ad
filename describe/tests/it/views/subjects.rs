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
    let mut subjects = Vec::new();
    for (name, written) in written {
        subjects.push(Subject {
            name,
            schema: written["schema"].clone(),
            valid: list(&written["valid"]),
            invalid: list(&written["invalid"]),
        });
    }
    subjects
}

fn list(values: &Value) -> Vec<Value> {
    values.as_array().expect("values").clone()
}

/// Returns random schemas and the schemas that they refer to, with a change to each: the same ones every time. Making
/// them takes more of the stack in a debug build than a thread of a test has.
pub(super) fn random(count: usize, change: fn(&mut Value)) -> Vec<Subject> {
    let deep = std::thread::Builder::new().stack_size(64 << 20);
    let thread = deep.spawn(move || {
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let mut subjects = Vec::new();
        for number in 0..count {
            let document = schemas::documents().new_tree(&mut runner);
            let (mut shared, mut schema) = document.expect("a document").current();
            change(&mut shared);
            change(&mut schema);
            subjects.extend(named(number, &shared, &schema));
        }
        subjects
    });
    thread.expect("a thread").join().expect("schemas")
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
    let mut valid = Vec::new();
    let mut invalid = Vec::new();
    for value in schemas::values(&components, &Json::from(schema)) {
        let value: Value = value.to_string().parse().expect("JSON");
        let values = if validator.is_valid(&value) {
            &mut valid
        } else {
            &mut invalid
        };
        if values.len() < MAX_VALUES {
            values.push(value);
        }
    }
    let prefix = format!("R{number}");
    let renamed = |schema: &Value| {
        let new_prefix = format!("{SHARED}{prefix}");
        let text = schema.to_string().replace(SHARED, &new_prefix);
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
    let mut schemas = Map::new();
    for subject in subjects {
        schemas.insert(subject.name.clone(), subject.schema.clone());
    }
    Value::Object(schemas)
}

/// Returns a reference to a shared schema.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("{SHARED}{name}")})
}

/// Returns an independent validator of a schema, beside those that it refers to.
pub(super) fn validator(subjects: &[Subject], name: &str) -> jsonschema::Validator {
    let mut shared = Map::new();
    let mut pending = vec![name.to_owned()];
    while let Some(name) = pending.pop() {
        let subject = subjects
            .iter()
            .find(|subject| subject.name == name)
            .expect("a schema");
        if shared.insert(name, subject.schema.clone()).is_none() {
            for reference in subject.schema.to_string().split(SHARED).skip(1) {
                let (name, _) = reference.split_once('"').expect("the end of a text");
                pending.push(name.to_owned());
            }
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
