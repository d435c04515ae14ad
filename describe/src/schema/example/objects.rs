//! Makes objects.

use std::collections::HashMap;

use super::{Examples, Found, Wanted, both, counts};
use crate::json::{Json, Name, Object};
use crate::schema::component_name;
use crate::schema::form::Form;
use crate::schema::texts::matching_of_length;
use crate::schema::valid::list;

/// The maximum number of members of an object that is made.
const MOST: usize = 300;

impl<'d> Examples<'d> {
    pub(super) fn objects(&self, form: &Form<'_>, wanted: Wanted, found: &mut Found<'_, 'd>) {
        let properties = form.properties();
        let mut members = Members {
            examples: self,
            form,
            wanted,
            named: properties.iter().map(|(name, _)| *name).collect(),
            known: HashMap::new(),
        };
        let required = form.required();
        if required.len() > MOST {
            return;
        }
        let required: Vec<String> = required.into_iter().map(str::to_owned).collect();
        let shown: Vec<String> = properties
            .into_iter()
            .filter(|(name, schema)| {
                required.iter().any(|it| it == name) || self.is_shown(schema, wanted.depth)
            })
            .map(|(name, _)| name.to_owned())
            .take(MOST)
            .collect();
        let free = if shown.is_empty() && self.is_roomy(wanted.depth) {
            members.free_names(1)
        } else {
            Vec::new()
        };
        let full: Vec<String> = shown.iter().chain(&free).cloned().collect();
        found.offer_some(members.object(&full, &required));
        if found.is_done() {
            return;
        }
        found.offer_some(members.object(&[], &required));
        for name in &shown {
            if found.is_done() {
                return;
            }
            if !required.contains(name) {
                found.offer_some(members.object(std::slice::from_ref(name), &required));
            }
        }
        if wanted.count > 1 {
            members.varied(&required, &full, found);
        }
    }

    /// Returns whether an optional member with this schema is shown.
    fn is_shown(&self, schema: &Json, depth: usize) -> bool {
        let is_shared = || {
            let reference = schema.get("$ref").and_then(Json::as_str);
            reference.and_then(component_name).is_some()
        };
        let is_old = || schema.get("deprecated").and_then(Json::as_bool) == Some(true);
        self.is_roomy(depth) && (depth == 0 || !is_shared()) && !is_old()
    }
}

/// The members of the object that is being made.
struct Members<'m, 'd, 'j> {
    examples: &'m Examples<'d>,
    form: &'m Form<'j>,
    wanted: Wanted,
    /// The names of the properties.
    named: Vec<&'j str>,
    /// The values of the members; `None` for one without a value.
    known: HashMap<String, Option<Json>>,
}

impl Members<'_, '_, '_> {
    /// Returns an object with the required members, and with those of `shown` that have a value.
    fn object(&mut self, shown: &[String], required: &[String]) -> Option<Json> {
        let mut names: Vec<String> = Vec::new();
        for name in self
            .named
            .iter()
            .copied()
            .chain(shown.iter().chain(required).map(String::as_str))
        {
            let is_wanted = |list: &[String]| list.iter().any(|it| it == name);
            if (is_wanted(shown) || is_wanted(required)) && !names.iter().any(|it| it == name) {
                names.push(name.to_owned());
            }
        }
        let mut object = Object::new();
        let mut at = 0;
        while let Some(name) = names.get(at).cloned() {
            at += 1;
            match self.value(&name) {
                Some(value) => {
                    object.insert(name.as_str(), value);
                    for other in self.dependent(&name) {
                        if !names.contains(&other) && names.len() < MOST {
                            names.push(other);
                        }
                    }
                }
                None if shown.contains(&name) && !required.contains(&name) => {}
                None => return None,
            }
        }
        self.fill(&mut object);
        Some(Json::Object(object))
    }

    /// Adds members until there are enough.
    fn fill(&mut self, object: &mut Object) {
        let (least, _) = counts(self.form, "minProperties", "maxProperties");
        if object.len() >= least || least > MOST {
            return;
        }
        let named = self.named.iter().map(|name| (*name).to_owned());
        let free = self.free_names(least);
        for name in named.chain(free).collect::<Vec<_>>() {
            if object.len() >= least {
                return;
            }
            if !object.contains_key(&name)
                && let Some(value) = self.value(&name)
            {
                object.insert(name.as_str(), value);
            }
        }
    }

    /// Returns the value of a member.
    fn value(&mut self, name: &str) -> Option<Json> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let value = self.values(name, 1).into_iter().next();
        self.known.insert(name.to_owned(), value.clone());
        value
    }

    fn values(&self, name: &str, count: usize) -> Vec<Json> {
        let schemas = self.schemas(name);
        self.examples
            .values(&both(&schemas), self.wanted.inside(count))
    }

    /// Returns the schemas of a member.
    fn schemas(&self, name: &str) -> Vec<&Json> {
        let mut schemas = Vec::new();
        for words in self.form.words() {
            let before = schemas.len();
            let of = |keyword: &str| words.get(keyword).and_then(Json::as_object);
            schemas.extend(of("properties").and_then(|all| all.get(name)));
            for (pattern, schema) in of("patternProperties").into_iter().flatten() {
                if self.examples.validator.matches(pattern, name) == Some(true) {
                    schemas.push(schema);
                }
            }
            if schemas.len() == before {
                schemas.extend(words.get("additionalProperties"));
            }
        }
        if schemas.is_empty() {
            let mut words = self.form.words();
            schemas.extend(words.find_map(|words| words.get("unevaluatedProperties")));
        }
        schemas
    }

    /// Returns the members that must be present because this one is.
    fn dependent(&self, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        for words in self.form.words() {
            if let Some(Json::Object(all)) = words.get("dependentRequired") {
                let listed = list(all, name).iter().filter_map(Json::as_str);
                names.extend(listed.map(str::to_owned));
            }
        }
        names
    }

    /// Returns names for members that no schema names.
    fn free_names(&self, count: usize) -> Vec<String> {
        let says = |keyword: &str| self.form.words().find_map(|words| words.get(keyword));
        if let Some(schema) = says("propertyNames") {
            let texts = both(&[schema, &Json::Object(of_texts())]).into_owned();
            let names = self.examples.values(&texts, self.wanted.inside(count));
            let names = names.iter().filter_map(Json::as_str);
            return names.map(str::to_owned).collect();
        }
        let patterns = self.form.words().filter_map(|words| {
            let patterns = words.get("patternProperties")?.as_object()?;
            Some(patterns.keys().map(Name::as_str))
        });
        let matching = patterns.flatten();
        let mut names: Vec<String> = matching
            .flat_map(|pattern| matching_of_length(pattern, 0..=100))
            .collect();
        names.truncate(count);
        let is_open = |schema: &Json| *schema != Json::Bool(false);
        if names.is_empty() && count > 1
            || says("additionalProperties").is_some_and(is_open)
            || says("unevaluatedProperties").is_some_and(is_open)
        {
            let more = (1..=count).map(|number| match number {
                1 => "key".to_owned(),
                number => format!("key{number}"),
            });
            names.extend(more);
            names.truncate(count);
        }
        names
    }

    /// Offers objects that differ in one member.
    fn varied(&mut self, required: &[String], shown: &[String], found: &mut Found<'_, '_>) {
        let Some(Json::Object(base)) = self.object(shown, required) else {
            return;
        };
        let names: Vec<String> = base.keys().map(ToString::to_string).collect();
        for name in names {
            for value in self.values(&name, self.wanted.count) {
                let mut object = base.clone();
                object.insert(name.as_str(), value);
                found.offer(Json::Object(object));
            }
            if found.is_done() {
                return;
            }
        }
    }
}

impl Found<'_, '_> {
    fn offer_some(&mut self, value: Option<Json>) {
        if let Some(value) = value {
            self.offer(value);
        }
    }
}

/// Returns the schema `{"type": "string"}`.
fn of_texts() -> Object {
    let mut schema = Object::new();
    schema.insert("type", Json::from("string"));
    schema
}
