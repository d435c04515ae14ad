//! Finds out that no value satisfies some schemas.

use super::case::Case;
use super::includes::Includes;
use docent_describe::json::Decimal;
use docent_describe::schema::{Kinds, Node, NumberBounds, Span};

impl<'t> Includes<'t> {
    /// Returns whether no value satisfies both some schemas of the narrower side and some of the wider side.
    pub(super) fn are_empty(&mut self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> bool {
        let (narrow, wide) = (self.narrow.view(narrow), self.wide.view(wide));
        if narrow.takes_null != Some(false) && wide.takes_null != Some(false) {
            return false;
        }
        let others = Case::all(wide);
        Case::all(narrow).iter().all(|case| {
            case.each_kind()
                .all(|kind| self.deeper(|it| it.have_none(case, &others, kind)))
        })
    }

    /// Returns whether no value of a case that is of this kind satisfies a wider schema.
    pub(super) fn is_apart(&mut self, case: &Case<'t>, kind: Kinds, wide: &'t Node<'t>) -> bool {
        if !self.step() {
            return false;
        }
        let excluded = case.excluded();
        if excluded.into_iter().any(|one| self.is_same(one, wide)) {
            return true;
        }
        let others = Case::all(self.wide.view(&[wide]));
        self.have_none(case, &others, kind)
    }

    /// Returns whether a case has no value of a kind in common with any of some others.
    fn have_none(&mut self, case: &Case<'t>, others: &[Case<'t>], kind: Kinds) -> bool {
        others
            .iter()
            .all(|other| !kind.within(other.view.kinds) || self.is_never(case, Some(other), kind))
    }

    /// Returns whether no value of a kind is in a case, and in another one of the wider side.
    pub(super) fn is_never(
        &mut self,
        case: &Case<'t>,
        other: Option<&Case<'t>>,
        kind: Kinds,
    ) -> bool {
        let cases = || [Some(case), other].into_iter().flatten();
        if let Some(values) = cases().find_map(|case| case.values(kind)) {
            return values
                .iter()
                .all(|value| self.step() && cases().any(|case| case.view.refuses(value)));
        }
        let numbers = || {
            cases()
                .map(|case| case.view.numbers())
                .fold(NumberBounds::default(), NumberBounds::and)
        };
        match kind {
            Kinds::INTEGER => numbers().is_empty(kind),
            Kinds::FRACTION => {
                let one = Decimal::new("1");
                let is_whole = |step: &&str| Decimal::new(step).is_multiple_of(&one);
                numbers().steps.iter().any(is_whole) || numbers().is_empty(kind)
            }
            Kinds::STRING => Span::all_of(cases().map(|case| case.view.length())).is_empty(),
            Kinds::ARRAY => self.has_no_array(case, other),
            _ => self.has_no_object(case, other),
        }
    }

    fn has_no_array(&mut self, case: &Case<'t>, other: Option<&Case<'t>>) -> bool {
        let own = case.view.elements();
        let others = other.map(|other| other.view.elements()).unwrap_or_default();
        let lengths = [own.length, others.length];
        let has_first = lengths.iter().any(|length| length.least >= Some(1));
        Span::all_of(lengths).is_empty() || has_first && self.are_empty(own.at(0), others.at(0))
    }

    fn has_no_object(&mut self, case: &Case<'t>, other: Option<&Case<'t>>) -> bool {
        let cases = || [Some(case), other].into_iter().flatten();
        if Span::all_of(cases().map(Case::property_count)).is_empty() {
            return true;
        }
        cases().flat_map(Case::required).any(|name| {
            let own = case.view.property(name);
            let others = other
                .map(|other| other.view.property(name))
                .unwrap_or_default();
            own.is_refused || others.is_refused || self.are_empty(&own.nodes(), &others.nodes())
        })
    }
}
