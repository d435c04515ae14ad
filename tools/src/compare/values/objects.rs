//! Compares members of objects and elements of arrays.

use super::super::phrase::phrase;
use super::found::{Difference, Effect};
use super::{SchemaPair, Walk};
use crate::inclusion::{named, takes_all};
use docent_describe::json::{Json, Object};
use docent_describe::schema::list;

/// An object's schema in both descriptions.
type Objects<'j> = (&'j Object, &'j Object);

fn property<'j>(words: &'j Object, name: &str) -> Option<&'j Json> {
    words.get("properties")?.as_object()?.get(name)
}

fn requires(words: &Object, name: &str) -> bool {
    list(words, "required")
        .iter()
        .any(|required| required.as_str() == Some(name))
}

/// Returns whether an object may only have members that are described.
fn is_closed(words: &Object) -> bool {
    let keywords = ["additionalProperties", "unevaluatedProperties"];
    keywords
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
        pair: &SchemaPair<'j>,
        (old, new): Objects<'j>,
    ) -> Vec<Difference> {
        let mut found = Vec::new();
        for (name, schema) in named(old, "properties") {
            match property(new, name) {
                Some(now) => {
                    let way = format!(".{name}");
                    found.extend(self.pair(pair.inner(schema, now, &["properties", name], &way)));
                }
                None => found.push(self.gone(pair, (old, new), name)),
            }
        }
        for (name, schema) in named(new, "properties") {
            if property(old, name).is_none() {
                found.extend(self.fresh(pair, (old, new), name, schema));
            }
        }
        found.extend(self.required(pair, (old, new)));
        let difference = |effect, key| Difference::new(effect, pair, phrase(key));
        match (is_closed(old), is_closed(new)) {
            (true, false) if is_open(new) => {
                found.push(difference(Effect::Opened, "change.value.open"));
            }
            (false, true) if is_open(old) => {
                found.push(difference(Effect::Lost, "change.value.open.not"));
            }
            _ => {}
        }
        for (keyword, way) in [("additionalProperties", ".*"), ("propertyNames", "")] {
            if let Some(inner) = pair.under(keyword, way) {
                found.extend(self.pair(inner));
            }
        }
        for (pattern, schema) in named(old, "patternProperties") {
            let now = new
                .get("patternProperties")
                .and_then(|patterns| patterns.get(pattern));
            if let Some(now) = now {
                let (tokens, way) = (["patternProperties", pattern], format!(".{pattern}"));
                found.extend(self.pair(pair.inner(schema, now, &tokens, &way)));
            }
        }
        found
    }

    /// Returns the difference for a member that is no longer described.
    fn gone(&self, pair: &SchemaPair<'j>, (old, new): Objects<'_>, name: &str) -> Difference {
        let is_optional_now = requires(old, name) && !requires(new, name);
        let (effect, key) = match (self.is_input, is_closed(new)) {
            (true, true) => (Effect::Lost, "change.value.member.rejected"),
            (false, _) if is_optional_now => (Effect::MemberOptional, "change.value.member.gone"),
            (false, true) => (Effect::Lost, "change.value.member.gone"),
            _ => (Effect::MemberDropped, "change.value.member.dropped"),
        };
        let found = Difference::new(effect, pair, phrase(key).with(name));
        found.gone(pair, &["properties", name])
    }

    /// Returns the difference for a member that was not described before.
    fn fresh(
        &self,
        pair: &SchemaPair<'j>,
        (old, new): Objects<'_>,
        name: &str,
        schema: &Json,
    ) -> Option<Difference> {
        let effect = match (self.is_input, is_closed(old)) {
            (true, _) if requires(new, name) => return None,
            (true, true) => Effect::Gained,
            (false, true) => Effect::Opened,
            (true, false) if takes_all(schema) => Effect::Words,
            _ => Effect::MemberAdded,
        };
        let detail = phrase("change.value.member.added").with(name);
        Some(Difference::new(effect, pair, detail).inside(&["properties", name]))
    }

    fn required(&self, pair: &SchemaPair<'j>, (old, new): Objects<'_>) -> Vec<Difference> {
        let mut found = Vec::new();
        let names = |words| list(words, "required").iter().filter_map(Json::as_str);
        for name in names(new).filter(|name| !requires(old, name)) {
            // The effect of a new member of a result has been reported.
            let key = match property(old, name) {
                Some(_) => "change.value.member.required",
                None if self.is_input => "change.value.member.added.required",
                None => continue,
            };
            let detail = phrase(key).with(name);
            found.push(Difference::new(Effect::Lost, pair, detail).inside(&["required"]));
        }
        for name in names(old).filter(|name| !requires(new, name)) {
            // The effect of a removed member has been reported.
            if property(old, name).is_none() || property(new, name).is_some() {
                let detail = phrase("change.value.member.optional").with(name);
                found.push(Difference::new(Effect::MemberOptional, pair, detail));
            }
        }
        found
    }

    pub(super) fn elements(
        &mut self,
        pair: &SchemaPair<'j>,
        (old, new): Objects<'j>,
    ) -> Vec<Difference> {
        let mut found = Vec::new();
        // With prefixes of different lengths, `items` is about different elements.
        if list(old, "prefixItems").len() == list(new, "prefixItems").len()
            && let Some(items) = pair.under("items", "[]")
        {
            found.extend(self.pair(items));
        }
        found.extend(self.each(pair, (old, new), "prefixItems"));
        if let Some(contained) = pair.under("contains", "[]") {
            // A change to the schema of the element has another effect on the array, so only
            // annotations are compared.
            found.extend(self.annotations(&contained));
        }
        // The schemas of `allOf` correspond if there are as many as before.
        if list(old, "allOf").len() == list(new, "allOf").len() {
            found.extend(self.each(pair, (old, new), "allOf"));
        }
        found
    }

    /// Compares the schemas that a keyword lists, in pairs.
    fn each(
        &mut self,
        pair: &SchemaPair<'j>,
        (old, new): Objects<'j>,
        keyword: &str,
    ) -> Vec<Difference> {
        let pairs = list(old, keyword)
            .iter()
            .zip(list(new, keyword))
            .enumerate();
        let mut found = Vec::new();
        for (at, (old, new)) in pairs {
            let at = at.to_string();
            let way = if keyword == "prefixItems" {
                format!("[{at}]")
            } else {
                String::new()
            };
            found.extend(self.pair(pair.inner(old, new, &[keyword, &at], &way)));
        }
        found
    }
}
