//! Bases whose alternatives extend them: `Pet` is one of `Cat` and `Dog`, each of which is a `Pet` with more members.
//!
//! Many documents of OpenAPI have such schemas:
//!
//! ```text
//! Pet: {"properties": {"name": …}, "oneOf": [{"$ref": "Cat"}, {"$ref": "Dog"}]}
//! Cat: {"allOf": [{"$ref": "Pet"}, {"properties": {"indoor": …}}]}
//! ```
//!
//! Taken literally, such a schema leads back to itself and accepts nothing. Its authors mean that the
//! base holds once, and that each alternative is the base with further members. So a base within one of its own
//! alternatives chooses no alternative again. Kinds, views and the checks of tools all call this; services refuse such
//! schemas, because Rust has no such types.

use std::ptr;

use super::limits::MAX_EXTENSION;
use super::tree::{Node, SchemaTree};

impl SchemaTree<'_> {
    /// Returns the nodes by which an alternative extends the node that lists it: the alternative and those that it
    /// leads to, by references and `allOf`, without the base itself. `None` if it does not lead back, or if it consists
    /// of references alone and adds nothing.
    pub(super) fn extension<'t>(
        &'t self,
        alternative: &'t Node<'t>,
        base: &Node<'_>,
    ) -> Option<Vec<&'t Node<'t>>> {
        if alternative.is_alone() {
            return None;
        }
        let mut nodes = vec![alternative];
        let mut leads_back = false;
        let mut index = 0;
        while let Some(&node) = nodes.get(index) {
            index += 1;
            let target = node
                .reference
                .and_then(|reference| self.target(reference).node());
            for next in node.all_of.iter().chain(target) {
                // A shared schema that was read again is the same schema.
                if ptr::eq(next.source, base.source) {
                    leads_back = true;
                } else if nodes.iter().all(|seen| seen.id != next.id) {
                    nodes.push(next);
                }
            }
            if nodes.len() > MAX_EXTENSION {
                return None;
            }
        }
        let adds_something = nodes.iter().any(|node| node.only_reference().is_none());
        (leads_back && adds_something).then_some(nodes)
    }
}
