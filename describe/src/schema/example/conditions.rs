//! Makes values for schemas with conditions: `if` and `then`, `dependentSchemas`.
//!
//! A value to which the condition does not apply satisfies it, and most values are found that way.
//! If the rest of the schema makes the condition true, the value is made for the schema together
//! with the consequence of the condition.

use super::{Examples, Found, Wanted};
use crate::json::{Json, Object};
use crate::schema::form::Form;

/// The keywords that forms have already resolved.
const TAKEN_APART: [&str; 9] = [
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "$defs",
];

/// The maximum number of conditions that are tried.
const MOST: usize = 12;

impl<'d> Examples<'d> {
    /// Offers values that satisfy a form and one of its conditions.
    pub(super) fn conditional(&self, form: &Form<'_>, wanted: Wanted, found: &mut Found<'_, 'd>) {
        let mut cases: Vec<Vec<Json>> = Vec::new();
        let mut otherwise: Vec<Json> = Vec::new();
        for words in form.words() {
            if let Some(condition) = words.get("if") {
                let consequence = |keyword: &str| words.get(keyword).cloned();
                let holds = std::iter::once(condition.clone()).chain(consequence("then"));
                cases.push(holds.collect());
                otherwise.push(not(condition));
                otherwise.extend(consequence("else"));
            }
            if let Some(Json::Object(all)) = words.get("dependentSchemas") {
                cases.push(all.values().cloned().collect());
            }
        }
        if cases.is_empty() {
            return;
        }
        cases.truncate(MOST);
        cases.push(otherwise);
        let rest: Vec<Json> = form.words().map(without_conditions).collect();
        for case in cases {
            if found.is_done() {
                return;
            }
            let all = rest.iter().cloned().chain(case).collect();
            let mut schema = Object::new();
            schema.insert("allOf", Json::Array(all));
            let inside = Wanted {
                depth: wanted.depth + 1,
                ..wanted
            };
            for value in self.values(&Json::Object(schema), inside) {
                found.offer(value);
            }
        }
    }
}

fn not(schema: &Json) -> Json {
    let mut negated = Object::new();
    negated.insert("not", schema.clone());
    Json::Object(negated)
}

fn without_conditions(words: &Object) -> Json {
    let kept = words.iter();
    let kept = kept.filter(|(keyword, _)| !TAKEN_APART.contains(&keyword.as_str()));
    Json::Object(
        kept.map(|(keyword, asked)| (keyword.clone(), asked.clone()))
            .collect(),
    )
}
