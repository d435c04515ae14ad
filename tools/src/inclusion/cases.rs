//! Takes schemas apart into cases.

use std::rc::Rc;

use super::case::{Case, Term};
use super::includes::{Includes, address};
use docent_describe::json::Json;
use docent_describe::schema::{list, target};

/// The maximum number of cases. Alternatives that would make more are not told apart.
const MOST: usize = 48;
/// The maximum depth of nested references and alternatives that are followed.
const DEEPEST: usize = 40;

impl<'j> Includes<'j> {
    /// Returns the cases of values that satisfy all of some schemas.
    pub(super) fn cases(&mut self, terms: &[Term<'j>]) -> Vec<Case<'j>> {
        terms.iter().fold(vec![Case::any()], |all, term| {
            let inner = self.cases_of(*term, 0);
            product(&all, &inner).unwrap_or(all)
        })
    }

    /// Returns the cases of a schema. A schema that leads back to itself adds nothing to its cases.
    pub(super) fn cases_of(&mut self, term: Term<'j>, depth: usize) -> Rc<[Case<'j>]> {
        let words = match term.schema {
            Json::Bool(false) => return Rc::new([]),
            Json::Object(words) if depth < DEEPEST => words,
            _ => return Rc::new([Case::any()]),
        };
        let key = (term.operand, address(term.schema));
        if let Some(known) = self.cases.get(&key) {
            return Rc::clone(known);
        }
        self.cases.insert(key, Rc::new([Case::any()]));
        let mut all = vec![Case::own(term, words)];
        let mut narrow = |inner: &[Case<'j>]| {
            if let Some(both) = product(&all, inner) {
                all = both;
            }
        };
        let components = self.context(term.operand).components;
        let target = target(words, components).into_iter();
        for part in target.chain(list(words, "allOf")) {
            narrow(&self.cases_of(term.with(part), depth + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            let alternatives = list(words, keyword);
            if !alternatives.is_empty() && alternatives.len() <= MOST {
                narrow(&self.alternatives(term, keyword, alternatives, depth));
            }
        }
        let all: Rc<[Case<'j>]> = all.into();
        self.cases.insert(key, Rc::clone(&all));
        all
    }

    fn alternatives(
        &mut self,
        term: Term<'j>,
        keyword: &str,
        alternatives: &'j [Json],
        depth: usize,
    ) -> Vec<Case<'j>> {
        let mut each = Vec::new();
        for (at, one) in alternatives.iter().enumerate() {
            if alternatives[..at].contains(one) {
                continue;
            }
            for case in &*self.cases_of(term.with(one), depth + 1) {
                let mut case = case.clone();
                if keyword == "oneOf" {
                    let others = alternatives.iter().enumerate();
                    let others = others.filter(|(other, _)| *other != at);
                    case.excluded.extend(others.map(|(_, other)| other));
                }
                each.push(case);
            }
        }
        each
    }
}

/// Returns each of some cases with each of others, or `None` if there would be too many.
fn product<'j>(outer: &[Case<'j>], inner: &[Case<'j>]) -> Option<Vec<Case<'j>>> {
    if outer.len() * inner.len() > MOST * 4 {
        return None;
    }
    let outer = outer.iter();
    let both = outer.flat_map(|one| inner.iter().filter_map(|other| one.and(other)));
    let both: Vec<Case<'j>> = both.collect();
    (both.len() <= MOST).then_some(both)
}
