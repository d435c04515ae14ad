//! Finds out that no value satisfies some schemas.
//!
//! This tells alternatives apart, and finds keywords that exclude each other. A schema counts as empty only if that is
//! certain.

use super::case::Case;
use super::checker::InclusionChecker;
use docent_describe::json::Decimal;
use docent_describe::schema::{Kinds, Node, NumberBounds, Span};

impl<'t> InclusionChecker<'t> {
    /// Returns whether no value satisfies both some schemas of the narrower side and some of the wider side.
    pub(super) fn are_empty(&mut self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> bool {
        let narrow = self.narrow.view(narrow);
        let wide = self.wide.view(wide);
        if narrow.takes_null != Some(false) && wide.takes_null != Some(false) {
            return false;
        }
        let others = self.cases(wide);
        self.cases(narrow).iter().all(|case| {
            case.each_kind()
                .all(|kind| self.deeper(|checker| checker.are_disjoint(case, &others, kind)))
        })
    }

    /// Returns whether no value of a case that is of this kind satisfies a wider schema.
    pub(super) fn is_disjoint(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        if !self.step() {
            return false;
        }
        for excluded in case.excluded() {
            if self.is_same(excluded, wide) {
                return true;
            }
        }
        let others = self.cases(self.wide.view(&[wide]));
        self.are_disjoint(case, &others, kind)
    }

    /// Returns whether a case has no value of a kind in common with any of some others.
    fn are_disjoint(&mut self, case: &Case<'t>, others: &[Case<'t>], kind: Kinds) -> bool {
        others.iter().all(|other| {
            !kind.within(other.view.kinds) || self.is_impossible(case, Some(other), kind)
        })
    }

    /// Returns whether a case has no value of a kind. The result is remembered, since each keyword of the wider side
    /// asks for it.
    pub(super) fn has_no_value(&mut self, case: &Case<'t>, kind: Kinds) -> bool {
        if let Some(is_impossible) = case.is_impossible.borrow().get(&kind) {
            return *is_impossible;
        }
        let is_impossible = self.is_impossible(case, None, kind);
        case.is_impossible.borrow_mut().insert(kind, is_impossible);
        is_impossible
    }

    /// Returns whether no value of a kind is in a case, and in another one of the wider side.
    pub(super) fn is_impossible(
        &mut self,
        case: &Case<'t>,
        other: Option<&Case<'t>>,
        kind: Kinds,
    ) -> bool {
        let cases = both(case, other);
        if let Some(values) = cases.iter().find_map(|case| case.values(kind)) {
            return values
                .iter()
                .all(|value| self.step() && cases.iter().any(|case| case.view.refuses(value)));
        }
        match kind {
            Kinds::INTEGER => common_bounds(&cases).is_empty(kind),
            Kinds::FRACTION => {
                let one = Decimal::new("1");
                let bounds = common_bounds(&cases);
                bounds
                    .steps
                    .iter()
                    .any(|step| Decimal::new(step).is_multiple_of(&one))
                    || bounds.is_empty(kind)
            }
            Kinds::STRING => Span::all_of(cases.iter().map(|case| case.view.length())).is_empty(),
            Kinds::ARRAY => self.has_no_array(case, other),
            _ => self.has_no_object(case, other),
        }
    }

    /// Returns whether there is no array: the lengths exclude each other, or the first element has no value.
    fn has_no_array(&mut self, case: &Case<'t>, other: Option<&Case<'t>>) -> bool {
        let elements = case.view.elements();
        let others = other.map(|other| other.view.elements()).unwrap_or_default();
        let lengths = [elements.length, others.length];
        let has_first = lengths.iter().any(|length| length.least >= Some(1));
        Span::all_of(lengths).is_empty()
            || has_first && self.are_empty(elements.nodes_at(0), others.nodes_at(0))
    }

    /// Returns whether there is no object: the numbers of members exclude each other, or a required member has no
    /// value.
    fn has_no_object(&mut self, case: &Case<'t>, other: Option<&Case<'t>>) -> bool {
        let cases = both(case, other);
        if Span::all_of(cases.iter().map(|case| case.property_count())).is_empty() {
            return true;
        }
        for name in cases.iter().flat_map(|case| case.required()) {
            let property = case.property(name);
            let others = other.map(|other| other.property(name)).unwrap_or_default();
            if property.is_refused
                || others.is_refused
                || self.are_empty(&property.nodes(), &others.nodes())
            {
                return true;
            }
        }
        false
    }
}

/// Returns a case, and the other one if there is one.
fn both<'c, 't>(case: &'c Case<'t>, other: Option<&'c Case<'t>>) -> Vec<&'c Case<'t>> {
    [Some(case), other].into_iter().flatten().collect()
}

/// Returns the bounds that numbers of all cases keep.
fn common_bounds<'t>(cases: &[&Case<'t>]) -> NumberBounds<'t> {
    cases
        .iter()
        .map(|case| case.view.numbers())
        .fold(NumberBounds::default(), NumberBounds::and)
}
