//! Compares what is asked of values by themselves: their kinds, their bounds, and which are listed.

use std::collections::HashSet;

use super::super::pairs::Both;
use super::super::phrase::{Phrase, PhraseValue, phrase};
use super::super::rule::Rule;
use super::found::{Effect, shown};
use super::{ValuePair, Walk, nodes};
use docent_describe::json::{Decimal, Json};
use docent_describe::schema::{Bound, Kinds, Node, View};

/// The maximum number of listed values that a sentence names.
const MAX_NAMED: usize = 5;

/// A demand of a keyword on a value.
struct Constraint {
    keyword: &'static str,
    sense: Sense,
    /// The values of the keyword in all nodes, or the narrowest.
    values: Vec<String>,
}

/// The sense in which a keyword narrows values.
#[derive(Clone, Copy, PartialEq)]
enum Sense {
    /// A greater number accepts less.
    Least,
    /// A lesser number accepts less.
    Most,
    /// Each further value accepts less.
    Each,
    /// Each further pattern accepts less. How two compare is hard to tell.
    Pattern,
    /// It says how text is written, and may not be checked.
    Format,
}

/// Returns what is asked of a value, in the same order for each.
fn constraints(view: &View<'_>) -> [Constraint; 14] {
    let (numbers, elements) = (view.numbers(), view.elements());
    let (length, members) = (view.length(), view.property_count());
    [
        ("minimum", Sense::Least, bound(numbers.least, false)),
        ("exclusiveMinimum", Sense::Least, bound(numbers.least, true)),
        ("maximum", Sense::Most, bound(numbers.most, false)),
        ("exclusiveMaximum", Sense::Most, bound(numbers.most, true)),
        ("multipleOf", Sense::Each, texts(numbers.steps)),
        ("minLength", Sense::Least, texts(length.least)),
        ("maxLength", Sense::Most, texts(length.most)),
        ("minItems", Sense::Least, texts(elements.length.least)),
        ("maxItems", Sense::Most, texts(elements.length.most)),
        (
            "uniqueItems",
            Sense::Each,
            texts(elements.are_unique.then_some(true)),
        ),
        ("minProperties", Sense::Least, texts(members.least)),
        ("maxProperties", Sense::Most, texts(members.most)),
        (
            "pattern",
            Sense::Pattern,
            texts(view.patterns().into_iter().map(Json::from)),
        ),
        (
            "format",
            Sense::Format,
            texts(view.formats().into_iter().map(Json::from)),
        ),
    ]
    .map(|(keyword, sense, values)| Constraint {
        keyword,
        sense,
        values,
    })
}

fn bound(bound: Option<Bound<'_>>, is_exclusive: bool) -> Vec<String> {
    let bound = bound.filter(|bound| bound.is_exclusive == is_exclusive);
    texts(bound.map(|bound| bound.number))
}

fn texts(values: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}

impl Constraint {
    /// Returns the effects of a change. If other keywords make up for one, it is dropped later.
    fn effects(&self, now: &Self, is_input: bool) -> Vec<Effect> {
        let (before, after) = (&self.values[..], &now.values[..]);
        let has_more = |values: &[String], others: &[String]| {
            values.iter().any(|value| !others.contains(value))
        };
        let (loses, gains) = match (self.sense, before, after) {
            _ if before == after => return Vec::new(),
            (Sense::Pattern, [_, ..], [_, ..]) => return vec![Effect::Of(Rule::PatternChanged)],
            // A format that a parameter loses or a result gains breaks no caller.
            (Sense::Format, _, []) if is_input => return vec![Effect::Of(Rule::WordsChanged)],
            (Sense::Format, [], _) if !is_input => return vec![Effect::Of(Rule::WordsChanged)],
            (Sense::Format, ..) => return vec![Effect::Of(Rule::FormatChanged)],
            (Sense::Least | Sense::Most, [before], [after]) => {
                let rises = Decimal::new(after) > Decimal::new(before);
                let loses = rises == (self.sense == Sense::Least);
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
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between what is asked of values by themselves.
    pub(super) fn constraints(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) {
        if old.unions.is_empty() || new.unions.is_empty() {
            self.kinds(pair, old.kinds, new.kinds);
        }
        for (before, after) in constraints(old).iter().zip(&constraints(new)) {
            for effect in before.effects(after, self.is_input) {
                self.changed(pair, before.keyword, effect, &before.values, &after.values);
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
        let [old, new] = [old, new].map(|kinds| texts(kinds.words().filter(|_| kinds != all)));
        self.changed(pair, "type", effect, &old, &new);
    }

    fn changed(
        &mut self,
        pair: &ValuePair<'t>,
        keyword: &str,
        effect: Effect,
        before: &[String],
        after: &[String],
    ) {
        let detail = phrase("change.value.constraint", &[&keyword])
            .and(quoted(after))
            .and(quoted(before));
        self.tell(pair, effect, detail);
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
        let mut nodes = nodes(new);
        nodes.retain(|node| node.listed.is_some());
        let has_enum = nodes
            .first()
            .is_some_and(|node| node.source.get("enum").is_some());
        let keyword = if has_enum { "enum" } else { "const" };
        self.tell_new(pair, &nodes, keyword, effect, detail);
    }
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

/// Returns the values of a keyword for a sentence.
fn quoted(values: &[String]) -> PhraseValue {
    match values {
        [] => phrase("change.none", &[]).into(),
        values => PhraseValue::Literal(format!("`{}`", values.join("`, `"))),
    }
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
