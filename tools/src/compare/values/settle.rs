//! Holds differences to what the whole schemas accept.
//!
//! A difference at one place may be made up for at another: a looser keyword beside a stricter one changes nothing. So
//! the inclusion of one schema in the other decides in the end. It drops differences that do not matter, and adds one
//! if the schemas differ as a whole and nothing that was found explains it.

use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::found::{Effect, ValueDifference};
use super::{ValuePair, Walk};
use crate::inclusion::Inclusion;
use docent_describe::json::Json;
use docent_describe::schema::{Node, SchemaViews, View};

impl<'t> Walk<'_, 't> {
    /// Returns whether both schemas take the same values.
    pub(super) fn is_rewritten(&mut self, pair: &ValuePair<'t>) -> bool {
        let kept = self.values.kept.ask(&pair.old, &pair.new);
        kept == Inclusion::Yes && self.values.known.ask(&pair.new, &pair.old) == kept
    }

    /// Adjusts the differences from `start` on to the answers for the whole schema.
    pub(super) fn settle(&mut self, pair: &ValuePair<'t>, start: usize) {
        let mut found = self.found[start..].iter();
        if found.any(|difference| difference.effect == Effect::Deeper) {
            // It cannot be told what the whole takes, so what was found stands for itself.
            return self.explain(pair, start, &Inclusion::Unknown, &Inclusion::Unknown);
        }
        let kept = self.values.kept.ask(&pair.old, &pair.new);
        let known = self.values.known.ask(&pair.new, &pair.old);
        let is_same = kept == Inclusion::Yes && known == Inclusion::Yes;
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
                    .take_if(|(loses, value)| !self.is_witness(pair, *loses, value));
            }
            let breaks = loses == self.is_input;
            match if loses { &kept } else { &known } {
                Inclusion::Yes => continue,
                Inclusion::Unknown if breaks => difference.undecided(),
                Inclusion::No(value)
                    if breaks
                        && difference.witness.is_none()
                        && matches!(difference.effect, Effect::Lost | Effect::Gained) =>
                {
                    difference.witness = Some((loses, value.clone()));
                }
                _ => {}
            }
            self.found.push(difference);
        }
        if self.is_input {
            self.explain(pair, start, &kept, &known);
        } else {
            self.explain(pair, start, &known, &kept);
        }
    }

    /// Returns whether a value may be one that only the old schema accepts, or only the new one.
    fn is_witness(&self, pair: &ValuePair<'t>, loses: bool, value: &Json) -> bool {
        let old = self.values.old.views;
        let new = self.values.new.views;
        if loses {
            may_take(old, &pair.old, value) && may_refuse(new, &pair.new, value)
        } else {
            may_take(new, &pair.new, value) && may_refuse(old, &pair.old, value)
        }
    }

    /// Adds a difference between the schemas as a whole, if the differences that were found do not
    /// explain it.
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
        let is_exclusive = Self::has_one_of(old) || Self::has_one_of(new);
        let is_explained = found.iter().any(|difference| match difference.effect {
            Effect::Deeper if is_exclusive => false,
            Effect::Rule(Rule::FormatChanged) if *breaking == Inclusion::Unknown => true,
            effect => effect.explains(self.is_input),
        });
        let whole = match (breaking, other) {
            (Inclusion::Yes, Inclusion::No(value)) => {
                let documentation = Effect::Rule(Rule::WordsChanged);
                if found.iter().any(|found| found.effect != documentation) {
                    return;
                }
                whole_difference(pair, !self.is_input, value, old, new)
            }
            (Inclusion::Yes, _) => {
                if found.iter().any(|found| found.effect != Effect::Elsewhere)
                    || self.values.kept.say_same(&pair.old, &pair.new)
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
                let mut whole = pair.difference(Effect::Undecided, detail);
                if let Some(changed) = Self::changed_keyword(old, new) {
                    whole.detail = changed;
                    whole.undecided();
                }
                whole
            }
        };
        self.found.push(whole);
    }
}

/// Returns the difference between the schemas as a whole that a value shows, which is lost or gained.
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
        witness: Some((loses, value.clone())),
        ..pair.difference(effect, detail)
    }
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
