//! Makes arrays.

use super::{Examples, Found, Wanted, both, count, counts};
use crate::json::Json;
use crate::schema::form::Form;
use crate::schema::keyword::list;

/// The maximum length of an array that is made.
const LONGEST: usize = 300;

impl<'d> Examples<'d> {
    pub(super) fn arrays(&self, form: &Form<'_>, wanted: Wanted, found: &mut Found<'_, 'd>) {
        let (least, most) = counts(form, "minItems", "maxItems");
        let places = form.words().map(|words| list(words, "prefixItems").len());
        let places = places.max().unwrap_or(0);
        let has_items = form.words().any(|words| words.contains_key("items"));
        let (_, matching) = contained(form);
        let needed = least.max(matching);
        let shown = usize::from(has_items && self.is_roomy(wanted.depth));
        let usual = [needed.max(places).max(shown), needed.max(places), needed];
        // Longer arrays, if several values are wanted.
        let longer = (1..wanted.count).map(|more| needed.saturating_add(more));
        let mut tried = Vec::new();
        for length in usual.into_iter().chain(longer) {
            let length = length.min(most);
            if length <= LONGEST && !tried.contains(&length) && !found.is_done() {
                tried.push(length);
                let elements = self.elements(form, length, wanted).map(Json::from);
                found.offer_all(elements);
            }
        }
    }

    /// Returns this many elements. The last of them match the schemas of `contains`.
    pub(super) fn elements(
        &self,
        form: &Form<'_>,
        length: usize,
        wanted: Wanted,
    ) -> Option<Vec<Json>> {
        let (inside, matching) = contained(form);
        let is_unique = form
            .words()
            .any(|words| words.get("uniqueItems") == Some(&Json::Bool(true)));
        let mut elements: Vec<Json> = Vec::with_capacity(length);
        let (mut known, mut values) = (Vec::new(), Vec::new());
        for at in 0..length {
            let mut schemas = element_schemas(form, at);
            if at + matching >= length {
                schemas.extend(&inside);
            }
            if at == 0 || schemas != known {
                let count = if is_unique {
                    length
                } else {
                    (length - at).min(2)
                };
                values = self.values(&both(&schemas), wanted.inside(count));
                known = schemas;
            }
            let fresh = values.iter().find(|value| !elements.contains(value));
            let value = fresh.or(values.first().filter(|_| !is_unique));
            elements.push(value?.clone());
        }
        Some(elements)
    }
}

/// Returns the schemas of `contains`, and the number of elements that must match them.
fn contained<'j>(form: &Form<'j>) -> (Vec<&'j Json>, usize) {
    let mut schemas = Vec::new();
    let mut least = 0;
    for words in form.words() {
        if let Some(schema) = words.get("contains") {
            schemas.push(schema);
            least = least.max(count(words, "minContains").unwrap_or(1));
        }
    }
    (schemas, least)
}

/// Returns the schemas of the element at an index.
fn element_schemas<'j>(form: &Form<'j>, at: usize) -> Vec<&'j Json> {
    let own = form.words().filter_map(|words| {
        let place = list(words, "prefixItems").get(at);
        place.or_else(|| words.get("items"))
    });
    own.collect()
}
