//! Compares what is asked of values by themselves: their kinds, their bounds, and which are listed.

use std::collections::HashSet;

use super::super::pairs::Both;
use super::super::phrase::{Phrase, PhraseValue, phrase};
use super::super::rule::Rule;
use super::found::{Effect, shown};
use super::{ValuePair, Walk};
use docent_describe::json::{Decimal, Json, shorten};
use docent_describe::schema::{Constraint, Kinds, Narrows, Node, View};

/// The maximum number of listed values that a sentence names.
const MAX_NAMED: usize = 5;

/// Returns the effects of a change of a constraint. If other keywords make up for one, it is dropped later.
fn effects(was: &Constraint, is: &Constraint, is_input: bool) -> Vec<Effect> {
    let (before, after) = (&was.values[..], &is.values[..]);
    let has_more =
        |values: &[String], others: &[String]| values.iter().any(|value| !others.contains(value));
    let (loses, gains) = match (was.narrows, before, after) {
        _ if before == after => return Vec::new(),
        // The parts and the meanings have been compared.
        (Narrows::Parts | Narrows::Encoding, ..) => return Vec::new(),
        (Narrows::Pattern, [_, ..], [_, ..]) => return vec![Effect::Of(Rule::PatternChanged)],
        // A format that a parameter loses or a result gains breaks no caller.
        (Narrows::Format, _, []) if is_input => return vec![Effect::Of(Rule::WordsChanged)],
        (Narrows::Format, [], _) if !is_input => return vec![Effect::Of(Rule::WordsChanged)],
        (Narrows::Format, ..) => return vec![Effect::Of(Rule::FormatChanged)],
        (Narrows::Least | Narrows::Most, [before], [after]) => {
            let rises = Decimal::new(after) > Decimal::new(before);
            let loses = rises == (was.narrows == Narrows::Least);
            (loses, !loses)
        }
        _ => (has_more(after, before), has_more(before, after)),
    };
    loses
        .then_some(Effect::Lost)
        .into_iter()
        .chain(gains.then_some(Effect::Gained))
        .collect()
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between what is asked of values by themselves.
    pub(super) fn constraints(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) {
        if old.unions.is_empty() || new.unions.is_empty() {
            self.kinds(pair, old.kinds, new.kinds);
        }
        for (before, after) in constraints((old, new)) {
            for effect in effects(&before, &after, self.is_input) {
                let detail = constraint(before.keyword, &before.values, &after.values);
                self.tell(pair, effect, detail);
            }
        }
    }

    fn kinds(&mut self, pair: &ValuePair<'t>, old: Kinds, new: Kinds) {
        let (lost, gained) = (old.without(new), new.without(old));
        // One sentence says both, so it stands for what breaks callers.
        let effect = if lost != Kinds::NONE && (self.is_input || gained == Kinds::NONE) {
            Effect::Lost
        } else if gained != Kinds::NONE {
            Effect::Gained
        } else {
            return;
        };
        let all = Kinds::ALL.without(Kinds::NULL);
        let [old, new] = [old, new].map(|kinds| {
            let words = kinds.words().filter(|_| kinds != all);
            words.map(str::to_owned).collect::<Vec<_>>()
        });
        self.tell(pair, effect, constraint("type", &old, &new));
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
            match about(old, first) {
                Some(node) => self.tell_old(pair, &[node], Effect::Lost, detail),
                None => self.tell_listing(pair, new, Effect::Lost, detail),
            }
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
            match about(new, first) {
                Some(node) => self.tell_new(pair, &[node], "", effect, detail),
                None => self.tell_listing(pair, new, effect, detail),
            }
        }
        true
    }

    /// Adds a difference that the keyword shows which lists the values of the new description.
    fn tell_listing(
        &mut self,
        pair: &ValuePair<'t>,
        new: &View<'t>,
        effect: Effect,
        detail: Phrase,
    ) {
        let nodes = new.nodes().filter(|node| node.listed.is_some());
        let nodes: Vec<_> = nodes.collect();
        let keyword = nodes.first().map_or("", |node| node.listing_keyword());
        self.tell_new(pair, &nodes, keyword, effect, detail);
    }
}

impl Walk<'_, '_> {
    /// Returns a sentence on the first keyword that differs.
    pub(super) fn changed_keyword(views: Both<'_, View<'_>>) -> Option<Phrase> {
        let mut pairs = constraints(views);
        let (before, after) = pairs.find(|(before, after)| before.values != after.values)?;
        Some(constraint(before.keyword, &before.values, &after.values))
    }
}

/// Returns what is asked of values on both sides, in the same terms: bounds of integers as numbers that are included, if
/// both sides have no other numbers.
fn constraints((old, new): Both<'_, View<'_>>) -> impl Iterator<Item = (Constraint, Constraint)> {
    let kinds = old.kinds | new.kinds;
    old.constraints(kinds)
        .into_iter()
        .zip(new.constraints(kinds))
}

/// Returns the values that are accepted, if they are listed.
fn listed<'t>(view: &View<'t>) -> Option<Vec<&'t Json>> {
    let values = view.listed.as_ref()?.iter().map(|listed| listed.value);
    Some(
        values
            .chain((view.takes_null == Some(true)).then_some(&Json::Null))
            .collect(),
    )
}

/// Returns the alternative that is a listed value.
fn about<'t>(view: &View<'t>, value: &Json) -> Option<&'t Node<'t>> {
    let mut listed = view.listed.iter().flatten();
    listed.find(|listed| listed.value == value)?.about
}

/// Returns the sentence on the values of a keyword.
fn constraint(keyword: &str, before: &[String], after: &[String]) -> Phrase {
    phrase("change.value.constraint", &[&keyword])
        .and(quoted(after))
        .and(quoted(before))
}

/// Returns the values of a keyword for a sentence.
fn quoted(values: &[String]) -> PhraseValue {
    if values.is_empty() {
        return phrase("change.none", &[]).into();
    }
    let shown = values.iter().map(|value| shorten(value, 120));
    PhraseValue::Literal(format!("`{}`", shown.collect::<Vec<_>>().join("`, `")))
}

/// Returns values for a sentence.
fn named(values: &[&Json]) -> PhraseValue {
    let named = values
        .iter()
        .take(MAX_NAMED)
        .map(|value| shown(value))
        .collect::<Vec<_>>()
        .join(", ");
    match values.len().saturating_sub(MAX_NAMED) {
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
