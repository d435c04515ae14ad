//! Compiles the keywords for arrays and objects.

use crate::json::{Json, Name, Object};

use super::place::{Mode, Place};
use super::{Compiler, words};
use crate::schema::check::node::{ArrayRule, Link, ObjectRule, Property};
use crate::schema::check::string::Count;

impl Compiler<'_> {
    pub(super) fn array_rule(
        &mut self,
        words: &Object,
        place: &mut Place,
    ) -> Option<Box<ArrayRule>> {
        let rule = ArrayRule {
            count: words::count(words, "minItems", "maxItems", place),
            unique: words::flag(words, "uniqueItems", place),
            prefix: self.list("prefixItems", words, place),
            items: if let Some(Json::Array(_)) = words.get("items") {
                place.mistake("items", "is a list; since 2020-12 that is `prefixItems`");
                Link::Any
            } else {
                self.only("items", words, place)
            },
        };
        let asserts = rule.count != Count::ANY
            || rule.unique
            || !rule.items.is_any()
            || rule.prefix.iter().any(|link| !link.is_any());
        asserts.then(|| Box::new(rule))
    }

    pub(super) fn list(&mut self, keyword: &str, words: &Object, place: &mut Place) -> Vec<Link> {
        match words.get(keyword) {
            None => Vec::new(),
            Some(Json::Array(schemas)) if !schemas.is_empty() => schemas
                .iter()
                .enumerate()
                .map(|(index, schema)| self.inner(keyword, &index, schema, place))
                .collect(),
            Some(_) => {
                place.mistake(keyword, "must be a list of schemas");
                Vec::new()
            }
        }
    }

    pub(super) fn object_rule(
        &mut self,
        words: &Object,
        chosen: Option<&str>,
        place: &mut Place,
    ) -> Option<Box<ObjectRule>> {
        let mut properties: Vec<Property> = members("properties", words, place)
            .map(|(name, schema)| {
                let link = self.inner("properties", name, schema, place);
                let link = if chosen == Some(name) {
                    Link::Any
                } else {
                    link
                };
                Property::new(name.as_str(), link)
            })
            .collect();
        properties.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let mut patterns = Vec::new();
        for (pattern, schema) in members("patternProperties", words, place) {
            let link = self.inner("patternProperties", pattern, schema, place);
            match self.pattern(pattern) {
                Ok(pattern) => patterns.push((pattern, link)),
                Err(reason) => place.mistake("patternProperties", reason),
            }
        }
        let names = self.only("propertyNames", words, place);
        let additional = self.only("additionalProperties", words, place);
        self.unevaluated_properties(words, place);
        if additional.is_any() {
            // Then a member without constraints may be known or not.
            properties.retain(|property| !property.link.is_any());
        }
        let mut required = required(words, place);
        let asserts = match place.mode {
            Mode::Decoded => {
                required.clear();
                !matches!(additional, Link::Any | Link::Never)
            }
            Mode::Full => !required.is_empty() || !additional.is_any(),
        };
        let asserts = asserts
            || !names.is_any()
            || !patterns.is_empty()
            || properties.iter().any(|property| !property.link.is_any());
        asserts.then(|| {
            Box::new(ObjectRule {
                properties,
                patterns,
                names,
                additional,
                required,
            })
        })
    }

    /// Compiles `unevaluatedProperties`, which schemars writes for structs that are flattened into
    /// others, and which serde enforces. Any other constraint in it is not enforced.
    fn unevaluated_properties(&mut self, words: &Object, place: &mut Place) {
        let Some(schema) = words.get("unevaluatedProperties") else {
            return;
        };
        // Compiled to find its mistakes, and to compile its components.
        self.only("unevaluatedProperties", words, place);
        if *schema != Json::Bool(false) && self.facts.schema_needs_check(schema) {
            place.mistake(
                "unevaluatedProperties",
                "describes more than structure, which is not enforced",
            );
        }
    }

    /// Compiles a schema inside another.
    fn inner(
        &mut self,
        keyword: &str,
        token: &dyn std::fmt::Display,
        schema: &Json,
        place: &mut Place,
    ) -> Link {
        let mode = place.mode;
        place.within(&[&keyword, token], mode, |place| self.link(schema, place))
    }

    /// Compiles the single schema of a keyword. If there is none, any value matches.
    fn only(&mut self, keyword: &str, words: &Object, place: &mut Place) -> Link {
        let Some(schema) = words.get(keyword) else {
            return Link::Any;
        };
        let mode = place.mode;
        place.within(&[&keyword], mode, |place| self.link(schema, place))
    }
}

/// Returns the schemas of a keyword by name.
fn members<'j>(
    keyword: &str,
    words: &'j Object,
    place: &mut Place,
) -> impl Iterator<Item = (&'j Name, &'j Json)> + use<'j> {
    let members = words.get(keyword);
    if members.is_some_and(|members| members.as_object().is_none()) {
        place.mistake(keyword, "must be an object of schemas");
    }
    members.and_then(Json::as_object).into_iter().flatten()
}

fn required(words: &Object, place: &mut Place) -> Vec<Box<str>> {
    let Some(names) = words.get("required") else {
        return Vec::new();
    };
    let names = names.as_array().and_then(|names| {
        let names = names.iter().map(|name| Some(name.as_str()?.into()));
        names.collect::<Option<Vec<Box<str>>>>()
    });
    let Some(mut names) = names else {
        place.mistake("required", "must be a list of names");
        return Vec::new();
    };
    names.sort_unstable();
    names.dedup();
    names
}
