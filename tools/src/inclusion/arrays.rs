//! The rules for arrays: how many elements there are, and which.

use super::bounds::{Measure, NumberBounds};
use super::case::{Case, Term};
use super::includes::Includes;
use docent_describe::json::{Json, Object};
use docent_describe::schema::Kinds;
use docent_describe::schema::list;

/// Returns how many elements the arrays of a case have.
pub(super) fn items_count(case: &Case<'_>) -> NumberBounds {
    let mut count = NumberBounds::of(case.words(), Measure::Items, Kinds::INTEGER);
    for words in case.words() {
        if words.get("items") == Some(&Json::Bool(false)) {
            count.at_most(list(words, "prefixItems").len());
        }
    }
    count
}

/// Returns the schema of the element at an index.
fn element(words: &Object, at: usize) -> Option<&Json> {
    let items = words.get("items");
    let items = items.filter(|items| items.as_array().is_none());
    list(words, "prefixItems").get(at).or(items)
}

/// Returns all schemas of the element at an index.
pub(super) fn element_schemas<'j>(case: &Case<'j>, at: usize) -> Vec<Term<'j>> {
    let element = |term: &Term<'j>| Some(term.with(element(term.schema.as_object()?, at)?));
    case.terms.iter().filter_map(element).collect()
}

impl<'j> Includes<'j> {
    /// Returns whether arrays have the right elements, and as many.
    pub(super) fn array(&mut self, case: &Case<'j>, words: &'j Object) -> bool {
        let count = items_count(case);
        let has_at_most = |most: usize| {
            let mut bounds = NumberBounds::default();
            bounds.at_most(most);
            count.are_within(&bounds)
        };
        let asked = NumberBounds::of(std::iter::once(words), Measure::Items, Kinds::INTEGER);
        let is_unique = |words: &Object| words.get("uniqueItems") == Some(&Json::Bool(true));
        // Older descriptions have a list of schemas in `items`.
        let is_listed = matches!(words.get("items"), Some(Json::Array(_)));
        let prefixes = case.words().chain([words]);
        let prefix = prefixes.map(|words| list(words, "prefixItems").len()).max();
        // The elements after the prefix are all alike, so one stands for them.
        let mut places = 0..=prefix.unwrap_or(0);
        count.are_within(&asked)
            && (!is_unique(words) || has_at_most(1) || case.words().any(is_unique))
            && (!is_listed || self.is_stated(case, words, &["items", "additionalItems"]))
            && places.all(|at| {
                let schema = element(words, at).filter(|_| !has_at_most(at));
                schema.is_none_or(|schema| self.includes(&element_schemas(case, at), schema))
            })
    }
}
