//! Compares alternatives: which are gone, which are new, and which correspond to each other.

use super::super::pairs::paired;
use super::super::phrase::phrase;
use super::found::{Effect, shown};
use super::{SchemaPair, Walk, joined, kinds};
use crate::inclusion::{Inclusion, asserts};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Kinds, component_entered};

/// The maximum number of pairs of alternatives that are compared to find those that correspond.
const MOST: usize = 10_000;

/// An alternative of a schema, and its place: a keyword and an index, or nothing for a schema that
/// has no alternatives.
struct Alternative<'j> {
    schema: &'j Json,
    place: Vec<String>,
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
            place: vec![keyword.to_owned(), at.to_string()],
        });
        Some(alternatives.collect())
    }

    fn only(schema: &'j Json) -> Vec<Self> {
        let place = Vec::new();
        vec![Self { schema, place }]
    }

    fn is_listed(&self) -> bool {
        self.schema.get("const").is_some() || self.schema.get("enum").is_some()
    }

    fn kinds(&self) -> Kinds {
        self.schema.as_object().map_or(Kinds::ALL, kinds)
    }
}

impl<'j> Walk<'_, 'j> {
    /// Finds the differences between alternatives. Returns whether one of the schemas has any.
    pub(super) fn alternatives(&mut self, pair: &SchemaPair<'j>) -> bool {
        let (before, after) = match (Alternative::all(pair.old), Alternative::all(pair.new)) {
            (None, None) => return false,
            (before, after) => (
                before.unwrap_or_else(|| Alternative::only(pair.old)),
                after.unwrap_or_else(|| Alternative::only(pair.new)),
            ),
        };
        for (old, new) in self.matched(&before, &after) {
            match (old.map(|at| &before[at]), new.map(|at| &after[at])) {
                (Some(old), Some(new)) if !old.place.is_empty() || !new.place.is_empty() => {
                    self.pair(SchemaPair {
                        old: old.schema,
                        new: new.schema,
                        old_pointer: joined(&pair.old_pointer, &old.place),
                        new_pointer: joined(&pair.new_pointer, &new.place),
                        way: pair.way.clone(),
                    });
                }
                (Some(one), None)
                    if self.values.kept.ask(one.schema, pair.new) != Inclusion::Yes =>
                {
                    let detail = phrase("change.value.choice.not", &[&label(one.schema)]);
                    let gone = pair.gone(&one.place, Effect::Lost, detail);
                    self.found.push(gone);
                }
                (None, Some(one)) => self.added(pair, one),
                _ => {}
            }
        }
        true
    }

    /// Adds the difference for a new alternative.
    fn added(&mut self, pair: &SchemaPair<'j>, one: &Alternative<'j>) {
        if self.values.known.ask(one.schema, pair.old) == Inclusion::Yes {
            return;
        }
        let detail = phrase("change.value.choice", &[&label(one.schema)]);
        self.found.push(if one.kinds() == Kinds::NULL {
            pair.difference(Effect::Nullable, phrase("change.value.null", &[]))
        } else if one.is_listed() {
            pair.inside(&one.place, Effect::ValueAdded, detail)
        } else {
            pair.inside(&one.place, Effect::Gained, detail)
        });
    }

    /// Pairs the alternatives: first those that differ in annotations at most, then those with the
    /// same key, and then the only ones on both sides or else those of the same type.
    fn matched(
        &mut self,
        before: &[Alternative<'j>],
        after: &[Alternative<'j>],
    ) -> Vec<(Option<usize>, Option<usize>)> {
        let are_many = before.len() * after.len() > MOST;
        let attempts = if are_many { 0 } else { 3 };
        let are_single = before.len() == 1 && after.len() == 1;
        paired(before, after, attempts, |attempt, old, new| match attempt {
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
        None => shown(schema),
    }
}
