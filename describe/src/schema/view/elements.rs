//! The elements of arrays.

use super::model::{Layer, View};
use crate::schema::tree::{ArrayKeywords, Node, Span};

/// The elements of an array.
#[derive(Debug, Clone, Default)]
pub struct Elements<'t> {
    /// The nodes that all describe the element at each of the first positions.
    pub places: Vec<Vec<&'t Node<'t>>>,
    /// The nodes that all describe the elements after them. Without any, they may be anything.
    pub rest: Vec<&'t Node<'t>>,
    /// How many elements there are.
    pub length: Span,
    /// True if no two elements are equal.
    pub are_unique: bool,
}

impl<'t> Elements<'t> {
    /// Returns the nodes that all describe the element at a position.
    pub fn at(&self, position: usize) -> &[&'t Node<'t>] {
        self.places.get(position).unwrap_or(&self.rest)
    }
}

impl<'t> View<'t> {
    /// Returns what is said of the elements of an array.
    pub fn elements(&self) -> Elements<'t> {
        let arrays: Vec<_> = self.arrays().map(|(_, arrays)| arrays).collect();
        let mut elements = Elements {
            length: Span::all_of(arrays.iter().map(|arrays| arrays.length)),
            are_unique: arrays.iter().any(|arrays| arrays.are_unique),
            ..Elements::default()
        };
        for (layer, arrays) in self.arrays() {
            // What other schemas of the node evaluate, `unevaluatedItems` does not bind.
            let is_plain = arrays.contains.is_none() && layer.node.is_alone();
            let unevaluated = arrays.unevaluated.as_ref().filter(|_| is_plain);
            match arrays.rest.as_ref().or(unevaluated) {
                Some(rest) if rest.is_never => {
                    let places = u64::try_from(arrays.places.len()).unwrap_or(u64::MAX);
                    let ends = Span {
                        least: None,
                        most: Some(places),
                    };
                    elements.length = Span::all_of([elements.length, ends]);
                }
                Some(rest) if !rest.is_empty() => elements.rest.push(rest),
                _ => {}
            }
        }
        let most = elements.length.most.unwrap_or(u64::MAX);
        let places = arrays
            .iter()
            .map(|arrays| arrays.places.len())
            .max()
            .unwrap_or(0);
        let places = usize::try_from(most).map_or(places, |most| places.min(most));
        elements.places = (0..places).map(|place| at(&arrays, place)).collect();
        elements
    }

    /// Returns the layers that say something of arrays.
    pub(in crate::schema) fn arrays(
        &self,
    ) -> impl Iterator<Item = (&Layer<'t>, &'t ArrayKeywords<'t>)> {
        self.layers
            .iter()
            .filter_map(|layer| Some((layer, layer.node.arrays.as_deref()?)))
    }
}

impl Elements<'_> {
    /// Returns whether there are no elements after those at the first positions.
    pub fn is_closed(&self) -> bool {
        let places = u64::try_from(self.places.len()).unwrap_or(u64::MAX);
        self.length.most.is_some_and(|most| most <= places)
    }
}

/// Returns the nodes that describe the element at a position.
fn at<'t>(arrays: &[&'t ArrayKeywords<'t>], place: usize) -> Vec<&'t Node<'t>> {
    arrays
        .iter()
        .filter_map(|arrays| arrays.places.get(place).or(arrays.rest.as_ref()))
        .collect()
}

impl Span {
    /// Returns what is left where several apply.
    pub(super) fn all_of(spans: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for span in spans {
            all.least = all.least.max(span.least);
            all.most = match (all.most, span.most) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        all
    }
}
