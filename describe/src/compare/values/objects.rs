//! Compares members of objects and elements of arrays.

use super::super::phrase::phrase;
use super::found::{Found, What};
use super::{Pair, Walk};
use crate::json::{Json, Object};
use crate::schema::takes_all;

fn properties(words: &Object) -> impl Iterator<Item = (&str, &Json)> {
    let members = words.get("properties").and_then(Json::as_object);
    let members = members.into_iter().flatten();
    members.map(|(name, schema)| (name.as_str(), schema))
}

fn property<'j>(words: &'j Object, name: &str) -> Option<&'j Json> {
    words.get("properties")?.as_object()?.get(name)
}

fn required(words: &Object) -> Vec<&str> {
    let names = words.get("required").and_then(Json::as_array);
    names
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_str)
        .collect()
}

/// Returns whether an object may only have members that are described.
fn is_closed(words: &Object) -> bool {
    ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| words.get(keyword) == Some(&Json::Bool(false)))
}

/// Returns whether an object may have any further members.
fn is_open(words: &Object) -> bool {
    [
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "maxProperties",
    ]
    .iter()
    .all(|keyword| words.get(keyword).is_none_or(takes_all))
}

impl<'j> Walk<'_, 'j> {
    pub(super) fn members(
        &mut self,
        pair: &Pair<'j>,
        old: &'j Object,
        new: &'j Object,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        for (name, schema) in properties(old) {
            if let Some(now) = property(new, name) {
                let way = format!(".{name}");
                found.extend(self.pair(pair.inner(schema, now, &["properties", name], &way)));
            } else {
                found.push(self.gone(pair, old, new, name));
            }
        }
        for (name, schema) in properties(new).filter(|(name, _)| property(old, name).is_none()) {
            found.extend(self.fresh(pair, (old, new), name, schema));
        }
        found.extend(self.required(pair, old, new));
        match (is_closed(old), is_closed(new)) {
            (true, false) if is_open(new) => {
                let detail = phrase("change.value.open");
                found.push(Found::new(What::Opened, pair, detail));
            }
            (false, true) if is_open(old) => {
                let detail = phrase("change.value.open.not");
                found.push(Found::new(What::Lost, pair, detail));
            }
            _ => {}
        }
        for (keyword, way) in [("additionalProperties", ".*"), ("propertyNames", "")] {
            if let Some(inner) = pair.under(keyword, way) {
                found.extend(self.pair(inner));
            }
        }
        let patterns = pair.under("patternProperties", "");
        if let Some((patterns, Json::Object(before))) =
            patterns.map(|pair| (pair.clone(), pair.old))
        {
            for (pattern, schema) in before {
                if let Some(now) = patterns.new.get(pattern) {
                    let way = format!(".{pattern}");
                    found.extend(self.pair(patterns.inner(schema, now, &[pattern], &way)));
                }
            }
        }
        found
    }

    /// Returns the difference for a member that is no longer described.
    fn gone(&self, pair: &Pair<'j>, old: &Object, new: &Object, name: &str) -> Found {
        let (was_required, is_required) =
            (required(old).contains(&name), required(new).contains(&name));
        let (what, key) = if self.is_input && is_closed(new) {
            (What::Lost, "change.value.member.rejected")
        } else if self.is_input {
            (What::MemberDropped, "change.value.member.dropped")
        } else if was_required && !is_required {
            (What::MemberOptional, "change.value.member.gone")
        } else if is_closed(new) {
            (What::Lost, "change.value.member.gone")
        } else {
            (What::MemberDropped, "change.value.member.dropped")
        };
        let found = Found::new(what, pair, phrase(key).with(name));
        found.gone(pair, &["properties", name])
    }

    /// Returns the difference for a member that was not described before.
    fn fresh(
        &self,
        pair: &Pair<'j>,
        (old, new): (&Object, &Object),
        name: &str,
        schema: &Json,
    ) -> Option<Found> {
        let is_required = required(new).contains(&name);
        let what = match (self.is_input, is_closed(old)) {
            (true, _) if is_required => return None,
            (true, true) => What::Gained,
            (false, true) => What::Opened,
            (true, false) if takes_all(schema) => What::Words,
            _ => What::MemberAdded,
        };
        let detail = phrase("change.value.member.added").with(name);
        Some(Found::new(what, pair, detail).inside(&["properties", name]))
    }

    fn required(&self, pair: &Pair<'j>, old: &Object, new: &Object) -> Vec<Found> {
        let (before, after) = (required(old), required(new));
        let mut found = Vec::new();
        for name in after.iter().filter(|name| !before.contains(name)) {
            let is_new = property(old, name).is_none();
            let key = if is_new {
                "change.value.member.added.required"
            } else {
                "change.value.member.required"
            };
            let detail = phrase(key).with(name);
            // The effect of a new member of a result has been reported.
            if self.is_input || !is_new {
                found.push(Found::new(What::Lost, pair, detail).inside(&["required"]));
            }
        }
        for name in before.iter().filter(|name| !after.contains(name)) {
            // The effect of a removed member has been reported.
            if property(old, name).is_none() || property(new, name).is_some() {
                let detail = phrase("change.value.member.optional").with(name);
                found.push(Found::new(What::MemberOptional, pair, detail));
            }
        }
        found
    }

    pub(super) fn elements(&mut self, pair: &Pair<'j>, old: &Object, new: &Object) -> Vec<Found> {
        let mut found = Vec::new();
        let prefix = |words: &Object| {
            let schemas = words.get("prefixItems").and_then(Json::as_array);
            schemas.map_or(0, <[Json]>::len)
        };
        // With prefixes of different lengths, `items` is about different elements.
        if prefix(old) == prefix(new)
            && let Some(items) = pair.under("items", "[]")
        {
            found.extend(self.pair(items));
        }
        found.extend(self.each(pair, "prefixItems", |at| format!("[{at}]")));
        if let Some(contained) = pair.under("contains", "[]") {
            // A change to the schema of the element has another effect on the array, so only
            // annotations are compared.
            found.extend(self.words(&contained));
        }
        found
    }

    /// Compares the schemas of `allOf` in pairs, if there are as many as before.
    pub(super) fn parts(&mut self, pair: &Pair<'j>) -> Vec<Found> {
        self.each(pair, "allOf", |_| String::new())
    }

    fn each(
        &mut self,
        pair: &Pair<'j>,
        keyword: &str,
        way: impl Fn(usize) -> String,
    ) -> Vec<Found> {
        let Some(list) = pair.under(keyword, "") else {
            return Vec::new();
        };
        let (Json::Array(before), Json::Array(after)) = (list.old, list.new) else {
            return Vec::new();
        };
        if before.len() != after.len() && keyword == "allOf" {
            return Vec::new();
        }
        let pairs = before.iter().zip(after).enumerate();
        pairs
            .flat_map(|(at, (old, new))| {
                self.pair(list.inner(old, new, &[&at.to_string()], &way(at)))
            })
            .collect()
    }
}
