//! Decides which of the differences that were found at a place matter.
//!
//! A difference at one place may be made up for at another: a looser keyword beside a stricter one changes nothing. So
//! the inclusion of one schema in the other decides in the end. It drops differences that do not matter, and adds one
//! if the schemas differ as a whole and nothing that was found explains it:
//!
//! | difference | the new schema includes the old one | it does not | unknown |
//! |---|---|---|---|
//! | values are lost | dropped | stays, with a value that is lost | undecided, if it would break callers |
//! | none | | added, with the value | added as undecided |
//!
//! The same holds for values that are gained, and whether the old schema includes the new one.

use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::difference::{Effect, ValueDifference, Witness};
use super::{ValuePair, Walk};
use crate::inclusion::Inclusion;
use docent_describe::json::Json;
use docent_describe::schema::{Node, SchemaViews, UnionRule, View};

impl<'t> Walk<'_, 't> {
    /// Returns whether both schemas take the same values.
    pub(super) fn is_rewritten(&mut self, pair: &ValuePair<'t>) -> bool {
        self.schemas.new_includes_old.check(&pair.old, &pair.new) == Inclusion::Yes
            && self.schemas.old_includes_new.check(&pair.new, &pair.old) == Inclusion::Yes
    }

    /// Adjusts the differences from `start` on to what the whole schemas include.
    pub(super) fn reconcile(&mut self, pair: &ValuePair<'t>, start: usize) {
        if self.found[start..]
            .iter()
            .any(|difference| difference.effect == Effect::Deeper)
        {
            // What the whole schemas include depends on what is deeper, so the differences found here stand as they
            // are.
            return self.explain(pair, start, &Inclusion::Unknown, &Inclusion::Unknown);
        }
        let new_includes_old = self.schemas.new_includes_old.check(&pair.old, &pair.new);
        let old_includes_new = self.schemas.old_includes_new.check(&pair.new, &pair.old);
        let is_same = new_includes_old == Inclusion::Yes && old_includes_new == Inclusion::Yes;
        for mut difference in self.found.split_off(start) {
            let Some(loses) = difference.effect.loses() else {
                let needs_change = matches!(
                    difference.effect,
                    Effect::Rule(Rule::PatternChanged) | Effect::MemberAdded
                );
                if !is_same || !needs_change {
                    self.found.push(difference);
                }
                continue;
            };
            // A value that shows a difference between alternatives may match another one, too.
            if difference.path == pair.path {
                difference
                    .witness
                    .take_if(|witness| !self.is_witness(pair, witness));
            }
            let inclusion = if loses {
                &new_includes_old
            } else {
                &old_includes_new
            };
            let breaks = loses == self.is_input;
            match inclusion {
                Inclusion::Yes => continue,
                Inclusion::Unknown if breaks => difference.undecided(),
                Inclusion::No(value)
                    if breaks
                        && difference.witness.is_none()
                        && matches!(difference.effect, Effect::Lost | Effect::Gained) =>
                {
                    difference.witness = Some(Witness {
                        value: value.clone(),
                        was_accepted: loses,
                    });
                }
                _ => {}
            }
            self.found.push(difference);
        }
        if self.is_input {
            self.explain(pair, start, &new_includes_old, &old_includes_new);
        } else {
            self.explain(pair, start, &old_includes_new, &new_includes_old);
        }
    }

    /// Returns whether a value may really be one that only the old schema accepts, or only the new one.
    fn is_witness(&self, pair: &ValuePair<'t>, witness: &Witness) -> bool {
        let old = self.schemas.old.views;
        let new = self.schemas.new.views;
        if witness.was_accepted {
            may_take(old, &pair.old, &witness.value) && may_refuse(new, &pair.new, &witness.value)
        } else {
            may_take(new, &pair.new, &witness.value) && may_refuse(old, &pair.old, &witness.value)
        }
    }

    /// Adds a difference between the schemas as a whole, if the differences that were found do not explain it.
    ///
    /// `breaking` is the inclusion without which callers break, and `other` the one in the other direction.
    fn explain(
        &mut self,
        pair: &ValuePair<'t>,
        start: usize,
        breaking: &Inclusion,
        other: &Inclusion,
    ) {
        let found = &self.found[start..];
        let (old, new) = self.views(pair);
        // A value that one alternative of `oneOf` gains may be lost because another takes it too.
        let is_exclusive = has_one_of(old) || has_one_of(new);
        let is_explained = found.iter().any(|difference| match difference.effect {
            Effect::Deeper if is_exclusive => false,
            Effect::Rule(Rule::FormatChanged) if *breaking == Inclusion::Unknown => true,
            effect => effect.explains(self.is_input),
        });
        let difference = match (breaking, other) {
            (Inclusion::Yes, Inclusion::No(value)) => {
                let documentation = Effect::Rule(Rule::WordsChanged);
                if found.iter().any(|found| found.effect != documentation) {
                    return;
                }
                whole_difference(pair, !self.is_input, value, old, new)
            }
            (Inclusion::Yes, _) => {
                if found.iter().any(|found| found.effect != Effect::Elsewhere)
                    || self.schemas.new_includes_old.are_same(&pair.old, &pair.new)
                {
                    return;
                }
                let detail = phrase("change.value.rewritten", &[]);
                pair.difference(Effect::Rule(Rule::SchemaRewritten), detail)
            }
            _ if is_explained => return,
            (Inclusion::No(value), _) => whole_difference(pair, self.is_input, value, old, new),
            (Inclusion::Unknown, _) => {
                let detail = phrase("change.value.undecided", &[]);
                let mut difference = pair.difference(Effect::Undecided, detail);
                if let Some(changed) = Self::changed_keyword(old, new) {
                    difference.detail = changed;
                    difference.undecided();
                }
                difference
            }
        };
        self.found.push(difference);
    }
}

/// Returns the difference between the schemas as a whole that this value shows, which is lost or gained.
fn whole_difference<'t>(
    pair: &ValuePair<'t>,
    loses: bool,
    value: &Json,
    old: &View<'t>,
    new: &View<'t>,
) -> ValueDifference {
    let (effect, key) = if loses {
        (Effect::Lost, "change.value.fewer")
    } else {
        (Effect::Gained, "change.value.more")
    };
    let detail = Walk::changed_keyword(old, new).unwrap_or_else(|| phrase(key, &[]));
    ValueDifference {
        witness: Some(Witness {
            value: value.clone(),
            was_accepted: loses,
        }),
        ..pair.difference(effect, detail)
    }
}

/// Returns whether a value must match exactly one of some alternatives.
fn has_one_of(view: &View<'_>) -> bool {
    view.nodes()
        .flat_map(|node| &node.unions)
        .any(|union| union.rule == UnionRule::ExactlyOne)
}

/// Returns whether all nodes may accept a value.
fn may_take<'t>(views: &SchemaViews<'t>, nodes: &[&Node<'t>], value: &Json) -> bool {
    nodes
        .iter()
        .all(|node| views.is_valid(node, value) != Some(false))
}

/// Returns whether one of the nodes may refuse a value.
fn may_refuse<'t>(views: &SchemaViews<'t>, nodes: &[&Node<'t>], value: &Json) -> bool {
    nodes
        .iter()
        .any(|node| views.is_valid(node, value) != Some(true))
}
