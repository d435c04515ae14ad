//! The properties that an object may have, for tools that write types: those of its alternatives and conditions too.
//!
//! ```json
//! {"properties": {"id": {}}, "oneOf": [{"properties": {"isbn": {}}}, {"properties": {"issn": {}}}]}
//! ```
//!
//! has the common property `id`, and may have `isbn` or `issn`.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::properties::{Property, named_properties};
use super::{Alternative, View};
use crate::schema::tree::NodeId;

impl<'t> View<'t> {
    /// Returns the properties that an alternative names, without the constraints of the nodes beside it. If a node is
    /// also about properties that it does not name, these are all properties of the object.
    pub fn added_properties(
        &self,
        alternative: &Alternative<'t>,
    ) -> IndexMap<&'t str, Property<'t>> {
        let chosen = self.choose(alternative);
        if chosen.describes_unnamed() {
            return chosen.properties();
        }
        let outer: HashSet<NodeId> = self.nodes().map(|node| node.id).collect();
        let added = chosen
            .objects()
            .filter(|(layer, _)| !outer.contains(&layer.node.id));
        named_properties(added)
    }

    /// Returns all properties that an object may have: the common ones, and those of alternatives and
    /// conditions. A property that only some of them describe has no nodes.
    pub fn possible_properties(&self) -> IndexMap<&'t str, Property<'t>> {
        let mut properties = self.common_properties();
        for alternative in self.alternatives() {
            for (name, property) in self.added_properties(alternative) {
                if !property.is_refused {
                    properties.entry(name).or_default();
                }
            }
        }
        for name in self.conditional_names() {
            properties.entry(name).or_default();
        }
        properties.retain(|_, property| !property.is_refused);
        properties
    }
}
