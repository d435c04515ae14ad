//! The graph of all components, which the compiler needs before it compiles any of them for a
//! service.
//!
//! A tool needs no graph: it checks values of a few components of a document that may have thousands.

use std::collections::BTreeSet;

use crate::json::Json;
use crate::schema::component_names::component_name;
use crate::schema::references::{ReferenceGraph, references};
use crate::schema::tree::{Node, Reference, SchemaTree};
use indexmap::IndexMap;

use super::keywords;

/// The facts about components that may depend on all other components.
#[derive(Debug)]
pub(super) struct ComponentGraph<'c> {
    /// The components as they are written.
    components: &'c IndexMap<String, Json>,
    /// The components that each of them refers to, for any value.
    references: ReferenceGraph,
    /// The components that serde checks only in part, at any depth.
    needs_check: BTreeSet<usize>,
    /// True for each component that refers to itself for the same value, so that no value can satisfy
    /// it.
    is_endless: Vec<bool>,
}

impl<'c> ComponentGraph<'c> {
    /// Reads all components of a tree.
    pub(super) fn new(tree: &SchemaTree<'c>) -> Self {
        let components = tree.context().components;
        let references = ReferenceGraph::new(components);
        let mut asserting = Vec::new();
        let mut in_place = Vec::new();
        for (index, name) in components.keys().enumerate() {
            let mut targets = Vec::new();
            if let Some((_, node)) = tree.shared(name) {
                if keywords::asserts_beyond_decoding(node) {
                    asserting.push(index);
                }
                add_in_place(node, components, &mut targets);
            }
            in_place.push(targets);
        }
        Self {
            components,
            needs_check: references.reversed().reach(asserting),
            references,
            is_endless: ReferenceGraph::from_iter(in_place).circular(),
        }
    }

    /// Returns whether serde leaves any part of a schema unchecked.
    pub(super) fn needs_check(&self, node: &Node<'_>) -> bool {
        keywords::asserts_beyond_decoding(node)
            || references(node.source, self.components)
                .iter()
                .any(|component| self.needs_check.contains(component))
    }

    /// Returns whether a component refers directly to itself.
    pub(super) fn is_endless(&self, component: usize) -> bool {
        self.is_endless[component]
    }

    /// Returns all components that a schema uses, directly or through others.
    pub(super) fn reachable(&self, schema: &Json) -> BTreeSet<usize> {
        self.references.reach(references(schema, self.components))
    }
}

/// Adds the components that a node refers to for the same value.
fn add_in_place(node: &Node<'_>, components: &IndexMap<String, Json>, targets: &mut Vec<usize>) {
    if let Some(Reference::Static(reference)) = node.reference
        && let Some(name) = component_name(reference)
    {
        targets.extend(components.get_index_of(name.as_ref()));
    }
    let branches = node.unions.iter().flat_map(|union| &union.branches);
    for node in node.all_of.iter().chain(branches) {
        add_in_place(node, components, targets);
    }
}
