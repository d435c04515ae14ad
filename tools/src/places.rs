//! The places of schemas in their description.
//!
//! A node of a schema does not know where it stands. Who reports something about it adds the schemas that it reads, and
//! asks for their places.

use std::collections::HashMap;

use docent_describe::json::Pointer;
use docent_describe::schema::{Node, NodeId, PartName};

/// The places of schemas.
#[derive(Default)]
pub(crate) struct Places(HashMap<NodeId, Pointer>);

impl Places {
    /// Adds a schema and those inside it.
    pub(crate) fn add(&mut self, node: &Node<'_>, place: Pointer) {
        node.for_each_part(&mut |part, child| {
            let list = place.join(part.keyword);
            let inner = match part.at {
                None => list,
                Some(PartName::Index(index)) => list.join(index),
                Some(PartName::Name(name)) => list.join(name),
            };
            self.add(child, inner);
        });
        self.0.insert(node.id, place);
    }

    /// Returns the place of a schema, if it was added.
    pub(crate) fn get(&self, node: &Node<'_>) -> Option<&Pointer> {
        self.0.get(&node.id)
    }
}
