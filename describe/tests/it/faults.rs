//! Checks documents against a JSON Schema.

use docent_describe::json::Json;

/// Returns how a document violates a schema.
pub(crate) fn faults(schema: &str, document: &Json) -> Vec<String> {
    let schema = serde_json::from_str(schema).unwrap();
    let document = serde_json::from_str(&document.to_string()).unwrap();
    jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}
