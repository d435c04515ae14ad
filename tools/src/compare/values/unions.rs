//! Compares the alternatives of unions: which are gone, which are new, and which correspond to each other.
//!
//! Alternatives have no names by themselves, and their order says nothing. So they are paired by what they say, by what
//! tells them apart (their label), and by their kinds:
//!
//! ```text
//! old: oneOf [Cat, Dog]       new: oneOf [Dog, Cat with `age`, Fish]
//!
//! Dog ── says the same ── Dog
//! Cat ── same label ───── Cat      the two are compared like any other value
//!                         Fish     is a new alternative
//! ```
//!
//! A value that is no union in one of the descriptions counts as the only alternative there: `string` and
//! `oneOf [string, number]` are compared as one alternative and two, in a [`UnionContext`].

use super::super::pairs::{Paired, Partners};
use super::super::phrase::phrase;
use super::difference::{Effect, quoted_value};
use super::union_context::UnionContext;
use super::{ValuePair, Walk};
use crate::inclusion::Inclusion;
use crate::limits::MAX_PAIRS_OF_ALTERNATIVES;
use docent_describe::schema::{Alternative, Kinds, Label, Node, Union, View};

/// The alternatives of a value in one of the descriptions.
struct UnionSide<'p, 't> {
    /// The nodes of the value.
    nodes: &'p [&'t Node<'t>],
    /// The union, if the value is one.
    union: Option<&'t Union<'t>>,
    /// The alternatives of the union, or the value itself as the only one.
    alternatives: Vec<Alternative<'t>>,
}

impl<'p, 't> UnionSide<'p, 't> {
    fn new(view: &'t View<'t>, nodes: &'p [&'t Node<'t>]) -> Self {
        let union = view.unions.first();
        let alternatives = match union {
            Some(union) => union.alternatives.clone(),
            None => Vec::from_iter(nodes.first().map(|node| Alternative {
                node,
                view,
                kinds: view.kinds,
            })),
        };
        Self {
            nodes,
            union,
            alternatives,
        }
    }

    /// Returns the nodes of an alternative.
    fn nodes_of(&self, index: usize) -> Vec<&'t Node<'t>> {
        match self.union {
            Some(_) => vec![self.alternatives[index].node],
            None => self.nodes.to_vec(),
        }
    }

    /// Returns the label of each alternative. The union of the other side knows that of a value that is no union.
    fn labels(&self, other: &UnionSide<'_, 't>) -> Vec<Option<Label<'t>>> {
        let mut labels = Vec::new();
        for (index, alternative) in self.alternatives.iter().enumerate() {
            labels.push(match self.union {
                Some(union) => union.label(index),
                None => other.union.and_then(|union| union.label_of(alternative)),
            });
        }
        labels
    }
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between alternatives. Returns whether nothing else is to be compared, because one of
    /// the values is a union and nothing more.
    pub(super) fn compare_alternatives(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) -> bool {
        let context = UnionContext::new(old, new);
        // Several unions side by side are not paired: inclusion compares their value as a whole (`reconcile.rs`).
        if context.is_some() || old.unions.len() == 1 && new.unions.len() == 1 {
            let old_side = UnionSide::new(old, &pair.old);
            let new_side = UnionSide::new(new, &pair.new);
            self.compare_sides(pair, &old_side, &new_side, context.as_ref());
        }
        context.is_some()
    }

    /// Compares the alternatives that correspond to each other, and adds those without a partner.
    fn compare_sides(
        &mut self,
        pair: &ValuePair<'t>,
        old: &UnionSide<'_, 't>,
        new: &UnionSide<'_, 't>,
        context: Option<&UnionContext<'t>>,
    ) {
        for paired in self.pair_alternatives(old, new) {
            match paired {
                Paired::Both { before, after } => {
                    let inner =
                        self.inner_pair(pair, old.nodes_of(before), new.nodes_of(after), "");
                    self.compare_value(&inner, context);
                }
                Paired::Removed(before) => {
                    self.add_removed_alternative(pair, &old.alternatives[before]);
                }
                Paired::Added(after) => self.add_new_alternative(pair, &new.alternatives[after]),
            }
        }
    }

    /// Adds the difference for an alternative that is gone, unless the new schema still accepts its values.
    fn add_removed_alternative(&mut self, pair: &ValuePair<'t>, removed: &Alternative<'t>) {
        // Values of the alternative also match the nodes around the union.
        let mut nodes = pair.old.clone();
        nodes.push(removed.node);
        if self.schemas.new_includes_old.check(&nodes, &pair.new) != Inclusion::Yes {
            let detail = phrase("change.value.choice.not", &[&alternative_name(removed)]);
            self.add_in_old(pair, &[removed.node], Effect::Lost, detail);
        }
    }

    /// Adds the difference for a new alternative, unless the old schema accepted its values.
    fn add_new_alternative(&mut self, pair: &ValuePair<'t>, added: &Alternative<'t>) {
        let mut nodes = pair.new.clone();
        nodes.push(added.node);
        if self.schemas.old_includes_new.check(&nodes, &pair.old) == Inclusion::Yes {
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

    /// Pairs the alternatives, each for the best reason that there is: it did not change; only its annotations did; it
    /// has the same label; it is the only one on both sides, or of the same type.
    fn pair_alternatives(
        &mut self,
        old: &UnionSide<'_, 't>,
        new: &UnionSide<'_, 't>,
    ) -> Vec<Paired> {
        let old_labels = old.labels(new);
        let new_labels = new.labels(old);
        let mut partners = self.unchanged_alternatives(old, new);
        // The steps below compare each with each, which is too much for thousands. So labels come first then, since
        // equal ones are found by a look-up.
        if partners.pairs_left() > MAX_PAIRS_OF_ALTERNATIVES {
            partners.join_by_key(
                old_labels.iter().map(Option::as_ref),
                new_labels.iter().map(Option::as_ref),
            );
        }
        if partners.pairs_left() > MAX_PAIRS_OF_ALTERNATIVES {
            return partners.into_pairs();
        }
        partners.join_if(|before, after| {
            self.schemas.new_includes_old.are_same(
                &[old.alternatives[before].node],
                &[new.alternatives[after].node],
            )
        });
        partners.join_if(|before, after| {
            old_labels[before].is_some() && old_labels[before] == new_labels[after]
        });
        let are_single = old.alternatives.len() == 1 && new.alternatives.len() == 1;
        partners.join_if(|before, after| {
            are_single || have_same_type(&old.alternatives[before], &new.alternatives[after])
        });
        partners.into_pairs()
    }

    /// Returns the partners of alternatives that did not change. There may be thousands.
    fn unchanged_alternatives(&self, old: &UnionSide<'_, 't>, new: &UnionSide<'_, 't>) -> Partners {
        let mut partners = Partners::new(old.alternatives.len(), new.alternatives.len());
        partners.join_by_key(
            old.alternatives
                .iter()
                .map(|alternative| Some(alternative.node.source)),
            new.alternatives.iter().map(|alternative| {
                let source = alternative.node.source;
                // A reference that is written the same may lead to a schema that has changed.
                self.schemas.is_unchanged(source, source).then_some(source)
            }),
        );
        partners
    }
}

/// Returns whether two alternatives are of the same type, by which they can be paired. Objects are not: two of them
/// may have nothing in common. Neither are listed values.
fn have_same_type(old: &Alternative<'_>, new: &Alternative<'_>) -> bool {
    old.kinds == new.kinds
        && !old.kinds.meet(Kinds::OBJECT)
        && old.view.listed.is_none()
        && new.view.listed.is_none()
}

/// Returns the name of an alternative in a sentence.
fn alternative_name(alternative: &Alternative<'_>) -> String {
    match alternative.name() {
        Some(name) => format!("`{name}`"),
        None => quoted_value(alternative.node.source),
    }
}
