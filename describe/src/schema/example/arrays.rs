//! Makes arrays.
//!
//! Elements are made from the view of their position. They are distinct if they have to be, and
//! otherwise as usual as possible.

use super::{Examples, FoundValues, WantedValues};
use crate::json::Json;
use crate::schema::tree::Node;
use crate::schema::view::{Condition, View};

/// The maximum length of an array that is made.
const MAX_LENGTH: usize = 300;

impl<'t> Examples<'t> {
    /// Offers arrays: the usual ones, and longer ones if several values are wanted.
    pub(super) fn arrays(&self, case: &'t View<'t>, found: &mut FoundValues<'_, 't>) {
        let wanted = found.wanted;
        let elements = case.elements();
        let (least, most) = elements.length.sizes();
        let described = elements.prefix.len();
        let needed = least.max(contained(case).count);
        let shows_optional = elements.are_mentioned && self.includes_optional(wanted.depth);
        let mut lengths = vec![needed.max(described).max(usize::from(shows_optional))];
        if !self.only_written {
            // Where all values have to be the author's, a shorter array would hide that the elements have no example.
            lengths.push(needed.max(described));
            lengths.push(needed);
        }
        lengths.extend((1..wanted.count).map(|more| needed.saturating_add(more)));
        let mut tried = Vec::new();
        for length in lengths {
            let length = length.min(most);
            if length <= MAX_LENGTH && !tried.contains(&length) && !found.is_done() {
                tried.push(length);
                found.offer_all(self.elements(case, length, wanted).map(Json::from));
            }
        }
    }

    /// Returns this many elements. The last of them match the schemas of `contains`.
    pub(super) fn elements(
        &self,
        case: &'t View<'t>,
        length: usize,
        wanted: WantedValues,
    ) -> Option<Vec<Json>> {
        let described = case.elements();
        let contained = contained(case);
        let mut elements: Vec<Json> = Vec::with_capacity(length);
        let mut values = Vec::new();
        let mut last: Option<&View<'t>> = None;
        for position in 0..length {
            let mut nodes = described.nodes_at(position).to_vec();
            if position + contained.count >= length {
                nodes.extend(&contained.nodes);
            }
            let view = case.views.view(&nodes);
            if !last.is_some_and(|last| std::ptr::eq(last, view)) {
                let count = if described.are_unique {
                    length
                } else {
                    (length - position).min(2)
                };
                values = self.values(view, wanted.parts(count));
                last = Some(view);
            }
            let mut element = values.iter().find(|value| !elements.contains(value));
            if !described.are_unique {
                element = element.or(values.first());
            }
            elements.push(element?.clone());
        }
        Some(elements)
    }
}

/// The elements that an array must have at any position.
#[derive(Default)]
struct Contained<'t> {
    /// The nodes that they match.
    nodes: Vec<&'t Node<'t>>,
    /// The number of them that there must be.
    count: usize,
}

/// Returns the elements that `contains` requires.
fn contained<'t>(case: &View<'t>) -> Contained<'t> {
    let mut contained = Contained::default();
    for condition in case.conditions() {
        if let Condition::Contains(node, span) = condition {
            contained.nodes.push(node);
            contained.count = contained.count.max(span.sizes().0);
        }
    }
    contained
}
