//! Compares the keywords of two schemas, one by one.

use std::collections::HashSet;

use super::super::params::{or_none, shown};
use super::super::phrase::{PhraseValue, phrase};
use super::found::{Difference, Effect};
use super::{SchemaPair, Walk};
use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Kinds, Role, role};

/// The maximum number of listed values that a sentence names.
const NAMED: usize = 5;

impl<'j> Walk<'_, 'j> {
    /// Returns the differences between the keywords that constrain values by themselves.
    pub(super) fn constraints(
        &self,
        pair: &SchemaPair<'j>,
        old: &Object,
        new: &Object,
    ) -> Vec<Difference> {
        let mut found = Vec::new();
        for keyword in differing(old, new) {
            let (before, after) = (old.get(keyword), new.get(keyword));
            let detail = phrase("change.value.constraint").with(keyword);
            let detail = detail.and(or_none(after)).and(or_none(before));
            for effect in effects(keyword, (before, after), self.is_input) {
                found.push(Difference::new(effect, pair, detail.clone()));
            }
        }
        found
    }

    /// Returns the differences between lists of values, or `None` if neither schema has one.
    pub(super) fn listed(
        pair: &SchemaPair<'j>,
        old: &'j Object,
        new: &'j Object,
    ) -> Option<Vec<Difference>> {
        let (before, after) = match (listed(old), listed(new)) {
            (None, None) => return None,
            (Some(before), Some(after)) => (before, after),
            _ => return Some(Vec::new()),
        };
        let keyword = if new.contains_key("enum") {
            "enum"
        } else {
            "const"
        };
        let difference = |effect, key, values: &[&Json]| {
            let named = values.iter().take(NAMED).map(|value| shown(value));
            let named = named.collect::<Vec<_>>().join(", ");
            let values = match values.len().saturating_sub(NAMED) {
                0 => PhraseValue::literal(named),
                more => phrase("change.more").with(named).with(more).into(),
            };
            Difference::new(effect, pair, phrase(key).and(values)).inside(&[keyword])
        };
        let mut found = Vec::new();
        let gone = without(&before, &after);
        if !gone.is_empty() {
            found.push(difference(Effect::Lost, "change.value.listed.not", &gone));
        }
        let fresh = without(&after, &before);
        if !fresh.is_empty() {
            let is_null = fresh.iter().all(|value| **value == Json::Null);
            let effect = if is_null {
                Effect::Nullable
            } else {
                Effect::ValueAdded
            };
            found.push(difference(effect, "change.value.listed", &fresh));
        }
        Some(found)
    }

    /// Returns the differences between the keywords that do not constrain values.
    pub(super) fn annotations(&self, pair: &SchemaPair<'j>) -> Vec<Difference> {
        let (Json::Object(old), Json::Object(new)) = (pair.old, pair.new) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let is_deprecated = |words: &Object| words.get("deprecated") == Some(&Json::Bool(true));
        let (effect, key) = if is_deprecated(new) {
            (Effect::Deprecated, "change.value.deprecated")
        } else {
            (Effect::Undeprecated, "change.value.undeprecated")
        };
        if is_deprecated(old) != is_deprecated(new) {
            found.push(Difference::new(effect, pair, phrase(key)));
        }
        let mut has_other_words = false;
        for keyword in differing(old, new) {
            match role(keyword) {
                None => {
                    let detail = phrase("change.value.keyword").with(keyword);
                    found.push(Difference::new(Effect::Keyword, pair, detail));
                }
                // The default of a whole parameter is compared with the parameter.
                _ if keyword == "default" && self.is_input && pair.way.is_empty() => {}
                _ if keyword == "default" && self.is_input => {
                    let detail = phrase("change.value.default");
                    let detail = detail.and(or_none(new.get("default")));
                    let detail = detail.and(or_none(old.get("default")));
                    found.push(Difference::new(Effect::Default, pair, detail));
                }
                Some(Role::Annotates | Role::Aside) => has_other_words |= keyword != "deprecated",
                _ => {}
            }
        }
        if has_other_words {
            found.push(Difference::new(
                Effect::Words,
                pair,
                phrase("change.value.words"),
            ));
        }
        found
    }
}

/// Returns the effects of a change to a keyword. If other keywords make up for it, they are dropped
/// later.
fn effects(keyword: &str, values: (Option<&Json>, Option<&Json>), is_input: bool) -> Vec<Effect> {
    let one_or_both = |loses: bool, gains: bool| {
        let effects = [(loses, Effect::Lost), (gains, Effect::Gained)];
        let effects = effects.into_iter().filter(|(applies, _)| *applies);
        effects.map(|(_, effect)| effect).collect()
    };
    match (keyword, values) {
        ("type", (before, after)) => {
            let (before, after) = (kinds(before), kinds(after));
            let (lost, gained) = (before.without(after), after.without(before));
            if lost == Kinds::NONE && gained == Kinds::NULL {
                return vec![Effect::Nullable];
            }
            // One sentence says both, so it stands for what breaks callers.
            let loses = lost != Kinds::NONE && (is_input || gained == Kinds::NONE);
            one_or_both(loses, !loses && gained != Kinds::NONE)
        }
        ("pattern", (Some(_), Some(_))) => vec![Effect::Pattern],
        // A format that a parameter loses or a result gains breaks no caller.
        ("format", (_, None)) if is_input => vec![Effect::Words],
        ("format", (None, _)) if !is_input => vec![Effect::Words],
        ("format", _) => vec![Effect::Format],
        ("uniqueItems", (before, after)) => {
            let is_unique = |value| value == Some(&Json::Bool(true));
            let (before, after) = (is_unique(before), is_unique(after));
            one_or_both(!before && after, before && !after)
        }
        ("multipleOf", (Some(Json::Number(before)), Some(Json::Number(after)))) => {
            let (before, after) = (Decimal::new(before), Decimal::new(after));
            one_or_both(
                !before.is_multiple_of(&after),
                !after.is_multiple_of(&before),
            )
        }
        (keyword, (before, after)) if is_bound(keyword) => match (before, after) {
            (Some(Json::Number(before)), Some(Json::Number(after))) => {
                let rises = Decimal::new(after) > Decimal::new(before);
                let is_least = keyword.to_ascii_lowercase().contains("min");
                one_or_both(rises == is_least, rises != is_least)
            }
            (before, after) => one_or_both(before.is_none(), after.is_none()),
        },
        ("pattern" | "multipleOf", (before, after)) => {
            one_or_both(before.is_none(), after.is_none())
        }
        _ => Vec::new(),
    }
}

fn is_bound(keyword: &str) -> bool {
    keyword.starts_with("exclusive")
        || keyword != "minContains" && keyword.starts_with("min")
        || keyword != "maxContains" && keyword.starts_with("max")
}

/// Returns the kinds that the value of `type` allows.
fn kinds(types: Option<&Json>) -> Kinds {
    let Some(types) = types else {
        return Kinds::ALL;
    };
    let mut words = Object::new();
    words.insert("type", types.clone());
    Kinds::of_type(&words).unwrap_or(Kinds::ALL)
}

/// Returns the values that a schema lists.
fn listed(words: &Object) -> Option<Vec<&Json>> {
    if let Some(only) = words.get("const") {
        return Some(vec![only]);
    }
    Some(words.get("enum")?.as_array()?.iter().collect())
}

/// Returns the values that are not among others. There may be many.
fn without<'j>(values: &[&'j Json], others: &[&Json]) -> Vec<&'j Json> {
    let others: HashSet<String> = others.iter().map(ToString::to_string).collect();
    let values = values.iter().copied();
    values
        .filter(|value| !others.contains(&value.to_string()))
        .collect()
}

/// Returns the keywords whose values differ between two schemas.
fn differing<'w>(old: &'w Object, new: &'w Object) -> impl Iterator<Item = &'w str> {
    let changed = new
        .iter()
        .filter(|(keyword, value)| old.get(keyword) != Some(value));
    let gone = old.iter().filter(|(keyword, _)| !new.contains_key(keyword));
    changed.chain(gone).map(|(keyword, _)| keyword.as_str())
}
