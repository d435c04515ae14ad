//! The values of a tag, by which the alternatives of a union are told apart and labelled.

use super::model::{Alternative, UnionDetail};
use crate::json::Json;
use crate::schema::kinds::Kinds;

/// The values of a tag in one alternative.
pub(super) struct TagValues<'t> {
    /// The values that the tag has in the alternative.
    pub(super) values: Vec<&'t Json>,
    /// True if each object of the alternative has the tag.
    pub(super) is_required: bool,
}

impl<'t> TagValues<'t> {
    /// Returns the values at a path, if they are listed.
    pub(super) fn at_path(
        alternative: Alternative<'t>,
        path: &[&'t str],
        required: &[&str],
    ) -> Option<Self> {
        let mut view = alternative.view;
        let mut kinds = alternative.kinds;
        let mut is_required = true;
        for (depth, name) in path.iter().enumerate() {
            let property = view.property(name);
            let is_common = depth == 0 && required.contains(name);
            is_required &= (property.is_required || is_common) && kinds == Kinds::OBJECT;
            view = view
                .views
                .view_of(&property.nodes(), &[], UnionDetail::Kinds);
            kinds = view.kinds;
        }
        let listed = view.listed.as_ref()?;
        Some(Self {
            values: listed.iter().map(|listed| listed.value).collect(),
            is_required: is_required && view.takes_null == Some(false),
        })
    }
}
