//! Looks for values that only the narrower schema takes.

use std::iter;

use super::includes::{Includes, MOST_EVER};
use docent_describe::json::{Json, Object};
use docent_describe::schema::Kinds;
use docent_describe::schema::variations;

/// The maximum number of values that are tried.
const MOST: usize = 1_000;
/// The types whose examples are varied.
const TYPES: [(&str, Kinds); 4] = [
    ("object", Kinds::OBJECT),
    ("array", Kinds::ARRAY),
    ("string", Kinds::STRING),
    ("number", Kinds::NUMBER),
];

impl<'j> Includes<'j> {
    /// Returns a value of `narrow` that is not one of `wide`, if there is one among the variations of
    /// examples.
    pub(super) fn counterexample(&mut self, narrow: &'j Json, wide: &'j Json) -> Option<Json> {
        if self.all_steps > MOST_EVER {
            return None;
        }
        self.all_steps += MOST;
        let kinds = Kinds::of_schema(narrow, self.narrow.components);
        let types = TYPES.iter().filter(|(_, kind)| kinds.meet(*kind));
        let examples: Vec<Json> = types
            .filter_map(|(name, _)| self.examples.of(&typed(narrow, name)))
            .collect();
        let varied = examples.into_iter().flat_map(|example| {
            let of_wide = variations(wide, &example, self.wide.components);
            let of_narrow = variations(narrow, &example, self.narrow.components);
            iter::once(example).chain(of_wide).chain(of_narrow)
        });
        simple_values()
            .into_iter()
            .chain(varied)
            .take(MOST)
            .find(|value| {
                self.narrow_validator.is_valid(narrow, value) == Some(true)
                    && self.wide_takes(wide, value) == Some(false)
            })
    }
}

/// Returns a schema for the values of a type that satisfy another schema.
fn typed(schema: &Json, name: &str) -> Json {
    let mut typed = Object::new();
    typed.insert("type", Json::from(name));
    typed.insert("allOf", Json::Array(vec![schema.clone()]));
    Json::Object(typed)
}

fn simple_values() -> [Json; 10] {
    [
        Json::Null,
        Json::Bool(false),
        Json::Bool(true),
        Json::from(1),
        Json::from(2),
        Json::Number("0.5".into()),
        Json::from("a"),
        Json::Array(Vec::new()),
        Json::Array(vec![Json::Null, Json::Null]),
        Json::Object(Object::new()),
    ]
}
