//! `unevaluatedProperties`: which members other keywords have looked at.

use std::collections::HashSet;

use super::structures::list;
use super::{Validator, all};
use crate::json::{Json, Object};
use crate::schema::keyword::resolve;

impl Validator<'_> {
    pub(super) fn unevaluated(
        &self,
        words: &Object,
        schema: &Json,
        (value, members): (&Json, &Object),
        depth: usize,
    ) -> Option<bool> {
        if *schema == Json::Bool(true) {
            return Some(true);
        }
        let mut seen = HashSet::new();
        self.note_evaluated(words, members, value, depth, &mut seen)?;
        all(members
            .iter()
            .filter(|(name, _)| !seen.contains(name.as_str()))
            .map(|(_, value)| self.schema(schema, value, depth)))
    }

    /// Notes the members that a schema's keywords look at, `unevaluatedProperties` aside.
    fn note_evaluated<'m>(
        &self,
        words: &Object,
        members: &'m Object,
        value: &Json,
        depth: usize,
        seen: &mut HashSet<&'m str>,
    ) -> Option<()> {
        for name in members.keys() {
            if words.contains_key("additionalProperties") || self.is_named(words, name)? {
                seen.insert(name.as_str());
            }
        }
        let mut inside: Vec<&Json> = list(words, "allOf").iter().collect();
        if let Some(reference) = words.get("$ref").and_then(Json::as_str) {
            inside.push(resolve(reference, self.context.components)?);
        }
        for keyword in ["anyOf", "oneOf"] {
            inside.extend(list(words, keyword));
        }
        if let Some(condition) = words.get("if") {
            let holds = self.schema(condition, value, depth)?;
            inside.extend(holds.then_some(condition));
            inside.extend(words.get(if holds { "then" } else { "else" }));
        }
        let dependents = words.get("dependentSchemas").and_then(Json::as_object);
        let dependents = dependents.into_iter().flatten();
        inside.extend(
            dependents
                .filter(|(name, _)| members.contains_key(name))
                .map(|(_, schema)| schema),
        );
        self.left.set(self.left.get().checked_sub(1)?);
        let depth = depth + 1;
        for schema in inside {
            // What does not hold has looked at nothing.
            if depth > super::DEEPEST || !self.schema(schema, value, depth)? {
                continue;
            }
            if let Json::Object(words) = schema {
                if words.contains_key("unevaluatedProperties") {
                    seen.extend(members.keys().map(crate::json::Name::as_str));
                }
                self.note_evaluated(words, members, value, depth, seen)?;
            }
        }
        Some(())
    }
}
