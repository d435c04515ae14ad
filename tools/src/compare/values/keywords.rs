//! Compares what is asked of values by themselves: their kinds, their bounds, and which are listed.
//!
//! Each keyword is compared on its own. If another one makes up for a change, the walk drops the difference later,
//! since only the whole schema tells what it accepts.

use std::collections::HashSet;

use super::super::phrase::{Phrase, PhraseValue, phrase};
use super::super::rule::Rule;
use super::difference::{Effect, quoted_value};
use super::{ValuePair, Walk};
use docent_describe::json::{Decimal, Json, shorten};
use docent_describe::schema::{Constraint, Kinds, Narrowing, Node, View};

/// The maximum number of listed values that a sentence names.
const MAX_NAMED_VALUES: usize = 5;

/// The maximum length of a value of a keyword in a sentence.
const MAX_VALUE_LENGTH: usize = 120;

/// Returns the effects of a change of a constraint. If other keywords make up for one, it is dropped later.
fn effects(old: &Constraint, new: &Constraint, is_input: bool) -> Vec<Effect> {
    let (loses, gains) = match (old.narrows, &old.values[..], &new.values[..]) {
        (_, before, after) if before == after => return Vec::new(),
        // The parts and the meanings have been compared.
        (Narrowing::Parts | Narrowing::Encoding, ..) => return Vec::new(),
        (Narrowing::Pattern, [_, ..], [_, ..]) => return vec![Effect::Rule(Rule::PatternChanged)],
        // A format that a parameter loses or a result gains breaks no caller.
        (Narrowing::Format, _, []) if is_input => return vec![Effect::Rule(Rule::WordsChanged)],
        (Narrowing::Format, [], _) if !is_input => return vec![Effect::Rule(Rule::WordsChanged)],
        (Narrowing::Format, ..) => return vec![Effect::Rule(Rule::FormatChanged)],
        (Narrowing::Least | Narrowing::Most, [before], [after]) => {
            let rises = Decimal::new(after) > Decimal::new(before);
            let loses = rises == (old.narrows == Narrowing::Least);
            (loses, !loses)
        }
        (_, before, after) => (has_more(after, before), has_more(before, after)),
    };
    let mut effects = Vec::new();
    if loses {
        effects.push(Effect::Lost);
    }
    if gains {
        effects.push(Effect::Gained);
    }
    effects
}

/// Returns whether there are values that are not among the others.
fn has_more(values: &[String], others: &[String]) -> bool {
    values.iter().any(|value| !others.contains(value))
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between what is asked of values by themselves.
    pub(super) fn compare_constraints(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) {
        if old.unions.is_empty() || new.unions.is_empty() {
            self.compare_kinds(pair, old.kinds, new.kinds);
        }
        for (before, after) in constraints(old, new) {
            for effect in effects(&before, &after, self.is_input) {
                let detail = constraint_phrase(before.keyword, &before.values, &after.values);
                self.add_detail(pair, effect, detail);
            }
        }
    }

    /// Compares the kinds of values. With alternatives on both sides, these are compared instead.
    fn compare_kinds(&mut self, pair: &ValuePair<'t>, old: Kinds, new: Kinds) {
        let lost = old.without(new);
        let gained = new.without(old);
        // One sentence says both, so it stands for what breaks callers.
        let effect = if lost != Kinds::NONE && (self.is_input || gained == Kinds::NONE) {
            Effect::Lost
        } else if gained != Kinds::NONE {
            Effect::Gained
        } else {
            return;
        };
        let detail = constraint_phrase("type", &kind_names(old), &kind_names(new));
        self.add_detail(pair, effect, detail);
    }

    /// Finds out whether null is accepted and was not, or the other way round.
    pub(super) fn compare_null(
        &mut self,
        pair: &ValuePair<'t>,
        old: Option<bool>,
        new: Option<bool>,
    ) {
        match (old, new) {
            (Some(false), Some(true)) => self.add(pair, Effect::Nullable, "change.value.null"),
            (Some(true), Some(false)) => self.add(pair, Effect::Lost, "change.value.null.not"),
            _ => {}
        }
    }

    /// Finds the differences between lists of values. Returns whether one of the schemas has one.
    pub(super) fn compare_listed(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) -> bool {
        let (before, after) = match (listed_values(old), listed_values(new)) {
            (None, None) => return false,
            (Some(before), Some(after)) => (before, after),
            _ => return true,
        };
        let removed = without(&before, &after);
        if let Some(first) = removed.first() {
            let detail = phrase("change.value.listed.not", &[]).and(values_phrase(&removed));
            match listing_node(old, first) {
                Some(node) => self.add_in_old(pair, &[node], Effect::Lost, detail),
                None => self.add_at_list(pair, new, Effect::Lost, detail),
            }
        }
        let added = without(&after, &before);
        if let Some(first) = added.first() {
            let is_null = added.iter().all(|value| **value == Json::Null);
            let effect = if is_null {
                Effect::Nullable
            } else {
                Effect::ValueAdded
            };
            let detail = phrase("change.value.listed", &[]).and(values_phrase(&added));
            match listing_node(new, first) {
                Some(node) => self.add_in_new(pair, &[node], "", effect, detail),
                None => self.add_at_list(pair, new, effect, detail),
            }
        }
        true
    }

    /// Adds a difference that points to the keyword which lists the values of the new description.
    fn add_at_list(
        &mut self,
        pair: &ValuePair<'t>,
        new: &View<'t>,
        effect: Effect,
        detail: Phrase,
    ) {
        let nodes: Vec<_> = new.nodes().filter(|node| node.listed.is_some()).collect();
        let keyword = nodes.first().map_or("", |node| node.listing_keyword());
        self.add_in_new(pair, &nodes, keyword, effect, detail);
    }
}

impl Walk<'_, '_> {
    /// Returns a sentence on the first keyword that differs.
    pub(super) fn changed_keyword(old: &View<'_>, new: &View<'_>) -> Option<Phrase> {
        let (before, after) =
            constraints(old, new).find(|(before, after)| before.values != after.values)?;
        Some(constraint_phrase(
            before.keyword,
            &before.values,
            &after.values,
        ))
    }
}

/// Returns what is asked of values on both sides, in the same terms: bounds of integers as numbers that are included,
/// if both sides have no other numbers.
fn constraints(old: &View<'_>, new: &View<'_>) -> impl Iterator<Item = (Constraint, Constraint)> {
    let kinds = old.kinds | new.kinds;
    old.constraints(kinds)
        .into_iter()
        .zip(new.constraints(kinds))
}

/// Returns the names of kinds, or none if they leave every value.
fn kind_names(kinds: Kinds) -> Vec<String> {
    if kinds == Kinds::ALL.without(Kinds::NULL) {
        return Vec::new();
    }
    kinds.type_names().map(str::to_owned).collect()
}

/// Returns the values that are accepted, if they are listed.
fn listed_values<'t>(view: &View<'t>) -> Option<Vec<&'t Json>> {
    let mut values = Vec::new();
    for listed in view.listed.as_ref()? {
        values.push(listed.value);
    }
    if view.takes_null == Some(true) {
        values.push(&Json::Null);
    }
    Some(values)
}

/// Returns the alternative that is a listed value.
fn listing_node<'t>(view: &View<'t>, value: &Json) -> Option<&'t Node<'t>> {
    view.listed
        .as_ref()?
        .iter()
        .find(|listed| listed.value == value)?
        .about
}

/// Returns the sentence on the values of a keyword.
fn constraint_phrase(keyword: &str, before: &[String], after: &[String]) -> Phrase {
    phrase("change.value.constraint", &[&keyword])
        .and(quoted(after))
        .and(quoted(before))
}

/// Returns the values of a keyword for a sentence.
fn quoted(values: &[String]) -> PhraseValue {
    if values.is_empty() {
        return phrase("change.none", &[]).into();
    }
    let values: Vec<_> = values
        .iter()
        .map(|value| shorten(value, MAX_VALUE_LENGTH))
        .collect();
    PhraseValue::Literal(format!("`{}`", values.join("`, `")))
}

/// Returns values for a sentence.
fn values_phrase(values: &[&Json]) -> PhraseValue {
    let named: Vec<_> = values
        .iter()
        .take(MAX_NAMED_VALUES)
        .map(|value| quoted_value(value))
        .collect();
    let named = named.join(", ");
    match values.len().saturating_sub(MAX_NAMED_VALUES) {
        0 => PhraseValue::Literal(named),
        more => phrase("change.more", &[&named, &more]).into(),
    }
}

/// Returns the values that are not among others. There may be many.
fn without<'t>(values: &[&'t Json], others: &[&Json]) -> Vec<&'t Json> {
    let others: HashSet<&Json> = others.iter().copied().collect();
    values
        .iter()
        .copied()
        .filter(|value| !others.contains(value))
        .collect()
}
