//! The union around a value that is compared, for the comparison of its documentation.

use docent_describe::schema::Node;

/// The nodes of a union of which one alternative is compared with a value that is no union. The side without the union
/// has none.
pub(super) struct UnionContext<'t> {
    pub(super) old: Vec<&'t Node<'t>>,
    pub(super) new: Vec<&'t Node<'t>>,
}
