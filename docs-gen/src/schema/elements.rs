//! The rows of the elements of an array: those with a position of their own, and the others.

use docent_describe::schema::Kinds;

use super::row::Row;
use super::row_name::RowName;
use super::tree::RowTree;
use super::visible::{VisibleValue, is_required};

impl<'t> RowTree<'t> {
    /// Adds the elements of an array.
    pub(super) fn add_elements(&mut self, value: &VisibleValue<'_, 't>) {
        if !value.view.kinds.meet(Kinds::ARRAY)
            || !value.has_visible_node(|node| node.arrays.is_some())
        {
            return;
        }
        let elements = value.view.elements();
        for (index, nodes) in elements.prefix.iter().enumerate() {
            let row = Row {
                is_required: is_required(&elements, index),
                ..self.new_row(RowName::Position(index), self.views.view(nodes))
            };
            self.add_inner(value.row_index, row, None);
        }
        if elements.prefix.is_empty() {
            if !elements.rest.is_empty() {
                self.add_each(RowName::Element, &elements.rest, value);
            }
        } else if !elements.is_closed() {
            self.add_nodes(value.row_index, RowName::Rest, &elements.rest, None);
        }
    }
}
