//! The union around a value that is compared, for the comparison of its documentation.
//!
//! If one alternative of a union is compared with a value that is no union, what authors say of the union itself is
//! about that value too:
//!
//! ```text
//! old: {"type": "string", "description": "An id."}
//! new: {"oneOf": [{"type": "string"}, {"type": "number"}], "description": "An id."}
//! ```
//!
//! is a new alternative, and no change of the description. So the nodes of the union go with the pair of strings, as
//! its [`UnionContext`].

use docent_describe::schema::{Node, View};

/// The nodes of a union of which one alternative is compared with a value that is no union. The side without the union
/// has none.
pub(super) struct UnionContext<'t> {
    pub(super) old: Vec<&'t Node<'t>>,
    pub(super) new: Vec<&'t Node<'t>>,
}

impl<'t> UnionContext<'t> {
    /// Returns the context of two values, if exactly one of them is a union.
    pub(super) fn new(old: &'t View<'t>, new: &'t View<'t>) -> Option<Self> {
        let mut context = Self {
            old: Vec::new(),
            new: Vec::new(),
        };
        if !is_union_against_value(old, new) {
            return None;
        }
        if old.unions.is_empty() {
            context.new.extend(new.nodes());
        } else {
            context.old.extend(old.nodes());
        }
        Some(context)
    }
}

/// Returns whether one of two values is a union and nothing more, and the other has no alternatives.
pub(super) fn is_union_against_value(old: &View<'_>, new: &View<'_>) -> bool {
    match (old.unions.len(), new.unions.len()) {
        (1, 0) => is_only_union(old),
        (0, 1) => is_only_union(new),
        _ => false,
    }
}

/// Returns whether a value is one of some alternatives, and nothing else is asked of it.
fn is_only_union(view: &View<'_>) -> bool {
    view.nodes().all(Node::only_combines)
}
