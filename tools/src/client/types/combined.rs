//! Types from schemas that apply together, and from alternatives.

use std::collections::HashSet;

use docent_describe::json::{Decimal, Json, Name, Object};
use docent_describe::schema::{Form, forms, listed, named};

use indexmap::IndexMap;

use super::TypeTable;
use super::words::only_text;
use crate::client::model::{ClientShape, Range, Type};
use crate::client::names::{pascal, words};

/// The maximum number of forms of a schema that become alternatives of a type.
const MOST_FORMS: usize = 40;

/// The maximum depth of members inside each other that are described by several schemas. Types that refine members of
/// their own type have such members at any depth.
const MAX_COMBINED_DEPTH: usize = 4;

impl TypeTable<'_> {
    pub(super) fn values(&mut self, values: &[&Json], hint: &str) -> ClientShape {
        let is_plain = |value: &Json| !matches!(value, Json::Array(_) | Json::Object(_));
        if !values.iter().all(|value| is_plain(value)) {
            return ClientShape::Alias(Type::Any);
        }
        let mut seen = HashSet::new();
        let others = values.iter().filter(|value| ***value != Json::Null);
        let others = others.filter(|value| seen.insert(value.to_string()));
        let each: Vec<Json> = others.map(|value| (*value).clone()).collect();
        if each.is_empty() {
            return ClientShape::Alias(Type::Null);
        }
        let shape = match beyond_doubles(&each) {
            Some(of) => ClientShape::Alias(of),
            None => ClientShape::Values(each),
        };
        self.or_null(shape, values.contains(&&Json::Null), hint)
    }

    /// Returns a shape, with null if `has_null` is set.
    fn or_null(&mut self, shape: ClientShape, has_null: bool, hint: &str) -> ClientShape {
        if has_null {
            return ClientShape::Alias(self.ty(shape, hint, String::new()).nullable());
        }
        shape
    }

    /// Returns the shape of a value that satisfies one of several schemas.
    pub(super) fn either(&mut self, parts: &[Json], hint: &str) -> ClientShape {
        // An enum, with separate documentation for each variant.
        let values = parts.iter().map(|part| match part.as_object() {
            Some(words) if words.get("type").and_then(Json::as_str) == Some("null") => {
                Some(vec![&Json::Null])
            }
            Some(words) => listed(words),
            None => None,
        });
        if let Some(values) = values.collect::<Option<Vec<_>>>() {
            return self.values(&values.concat(), hint);
        }
        let each = parts.iter().enumerate().map(|(at, part)| {
            let hint = format!("{hint}{}", told_by(part, at));
            self.of(part, &hint)
        });
        let each: Vec<Type> = each.collect();
        self.union(each, hint)
    }

    pub(super) fn union(&mut self, each: Vec<Type>, hint: &str) -> ClientShape {
        let mut types: Vec<Type> = Vec::new();
        let mut has_null = false;
        for of in each {
            let of = match of {
                Type::Null => {
                    has_null = true;
                    continue;
                }
                Type::Any => return ClientShape::Alias(Type::Any),
                Type::Nullable(inner) => {
                    has_null = true;
                    *inner
                }
                other => other,
            };
            if !types.contains(&of) {
                types.push(of);
            }
        }
        let shape = match types.len() {
            0 => return ClientShape::Alias(if has_null { Type::Null } else { Type::Any }),
            1 => ClientShape::Alias(types.remove(0)),
            _ => ClientShape::Union(types),
        };
        self.or_null(shape, has_null, hint)
    }

    /// Returns the shape of a schema that combines several for the same value.
    pub(super) fn combined(&mut self, schema: &Json, hint: &str) -> ClientShape {
        let forms = forms(schema, self.components, MOST_FORMS + 1);
        let all = forms.iter().flat_map(Form::words);
        let members: usize = all.map(|it| named(it, "properties").count()).sum();
        if forms.is_empty() || forms.len() > MOST_FORMS || members > self.room {
            return ClientShape::Alias(Type::Any);
        }
        self.room -= members;
        if let [only] = &forms[..] {
            return self.form(only, hint);
        }
        let mut each = Vec::new();
        for (at, form) in forms.iter().enumerate() {
            let words = form.words();
            let told = words.map(|it| told_by(&Json::Object(it.clone()), at));
            let told = told.last().unwrap_or_default();
            let hint = format!("{hint}{told}");
            let shape = self.form(form, &hint);
            each.push(self.ty(shape, &hint, String::new()));
        }
        self.union(each, hint)
    }

    /// Merges all schemas of one form into one schema, and returns its shape.
    pub(super) fn form(&mut self, form: &Form<'_>, hint: &str) -> ClientShape {
        let mut all = Object::new();
        let mut members: IndexMap<&str, Vec<&Json>> = IndexMap::new();
        let mut required: Vec<Json> = Vec::new();
        for words in form.words() {
            for (keyword, value) in words {
                match (keyword.as_str(), value) {
                    ("properties", Json::Object(more)) => {
                        for (name, schema) in more {
                            let schemas = members.entry(name.as_str()).or_default();
                            if !schemas.contains(&schema) {
                                schemas.push(schema);
                            }
                        }
                    }
                    ("required", Json::Array(more)) => required.extend(more.iter().cloned()),
                    ("$ref" | "allOf" | "anyOf" | "oneOf" | "additionalProperties", _) => {}
                    (keyword, value) => _ = all.or_insert_with(keyword, || value.clone()),
                }
            }
        }
        if !members.is_empty() {
            let has_room = self.combined_depth < MAX_COMBINED_DEPTH;
            let members = members
                .into_iter()
                .map(|(name, schemas)| match &schemas[..] {
                    [_, _, ..] if has_room => (name, all_of(&schemas)),
                    _ => (name, schemas[0].clone()),
                });
            let properties: Object = members.collect();
            all.insert("type", Json::from("object"));
            all.insert("properties", Json::Object(properties));
        }
        all.insert("required", Json::Array(required));
        self.combined_depth += 1;
        let shape = match shared_values(form).as_deref() {
            // Lists that share nothing are a mistake, about which a type says nothing.
            None | Some([]) => self.plain(&all, hint),
            Some(values) => self.values(values, hint),
        };
        self.combined_depth -= 1;
        shape
    }
}

/// Returns a schema for the values that satisfy all of several, with the first of their texts.
fn all_of(schemas: &[&Json]) -> Json {
    let all = schemas.iter().map(|schema| (*schema).clone());
    let mut combined = Object::from([("allOf", Json::Array(all.collect()))]);
    for keyword in ["title", "description", "default", "deprecated"] {
        let first = schemas.iter().find_map(|schema| schema.get(keyword));
        combined.extend(first.map(|value| (keyword, value.clone())));
    }
    Json::Object(combined)
}

/// Returns the values that are listed, as far as all schemas of a form list them.
fn shared_values<'j>(form: &Form<'j>) -> Option<Vec<&'j Json>> {
    let shared = |one: Vec<&'j Json>, other: Vec<&'j Json>| {
        let both = one.into_iter().filter(|value| other.contains(value));
        both.collect()
    };
    form.words().filter_map(listed).reduce(shared)
}

/// Returns the type of listed integers that a double may not hold. Not every language has literals for
/// these.
fn beyond_doubles(values: &[Json]) -> Option<Type> {
    let is_integer = |text: &str| Decimal::new(text).to_i128().is_some();
    let is_listed = |value: &Json| matches!(value, Json::Number(text) if is_integer(text));
    let is_long = |value: &Json| matches!(value, Json::Number(text) if text.len() > 15);
    let wide = Range {
        least: Some(i64::MIN.into()),
        greatest: Some(u64::MAX.into()),
    };
    let is_beyond = values.iter().all(is_listed) && values.iter().any(is_long);
    is_beyond.then_some(Type::Integer(wide))
}

/// Returns a word that distinguishes an alternative from others, for its name.
fn told_by(part: &Json, at: usize) -> String {
    let title = part.get("title").and_then(Json::as_str);
    let properties = part.get("properties").and_then(Json::as_object);
    let constant = properties.and_then(|all| all.values().find_map(only_text));
    let only = properties.filter(|all| all.len() == 1);
    let only = only.and_then(|all| all.keys().next()).map(Name::as_str);
    let name = title.or(constant).or(only).map(|it| pascal(&words(it)));
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| (at + 1).to_string())
}
