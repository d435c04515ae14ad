//! The parts of a value that are shown where it stands, and those that are left to other places.
//!
//! A property is shown once: with all alternatives if each of them has it, with an alternative if only
//! that has it, or on the page of a shared type.

use std::collections::HashSet;

use docent_describe::schema::{Elements, Kinds, Node, Property, View};
use indexmap::IndexMap;

use super::extent::Extent;
use super::unions::UnionNote;

/// A value whose parts are shown.
pub(super) struct ShownValue<'v, 't> {
    /// The position of the row that it is shown in.
    pub(super) at: usize,
    /// All that is said of the value. Of an alternative, that includes what is said outside of it.
    pub(super) whole: &'t View<'t>,
    /// The part of it that is said here.
    pub(super) own: &'t View<'t>,
    /// The shared type that the value is, or is an alternative of.
    pub(super) owner: Option<&'t str>,
    /// All that holds where a condition speaks of the value, so that types are said of its members.
    pub(super) around: Option<&'t View<'t>>,
    /// The members that are shown already.
    pub(super) known: &'v IndexMap<&'t str, Property<'t>>,
    /// The extent to which it is shown.
    pub(super) extent: Extent,
}

impl<'v, 't> ShownValue<'v, 't> {
    /// Shows all that is said of a value.
    pub(super) fn whole(
        at: usize,
        view: &'t View<'t>,
        known: &'v IndexMap<&'t str, Property<'t>>,
        extent: Extent,
    ) -> Self {
        Self {
            at,
            whole: view,
            own: view,
            owner: view.own_name(),
            around: None,
            known,
            extent,
        }
    }

    /// Returns whether one of the nodes that are shown has something.
    pub(super) fn shows(&self, has: impl Fn(&Node<'t>) -> bool) -> bool {
        match self.extent {
            Extent::All => self.own.nodes().any(has),
            _ => self.own.own_nodes().any(has),
        }
    }

    /// Returns the properties that are shown here: those that are not known as they are, and are not left to the page
    /// of a shared type.
    pub(super) fn told<'p>(
        &self,
        properties: &'p IndexMap<&'t str, Property<'t>>,
    ) -> Vec<(&'t str, &'p Property<'t>)> {
        // Found once: a value may have as many layers as properties.
        let own_names = own_names(self.own);
        let mut told = Vec::new();
        for (name, property) in properties {
            let is_told = match self.known.get(name) {
                Some(known) => differs(property, known),
                None => self.extent == Extent::All || own_names.contains(name),
            };
            if is_told {
                told.push((*name, property));
            }
        }
        told
    }
}

/// Returns whether more is said of a property than what is known.
fn differs(property: &Property<'_>, known: &Property<'_>) -> bool {
    property.is_refused != known.is_refused
        || property.is_required != known.is_required
        || property.layers.iter().any(|layer| !known.has(layer.node))
}

/// Returns the names of the properties that the schemas of a value describe or require without references.
fn own_names<'t>(view: &View<'t>) -> HashSet<&'t str> {
    let objects = view.own_nodes().filter_map(|node| node.objects.as_deref());
    objects
        .flat_map(|objects| objects.properties.keys().chain(&objects.required))
        .copied()
        .collect()
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

/// Returns the alternatives that are shown here.
pub(super) fn shown_unions<'t>(view: &'t View<'t>, extent: Extent) -> Vec<UnionNote<'t>> {
    let mut before = 0;
    let mut notes = Vec::new();
    for union in &view.unions {
        let is_shown = match extent {
            Extent::All => true,
            Extent::Own => union.from.is_none(),
            Extent::Nothing => false,
        };
        if is_shown {
            notes.push(UnionNote::new(union, before));
            before += union.alternatives.len();
        }
    }
    notes
}

/// Returns whether a list always has an element at this index.
pub(super) fn is_required(elements: &Elements<'_>, index: usize) -> bool {
    let least = elements.length.least.unwrap_or(0);
    u64::try_from(index).is_ok_and(|index| index < least)
}
