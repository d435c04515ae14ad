//! Compares alternatives: which are gone, which are new, and which correspond to each other.

use super::super::phrase::phrase;
use super::found::{Found, What};
use super::{Pair, Walk};
use crate::json::{Json, Object};
use crate::schema::{Inclusion, Kinds, asserts, component_entered};

/// The alternatives of a schema.
struct Branches<'j> {
    /// The keyword of the alternatives; `None` if the schema is its own only alternative.
    keyword: Option<&'static str>,
    /// The alternatives except null, each with its index.
    each: Vec<(usize, &'j Json)>,
    has_null: bool,
}

impl<'j> Branches<'j> {
    fn of(schema: &'j Json) -> Option<Self> {
        let words = schema.as_object()?;
        let mut asserted = words.keys().filter(|keyword| asserts(keyword));
        let keyword = match asserted.next().map(crate::json::Name::as_str) {
            Some("anyOf") => "anyOf",
            Some("oneOf") => "oneOf",
            _ => return None,
        };
        if asserted.next().is_some() {
            return None;
        }
        let all = words.get(keyword)?.as_array()?;
        let is_null = |schema: &Json| schema.get("type").and_then(Json::as_str) == Some("null");
        let each = all.iter().enumerate();
        Some(Self {
            keyword: Some(keyword),
            each: each.filter(|(_, schema)| !is_null(schema)).collect(),
            has_null: all.iter().any(is_null),
        })
    }

    /// Returns the schema as its own only alternative.
    fn only(schema: &'j Json) -> Self {
        Self {
            keyword: None,
            each: vec![(0, schema)],
            has_null: false,
        }
    }

    fn tokens(&self, at: usize) -> Vec<String> {
        let keyword = self.keyword.into_iter().map(str::to_owned);
        keyword
            .flat_map(|keyword| [keyword, at.to_string()])
            .collect()
    }
}

impl<'j> Walk<'_, 'j> {
    /// Returns the differences between alternatives, or `None` if neither schema has any.
    pub(super) fn alternatives(&mut self, pair: &Pair<'j>) -> Option<Vec<Found>> {
        let (before, after) = (Branches::of(pair.old), Branches::of(pair.new));
        if before.is_none() && after.is_none() {
            return None;
        }
        let before = before.unwrap_or_else(|| Branches::only(pair.old));
        let after = after.unwrap_or_else(|| Branches::only(pair.new));
        let mut found = Vec::new();
        // If a schema is its own alternative, null is one of its types.
        let takes_null = |branches: &Branches<'j>| {
            branches.has_null || branches.keyword.is_none() && has_null_type(branches.each[0].1)
        };
        match (takes_null(&before), takes_null(&after)) {
            (false, true) => found.push(Found::new(
                What::Nullable,
                pair,
                phrase("change.value.null"),
            )),
            (true, false) => {
                found.push(Found::new(
                    What::Lost,
                    pair,
                    phrase("change.value.null.not"),
                ));
            }
            _ => {}
        }
        let pairs = self.matched(&before, &after);
        for (one, other) in &pairs {
            let ((at, old), (to, new)) = (before.each[*one], after.each[*other]);
            let mut inner = pair.clone();
            (inner.old, inner.new) = (old, new);
            before
                .tokens(at)
                .iter()
                .for_each(|token| inner.old_place.push(token));
            after
                .tokens(to)
                .iter()
                .for_each(|token| inner.new_place.push(token));
            if !std::ptr::eq(inner.old, pair.old) || !std::ptr::eq(inner.new, pair.new) {
                let more = self.pair(inner);
                // Null has been reported above.
                let is_null =
                    |one: &Found| one.what == What::Nullable && one.place == pair.new_place;
                found.extend(more.into_iter().filter(|one| !is_null(one)));
            }
        }
        found.extend(self.left(pair, &before, &after, &pairs));
        Some(found)
    }

    /// Returns the differences for alternatives that are gone, and for those that are new.
    fn left(
        &mut self,
        pair: &Pair<'j>,
        before: &Branches<'j>,
        after: &Branches<'j>,
        pairs: &[(usize, usize)],
    ) -> Vec<Found> {
        let mut found = Vec::new();
        for (place, (at, schema)) in before.each.iter().enumerate() {
            if pairs.iter().all(|(one, _)| *one != place)
                && self.values.kept.ask(schema, pair.new) != Inclusion::Yes
            {
                let detail = phrase("change.value.choice.not").with(label(schema));
                let tokens = before.tokens(*at);
                let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
                found.push(Found::new(What::Lost, pair, detail).gone(pair, &tokens));
            }
        }
        for (place, (at, schema)) in after.each.iter().enumerate() {
            if pairs.iter().all(|(_, other)| *other != place)
                && self.values.known.ask(schema, pair.old) != Inclusion::Yes
            {
                let is_value = schema.get("const").is_some() || schema.get("enum").is_some();
                let what = if is_value {
                    What::ValueAdded
                } else {
                    What::Gained
                };
                let detail = phrase("change.value.choice").with(label(schema));
                let tokens = after.tokens(*at);
                let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
                found.push(Found::new(what, pair, detail).inside(&tokens));
            }
        }
        found
    }

    /// Pairs the alternatives: first those that differ in annotations at most, then those with the
    /// same key, and then the only ones on both sides or else those of the same type.
    fn matched(&mut self, before: &Branches<'j>, after: &Branches<'j>) -> Vec<(usize, usize)> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut join = |is_same: &mut dyn FnMut(&'j Json, &'j Json) -> bool| {
            for (one, (_, old)) in before.each.iter().enumerate() {
                for (other, (_, new)) in after.each.iter().enumerate() {
                    let is_free = !pairs.iter().any(|pair| pair.0 == one || pair.1 == other);
                    if is_free && is_same(old, new) {
                        pairs.push((one, other));
                    }
                }
            }
        };
        let kept = &mut self.values.kept;
        join(&mut |old, new| kept.says_same(old, new));
        join(&mut |old, new| key(old).is_some() && key(old) == key(new));
        if before.each.len() == 1 && after.each.len() == 1 {
            join(&mut |_, _| true);
        } else {
            join(&mut |old, new| {
                let kinds = |schema: &Json| schema.as_object().map_or(Kinds::ALL, super::kinds);
                let is_listed =
                    |schema: &Json| schema.get("const").or(schema.get("enum")).is_some();
                let is_structure =
                    kinds(old).meet(Kinds::OBJECT) || is_listed(old) || is_listed(new);
                kinds(old) == kinds(new) && !is_structure
            });
        }
        pairs
    }
}

fn has_null_type(schema: &Json) -> bool {
    let words = schema.as_object();
    words.is_some_and(|words| words.contains_key("type") && super::kinds(words).meet(Kinds::NULL))
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
    if let Some(name) = text("$ref").and_then(component_entered) {
        return format!("`{name}`");
    }
    if let Some(title) = text("title") {
        return format!("`{title}`");
    }
    format!("`{}`", crate::json::shorten(&schema.to_string(), 60))
}
