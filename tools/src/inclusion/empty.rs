//! Finds out that no value satisfies some schemas.

use super::arrays::{element_schemas, items_count};
use super::bounds::{Measure, NumberBounds};
use super::case::{Case, Operand, Term};
use super::includes::Includes;
use super::objects::{properties_count, required};
use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::Kinds;

impl<'j> Includes<'j> {
    /// Returns whether no value satisfies all of some schemas.
    pub(super) fn are_empty(&mut self, terms: &[Term<'j>]) -> bool {
        let cases = self.cases(terms);
        cases.iter().all(|case| {
            let mut kinds = case.each_kind();
            kinds.all(|kind| self.deeper(|includes| includes.is_never(case, kind)) == Some(true))
        })
    }

    /// Returns whether no value of a case that is of this kind satisfies a wider schema.
    pub(super) fn is_apart(&mut self, case: &Case<'j>, kind: Kinds, wide: &'j Json) -> bool {
        if !self.step() {
            return false;
        }
        let wide = Term::new(Operand::Wide, wide);
        let mut excluded = case.excluded.iter();
        if excluded.any(|one| self.is_same(one, wide.schema)) {
            return true;
        }
        let others = self.cases_of(wide, 0);
        let mut both = others.iter().filter_map(|other| case.and(other));
        both.all(|both| !kind.within(both.kinds) || self.is_never(&both, kind))
    }

    /// Returns whether a case has no values of a kind.
    pub(super) fn is_never(&mut self, case: &Case<'j>, kind: Kinds) -> bool {
        if let Some(values) = case.values(kind) {
            let mut values = values.iter();
            return values
                .all(|value| self.step() && self.takes(&case.terms, value) == Some(false));
        }
        let bounds = |measure| NumberBounds::of(case.words(), measure, kind);
        match kind {
            Kinds::INTEGER => bounds(Measure::Number).are_empty(),
            Kinds::FRACTION => {
                let one = Decimal::new("1");
                let is_whole = |words: &Object| {
                    let step = words.get("multipleOf").and_then(Json::as_number);
                    step.is_some_and(|step| Decimal::new(step).is_multiple_of(&one))
                };
                case.words().any(is_whole) || bounds(Measure::Number).are_empty()
            }
            Kinds::STRING => bounds(Measure::Length).are_empty(),
            Kinds::ARRAY => {
                let count = items_count(case);
                let mut one = NumberBounds::default();
                one.at_least(1);
                count.are_empty()
                    || count.are_within(&one) && self.are_empty(&element_schemas(case, 0))
            }
            _ => {
                properties_count(case).are_empty()
                    || required(case).into_iter().any(|name| {
                        let schemas = self.member_schemas(case, name);
                        self.are_empty(&schemas)
                    })
            }
        }
    }
}
