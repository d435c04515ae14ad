//! Samples for those who can tell whether they satisfy their schema.

use std::collections::HashSet;

use super::sampler::Sampler;
use crate::json::Json;
use crate::schema::Definitions;

/// Returns values of every form that a schema allows, the simplest first.
///
/// They satisfy the schema as far as can be seen: patterns, formats and members that exclude one
/// another may still rule one out.
pub fn candidates(schema: &Json, definitions: &Definitions) -> Vec<Json> {
    let mut texts = HashSet::new();
    let samples = Sampler::new(definitions).samples(schema).into_iter();
    samples
        .map(|sample| sample.to_json())
        .filter(|value| texts.insert(value.to_string()))
        .collect()
}
