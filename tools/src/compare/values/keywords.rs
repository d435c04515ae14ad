//! Compares what is asked of values by themselves: their kinds, their bounds, and which are listed.

use std::collections::HashSet;

use super::super::pairs::Both;
use super::super::phrase::{PhraseValue, phrase};
use super::found::{Effect, shown};
use super::{ValuePair, Walk};
use docent_describe::json::{Decimal, Json, Pointer};
use docent_describe::schema::{Bound, Kinds, View};

/// The maximum number of listed values that a sentence names.
const MAX_NAMED: usize = 5;

/// A number that values, lengths or counts do not go beyond.
struct Limit {
    keyword: &'static str,
    /// True if values are above.
    is_least: bool,
    number: Option<String>,
}

impl Limit {
    fn least(keyword: &'static str, number: Option<impl ToString>) -> Self {
        Self {
            keyword,
            is_least: true,
            number: number.map(|number| number.to_string()),
        }
    }

    fn most(keyword: &'static str, number: Option<impl ToString>) -> Self {
        Self {
            is_least: false,
            ..Self::least(keyword, number)
        }
    }

    /// Returns the limits of a value, in the same order for each.
    fn all(view: &View<'_>) -> [Self; 10] {
        let numbers = view.numbers();
        let (length, elements) = (view.length(), view.elements().length);
        let members = view.property_count();
        [
            Self::least(
                "minimum",
                numbers.least.filter(|it| !it.is_exclusive).map(number),
            ),
            Self::least(
                "exclusiveMinimum",
                numbers.least.filter(|it| it.is_exclusive).map(number),
            ),
            Self::most(
                "maximum",
                numbers.most.filter(|it| !it.is_exclusive).map(number),
            ),
            Self::most(
                "exclusiveMaximum",
                numbers.most.filter(|it| it.is_exclusive).map(number),
            ),
            Self::least("minLength", length.least),
            Self::most("maxLength", length.most),
            Self::least("minItems", elements.least),
            Self::most("maxItems", elements.most),
            Self::least("minProperties", members.least),
            Self::most("maxProperties", members.most),
        ]
    }
}

fn number<'t>(bound: Bound<'t>) -> &'t str {
    bound.number
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between what is asked of values by themselves. Those that others make up for are
    /// dropped later.
    pub(super) fn constraints(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) {
        if old.unions.is_empty() || new.unions.is_empty() {
            self.kinds(pair, (old.kinds, new.kinds));
        }
        for (before, after) in Limit::all(old).into_iter().zip(Limit::all(new)) {
            let numbers = [&before.number, &after.number].map(Option::as_deref);
            let [was, is] = numbers.map(|number| number.map(Decimal::new));
            let rises = is.cmp(&was);
            let effects = match (was, is) {
                _ if rises.is_eq() => continue,
                (None, _) => (true, false),
                (_, None) => (false, true),
                _ => (
                    rises.is_gt() == before.is_least,
                    rises.is_lt() == before.is_least,
                ),
            };
            let values = numbers.map(|number| number.map(str::to_owned).into_iter().collect());
            self.constraint(pair, before.keyword, values, effects);
        }
        self.steps(pair, (old, new));
        self.texts(pair, (old, new));
        let (was, is) = (old.elements().are_unique, new.elements().are_unique);
        if was != is {
            let values = [was, is].map(|is_unique| vec![is_unique.to_string()]);
            self.constraint(pair, "uniqueItems", values, (is, was));
        }
    }

    fn kinds(&mut self, pair: &ValuePair<'t>, (old, new): (Kinds, Kinds)) {
        let (lost, gained) = (old.without(new), new.without(old));
        // One sentence says both, so it stands for what breaks callers.
        let loses = lost != Kinds::NONE && (self.is_input || gained == Kinds::NONE);
        let all = Kinds::ALL.without(Kinds::NULL);
        let words = [old, new].map(|kinds| {
            let words = kinds.words().map(str::to_owned);
            words.filter(|_| kinds != all).collect()
        });
        self.constraint(
            pair,
            "type",
            words,
            (loses, !loses && gained != Kinds::NONE),
        );
    }

    fn steps(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) {
        let steps = [old, new].map(|view| view.numbers().steps);
        if steps[0] == steps[1] {
            return;
        }
        let keeps = |own: &[&str], others: &[&str]| {
            others.iter().all(|other| {
                let mut own = own.iter().map(|own| Decimal::new(own));
                own.any(|own| own.is_multiple_of(&Decimal::new(other)))
            })
        };
        let effects = (!keeps(&steps[0], &steps[1]), !keeps(&steps[1], &steps[0]));
        let values = steps.map(|steps| steps.into_iter().map(str::to_owned).collect());
        self.constraint(pair, "multipleOf", values, effects);
    }

    /// Finds the differences between patterns, and between formats.
    fn texts(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) {
        let patterns = [old, new].map(View::patterns);
        let formats = [old, new].map(View::formats);
        if !is_same(&patterns) {
            let effect = match patterns.each_ref().map(Vec::is_empty) {
                [true, _] => Effect::Lost,
                [_, true] => Effect::Gained,
                _ => Effect::Pattern,
            };
            self.changed(pair, "pattern", effect, patterns.map(quoted));
        }
        if !is_same(&formats) {
            // A format that a parameter loses or a result gains breaks no caller.
            let effect = match formats.each_ref().map(Vec::is_empty) {
                [_, true] if self.is_input => Effect::Words,
                [true, _] if !self.is_input => Effect::Words,
                _ => Effect::Format,
            };
            self.changed(pair, "format", effect, formats.map(quoted));
        }
    }

    /// Adds the differences of a keyword, by whether it loses values and whether it gains some.
    fn constraint(
        &mut self,
        pair: &ValuePair<'t>,
        keyword: &str,
        values: [Vec<String>; 2],
        (loses, gains): (bool, bool),
    ) {
        if loses {
            self.changed(pair, keyword, Effect::Lost, values.clone());
        }
        if gains {
            self.changed(pair, keyword, Effect::Gained, values);
        }
    }

    fn changed(
        &mut self,
        pair: &ValuePair<'t>,
        keyword: &str,
        effect: Effect,
        [before, after]: [Vec<String>; 2],
    ) {
        let value = |values: Vec<String>| match &values[..] {
            [] => phrase("change.none", &[]).into(),
            values => PhraseValue::Literal(format!("`{}`", values.join("`, `"))),
        };
        let detail = phrase("change.value.constraint", &[&keyword]);
        let detail = detail.and(value(after)).and(value(before));
        self.found.push(pair.difference(effect, detail));
    }

    /// Finds out whether null is accepted and was not, or the other way round.
    pub(super) fn null(&mut self, pair: &ValuePair<'t>, takes_null: (Option<bool>, Option<bool>)) {
        match takes_null {
            (Some(false), Some(true)) => self.add(pair, Effect::Nullable, "change.value.null"),
            (Some(true), Some(false)) => self.add(pair, Effect::Lost, "change.value.null.not"),
            _ => {}
        }
    }

    /// Finds the differences between lists of values. Returns whether one of the schemas has one.
    pub(super) fn listed(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) -> bool {
        let (before, after) = match (listed(old), listed(new)) {
            (None, None) => return false,
            (Some(before), Some(after)) => (before, after),
            _ => return true,
        };
        let gone = without(&before, &after);
        if let Some(first) = gone.first() {
            let detail = phrase("change.value.listed.not", &[]).and(named(&gone));
            self.found.push(match about(old, first) {
                Some(node) => pair.gone(self.old_place(&[node], pair), Effect::Lost, detail),
                None => pair.at(self.listed_place(pair, new, None), Effect::Lost, detail),
            });
        }
        let fresh = without(&after, &before);
        if let Some(first) = fresh.first() {
            let is_null = fresh.iter().all(|value| **value == Json::Null);
            let effect = if is_null {
                Effect::Nullable
            } else {
                Effect::ValueAdded
            };
            let detail = phrase("change.value.listed", &[]).and(named(&fresh));
            let place = match about(new, first) {
                Some(node) => self.new_place(&[node], pair),
                None => self.listed_place(pair, new, Some(first)),
            };
            self.found.push(pair.at(place, effect, detail));
        }
        true
    }

    /// Returns the place of the list that has a value, or of any list.
    fn listed_place(&self, pair: &ValuePair<'t>, view: &View<'t>, value: Option<&Json>) -> Pointer {
        let mut nodes = view.layers.iter().map(|layer| layer.node);
        let node = nodes.find(|node| {
            let listed = node.listed.as_ref();
            listed.is_some_and(|listed| value.is_none_or(|value| listed.contains(&value)))
        });
        let Some(node) = node else {
            return pair.new_pointer.clone();
        };
        let has_several = node.source.get("enum").is_some();
        let place = self.new_place(&[node], pair);
        place.join(if has_several { "enum" } else { "const" })
    }
}

/// Returns the values that are accepted, if they are listed.
fn listed<'t>(view: &View<'t>) -> Option<Vec<&'t Json>> {
    let mut values: Vec<_> = view
        .listed
        .as_ref()?
        .iter()
        .map(|listed| listed.value)
        .collect();
    values.extend((view.takes_null == Some(true)).then_some(&Json::Null));
    Some(values)
}

/// Returns the alternative that is a listed value.
fn about<'t>(view: &View<'t>, value: &Json) -> Option<&'t docent_describe::schema::Node<'t>> {
    let mut listed = view.listed.iter().flatten();
    listed.find(|listed| listed.value == value)?.about
}

/// Returns values for a sentence.
fn named(values: &[&Json]) -> PhraseValue {
    let named = values.iter().take(MAX_NAMED).map(|value| shown(value));
    let named = named.collect::<Vec<_>>().join(", ");
    match values.len().saturating_sub(MAX_NAMED) {
        0 => PhraseValue::Literal(named),
        more => phrase("change.more", &[&named, &more]).into(),
    }
}

/// Returns the values that are not among others. There may be many.
fn without<'t>(values: &[&'t Json], others: &[&Json]) -> Vec<&'t Json> {
    let others: HashSet<&Json> = others.iter().copied().collect();
    let values = values.iter().copied();
    values.filter(|value| !others.contains(value)).collect()
}

/// Returns whether both lists have the same texts, in any order.
fn is_same([old, new]: &[Vec<&str>; 2]) -> bool {
    old.len() == new.len() && old.iter().all(|text| new.contains(text))
}

/// Returns texts as JSON.
fn quoted(texts: Vec<&str>) -> Vec<String> {
    texts
        .into_iter()
        .map(|text| Json::from(text).to_string())
        .collect()
}
