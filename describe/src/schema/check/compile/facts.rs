//! Facts about all components, which the compiler needs before it compiles any of them for a service.
//!
//! A tool needs none of them: it asks about a few components of a document that may have thousands.

use std::collections::BTreeSet;

use crate::json::Json;
use crate::schema::keyword::component_name;
use crate::schema::references::{References, references};
use crate::schema::tree::{self, SchemaTree};
use indexmap::IndexMap;

use super::words;

/// Answers questions about components that may depend on all other components.
#[derive(Debug)]
pub(super) struct Facts<'c> {
    components: &'c IndexMap<String, Json>,
    references: References,
    /// The components of which serde leaves some part unchecked, at any depth.
    needs_check: BTreeSet<usize>,
    /// The components that refer to themselves in the same place, so that no value can satisfy
    /// them.
    endless: BTreeSet<usize>,
}

impl<'c> Facts<'c> {
    pub(super) fn new(tree: &SchemaTree<'c>) -> Self {
        let components = tree.context().components;
        let references = References::new(components);
        let shared = components.keys().filter_map(|name| tree.shared(name));
        let nodes: Vec<_> = shared.map(|(_, node)| node).collect();
        let asserts = |place: &usize| words::asserts_beyond_decoding(nodes[*place]);
        let needs_check = references
            .reversed()
            .reach((0..components.len()).filter(asserts));
        let in_place: References = nodes
            .iter()
            .map(|node| {
                let mut places = Vec::new();
                add_in_place(node, components, &mut places);
                places
            })
            .collect();
        let is_endless = |place: &usize| in_place.is_circular(*place);
        Self {
            components,
            references,
            needs_check,
            endless: (0..components.len()).filter(is_endless).collect(),
        }
    }

    /// Returns whether serde leaves any part of a schema unchecked.
    pub(super) fn needs_check(&self, node: &tree::Node<'_>) -> bool {
        let mut used = references(node.source, self.components).into_iter();
        words::asserts_beyond_decoding(node)
            || used.any(|component| self.needs_check.contains(&component))
    }

    /// Returns whether a component refers directly to itself.
    pub(super) fn is_endless(&self, component: usize) -> bool {
        self.endless.contains(&component)
    }

    /// Returns all components that a schema uses, directly or through others.
    pub(super) fn reachable(&self, schema: &Json) -> BTreeSet<usize> {
        self.references.reach(references(schema, self.components))
    }
}

/// Adds the components that a node refers to for the same value.
fn add_in_place(
    node: &tree::Node<'_>,
    components: &IndexMap<String, Json>,
    places: &mut Vec<usize>,
) {
    if let Some(tree::Reference::Static(reference)) = node.reference {
        let name = component_name(reference);
        places.extend(name.and_then(|name| components.get_index_of(name.as_ref())));
    }
    let branches = node.unions.iter().flat_map(|union| &union.branches);
    for node in node.all_of.iter().chain(branches) {
        add_in_place(node, components, places);
    }
}
