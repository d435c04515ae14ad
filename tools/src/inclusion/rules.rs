//! The rules: for each keyword of a node of the wider schema, whether the narrower one implies it.
//!
//! A rule may say yes only if it is certain. Where none applies, nothing is decided, and `refute.rs` looks for a
//! value that decides it.

use super::case::Case;
use super::checker::InclusionChecker;
use docent_describe::json::Decimal;
use docent_describe::schema::{
    Kinds, Node, NumberBounds, NumberKeywords, Part, Reference, StringKeywords, UnionKeyword,
    UnionRule, node_ids,
};

impl<'t> InclusionChecker<'t> {
    /// Returns whether every value that satisfies all of `narrow` is a value of `wide`, as far as
    /// that can be told.
    pub(super) fn includes(&mut self, narrow: &[&'t Node<'t>], wide: &'t Node<'t>) -> bool {
        if wide.accepts_all() || narrow.iter().any(|node| self.is_same(node, wide)) {
            return true;
        }
        let key = (node_ids(narrow), wide.id);
        if self.undecided.contains(&key) {
            return false;
        }
        let before = self.proved.len();
        if !self.proved.insert(key.clone()) {
            return true;
        }
        let holds = self.deeper(|checker| checker.cases_fit(narrow, wide));
        if !holds {
            self.proved.truncate(before);
            if !self.is_over_budget() {
                self.undecided.insert(key);
            }
        }
        holds
    }

    /// Checks each case, and each kind of its values. Listed values are tried one by one.
    fn cases_fit(&mut self, narrow: &[&'t Node<'t>], wide: &'t Node<'t>) -> bool {
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
                None => self.case_fits(case, kind, wide),
            })
        })
    }

    /// Returns whether the values of a case satisfy a node for certain.
    fn case_fits(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        let wide = self.wide.tree.followed(wide);
        wide.accepts_all()
            || case.nodes().any(|node| self.is_same(node, wide))
            || self.has_no_value(case, kind)
            || self.deeper(|checker| checker.keywords_fit(case, kind, wide))
    }

    /// Returns whether the values satisfy each keyword of a node.
    fn keywords_fit(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        // Listed values are compared as values, and of a malformed keyword nothing is known.
        !wide.is_never
            && wide.listed.is_none()
            && wide.malformed.is_empty()
            && wide.types.is_none_or(|types| kind.within(types))
            && self.kind_keywords_fit(case, kind, wide)
            && wide
                .reference
                .is_none_or(|reference| self.reference_fits(case, kind, reference))
            && wide
                .all_of
                .iter()
                .all(|part| self.case_fits(case, kind, part))
            && wide
                .unions
                .iter()
                .all(|union| self.union_fits(case, kind, union))
            && wide
                .not
                .as_ref()
                .is_none_or(|not| self.is_disjoint(case, kind, not))
            && self.states_same(case, wide, Part::is_of_condition)
    }

    /// Returns whether values satisfy the keywords of a node that are about their kind.
    fn kind_keywords_fit(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        match kind {
            Kinds::INTEGER | Kinds::FRACTION => wide
                .numbers
                .as_deref()
                .is_none_or(|numbers| numbers_fit(case, kind, numbers)),
            Kinds::STRING => wide
                .strings
                .as_deref()
                .is_none_or(|strings| self.strings_fit(case, strings)),
            Kinds::ARRAY => {
                wide.arrays
                    .as_deref()
                    .is_none_or(|arrays| self.arrays_fit(case, arrays))
                    && self.states_same(case, wide, Part::is_contained)
            }
            Kinds::OBJECT => wide
                .objects
                .as_deref()
                .is_none_or(|objects| self.objects_fit(case, objects)),
            _ => true,
        }
    }

    /// Returns whether texts satisfy the keywords of a node. Patterns are the same or unknown: none is known to include
    /// another.
    fn strings_fit(&self, case: &Case<'t>, wide: &StringKeywords<'t>) -> bool {
        let narrow: Vec<_> = case.view.strings().collect();
        case.view.length().is_within(wide.length)
            && (wide.pattern.is_none()
                || narrow.iter().any(|narrow| narrow.pattern == wide.pattern))
            && self.format_fits(narrow.iter().map(|narrow| narrow.format), wide.format)
            && self.format_fits(narrow.iter().map(|narrow| narrow.encoding), wide.encoding)
    }

    /// Returns whether a format is among those that the narrower side has, or is not checked.
    fn format_fits(
        &self,
        mut narrow: impl Iterator<Item = Option<&'t str>>,
        wide: Option<&str>,
    ) -> bool {
        let Some(format) = wide else {
            return true;
        };
        self.wide.tree.context().enforces(format) == Some(false)
            || self.narrow.tree.context().enforces(format) != Some(false)
                && narrow.any(|narrow| narrow == wide)
    }

    /// Returns whether values satisfy what a reference leads to. One that leads nowhere is only known to be the same.
    fn reference_fits(&mut self, case: &Case<'t>, kind: Kinds, reference: Reference<'t>) -> bool {
        match self.wide.tree.target(reference).node() {
            Some(target) => self.case_fits(case, kind, target),
            None => case.nodes().any(|node| {
                node.reference == Some(reference)
                    && self.narrow.tree.target(reference).node().is_none()
            }),
        }
    }

    /// Returns whether values satisfy a union: one alternative takes all of them, and no other takes any if it must
    /// not.
    fn union_fits(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t UnionKeyword<'t>) -> bool {
        let Some(fitting) = wide
            .branches
            .iter()
            .position(|node| self.case_fits(case, kind, node))
        else {
            return false;
        };
        wide.rule == UnionRule::OneOrMore
            || wide
                .branches
                .iter()
                .enumerate()
                .all(|(index, other)| index == fitting || self.is_disjoint(case, kind, other))
    }
}

/// Returns whether numbers keep the bounds and the steps of a node.
fn numbers_fit(case: &Case<'_>, kind: Kinds, wide: &NumberKeywords<'_>) -> bool {
    let narrow = case.view.numbers();
    let is_multiple = wide.multiple_of.is_none_or(|step| {
        let step = Decimal::new(step);
        kind == Kinds::INTEGER && Decimal::new("1").is_multiple_of(&step)
            || narrow
                .steps
                .iter()
                .any(|narrow| Decimal::new(narrow).is_multiple_of(&step))
    });
    is_multiple && narrow.is_within(&NumberBounds::from_keywords(wide), kind)
}
