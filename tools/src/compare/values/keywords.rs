//! Compares the keywords of two schemas, one by one.

use std::collections::HashSet;

use super::super::pairs::Both;
use super::super::phrase::{PhraseValue, phrase};
use super::found::{Effect, shown, shown_or_none};
use super::{SchemaPair, Walk, kinds};
use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Kinds, Role, listed, role};

/// The maximum number of listed values that a sentence names.
const NAMED: usize = 5;

impl<'j> Walk<'_, 'j> {
    /// Finds the differences between the keywords that constrain values by themselves.
    pub(super) fn constraints(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'_, Object>) {
        for keyword in differing(old, new) {
            let (before, after) = (old.get(keyword), new.get(keyword));
            let detail = phrase("change.value.constraint", &[&keyword]);
            let detail = detail.and(shown_or_none(after)).and(shown_or_none(before));
            let effects = effects(keyword, (old, new), self.is_input).into_iter();
            let found = effects.map(|effect| pair.difference(effect, detail.clone()));
            self.found.extend(found);
        }
    }

    /// Finds the differences between lists of values. Returns whether one of the schemas has one.
    pub(super) fn listed(&mut self, pair: &SchemaPair<'j>, (old, new): Both<'j, Object>) -> bool {
        let (before, after) = match (listed(old), listed(new)) {
            (None, None) => return false,
            (Some(before), Some(after)) => (before, after),
            _ => return true,
        };
        let has_enum = new.contains_key("enum");
        let keyword = if has_enum { "enum" } else { "const" };
        let mut add = |effect, key, values: &[&Json]| {
            let named = values.iter().take(NAMED).map(|value| shown(value));
            let named = named.collect::<Vec<_>>().join(", ");
            let values = match values.len().saturating_sub(NAMED) {
                0 => PhraseValue::Literal(named),
                more => phrase("change.more", &[&named, &more]).into(),
            };
            let detail = phrase(key, &[]).and(values);
            self.found.push(pair.inside(&[keyword], effect, detail));
        };
        let gone = without(&before, &after);
        if !gone.is_empty() {
            add(Effect::Lost, "change.value.listed.not", &gone);
        }
        let fresh = without(&after, &before);
        if fresh.iter().any(|value| **value != Json::Null) {
            add(Effect::ValueAdded, "change.value.listed", &fresh);
        } else if !fresh.is_empty() {
            add(Effect::Nullable, "change.value.listed", &fresh);
        }
        true
    }

    /// Finds the differences between the keywords that do not constrain values.
    pub(super) fn annotations(&mut self, pair: &SchemaPair<'j>) {
        let (Json::Object(old), Json::Object(new)) = (pair.old, pair.new) else {
            return;
        };
        let is_deprecated = |words: &Object| words.get("deprecated") == Some(&Json::Bool(true));
        match (is_deprecated(old), is_deprecated(new)) {
            (false, true) => self.add(pair, Effect::Deprecated, "change.value.deprecated"),
            (true, false) => self.add(pair, Effect::Undeprecated, "change.value.undeprecated"),
            _ => {}
        }
        let mut add = |effect, detail| self.found.push(pair.difference(effect, detail));
        let mut has_other_words = false;
        for keyword in differing(old, new) {
            match role(keyword) {
                None => add(Effect::Keyword, phrase("change.value.keyword", &[&keyword])),
                // The default of a whole parameter is compared with the parameter.
                _ if keyword == "default" && self.is_input && pair.way.is_empty() => {}
                _ if keyword == "default" && self.is_input => {
                    let detail = phrase("change.value.default", &[]);
                    let detail = detail.and(shown_or_none(new.get("default")));
                    let detail = detail.and(shown_or_none(old.get("default")));
                    add(Effect::Default, detail);
                }
                Some(Role::Annotates | Role::Aside) => has_other_words |= keyword != "deprecated",
                _ => {}
            }
        }
        if has_other_words {
            self.add(pair, Effect::Words, "change.value.words");
        }
    }
}

/// Returns the effects of a change to a keyword. If other keywords make up for it, they are dropped
/// later.
fn effects(keyword: &str, (old, new): Both<'_, Object>, is_input: bool) -> Vec<Effect> {
    let one_or_both = |loses: bool, gains: bool| {
        let effects = [(loses, Effect::Lost), (gains, Effect::Gained)];
        let effects = effects.into_iter().filter(|(applies, _)| *applies);
        effects.map(|(_, effect)| effect).collect()
    };
    match (keyword, (old.get(keyword), new.get(keyword))) {
        ("type", _) => {
            let (before, after) = (kinds(old), kinds(new));
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
