//! Bases whose alternatives extend them: `Pet` is one of `Cat` and `Dog`, each of which is a `Pet` with more members.
//!
//! Taken literally, such a schema leads back to itself and accepts nothing. What its authors mean is clear: all that the
//! base says holds, once, and its alternatives are the base with what each of them adds. So a base within one of its own
//! alternatives chooses no alternative again. Kinds, views and the checks of tools all ask here.

use std::ptr;

use super::limits::MAX_EXTENSION;
use super::tree::{Node, SchemaTree};

impl SchemaTree<'_> {
    /// Returns the nodes by which an alternative extends the node that lists it: the alternative and those that it
    /// leads to, by references and `allOf`, without the base itself. `None` if it does not lead back, or only by
    /// references: then it says nothing but itself.
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
                } else if nodes.iter().all(|known| known.id != next.id) {
                    nodes.push(next);
                }
            }
            if nodes.len() > MAX_EXTENSION {
                return None;
            }
        }
        let asks_more = nodes.iter().any(|node| node.only_reference().is_none());
        (leads_back && asks_more).then_some(nodes)
    }
}
