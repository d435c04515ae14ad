//! Compares types, listed values, bounds and texts.

use super::super::params::{or_none, shown};
use super::super::phrase::{Phrase, Value, phrase};
use super::found::{Found, What};
use super::{Pair, Walk, kinds};
use crate::json::{Decimal, Json, Object};
use crate::schema::facts::count;
use crate::schema::{Bounds, Kinds, Measure};

/// The maximum number of listed values that a sentence names.
const NAMED: usize = 5;

impl<'j> Walk<'_, 'j> {
    /// Returns the difference between the types of two schemas.
    pub(super) fn types(&self, pair: &Pair<'j>, old: &Object, new: &Object) -> Option<Found> {
        let (before, after) = (kinds(old), kinds(new));
        let (lost, gained) = (before.without(after), after.without(before));
        if lost == Kinds::NONE && gained == Kinds::NONE {
            return None;
        }
        let detail = phrase("change.value.type");
        let detail = detail.and(types(new)).and(types(old));
        let breaks = if self.is_input { lost } else { gained };
        let what = match (lost, gained) {
            (Kinds::NONE, Kinds::NULL) => What::Nullable,
            (_, Kinds::NONE) => What::Lost,
            (Kinds::NONE, _) => What::Gained,
            _ if (breaks == lost) == self.is_input => {
                if self.is_input {
                    What::Lost
                } else {
                    What::Gained
                }
            }
            _ => What::Gained,
        };
        Some(Found::new(what, pair, detail))
    }

    /// Returns the differences between lists of values.
    pub(super) fn listed(pair: &Pair<'j>, old: &'j Object, new: &'j Object) -> Vec<Found> {
        let (Some(before), Some(after)) = (list(old), list(new)) else {
            return Vec::new();
        };
        let keyword = if new.contains_key("enum") {
            "enum"
        } else {
            "const"
        };
        let names = |values: Vec<&Json>| {
            let named: Vec<String> = values
                .iter()
                .take(NAMED)
                .map(|value| shown(value))
                .collect();
            let named = named.join(", ");
            match values.len().saturating_sub(NAMED) {
                0 => Value::literal(named),
                more => phrase("change.more").with(named).with(more).into(),
            }
        };
        let gone: Vec<&Json> = before
            .iter()
            .filter(|value| !after.contains(value))
            .copied()
            .collect();
        let fresh: Vec<&Json> = after
            .iter()
            .filter(|value| !before.contains(value))
            .copied()
            .collect();
        let mut found = Vec::new();
        if !gone.is_empty() {
            let detail = phrase("change.value.listed.not").and(names(gone));
            found.push(Found::new(What::Lost, pair, detail).inside(&[keyword]));
        }
        if !fresh.is_empty() {
            let is_null = fresh.iter().all(|value| **value == Json::Null);
            let what = if is_null {
                What::Nullable
            } else {
                What::ValueAdded
            };
            let detail = phrase("change.value.listed").and(names(fresh));
            found.push(Found::new(what, pair, detail).inside(&[keyword]));
        }
        found
    }

    /// Returns the differences between bounds, lengths, patterns and formats.
    pub(super) fn scalars(&self, pair: &Pair<'j>, old: &Object, new: &Object) -> Vec<Found> {
        let mut found = Vec::new();
        let measures = [
            Measure::Number,
            Measure::Length,
            Measure::Items,
            Measure::Properties,
        ];
        for measure in measures {
            let (narrower, wider) = (is_within(measure, new, old), is_within(measure, old, new));
            let detail = phrase("change.value.bounds");
            let detail = detail
                .and(span_words(measure, new))
                .and(span_words(measure, old));
            if !wider {
                found.push(Found::new(What::Lost, pair, detail.clone()));
            }
            if !narrower {
                found.push(Found::new(What::Gained, pair, detail));
            }
        }
        found.extend(Self::multiples(pair, old, new));
        found.extend(self.texts(pair, old, new));
        let is_unique = |words: &Object| words.get("uniqueItems") == Some(&Json::Bool(true));
        match (is_unique(old), is_unique(new)) {
            (false, true) => {
                let detail = phrase("change.value.distinct");
                found.push(Found::new(What::Lost, pair, detail));
            }
            (true, false) => {
                let detail = phrase("change.value.distinct.not");
                found.push(Found::new(What::Gained, pair, detail));
            }
            _ => {}
        }
        found
    }

    fn multiples(pair: &Pair<'j>, old: &Object, new: &Object) -> Vec<Found> {
        let step = |words: &Object| match words.get("multipleOf") {
            Some(Json::Number(text)) => Some(text.to_string()),
            _ => None,
        };
        let (before, after) = (step(old), step(new));
        if before == after {
            return Vec::new();
        }
        let follows = |has: &Option<String>, asked: &Option<String>| match (has, asked) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(has), Some(asked)) => Decimal::new(has).is_multiple_of(&Decimal::new(asked)),
        };
        let told = |step: &Option<String>| match step {
            Some(step) => phrase("fact.multiple").with(step),
            None => phrase("change.any"),
        };
        let detail = phrase("change.value.bounds");
        let detail = detail.and(told(&after)).and(told(&before));
        let mut found = Vec::new();
        if !follows(&before, &after) {
            found.push(Found::new(What::Lost, pair, detail.clone()));
        }
        if !follows(&after, &before) {
            found.push(Found::new(What::Gained, pair, detail));
        }
        found
    }

    fn texts(&self, pair: &Pair<'j>, old: &Object, new: &Object) -> Vec<Found> {
        let mut found = Vec::new();
        let said = |words: &Object, keyword: &str| {
            words.get(keyword).and_then(Json::as_str).map(str::to_owned)
        };
        let differ = |keyword: &str| {
            let (before, after) = (said(old, keyword), said(new, keyword));
            (before != after).then_some((before, after))
        };
        if let Some((before, after)) = differ("pattern") {
            let told = |pattern: &Option<String>| {
                let text = pattern.as_deref().map(Json::from);
                or_none(text.as_ref())
            };
            let detail = phrase("change.value.pattern");
            let detail = detail.and(told(&after)).and(told(&before));
            let what = match (&before, &after) {
                (None, _) => What::Lost,
                (_, None) => What::Gained,
                _ => What::Pattern,
            };
            found.push(Found::new(what, pair, detail));
        }
        if let Some((before, after)) = differ("format") {
            let told = |format: &Option<String>| {
                let quoted = format.as_ref().map(|text| format!("`{text}`"));
                Value::literal_or(quoted, "change.none")
            };
            let detail = phrase("change.value.format");
            let detail = detail.and(told(&after)).and(told(&before));
            let what = match (&before, &after, self.is_input) {
                // A format that a parameter loses or a result gains breaks no caller.
                (_, None, true) => What::Gained,
                (None, _, false) => What::Lost,
                _ => What::Format,
            };
            let mut one = Found::new(what, pair, detail);
            if one.what != What::Format {
                one.what = What::Words;
            }
            found.push(one);
        }
        found
    }
}

/// Returns the values that a schema lists.
fn list(words: &Object) -> Option<Vec<&Json>> {
    if let Some(only) = words.get("const") {
        return Some(vec![only]);
    }
    Some(words.get("enum")?.as_array()?.iter().collect())
}

/// Returns the types of a schema, for a sentence.
fn types(words: &Object) -> Value {
    let any = || phrase("change.any.type").into();
    match words.get("type") {
        Some(Json::String(word)) => Value::literal(word),
        Some(Json::Array(list)) => {
            let words = list.iter().filter_map(Json::as_str).map(Value::literal);
            let either = |one, other| phrase("change.or").and(one).and(other).into();
            words.reduce(either).unwrap_or_else(any)
        }
        _ => any(),
    }
}

/// Returns the values that bounds allow, for a sentence.
fn span_words(span: Measure, words: &Object) -> Phrase {
    let bound = |keyword: &str| match words.get(keyword) {
        Some(Json::Number(text)) => Some(text.to_string()),
        _ => None,
    };
    let unit = match span {
        Measure::Number => {
            let bounds = [
                ("fact.minimum", bound("minimum")),
                ("fact.above", bound("exclusiveMinimum")),
                ("fact.maximum", bound("maximum")),
                ("fact.below", bound("exclusiveMaximum")),
            ];
            let bounds = bounds.into_iter();
            let told = bounds.filter_map(|(key, value)| Some(phrase(key).with(value?)));
            let both = told.reduce(|one, other| phrase("change.both").and(one).and(other));
            return both.unwrap_or_else(|| phrase("change.any"));
        }
        Measure::Length => "length",
        Measure::Items => "items",
        Measure::Properties => "members",
    };
    let [least, most] = [bound(span.keywords()[0]), bound(span.keywords()[1])];
    match count(unit, least.as_deref(), most.as_deref()) {
        Some((key, values)) => values.into_iter().fold(phrase(key), Phrase::with),
        None => phrase("change.any"),
    }
}

fn is_within(measure: Measure, words: &Object, other: &Object) -> bool {
    let of = |words: &Object| {
        let is_whole = !kinds(words).meet(Kinds::FRACTION);
        let kind = if is_whole {
            Kinds::INTEGER
        } else {
            Kinds::FRACTION
        };
        Bounds::of(std::iter::once(words), measure, kind)
    };
    of(words).are_within(&of(other))
}
