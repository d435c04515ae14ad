//! Compiles the keywords for arrays and objects.

use crate::json::{Json, Name, Object};

use super::place::SchemaPlace;
use super::{Compiler, words};
use crate::schema::check::node::{ArrayRule, InPlace, Link, ObjectRule, Property};
use crate::schema::check::string::Count;

impl Compiler<'_> {
    pub(super) fn array_rule(
        &mut self,
        words: &Object,
        place: &mut SchemaPlace,
    ) -> Option<Box<ArrayRule>> {
        let contains = words.contains_key("contains").then(|| {
            let mut count = words::count(words, "minContains", "maxContains", place);
            if !words.contains_key("minContains") {
                count.min = 1;
            }
            (self.only("contains", words, place), count)
        });
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
            contains,
        };
        let asserts = rule.count != Count::ANY
            || rule.unique
            || !rule.items.is_any()
            || rule.contains.is_some()
            || rule.prefix.iter().any(|link| !link.is_any());
        asserts.then(|| Box::new(rule))
    }

    pub(super) fn list(
        &mut self,
        keyword: &str,
        words: &Object,
        place: &mut SchemaPlace,
    ) -> Vec<Link> {
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
        place: &mut SchemaPlace,
    ) -> Option<Box<ObjectRule>> {
        let mut properties: Vec<Property> = members("properties", words, place)
            .map(|(name, schema)| {
                let link = self.inner("properties", name, schema, place);
                property(name.as_str(), Some(link))
            })
            .collect();
        properties.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let required = require(required(words, "required", place), &mut properties);
        let mut patterns = Vec::new();
        for (pattern, schema) in members("patternProperties", words, place) {
            let link = self.inner("patternProperties", pattern, schema, place);
            match self.pattern(pattern) {
                Ok(pattern) => {
                    if self.is_slow(&pattern, usize::MAX) {
                        let reason = "takes too long to match in the longest name that is allowed: use \
                                      a simpler pattern";
                        place.unenforced("patternProperties", reason);
                    }
                    patterns.push((pattern, link));
                }
                Err(reason) => place.mistake("patternProperties", reason),
            }
        }
        let rule = ObjectRule {
            count: words::count(words, "minProperties", "maxProperties", place),
            properties,
            required,
            patterns,
            names: self.only("propertyNames", words, place),
            additional: self.only("additionalProperties", words, place),
        };
        let asserts = |property: &Property| property.link.as_ref().is_some_and(|it| !it.is_any());
        let asserts = rule.required > 0
            || rule.count != Count::ANY
            || !rule.additional.is_any()
            || !rule.names.is_any()
            || !rule.patterns.is_empty()
            || rule.properties.iter().any(asserts);
        asserts.then(|| Box::new(rule))
    }

    /// Compiles `dependentRequired` and `dependentSchemas`.
    pub(super) fn dependent(&mut self, words: &Object, place: &mut SchemaPlace) -> Vec<InPlace> {
        let mut all = Vec::new();
        for (name, schema) in members("dependentSchemas", words, place) {
            let link = self.inner("dependentSchemas", name, schema, place);
            all.push(InPlace::With(name.as_str().into(), link));
        }
        for (name, names) in members("dependentRequired", words, place) {
            let required = Object::from([("required", names.clone())]);
            let link = self.inner("dependentRequired", name, &required.into(), place);
            all.push(InPlace::With(name.as_str().into(), link));
        }
        all
    }

    /// Compiles a schema inside another.
    pub(super) fn inner(
        &mut self,
        keyword: &str,
        token: &dyn std::fmt::Display,
        schema: &Json,
        place: &mut SchemaPlace,
    ) -> Link {
        place.within(&[&keyword, token], |place| self.link(schema, place))
    }

    /// Compiles the single schema of a keyword. If there is none, any value matches.
    pub(super) fn only(&mut self, keyword: &str, words: &Object, place: &mut SchemaPlace) -> Link {
        match words.get(keyword) {
            None => Link::Any,
            Some(schema) => place.within(&[&keyword], |place| self.link(schema, place)),
        }
    }
}

fn property(name: &str, link: Option<Link>) -> Property {
    Property {
        name: name.into(),
        is_escaped: name.contains(['\\', '"']),
        link,
        is_required: false,
    }
}

/// Marks the required ones among the properties, which are sorted by name, and adds those that are
/// not declared. Returns the number of names.
fn require(names: Vec<&str>, properties: &mut Vec<Property>) -> usize {
    let count = names.len();
    for name in names {
        let place = properties.binary_search_by(|it| it.name.as_ref().cmp(name));
        let index = place.unwrap_or_else(|index| {
            properties.insert(index, property(name, None));
            index
        });
        properties[index].is_required = true;
    }
    count
}

/// Returns the schemas of a keyword by name.
fn members<'j>(
    keyword: &str,
    words: &'j Object,
    place: &mut SchemaPlace,
) -> impl Iterator<Item = (&'j Name, &'j Json)> + use<'j> {
    let members = words.get(keyword);
    if members.is_some_and(|members| members.as_object().is_none()) {
        place.mistake(keyword, "must be an object of schemas");
    }
    members.and_then(Json::as_object).into_iter().flatten()
}

/// Returns the names in a keyword, each once.
fn required<'j>(words: &'j Object, keyword: &str, place: &mut SchemaPlace) -> Vec<&'j str> {
    let Some(names) = words.get(keyword) else {
        return Vec::new();
    };
    let names = names.as_array();
    let names = names.and_then(|names| names.iter().map(Json::as_str).collect());
    let Some(mut names): Option<Vec<&str>> = names else {
        place.mistake(keyword, "must be a list of names");
        return Vec::new();
    };
    names.sort_unstable();
    names.dedup();
    names
}
