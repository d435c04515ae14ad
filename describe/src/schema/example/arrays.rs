//! Makes arrays.

use super::{Examples, Found, Wanted, both, count, counts};
use crate::json::Json;
use crate::schema::form::Form;
use crate::schema::valid::list;

/// The maximum length of an array that is made.
const LONGEST: usize = 300;

impl<'d> Examples<'d> {
    pub(super) fn arrays(&self, form: &Form<'_>, wanted: Wanted, found: &mut Found<'_, 'd>) {
        let (least, most) = counts(form, "minItems", "maxItems");
        let places = form.words().map(|words| list(words, "prefixItems").len());
        let places = places.max().unwrap_or(0);
        let has_items = form.words().any(|words| words.contains_key("items"));
        let (inside, asked) = contained(form);
        let needed = least.max(asked);
        let shown = usize::from(has_items && self.is_roomy(wanted.depth));
        let mut tried = Vec::new();
        for length in [needed.max(places).max(shown), needed.max(places), needed] {
            let length = length.min(most);
            if length > LONGEST || tried.contains(&length) || found.is_done() {
                continue;
            }
            tried.push(length);
            if let Some(elements) = self.elements(form, length, &inside, asked, wanted) {
                found.offer(Json::Array(elements));
            }
        }
        // Longer arrays, if several values are wanted.
        for more in 1..wanted.count {
            let length = needed.saturating_add(more).min(most).min(LONGEST);
            if found.is_done() || tried.contains(&length) {
                break;
            }
            tried.push(length);
            if let Some(elements) = self.elements(form, length, &inside, asked, wanted) {
                found.offer(Json::Array(elements));
            }
        }
        self.varied(
            form,
            needed.max(places).min(most),
            &inside,
            asked,
            wanted,
            found,
        );
    }

    /// Offers arrays that differ in their first element, if several are wanted.
    fn varied(
        &self,
        form: &Form<'_>,
        length: usize,
        inside: &[&Json],
        asked: usize,
        wanted: Wanted,
        found: &mut Found<'_, 'd>,
    ) {
        if found.is_done() || length == 0 || length > LONGEST {
            return;
        }
        let Some(elements) = self.elements(form, length, inside, asked, wanted) else {
            return;
        };
        let first = both(&element_schemas(form, 0)).into_owned();
        for value in self.values(&first, wanted.inside(wanted.count)) {
            let mut elements = elements.clone();
            elements[0] = value;
            found.offer(Json::Array(elements));
        }
    }

    /// Returns this many elements, of which `asked` match the schemas of `contains`.
    pub(super) fn elements(
        &self,
        form: &Form<'_>,
        length: usize,
        inside: &[&Json],
        asked: usize,
        wanted: Wanted,
    ) -> Option<Vec<Json>> {
        let is_unique = form
            .words()
            .any(|words| words.get("uniqueItems") == Some(&Json::Bool(true)));
        let mut elements: Vec<Json> = Vec::with_capacity(length);
        let (mut known, mut values) = (Vec::new(), Vec::new());
        for at in 0..length {
            let mut schemas = element_schemas(form, at);
            if at + asked >= length {
                schemas.extend(inside);
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
            let value = if is_unique {
                fresh?
            } else {
                fresh.or(values.first())?
            };
            elements.push(value.clone());
        }
        Some(elements)
    }
}

/// Returns the schemas of `contains`, and the number of elements that must match them.
fn contained<'j>(form: &Form<'j>) -> (Vec<&'j Json>, usize) {
    let mut schemas = Vec::new();
    let mut asked = 0;
    for words in form.words() {
        if let Some(schema) = words.get("contains") {
            schemas.push(schema);
            asked = asked.max(count(words, "minContains").unwrap_or(1));
        }
    }
    (schemas, asked)
}

/// Returns the schemas of the element at an index.
fn element_schemas<'j>(form: &Form<'j>, at: usize) -> Vec<&'j Json> {
    let own = form.words().filter_map(|words| {
        let place = list(words, "prefixItems").get(at);
        place.or_else(|| words.get("items"))
    });
    own.collect()
}
