//! Compares alternatives: which are gone, which are new, and which correspond to each other.

use super::super::paired;
use super::super::phrase::phrase;
use super::found::{Difference, Effect};
use super::{SchemaPair, Walk, kinds};
use crate::inclusion::{Inclusion, asserts};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Kinds, component_entered};

/// The maximum number of pairs of alternatives that are compared to find those that correspond.
const MOST: usize = 10_000;

/// An alternative of a schema.
struct Alternative<'j> {
    schema: &'j Json,
    /// The keyword and the index, or nothing for a schema that has no alternatives.
    tokens: Vec<String>,
}

impl<'j> Alternative<'j> {
    /// Returns the alternatives of a schema that has nothing else that constrains values.
    fn all(schema: &'j Json) -> Option<Vec<Self>> {
        let words = schema.as_object()?;
        let mut asserted = words.keys().filter(|keyword| asserts(keyword));
        let keyword = asserted.next()?.as_str();
        if !matches!(keyword, "anyOf" | "oneOf") || asserted.next().is_some() {
            return None;
        }
        let all = words.get(keyword)?.as_array()?.iter().enumerate();
        let alternatives = all.map(|(at, schema)| Self {
            schema,
            tokens: vec![keyword.to_owned(), at.to_string()],
        });
        Some(alternatives.collect())
    }

    fn only(schema: &'j Json) -> Vec<Self> {
        let tokens = Vec::new();
        vec![Self { schema, tokens }]
    }

    fn tokens(&self) -> Vec<&str> {
        self.tokens.iter().map(String::as_str).collect()
    }

    fn is_listed(&self) -> bool {
        self.schema
            .get("const")
            .or(self.schema.get("enum"))
            .is_some()
    }

    fn kinds(&self) -> Kinds {
        self.schema.as_object().map_or(Kinds::ALL, kinds)
    }
}

impl<'j> Walk<'_, 'j> {
    /// Returns the differences between alternatives, or `None` if neither schema has any.
    pub(super) fn alternatives(&mut self, pair: &SchemaPair<'j>) -> Option<Vec<Difference>> {
        let (before, after) = match (Alternative::all(pair.old), Alternative::all(pair.new)) {
            (None, None) => return None,
            (before, after) => (
                before.unwrap_or_else(|| Alternative::only(pair.old)),
                after.unwrap_or_else(|| Alternative::only(pair.new)),
            ),
        };
        let mut found = Vec::new();
        let pairs = self.matched(&before, &after);
        for (one, other) in &pairs {
            let (old, new) = (&before[*one], &after[*other]);
            let mut inner = pair.inner(old.schema, new.schema, &[], "");
            old.tokens
                .iter()
                .for_each(|token| inner.old_pointer.push(token));
            new.tokens
                .iter()
                .for_each(|token| inner.new_pointer.push(token));
            if !old.tokens.is_empty() || !new.tokens.is_empty() {
                found.extend(self.pair(inner));
            }
        }
        for (at, one) in before.iter().enumerate() {
            if pairs.iter().all(|(old, _)| *old != at)
                && self.values.kept.ask(one.schema, pair.new) != Inclusion::Yes
            {
                let detail = phrase("change.value.choice.not").with(label(one.schema));
                let lost = Difference::new(Effect::Lost, pair, detail);
                found.push(lost.gone(pair, &one.tokens()));
            }
        }
        for (at, one) in after.iter().enumerate() {
            if pairs.iter().any(|(_, new)| *new == at)
                || self.values.known.ask(one.schema, pair.old) == Inclusion::Yes
            {
                continue;
            }
            if one.kinds() == Kinds::NULL {
                found.push(Difference::new(
                    Effect::Nullable,
                    pair,
                    phrase("change.value.null"),
                ));
                continue;
            }
            let effect = if one.is_listed() {
                Effect::ValueAdded
            } else {
                Effect::Gained
            };
            let detail = phrase("change.value.choice").with(label(one.schema));
            found.push(Difference::new(effect, pair, detail).inside(&one.tokens()));
        }
        Some(found)
    }

    /// Pairs the alternatives: first those that differ in annotations at most, then those with the
    /// same key, and then the only ones on both sides or else those of the same type.
    fn matched(
        &mut self,
        before: &[Alternative<'j>],
        after: &[Alternative<'j>],
    ) -> Vec<(usize, usize)> {
        if before.len() * after.len() > MOST {
            return Vec::new();
        }
        let are_single = before.len() == 1 && after.len() == 1;
        paired(before, after, 3, |attempt, old, new| match attempt {
            0 => self.values.kept.says_same(old.schema, new.schema),
            1 => key(old.schema).is_some_and(|key_of| Some(key_of) == key(new.schema)),
            _ if are_single => true,
            _ => {
                old.kinds() == new.kinds()
                    && !old.kinds().meet(Kinds::OBJECT)
                    && !old.is_listed()
                    && !new.is_listed()
            }
        })
    }
}

/// Returns a key for an alternative: its component, its constant, its tag, or its title.
fn key(schema: &Json) -> Option<String> {
    let words = schema.as_object()?;
    if let Some(reference) = words.get("$ref").and_then(Json::as_str) {
        return Some(format!("#{}", component_entered(reference)?));
    }
    if let Some(only) = words.get("const") {
        return Some(format!("={only}"));
    }
    tag(words).or_else(|| Some(format!("'{}", words.get("title")?.as_str()?)))
}

/// Returns the tag of an object: its members with a constant value, or else its only property, if
/// that is required.
fn tag(words: &Object) -> Option<String> {
    let properties = words.get("properties")?.as_object()?;
    let tags = properties.iter().filter_map(|(name, schema)| {
        let only = schema.get("const")?;
        Some(format!("{name}={only}"))
    });
    let tags: Vec<String> = tags.collect();
    if !tags.is_empty() {
        return Some(tags.join(","));
    }
    match words.get("required").and_then(Json::as_array) {
        Some([only]) if properties.len() == 1 => Some(format!("{only}")),
        _ => None,
    }
}

/// Returns a name for an alternative, for a sentence.
fn label(schema: &Json) -> String {
    let text = |keyword: &str| schema.get(keyword).and_then(Json::as_str);
    let name = text("$ref").and_then(component_entered);
    match name.as_deref().or(text("title")) {
        Some(name) => format!("`{name}`"),
        None => super::super::params::shown(schema),
    }
}
