//! The elements of arrays: the first positions are described one by one, and all others together.
//!
//! The elements that `contains` is about depend on the array, so it is a
//! [condition](super::Condition).

use super::model::{Layer, View};
use crate::json::Json;
use crate::schema::tree::{ArrayKeywords, Node, Span};

/// The elements of an array.
#[derive(Debug, Clone, Default)]
pub struct Elements<'t> {
    /// The nodes that describe the element at each of the first positions. Each element matches all of its
    /// nodes.
    pub prefix: Vec<Vec<&'t Node<'t>>>,
    /// The nodes that each later element matches. Without any, it may be anything.
    pub rest: Vec<&'t Node<'t>>,
    /// True if a schema mentions later elements, even without a constraint on them.
    pub(in crate::schema) are_mentioned: bool,
    /// The number of elements.
    pub length: Span,
    /// True if no two elements are equal.
    pub are_unique: bool,
    /// The nodes about elements that alternatives and conditions leave over: which these are
    /// depends on the array.
    pub(super) conditional: Vec<&'t Node<'t>>,
}

impl<'t> Elements<'t> {
    /// Returns the nodes that the element at a position matches.
    pub fn nodes_at(&self, position: usize) -> &[&'t Node<'t>] {
        self.prefix.get(position).unwrap_or(&self.rest)
    }
}

/// A node about all elements from a position on.
#[derive(Clone, Copy)]
struct RestElements<'t> {
    first: usize,
    node: &'t Node<'t>,
}

/// The keywords of one layer about arrays, with its node about the elements that other keywords
/// leave over.
struct ArrayLayer<'t> {
    keywords: &'t ArrayKeywords<'t>,
    rest: Option<RestElements<'t>>,
}

impl<'t> ArrayLayer<'t> {
    /// Returns the node that describes the element at a position.
    fn node_at(&self, position: usize) -> Option<&'t Node<'t>> {
        if let Some(node) = self.keywords.prefix.get(position) {
            return Some(node);
        }
        let rest = self.rest.filter(|rest| rest.first <= position)?;
        Some(rest.node)
    }
}

impl<'t> View<'t> {
    /// Returns the elements of an array, as the schemas describe them together.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, SchemaViews};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let pair: Json = r#"{"prefixItems": [{}, {}], "items": false}"#.parse()?;
    ///
    /// let views = SchemaViews::new(context);
    /// let elements = views.view_of_schema(&pair).elements();
    /// assert_eq!(elements.length.most, Some(2));
    /// assert!(elements.is_closed());
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn elements(&self) -> Elements<'t> {
        let mut elements = Elements::default();
        let mut arrays = Vec::new();
        for (layer, keywords) in self.arrays() {
            elements.length = Span::all_of([elements.length, keywords.length]);
            elements.are_unique |= keywords.are_unique;
            let rest = self.rest(layer.node, keywords, &mut elements.conditional);
            arrays.push(ArrayLayer { keywords, rest });
        }
        for rest in arrays.iter().filter_map(|array| array.rest) {
            if rest.node.is_never {
                let up_to_rest = Span {
                    least: None,
                    most: Some(u64::try_from(rest.first).unwrap_or(u64::MAX)),
                };
                elements.length = Span::all_of([elements.length, up_to_rest]);
                continue;
            }
            elements.are_mentioned = true;
            if !rest.node.is_empty() {
                elements.rest.push(rest.node);
            }
        }
        let described = arrays
            .iter()
            .map(|array| array.keywords.prefix.len())
            .max()
            .unwrap_or(0);
        let (_, most) = elements.length.sizes();
        for position in 0..described.min(most) {
            elements.prefix.push(
                arrays
                    .iter()
                    .filter_map(|array| array.node_at(position))
                    .collect(),
            );
        }
        elements
    }

    /// Returns the node about the elements that others leave over, and the first position that it
    /// is about.
    fn rest(
        &self,
        node: &'t Node<'t>,
        arrays: &'t ArrayKeywords<'t>,
        conditional: &mut Vec<&'t Node<'t>>,
    ) -> Option<RestElements<'t>> {
        if let Some(rest) = &arrays.rest {
            return Some(RestElements {
                first: arrays.prefix.len(),
                node: rest,
            });
        }
        let unevaluated = arrays.unevaluated.as_deref()?;
        let view_of_node = self.views.view(&[node]);
        let mut evaluated = 0;
        for (layer, arrays) in view_of_node.arrays() {
            let is_inner = layer.node.id != node.id;
            if arrays.rest.is_some() || is_inner && arrays.unevaluated.is_some() {
                // It evaluates all elements.
                return None;
            }
            evaluated = evaluated.max(arrays.prefix.len());
        }
        if !view_of_node.is_of_each_value() {
            conditional.push(unevaluated);
            return None;
        }
        Some(RestElements {
            first: evaluated,
            node: unevaluated,
        })
    }

    /// Returns the layers that are about arrays, with their keywords.
    pub(in crate::schema) fn arrays(
        &self,
    ) -> impl Iterator<Item = (&Layer<'t>, &'t ArrayKeywords<'t>)> {
        self.layers
            .iter()
            .filter_map(|layer| Some((layer, layer.node.arrays.as_deref()?)))
    }
}

impl<'t> Elements<'t> {
    /// Returns the keywords about elements whose positions depend on the array, with their values.
    pub fn unexplained(&self) -> impl Iterator<Item = (&'static str, &'t Json)> {
        self.conditional
            .iter()
            .map(|node| ("unevaluatedItems", node.source))
    }

    /// Returns whether there are no elements after those at the first positions.
    pub fn is_closed(&self) -> bool {
        let positions = u64::try_from(self.prefix.len()).unwrap_or(u64::MAX);
        self.length.most.is_some_and(|most| most <= positions)
    }
}
