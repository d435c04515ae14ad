//! Compares members of objects and elements of arrays.

use super::super::pairs::Both;
use super::super::phrase::phrase;
use super::found::Effect;
use super::{SchemaPair, Walk};
use crate::inclusion::takes_all;
use docent_describe::json::{Json, Object};
use docent_describe::schema::{list, named, required};

fn property<'j>(words: &'j Object, name: &str) -> Option<&'j Json> {
    words.get("properties")?.as_object()?.get(name)
}

fn requires(words: &Object, name: &str) -> bool {
    required(words).any(|required| required == name)
}

/// Returns whether an object may only have members that are described.
fn is_closed(words: &Object) -> bool {
    let mut keywords = ["additionalProperties", "unevaluatedProperties"].iter();
    keywords.any(|keyword| words.get(keyword) == Some(&Json::Bool(false)))
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
    pub(super) fn members(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'j, Object>) {
        for (name, schema) in named(old, "properties") {
            if let Some(now) = property(new, name) {
                let way = format!(".{name}");
                self.pair(pair.inner(schema, now, &["properties", name], &way));
            } else {
                self.gone(pair, (old, new), name);
            }
        }
        for (name, schema) in named(new, "properties") {
            if property(old, name).is_none() {
                self.fresh(pair, (old, new), (name, schema));
            }
        }
        self.required(pair, (old, new));
        match (is_closed(old), is_closed(new)) {
            (true, false) if is_open(new) => self.add(pair, Effect::Opened, "change.value.open"),
            (false, true) if is_open(old) => self.add(pair, Effect::Lost, "change.value.open.not"),
            _ => {}
        }
        for (keyword, way) in [("additionalProperties", ".*"), ("propertyNames", "")] {
            if let Some(inner) = pair.under(keyword, way) {
                self.pair(inner);
            }
        }
        for (pattern, schema) in named(old, "patternProperties") {
            let mut others = named(new, "patternProperties");
            if let Some((_, now)) = others.find(|(other, _)| *other == pattern) {
                let (tokens, way) = (["patternProperties", pattern], format!(".{pattern}"));
                self.pair(pair.inner(schema, now, &tokens, &way));
            }
        }
    }

    /// Adds the difference for a member that is no longer described.
    fn gone(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'_, Object>, name: &str) {
        let has_constraints = property(old, name).is_some_and(|schema| !takes_all(schema));
        if has_constraints && self.is_rewritten(pair) {
            return;
        }
        let is_optional_now = requires(old, name) && !requires(new, name);
        let (effect, key) = match (self.is_input, is_closed(new)) {
            (true, true) => (Effect::Lost, "change.value.member.rejected"),
            (false, _) if is_optional_now => (Effect::MemberOptional, "change.value.member.gone"),
            (false, true) => (Effect::Lost, "change.value.member.gone"),
            _ => (Effect::MemberDropped, "change.value.member.dropped"),
        };
        let gone = pair.gone(&["properties", name], effect, phrase(key, &[&name]));
        self.found.push(gone);
    }

    /// Adds the difference for a member that was not described before.
    fn fresh(
        &mut self,
        pair: &SchemaPair<'j>,
        (old, new): Both<'_, Object>,
        (name, schema): (&str, &Json),
    ) {
        let effect = match (self.is_input, is_closed(old)) {
            (true, _) if requires(new, name) => return,
            (true, true) => Effect::Gained,
            (false, true) => Effect::Opened,
            (true, false) if takes_all(schema) => Effect::Words,
            _ => Effect::MemberAdded,
        };
        let detail = phrase("change.value.member.added", &[&name]);
        let fresh = pair.inside(&["properties", name], effect, detail);
        self.found.push(fresh);
    }

    fn required(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'_, Object>) {
        for name in required(new).filter(|name| !requires(old, name)) {
            // The effect of a new member of a result has been reported.
            let key = match property(old, name) {
                Some(_) => "change.value.member.required",
                None if self.is_input => "change.value.member.added.required",
                None => continue,
            };
            let lost = pair.inside(&["required"], Effect::Lost, phrase(key, &[&name]));
            self.found.push(lost);
        }
        for name in required(old).filter(|name| !requires(new, name)) {
            // The effect of a removed member has been reported.
            if property(old, name).is_none() || property(new, name).is_some() {
                let detail = phrase("change.value.member.optional", &[&name]);
                self.found
                    .push(pair.difference(Effect::MemberOptional, detail));
            }
        }
    }

    pub(super) fn elements(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'j, Object>) {
        // With prefixes of different lengths, `items` is about different elements.
        if list(old, "prefixItems").len() == list(new, "prefixItems").len()
            && let Some(items) = pair.under("items", "[]")
        {
            self.pair(items);
        }
        self.each(pair, (old, new), "prefixItems");
        if let Some(contained) = pair.under("contains", "[]") {
            // A change to the schema of the element has another effect on the array, so only
            // annotations are compared.
            self.annotations(&contained);
        }
        // The schemas of `allOf` correspond if there are as many as before.
        if list(old, "allOf").len() == list(new, "allOf").len() {
            self.each(pair, (old, new), "allOf");
        }
    }

    /// Compares the schemas that a keyword lists, in pairs.
    fn each(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'j, Object>, keyword: &str) {
        let pairs = list(old, keyword).iter().zip(list(new, keyword));
        for (at, (old, new)) in pairs.enumerate() {
            let way = match keyword {
                "prefixItems" => format!("[{at}]"),
                _ => String::new(),
            };
            self.pair(pair.inner(old, new, &[keyword, &at.to_string()], &way));
        }
    }
}
