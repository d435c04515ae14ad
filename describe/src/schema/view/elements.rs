//! The elements of arrays.

use super::model::{Layer, View};
use crate::json::Json;
use crate::schema::tree::{ArrayKeywords, Node, Span};

/// The elements of an array.
#[derive(Debug, Clone, Default)]
pub struct Elements<'t> {
    /// The nodes that all describe the element at each of the first positions.
    pub places: Vec<Vec<&'t Node<'t>>>,
    /// The nodes that all describe the elements after them. Without any, they may be anything.
    pub rest: Vec<&'t Node<'t>>,
    /// True if a schema says that there may be some, though perhaps not what they are.
    pub(in crate::schema) are_said: bool,
    /// How many elements there are.
    pub length: Span,
    /// True if no two elements are equal.
    pub are_unique: bool,
    /// The nodes about elements that alternatives and conditions leave over: which these are depends on the array.
    pub(super) conditional: Vec<&'t Node<'t>>,
}

impl<'t> Elements<'t> {
    /// Returns the nodes that all describe the element at a position.
    pub fn at(&self, position: usize) -> &[&'t Node<'t>] {
        self.places.get(position).unwrap_or(&self.rest)
    }
}

/// The first position that a node is about, which is about all elements from there on.
type Rest<'t> = (usize, &'t Node<'t>);

impl<'t> View<'t> {
    /// Returns what is said of the elements of an array.
    pub fn elements(&self) -> Elements<'t> {
        let mut elements = Elements::default();
        let mut arrays = Vec::new();
        for (layer, own) in self.arrays() {
            elements.length = Span::all_of([elements.length, own.length]);
            elements.are_unique |= own.are_unique;
            arrays.push((own, self.rest(layer.node, own, &mut elements.conditional)));
        }
        for (first, rest) in arrays.iter().filter_map(|(_, rest)| *rest) {
            if rest.is_never {
                let ends = Span {
                    least: None,
                    most: Some(u64::try_from(first).unwrap_or(u64::MAX)),
                };
                elements.length = Span::all_of([elements.length, ends]);
                continue;
            }
            elements.are_said = true;
            if !rest.is_empty() {
                elements.rest.push(rest);
            }
        }
        let most = elements.length.most.unwrap_or(u64::MAX);
        let places = arrays
            .iter()
            .map(|(arrays, _)| arrays.places.len())
            .max()
            .unwrap_or(0);
        let places = usize::try_from(most).map_or(places, |most| places.min(most));
        elements.places = (0..places).map(|place| at(&arrays, place)).collect();
        elements
    }

    /// Returns the node about the elements that others leave over, and the first position that it is about.
    fn rest(
        &self,
        node: &'t Node<'t>,
        arrays: &'t ArrayKeywords<'t>,
        conditional: &mut Vec<&'t Node<'t>>,
    ) -> Option<Rest<'t>> {
        if let Some(rest) = &arrays.rest {
            return Some((arrays.places.len(), rest));
        }
        let unevaluated = arrays.unevaluated.as_ref()?;
        let whole = self.views.view(&[node]);
        let evaluates_all = whole.arrays().any(|(layer, arrays)| {
            let is_inner = layer.node.id != node.id;
            arrays.rest.is_some() || is_inner && arrays.unevaluated.is_some()
        });
        if evaluates_all {
            return None;
        }
        if !whole.is_of_each_value() {
            conditional.push(unevaluated);
            return None;
        }
        let places = whole.arrays().map(|(_, arrays)| arrays.places.len());
        Some((places.max().unwrap_or(0), unevaluated))
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

impl<'t> Elements<'t> {
    /// Returns the keywords about elements that no position can show, with their values.
    pub fn unexplained(&self) -> impl Iterator<Item = (&'static str, &'t Json)> {
        let conditional = self.conditional.iter();
        conditional.map(|node| ("unevaluatedItems", node.source))
    }

    /// Returns whether there are no elements after those at the first positions.
    pub fn is_closed(&self) -> bool {
        let places = u64::try_from(self.places.len()).unwrap_or(u64::MAX);
        self.length.most.is_some_and(|most| most <= places)
    }
}

/// Returns the nodes that describe the element at a position.
fn at<'t>(arrays: &[(&'t ArrayKeywords<'t>, Option<Rest<'t>>)], place: usize) -> Vec<&'t Node<'t>> {
    arrays
        .iter()
        .filter_map(|(arrays, rest)| {
            let rest = rest.filter(|(first, _)| *first <= place);
            arrays.places.get(place).or(rest.map(|(_, node)| node))
        })
        .collect()
}
