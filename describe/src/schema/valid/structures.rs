//! Keywords about arrays and objects.

use super::scalars::{at_least, at_most};
use super::{Validator, all, any};
use crate::json::{Json, Object};
use crate::schema::check::repeated;

impl Validator<'_> {
    pub(super) fn array(
        &self,
        words: &Object,
        keyword: &str,
        asked: &Json,
        elements: &[Json],
        depth: usize,
    ) -> Option<bool> {
        let prefix = list(words, "prefixItems");
        match (keyword, asked) {
            ("prefixItems", Json::Array(schemas)) => all(schemas
                .iter()
                .zip(elements)
                .map(|(schema, element)| self.schema(schema, element, depth))),
            ("items", schema) => all(elements
                .iter()
                .skip(prefix.len())
                .map(|element| self.schema(schema, element, depth))),
            ("minItems", _) => Some(at_least(elements.len(), asked)),
            ("maxItems", _) => Some(at_most(elements.len(), asked)),
            ("uniqueItems", Json::Bool(true)) => Some(repeated(elements).next().is_none()),
            ("contains", schema) => self.contains(words, schema, elements, depth),
            ("unevaluatedItems", schema) => match schema {
                Json::Bool(true) => Some(true),
                _ => elements.is_empty().then_some(true),
            },
            _ => Some(true),
        }
    }

    fn contains(
        &self,
        words: &Object,
        schema: &Json,
        elements: &[Json],
        depth: usize,
    ) -> Option<bool> {
        let found = elements
            .iter()
            .map(|element| self.schema(schema, element, depth));
        let mut count = 0;
        for found in found {
            count += usize::from(found?);
        }
        let least = words.get("minContains");
        let has_enough = least.map_or(count > 0, |least| at_least(count, least));
        let most = words.get("maxContains");
        Some(has_enough && most.is_none_or(|most| at_most(count, most)))
    }

    pub(super) fn object(
        &self,
        words: &Object,
        keyword: &str,
        asked: &Json,
        (value, members): (&Json, &Object),
        depth: usize,
    ) -> Option<bool> {
        match (keyword, asked) {
            ("properties", Json::Object(schemas)) => all(members.iter().map(|(name, value)| {
                let schema = schemas.get(name);
                schema.map_or(Some(true), |schema| self.schema(schema, value, depth))
            })),
            ("patternProperties", Json::Object(schemas)) => {
                let pairs = members
                    .iter()
                    .flat_map(|member| schemas.iter().map(move |schema| (member, schema)));
                all(pairs.map(|((name, value), (pattern, schema))| {
                    match self.matches(pattern, name) {
                        Some(false) => Some(true),
                        Some(true) => self.schema(schema, value, depth),
                        // Whether it applies makes no difference to what satisfies it anyway.
                        None => self.schema(schema, value, depth).filter(|valid| *valid),
                    }
                }))
            }
            ("additionalProperties", schema) => all(members.iter().map(|(name, value)| {
                let valid = || self.schema(schema, value, depth);
                match self.is_named(words, name) {
                    Some(true) => Some(true),
                    Some(false) => valid(),
                    None => valid().filter(|valid| *valid),
                }
            })),
            ("propertyNames", schema) => {
                let was_name = self.is_name.replace(true);
                let names = members.keys().map(|name| Json::from(name.as_str()));
                let valid = all(names.map(|name| self.schema(schema, &name, depth)));
                self.is_name.set(was_name);
                valid
            }
            ("required", Json::Array(names)) => Some(
                names
                    .iter()
                    .filter_map(Json::as_str)
                    .all(|name| members.contains_key(name)),
            ),
            ("minProperties", _) => Some(at_least(members.len(), asked)),
            ("maxProperties", _) => Some(at_most(members.len(), asked)),
            ("dependentRequired", Json::Object(dependents)) => {
                Some(dependents.iter().all(|(name, others)| {
                    let others = others.as_array().unwrap_or_default();
                    let mut others = others.iter().filter_map(Json::as_str);
                    !members.contains_key(name) || others.all(|name| members.contains_key(name))
                }))
            }
            ("dependentSchemas", Json::Object(dependents)) => {
                let there = dependents
                    .iter()
                    .filter(|(name, _)| members.contains_key(name));
                all(there.map(|(_, schema)| self.schema(schema, value, depth)))
            }
            ("unevaluatedProperties", schema) => {
                self.unevaluated(words, schema, (value, members), depth)
            }
            // Before 2019-09; the reader splits it.
            ("dependencies", _) => None,
            _ => Some(true),
        }
    }

    /// Whether a schema has a property or a pattern for a name.
    pub(super) fn is_named(&self, words: &Object, name: &str) -> Option<bool> {
        let properties = words.get("properties").and_then(Json::as_object);
        if properties.is_some_and(|properties| properties.contains_key(name)) {
            return Some(true);
        }
        let patterns = words.get("patternProperties").and_then(Json::as_object);
        any(patterns
            .into_iter()
            .flatten()
            .map(|(pattern, _)| self.matches(pattern, name)))
    }
}

pub(in crate::schema) fn list<'j>(words: &'j Object, keyword: &str) -> &'j [Json] {
    words
        .get(keyword)
        .and_then(Json::as_array)
        .unwrap_or_default()
}
