//! Compares alternatives: which are gone, which are new, and which correspond to each other.
//!
//! Alternatives have no names by themselves, and their order says nothing. So they are paired by what they say, by what
//! tells them apart, and by their kinds. A value without alternatives is compared as the only one.

use super::super::pairs::{Paired, Partners};
use super::super::phrase::phrase;
use super::found::{Effect, shown};
use super::{ValuePair, Walk};
use crate::inclusion::Inclusion;
use crate::limits::MAX_PAIRS_OF_ALTERNATIVES;
use docent_describe::schema::{Alternative, Kinds, Label, Node, Union, UnionRule, View};

/// An alternative with what tells it from the others.
type Labelled<'t> = (Alternative<'t>, Option<Label<'t>>);

/// A value that may be one of some alternatives.
struct UnionValue<'p, 't> {
    /// The nodes of the value.
    whole: &'p [&'t Node<'t>],
    /// Its alternatives. Without any, it stands for the only one.
    union: Option<&'t Union<'t>>,
    alternatives: Vec<Alternative<'t>>,
    /// The nodes around them.
    around: Vec<&'t Node<'t>>,
}

impl<'p, 't> UnionValue<'p, 't> {
    fn new(view: &'t View<'t>, whole: &'p [&'t Node<'t>]) -> Self {
        let only = whole.first().map(|node| Alternative {
            node,
            view,
            kinds: view.kinds,
        });
        let union = view.unions.first();
        Self {
            whole,
            union,
            alternatives: match union {
                Some(union) => union.alternatives.clone(),
                None => only.into_iter().collect(),
            },
            around: view.nodes().filter(|_| union.is_some()).collect(),
        }
    }

    /// Returns the nodes of an alternative.
    fn nodes(&self, at: usize) -> Vec<&'t Node<'t>> {
        match self.union {
            Some(_) => vec![self.alternatives[at].node],
            None => self.whole.to_vec(),
        }
    }

    /// Returns the alternatives with what tells each from the others. The other choice knows it of a whole value.
    fn labelled(&self, other: &UnionValue<'_, 't>) -> Vec<Labelled<'t>> {
        let mut labelled = Vec::new();
        for (at, alternative) in self.alternatives.iter().enumerate() {
            let label = match self.union {
                Some(union) => union.label(at),
                None => other.union.and_then(|union| union.label_of(alternative)),
            };
            labelled.push((*alternative, label));
        }
        labelled
    }
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between alternatives. Returns whether nothing else is to be compared, because one of
    /// the values is a choice and nothing more.
    pub(super) fn compare_alternatives(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) -> bool {
        let is_one = Self::is_one_alternative(old, new);
        if is_one || old.unions.len() == 1 && new.unions.len() == 1 {
            let before = UnionValue::new(old, &pair.old);
            let after = UnionValue::new(new, &pair.new);
            self.compare_choices(pair, &before, &after);
        }
        is_one
    }

    /// Compares the alternatives in pairs, and tells of those without a partner.
    fn compare_choices(
        &mut self,
        pair: &ValuePair<'t>,
        old: &UnionValue<'_, 't>,
        new: &UnionValue<'_, 't>,
    ) {
        let is_one = old.union.is_none() || new.union.is_none();
        for matched in self.pair_alternatives(old, new) {
            match matched {
                Paired::Kept { before, after } => {
                    if is_one {
                        self.around = Some([old.around.clone(), new.around.clone()]);
                    }
                    self.compare_inner(pair, old.nodes(before), new.nodes(after), "");
                    self.around = None;
                }
                Paired::Removed(before) => {
                    self.add_removed_alternative(pair, &old.alternatives[before]);
                }
                Paired::Added(after) => self.add_new_alternative(pair, &new.alternatives[after]),
            }
        }
    }

    /// Adds the difference for an alternative that is gone.
    fn add_removed_alternative(&mut self, pair: &ValuePair<'t>, removed: &Alternative<'t>) {
        let mut nodes = pair.old.clone();
        nodes.push(removed.node);
        if self.values.kept.ask(&nodes, &pair.new) != Inclusion::Yes {
            let detail = phrase("change.value.choice.not", &[&alternative_name(removed)]);
            self.add_in_old(pair, &[removed.node], Effect::Lost, detail);
        }
    }

    /// Adds the difference for a new alternative.
    fn add_new_alternative(&mut self, pair: &ValuePair<'t>, added: &Alternative<'t>) {
        let mut nodes = pair.new.clone();
        nodes.push(added.node);
        if self.values.known.ask(&nodes, &pair.old) == Inclusion::Yes {
            return;
        }
        let effect = if added.view.listed.is_some() {
            Effect::ValueAdded
        } else {
            Effect::Gained
        };
        let detail = phrase("change.value.choice", &[&alternative_name(added)]);
        self.add_in_new(pair, &[added.node], "", effect, detail);
    }

    /// Pairs the alternatives: first those that did not change, then those that differ in annotations at most, then
    /// those with the same label, and then the only ones on both sides or else those of the same type.
    fn pair_alternatives(
        &mut self,
        old: &UnionValue<'_, 't>,
        new: &UnionValue<'_, 't>,
    ) -> Vec<Paired> {
        let before = old.labelled(new);
        let after = new.labelled(old);
        let are_single = before.len() == 1 && after.len() == 1;
        let mut partners = self.unchanged_alternatives(old, new);
        if partners.pairs_left() > MAX_PAIRS_OF_ALTERNATIVES {
            partners.join_by_key(before.iter().map(label_of), after.iter().map(label_of));
        }
        if partners.pairs_left() > MAX_PAIRS_OF_ALTERNATIVES {
            return partners.into_pairs();
        }
        partners.join_if(|was, is| {
            let (one, _) = &before[was];
            let (other, _) = &after[is];
            self.values.kept.say_same(&[one.node], &[other.node])
        });
        partners.join_if(|was, is| {
            let (_, label) = &before[was];
            let (_, other_label) = &after[is];
            label.is_some() && label == other_label
        });
        partners.join_if(|was, is| {
            let (one, _) = &before[was];
            let (other, _) = &after[is];
            are_single
                || one.kinds == other.kinds
                    && !one.kinds.meet(Kinds::OBJECT)
                    && one.view.listed.is_none()
                    && other.view.listed.is_none()
        });
        partners.into_pairs()
    }

    /// Returns the partners of alternatives that did not change. There may be thousands.
    fn unchanged_alternatives(
        &self,
        old: &UnionValue<'_, 't>,
        new: &UnionValue<'_, 't>,
    ) -> Partners {
        let mut partners = Partners::new(old.alternatives.len(), new.alternatives.len());
        let before = old.alternatives.iter().map(|one| Some(one.node.source));
        let after = new.alternatives.iter().map(|one| {
            let source = one.node.source;
            self.values.is_unchanged(source, source).then_some(source)
        });
        partners.join_by_key(before, after);
        partners
    }
}

impl Walk<'_, '_> {
    /// Returns whether one of two values is a choice and nothing more, and the other has no alternatives.
    pub(super) fn is_one_alternative(old: &View<'_>, new: &View<'_>) -> bool {
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

fn label_of<'l, 't>(labelled: &'l Labelled<'t>) -> Option<&'l Label<'t>> {
    labelled.1.as_ref()
}

/// Returns whether a value is one of some alternatives, and nothing else is asked of it.
fn is_choice(view: &View<'_>) -> bool {
    view.nodes().all(Node::only_combines)
}

/// Returns a name for an alternative, for a sentence.
fn alternative_name(one: &Alternative<'_>) -> String {
    match one.name() {
        Some(name) => format!("`{name}`"),
        None => shown(one.node.source),
    }
}
