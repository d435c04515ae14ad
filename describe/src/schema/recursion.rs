//! Finds types that contain themselves in ways that are expensive to decode.
//!
//! serde decodes an untagged enum by trying its variants one after the other, each on a copy of the
//! value. If a variant contains the enum again, every level of nesting multiplies the attempts of
//! the levels above it: an invalid value of a few hundred bytes takes minutes. Maps and tagged
//! enums that are flattened are copied too, but only once for each level: 2 MiB take seconds.
//! Recursion through tags, options and flattened structs moves values, and its cost is linear in
//! their length.

use std::iter;

use super::kinds::Kinds;
use super::references::{ReferenceGraph, references};
use super::tree::{Node, SchemaTree, UnionRule};
use super::type_schemas::Definitions;

/// A type that contains itself in an expensive way.
pub(super) struct ExpensiveType {
    /// The index of the type in the definitions.
    pub(super) index: usize,
    /// The reason why it is expensive.
    pub(super) cost: RecursionCost,
}

/// The reason why a recursion is expensive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RecursionCost {
    /// It goes through an untagged enum.
    Retried,
    /// It goes through a flattened map or a flattened enum.
    Copied,
}

/// Returns the schemas that schemars writes beside the properties of a struct for a map or an enum
/// that is flattened into it. Alternatives with a single member each, as of an externally tagged
/// enum, are left out, because serde does not copy those.
fn flattened<'n>(node: &'n Node<'n>) -> Vec<&'n Node<'n>> {
    let mut flattened = Vec::new();
    if node.types != Some(Kinds::OBJECT) {
        return flattened;
    }
    if let Some(objects) = node.objects.as_deref()
        && !objects.properties.is_empty()
    {
        flattened.extend(objects.others.as_deref());
        flattened.extend(objects.unevaluated.as_deref());
        flattened.extend(objects.patterns.iter().map(|(_, node)| node));
    }
    for node in iter::once(node).chain(&node.all_of) {
        flattened.extend(branches(node, UnionRule::ExactlyOne).filter(|node| has_tag(node)));
    }
    flattened
}

/// Returns whether a property distinguishes an alternative from others.
fn has_tag(alternative: &Node<'_>) -> bool {
    alternative
        .objects
        .as_ref()
        .is_some_and(|objects| objects.properties.values().any(Node::is_constant))
}

/// Returns the alternatives of which a value matches exactly one, or one or more.
fn branches<'n>(node: &'n Node<'n>, rule: UnionRule) -> impl Iterator<Item = &'n Node<'n>> {
    node.unions
        .iter()
        .filter(move |union| union.rule == rule)
        .flat_map(|union| &union.branches)
}

/// Returns the types that contain themselves in an expensive way.
pub(super) fn expensive_types(
    definitions: &Definitions,
    references_of_types: &ReferenceGraph,
) -> Vec<ExpensiveType> {
    let tree = SchemaTree::with_components(definitions);
    let mut found = Vec::new();
    for (index, schema) in definitions.values().enumerate() {
        for cost in [RecursionCost::Retried, RecursionCost::Copied] {
            let mut referenced = Vec::new();
            tree.read(schema).for_each_inside(&mut |node| {
                let expensive = match cost {
                    RecursionCost::Retried => untagged(node),
                    RecursionCost::Copied => flattened(node),
                };
                for part in expensive {
                    referenced.extend(references(part.source, definitions));
                }
            });
            if references_of_types.reach(referenced).contains(&index) {
                found.push(ExpensiveType { index, cost });
                break;
            }
        }
    }
    found
}

/// Returns the variants of an untagged enum. Of an `Option`, only one alternative is not null.
fn untagged<'n>(node: &'n Node<'n>) -> Vec<&'n Node<'n>> {
    let mut variants: Vec<_> = branches(node, UnionRule::OneOrMore).collect();
    variants.retain(|node| node.types != Some(Kinds::NULL));
    if variants.len() > 1 {
        variants
    } else {
        Vec::new()
    }
}
