//! Makes objects.

use std::collections::HashMap;

use super::{Examples, Found, Wanted, both, counts};
use crate::json::{Json, Object};
use crate::schema::form::Form;
use crate::schema::keyword::{component_name, list, named};
use crate::schema::texts::matching_of_length;

/// The maximum number of members of an object that is made.
const MOST: usize = 300;

impl<'d> Examples<'d> {
    /// Offers an object with all members that are shown, one with the required members alone, and
    /// one with each of the others.
    pub(super) fn objects(&self, form: &Form<'_>, wanted: Wanted, found: &mut Found<'_, 'd>) {
        let properties = form.properties();
        let mut members = Members {
            examples: self,
            form,
            wanted,
            named: properties.iter().map(|(name, _)| *name).collect(),
            required: form.required(),
            known: HashMap::new(),
        };
        if members.required.len() > MOST {
            return;
        }
        let optional = properties.iter().filter(|(name, schema)| {
            !members.required.contains(name) && self.is_shown(schema, wanted.depth)
        });
        let optional: Vec<&str> = optional.map(|(name, _)| *name).take(MOST).collect();
        let is_empty = optional.is_empty() && members.required.is_empty();
        let free = if is_empty && self.is_roomy(wanted.depth) {
            members.free_names(1)
        } else {
            Vec::new()
        };
        let full: Vec<&str> = optional
            .iter()
            .copied()
            .chain(free.iter().map(String::as_str))
            .collect();
        let tries = [&full[..], &[]].into_iter().chain(optional.chunks(1));
        for shown in tries {
            if !found.is_done() {
                let object = members.object(shown).map(Json::from);
                found.offer_all(object);
            }
        }
    }

    /// Returns whether an optional member with this schema is shown.
    fn is_shown(&self, schema: &Json, depth: usize) -> bool {
        let reference = schema.get("$ref").and_then(Json::as_str);
        let is_shared = reference.and_then(component_name).is_some();
        let is_old = schema.get("deprecated").and_then(Json::as_bool) == Some(true);
        self.is_roomy(depth) && (depth == 0 || !is_shared) && !is_old
    }
}

/// The members of the object that is being made.
struct Members<'m, 'd, 'j> {
    examples: &'m Examples<'d>,
    form: &'m Form<'j>,
    wanted: Wanted,
    /// The names of the properties.
    named: Vec<&'j str>,
    required: Vec<&'j str>,
    /// The values of the members; `None` for one without a value.
    known: HashMap<String, Option<Json>>,
}

impl Members<'_, '_, '_> {
    /// Returns an object with the required members, and with those of `shown` that have a value.
    fn object(&mut self, shown: &[&str]) -> Option<Object> {
        let is_wanted = |name: &&str| shown.contains(name) || self.required.contains(name);
        let properties = self.named.iter().copied().filter(is_wanted);
        let others = shown.iter().chain(&self.required).copied();
        let others = others.filter(|name| !self.named.contains(name));
        let mut names: Vec<String> = properties.chain(others).map(str::to_owned).collect();
        let mut object = Object::new();
        let mut at = 0;
        while let Some(name) = names.get(at).cloned() {
            at += 1;
            if let Some(value) = self.value(&name) {
                object.insert(name.as_str(), value);
                for other in self.dependent(&name) {
                    if !names.contains(&other) && names.len() < MOST {
                        names.push(other);
                    }
                }
            } else if !shown.contains(&&*name) {
                return None;
            }
        }
        self.fill(&mut object);
        Some(object)
    }

    /// Adds members until there are enough.
    fn fill(&mut self, object: &mut Object) {
        let (least, _) = counts(self.form, "minProperties", "maxProperties");
        if object.len() >= least || least > MOST {
            return;
        }
        let properties = self.named.iter().map(|name| (*name).to_owned());
        let names: Vec<String> = properties.chain(self.free_names(least)).collect();
        for name in names {
            if object.len() < least
                && !object.contains_key(&name)
                && let Some(value) = self.value(&name)
            {
                object.insert(name, value);
            }
        }
    }

    /// Returns the value of a member.
    fn value(&mut self, name: &str) -> Option<Json> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let schemas = self.schemas(name);
        let values = self.examples.values(&both(&schemas), self.wanted.inside(1));
        let value = values.into_iter().next();
        self.known.insert(name.to_owned(), value.clone());
        value
    }

    /// Returns the schemas of a member.
    fn schemas(&self, name: &str) -> Vec<&Json> {
        let mut schemas = Vec::new();
        for words in self.form.words() {
            let before = schemas.len();
            schemas.extend(words.get("properties").and_then(|all| all.get(name)));
            for (pattern, schema) in named(words, "patternProperties") {
                if self.examples.validator.matches(pattern, name) == Some(true) {
                    schemas.push(schema);
                }
            }
            if schemas.len() == before {
                schemas.extend(words.get("additionalProperties"));
            }
        }
        if schemas.is_empty() {
            schemas.extend(self.form.word("unevaluatedProperties"));
        }
        schemas
    }

    /// Returns the members that must be present because this one is.
    fn dependent(&self, name: &str) -> Vec<String> {
        let all = self.form.words();
        let all = all.filter_map(|words| words.get("dependentRequired")?.as_object());
        let names = all.flat_map(|all| list(all, name)).filter_map(Json::as_str);
        names.map(str::to_owned).collect()
    }

    /// Returns names for members that no schema names.
    fn free_names(&self, count: usize) -> Vec<String> {
        if let Some(schema) = self.form.word("propertyNames") {
            let string = Object::from([("type", Json::from("string"))]).into();
            let names = both(&[schema, &string]).into_owned();
            let names = self.examples.values(&names, self.wanted.inside(count));
            return names
                .iter()
                .filter_map(Json::as_str)
                .map(str::to_owned)
                .collect();
        }
        let words = self.form.words();
        let patterns = words.flat_map(|words| named(words, "patternProperties"));
        let mut names: Vec<String> = patterns
            .flat_map(|(pattern, _)| matching_of_length(pattern, 0..=100))
            .take(count)
            .collect();
        let mut keywords = ["additionalProperties", "unevaluatedProperties"].into_iter();
        let is_open = keywords.any(|keyword| {
            let schema = self.form.word(keyword);
            schema.is_some_and(|schema| *schema != Json::Bool(false))
        });
        if is_open || names.is_empty() && count > 1 {
            names.push("key".to_owned());
            names.extend((2..=count).map(|number| format!("key{number}")));
            names.truncate(count);
        }
        names
    }
}
