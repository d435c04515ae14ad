//! The rules: for each keyword of a node of the wider schema, whether the narrower one implies it.
//!
//! A rule may say yes only if it is certain. Where none applies the answer stays open, and `refute.rs` looks for a
//! value that decides it.

use super::case::Case;
use super::includes::Includes;
use docent_describe::json::Decimal;
use docent_describe::schema::{
    Kinds, Node, NumberBounds, NumberKeywords, Part, Reference, StringKeywords, UnionKeyword,
    UnionRule, node_ids,
};

impl<'t> Includes<'t> {
    /// Returns whether every value that satisfies all of `narrow` is a value of `wide`, as far as
    /// that can be told.
    pub(super) fn includes(&mut self, narrow: &[&'t Node<'t>], wide: &'t Node<'t>) -> bool {
        if wide.accepts_all() || narrow.iter().any(|node| self.is_same(node, wide)) {
            return true;
        }
        let key = (node_ids(narrow), wide.id);
        if self.open.contains(&key) {
            return false;
        }
        let before = self.proved.len();
        if !self.proved.insert(key.clone()) {
            return true;
        }
        let holds = self.deeper(|includes| includes.includes_cases(narrow, wide));
        if !holds {
            self.proved.truncate(before);
            if !self.is_over_budget() {
                self.open.insert(key);
            }
        }
        holds
    }

    /// Judges each case, and each kind of its values. Listed values are tried one by one.
    fn includes_cases(&mut self, narrow: &[&'t Node<'t>], wide: &'t Node<'t>) -> bool {
        let view = self.narrow.view(narrow);
        if view.takes_null != Some(false) && self.wide.view(&[wide]).takes_null != Some(true) {
            return false;
        }
        self.cases(view).iter().all(|case| {
            case.each_kind().all(|kind| match case.values(kind) {
                Some(values) => values.iter().all(|value| {
                    self.step()
                        && (case.view.refuses(value)
                            || self.is_valid(self.wide, wide, value) == Some(true))
                }),
                None => self.follows(case, kind, wide),
            })
        })
    }

    /// Returns whether the values satisfy a node for certain.
    fn follows(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        let wide = self.wide.tree.followed(wide);
        wide.accepts_all()
            || case.nodes().any(|node| self.is_same(node, wide))
            || self.has_no_value(case, kind)
            || self.deeper(|includes| includes.keywords(case, kind, wide))
    }

    /// Returns whether the values satisfy each keyword of a node.
    fn keywords(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        let is_told = !wide.is_never && wide.listed.is_none() && wide.malformed.is_empty();
        is_told
            && wide.types.is_none_or(|types| kind.within(types))
            && self.kind_keywords(case, kind, wide)
            && wide
                .reference
                .is_none_or(|reference| self.reference(case, kind, reference))
            && wide
                .all_of
                .iter()
                .all(|part| self.follows(case, kind, part))
            && wide
                .unions
                .iter()
                .all(|union| self.union(case, kind, union))
            && wide
                .not
                .as_ref()
                .is_none_or(|not| self.is_apart(case, kind, not))
            && self.states(case, wide, Part::is_of_condition)
    }

    /// Returns whether values satisfy the keywords of a node that are about their kind.
    fn kind_keywords(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        match kind {
            Kinds::INTEGER | Kinds::FRACTION => wide
                .numbers
                .as_deref()
                .is_none_or(|numbers| is_number_within(case, kind, numbers)),
            Kinds::STRING => wide
                .strings
                .as_deref()
                .is_none_or(|strings| self.string(case, strings)),
            Kinds::ARRAY => {
                wide.arrays
                    .as_deref()
                    .is_none_or(|arrays| self.array(case, arrays))
                    && self.states(case, wide, Part::is_contained)
            }
            Kinds::OBJECT => wide
                .objects
                .as_deref()
                .is_none_or(|objects| self.object(case, objects)),
            _ => true,
        }
    }

    /// Returns whether texts satisfy the keywords of a node. Patterns are the same or unknown: none is known to include
    /// another.
    fn string(&self, case: &Case<'t>, wide: &StringKeywords<'t>) -> bool {
        let own: Vec<_> = case.view.strings().collect();
        case.view.length().is_within(wide.length)
            && (wide.pattern.is_none() || own.iter().any(|own| own.pattern == wide.pattern))
            && self.keeps_format(wide.format, own.iter().map(|own| own.format))
            && self.keeps_format(wide.encoding, own.iter().map(|own| own.encoding))
    }

    /// Returns whether a format is among those that the narrower side has, or is not checked.
    fn keeps_format(
        &self,
        wide: Option<&str>,
        mut own: impl Iterator<Item = Option<&'t str>>,
    ) -> bool {
        let Some(format) = wide else {
            return true;
        };
        self.wide.tree.context().enforces(format) == Some(false)
            || self.narrow.tree.context().enforces(format) != Some(false)
                && own.any(|own| own == wide)
    }

    /// Returns whether values satisfy what a reference leads to. One that leads nowhere is only known to be the same.
    fn reference(&mut self, case: &Case<'t>, kind: Kinds, reference: Reference<'t>) -> bool {
        match self.wide.tree.target(reference).node() {
            Some(target) => self.follows(case, kind, target),
            None => case.nodes().any(|node| {
                let own = node.reference.filter(|own| *own == reference);
                own.is_some_and(|own| self.narrow.tree.target(own).node().is_none())
            }),
        }
    }

    /// Returns whether values satisfy a union: one alternative takes all of them, and no other takes any if it must
    /// not.
    fn union(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t UnionKeyword<'t>) -> bool {
        let mut alternatives = wide.branches.iter();
        let Some(taken) = alternatives.position(|node| self.follows(case, kind, node)) else {
            return false;
        };
        let mut others = wide.branches.iter().enumerate();
        wide.rule == UnionRule::OneOrMore
            || others.all(|(at, other)| at == taken || self.is_apart(case, kind, other))
    }
}

/// Returns whether numbers keep the bounds and the steps of a node.
fn is_number_within(case: &Case<'_>, kind: Kinds, wide: &NumberKeywords<'_>) -> bool {
    let own = case.view.numbers();
    let is_multiple = wide.multiple_of.is_none_or(|step| {
        let step = Decimal::new(step);
        let mut own_steps = own.steps.iter();
        kind == Kinds::INTEGER && Decimal::new("1").is_multiple_of(&step)
            || own_steps.any(|own| Decimal::new(own).is_multiple_of(&step))
    });
    is_multiple && own.is_within(&NumberBounds::from_keywords(wide), kind)
}
