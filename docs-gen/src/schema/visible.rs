//! The parts of a value that are visible below its row, and those that are left to other rows and pages.
//!
//! A property is visible once: with all alternatives if each of them has it, with an alternative if only that has it,
//! or on the page of a shared type. `tree` adds a row for each part that is visible here.

use std::collections::HashSet;

use docent_describe::schema::{Elements, Kinds, Node, Property, View};
use indexmap::IndexMap;

use super::extent::Extent;
use super::unions::UnionNote;

/// A value whose visible parts become rows.
pub(super) struct VisibleValue<'v, 't> {
    /// The index of the row that the parts are below.
    pub(super) row_index: usize,
    /// The schemas that this row is about.
    pub(super) view: &'t View<'t>,
    /// All schemas of the value. Those of an alternative include the schemas outside of the union.
    pub(super) full_view: &'t View<'t>,
    /// The shared type that the value is, or is an alternative of.
    pub(super) owner: Option<&'t str>,
    /// The schemas that hold wherever the condition applies which the value is in. They give its members their types.
    pub(super) context: Option<&'t View<'t>>,
    /// The properties that rows above show already, if the value is an alternative.
    pub(super) common: Option<&'v IndexMap<&'t str, Property<'t>>>,
    pub(super) extent: Extent,
}

impl<'t> VisibleValue<'_, 't> {
    /// Creates a value that is no alternative of another, and in no condition.
    pub(super) fn new(row_index: usize, view: &'t View<'t>, extent: Extent) -> Self {
        Self {
            row_index,
            view,
            full_view: view,
            owner: view.own_name(),
            context: None,
            common: None,
            extent,
        }
    }

    /// Returns whether a node that is visible here has a property.
    pub(super) fn has_visible_node(&self, has: impl Fn(&Node<'t>) -> bool) -> bool {
        match self.extent {
            Extent::All => self.view.nodes().any(has),
            _ => self.view.own_nodes().any(has),
        }
    }

    /// Returns those of the properties that are visible here: without those that rows above show just so, and those
    /// that the page of a shared type shows.
    pub(super) fn visible_properties<'p>(
        &self,
        properties: &'p IndexMap<&'t str, Property<'t>>,
    ) -> Vec<(&'t str, &'p Property<'t>)> {
        // Found once: a value may have as many layers as properties.
        let own_names = own_names(self.view);
        let mut visible = Vec::new();
        for (name, property) in properties {
            let is_visible = match self.common.and_then(|common| common.get(name)) {
                Some(common) => differs(property, common),
                None => self.extent == Extent::All || own_names.contains(name),
            };
            if is_visible {
                visible.push((*name, property));
            }
        }
        visible
    }
}

/// Returns whether an alternative says more of a property than what all alternatives have in common.
fn differs(property: &Property<'_>, common: &Property<'_>) -> bool {
    property.is_refused != common.is_refused
        || property.is_required != common.is_required
        || property.layers.iter().any(|layer| !common.has(layer.node))
}

/// Returns the names of the properties that the schemas of a value describe or require without references.
fn own_names<'t>(view: &View<'t>) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    for node in view.own_nodes() {
        if let Some(objects) = node.objects.as_deref() {
            names.extend(objects.properties.keys().chain(&objects.required));
        }
    }
    names
}

/// Returns the members that the value has whichever alternative it is. One that only alternatives describe, each in its
/// way, is left to them.
pub(super) fn common_members<'t>(view: &'t View<'t>) -> IndexMap<&'t str, Property<'t>> {
    if !view.kinds.meet(Kinds::OBJECT) {
        return IndexMap::new();
    }
    let outside = view.properties();
    let mut common = view.common_properties();
    common.retain(|name, property| !property.layers.is_empty() || outside.contains_key(name));
    common
}

/// Returns the shared type that alone describes a property.
pub(super) fn described_by<'t>(property: &Property<'t>) -> Option<&'t str> {
    let from = property.layers.first()?.from;
    from.filter(|_| property.layers.iter().all(|layer| layer.from == from))
}

/// Returns whether only shared types describe a property.
pub(super) fn is_of_bases(property: &Property<'_>) -> bool {
    property.layers.iter().all(|layer| layer.from.is_some())
}

/// Returns the unions that are visible here, each with the names of its alternatives.
pub(super) fn visible_unions<'t>(view: &'t View<'t>, extent: Extent) -> Vec<UnionNote<'t>> {
    let mut alternatives_before = 0;
    let mut notes = Vec::new();
    for union in &view.unions {
        let is_visible = match extent {
            Extent::All => true,
            Extent::Own => union.from.is_none(),
            Extent::Nothing => false,
        };
        if is_visible {
            notes.push(UnionNote::new(union, alternatives_before));
            alternatives_before += union.alternatives.len();
        }
    }
    notes
}

/// Returns whether an array always has an element at this index.
pub(super) fn is_required(elements: &Elements<'_>, index: usize) -> bool {
    let least = elements.length.least.unwrap_or(0);
    u64::try_from(index).is_ok_and(|index| index < least)
}
