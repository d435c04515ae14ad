//! Compares alternatives: which are gone, which are new, and which correspond to each other.

use super::super::pairs::{Both, paired};
use super::super::phrase::phrase;
use super::found::{Effect, shown};
use super::{ValuePair, Walk};
use crate::inclusion::Inclusion;
use crate::limits::MAX_PAIRS_OF_ALTERNATIVES;
use docent_describe::schema::{Alternative, Difference, Kinds, Node, UnionRule, View};

/// A value that may be one of some alternatives.
struct Choice<'p, 't> {
    alternatives: Vec<Alternative<'t>>,
    /// The nodes around them.
    around: Vec<&'t Node<'t>>,
    /// The difference by which they are told apart.
    difference: Option<&'t Difference<'t>>,
    /// The nodes of the value, if it has no alternatives and stands for the only one.
    whole: Option<&'p [&'t Node<'t>]>,
}

impl<'p, 't> Choice<'p, 't> {
    fn new(view: &'t View<'t>, whole: &'p [&'t Node<'t>]) -> Self {
        let only = view.nodes().next().map(|node| Alternative {
            node,
            view,
            kinds: view.kinds,
        });
        match view.unions.first() {
            Some(union) => Self {
                alternatives: union.alternatives.clone(),
                around: view.nodes().collect(),
                difference: Some(&union.difference),
                whole: None,
            },
            None => Self {
                alternatives: only.into_iter().collect(),
                around: Vec::new(),
                difference: None,
                whole: Some(whole),
            },
        }
    }

    /// Returns the nodes of an alternative.
    fn nodes(&self, at: usize) -> Vec<&'t Node<'t>> {
        match self.whole {
            Some(whole) => whole.to_vec(),
            None => vec![self.alternatives[at].node],
        }
    }

    /// Returns a key for an alternative: its name, its tag, the member that only it has, or its constant. The other
    /// choice may know better what tells them apart.
    fn key(&self, at: usize, other: &Choice<'_, 't>) -> Option<String> {
        let alternative = &self.alternatives[at];
        if let Some(name) = alternative.name() {
            return Some(format!("#{name}"));
        }
        if let Some([only]) = alternative.view.listed.as_deref() {
            return Some(format!("={}", only.value));
        }
        match self.difference.or(other.difference)? {
            Difference::Tag { path, .. } => Self::tag(alternative, path),
            Difference::Presence(names) if self.whole.is_none() => Some(names[at]?.to_owned()),
            _ => None,
        }
    }

    /// Returns the alternatives with their keys.
    fn keyed(&self, other: &Choice<'_, 't>) -> Vec<(Alternative<'t>, Option<String>)> {
        self.alternatives
            .iter()
            .copied()
            .enumerate()
            .map(|(at, alternative)| (alternative, self.key(at, other)))
            .collect()
    }

    /// Returns the values of a tag, with the path to it.
    fn tag(alternative: &Alternative<'t>, path: &[&str]) -> Option<String> {
        let mut view = alternative.view;
        for name in path {
            view = view.views.view(&view.properties().get(name)?.nodes());
        }
        let listed = view.listed.as_ref()?.iter();
        let values: Vec<String> = listed.map(|listed| listed.value.to_string()).collect();
        Some(format!("{path:?}={values:?}"))
    }
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between alternatives. Returns whether nothing else is to be compared, because one of
    /// the values is a choice and nothing more.
    pub(super) fn alternatives(
        &mut self,
        pair: &ValuePair<'t>,
        (old, new): Both<'t, View<'t>>,
    ) -> bool {
        let is_one = Self::is_one_alternative((old, new));
        if is_one || old.unions.len() == 1 && new.unions.len() == 1 {
            let [old, new] =
                [(old, &pair.old), (new, &pair.new)].map(|(view, nodes)| Choice::new(view, nodes));
            self.choices(pair, &old, &new);
        }
        is_one
    }

    fn choices(&mut self, pair: &ValuePair<'t>, old: &Choice<'_, 't>, new: &Choice<'_, 't>) {
        let is_one = old.whole.is_some() || new.whole.is_some();
        for matched in self.matched(old, new) {
            match matched {
                (Some(was), Some(is)) => {
                    self.around = is_one.then(|| [old, new].map(|choice| choice.around.clone()));
                    self.inner(pair, old.nodes(was), new.nodes(is), "");
                    self.around = None;
                }
                (Some(was), None) => self.lost(pair, &old.alternatives[was]),
                (None, Some(is)) => self.added(pair, &new.alternatives[is]),
                (None, None) => {}
            }
        }
    }

    /// Adds the difference for an alternative that is gone.
    fn lost(&mut self, pair: &ValuePair<'t>, one: &Alternative<'t>) {
        let nodes: Vec<_> = pair.old.iter().copied().chain([one.node]).collect();
        if self.values.kept.ask(&nodes, &pair.new) != Inclusion::Yes {
            let detail = phrase("change.value.choice.not", &[&label(one)]);
            self.tell_old(pair, &[one.node], Effect::Lost, detail);
        }
    }

    /// Adds the difference for a new alternative.
    fn added(&mut self, pair: &ValuePair<'t>, one: &Alternative<'t>) {
        let nodes: Vec<_> = pair.new.iter().copied().chain([one.node]).collect();
        if self.values.known.ask(&nodes, &pair.old) == Inclusion::Yes {
            return;
        }
        let effect = if one.view.listed.is_some() {
            Effect::ValueAdded
        } else {
            Effect::Gained
        };
        let detail = phrase("change.value.choice", &[&label(one)]);
        self.tell_new(pair, &[one.node], "", effect, detail);
    }

    /// Pairs the alternatives: first those that differ in annotations at most, then those with the
    /// same key, and then the only ones on both sides or else those of the same type.
    fn matched(
        &mut self,
        old: &Choice<'_, 't>,
        new: &Choice<'_, 't>,
    ) -> Vec<(Option<usize>, Option<usize>)> {
        let (before, after) = (old.keyed(new), new.keyed(old));
        let are_many = before.len() * after.len() > MAX_PAIRS_OF_ALTERNATIVES;
        let attempts = if are_many { 0 } else { 3 };
        let are_single = before.len() == 1 && after.len() == 1;
        paired(
            &before,
            &after,
            attempts,
            |attempt, (one, key), (other, other_key)| match attempt {
                0 => self.values.kept.say_same(&[one.node], &[other.node]),
                1 => key.is_some() && key == other_key,
                _ if are_single => true,
                _ => {
                    one.kinds == other.kinds
                        && !one.kinds.meet(Kinds::OBJECT)
                        && one.view.listed.is_none()
                        && other.view.listed.is_none()
                }
            },
        )
    }
}

impl Walk<'_, '_> {
    /// Returns whether one of two values is a choice and nothing more, and the other has no alternatives.
    pub(super) fn is_one_alternative((old, new): Both<'_, View<'_>>) -> bool {
        match (old.unions.len(), new.unions.len()) {
            (1, 0) => is_choice(old),
            (0, 1) => is_choice(new),
            _ => false,
        }
    }

    /// Returns whether a value must match exactly one of some alternatives.
    pub(super) fn has_one_of(view: &View<'_>) -> bool {
        view.nodes()
            .flat_map(|node| &node.unions)
            .any(|union| union.rule == UnionRule::ExactlyOne)
    }
}

/// Returns whether a value is one of some alternatives, and nothing else is asked of it.
fn is_choice(view: &View<'_>) -> bool {
    view.nodes().all(Node::only_combines)
}

/// Returns a name for an alternative, for a sentence.
fn label(one: &Alternative<'_>) -> String {
    match one.name() {
        Some(name) => format!("`{name}`"),
        None => shown(one.node.source),
    }
}
