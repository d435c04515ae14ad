//! The texts and marks of authors, which constrain no value.
//!
//! If several nodes are about a value, the outermost text counts: it is the nearest to where the
//! value is used. Examples and defaults that the schemas refuse are left out.

use super::model::View;
use super::properties::Property;
use crate::ParamDescription;
use crate::json::Json;
use crate::schema::tree::Annotations;
use crate::schema::type_schemas::Side;

impl<'t> View<'t> {
    /// Returns the outermost title.
    pub fn title(&self) -> Option<&'t str> {
        self.annotations().find_map(|annotations| annotations.title)
    }

    /// Returns the outermost description.
    pub fn description(&self) -> Option<&'t str> {
        self.annotations()
            .find_map(|annotations| annotations.description)
    }

    /// Returns the outermost default that the schemas accept.
    pub fn default(&self) -> Option<&'t Json> {
        self.annotations()
            .filter_map(|annotations| annotations.default)
            .find(|value| !self.refuses(value))
    }

    /// Returns the default of a parameter with this view, if the schemas accept it.
    pub fn default_of<'p>(&self, param: &'p ParamDescription) -> Option<&'p Json>
    where
        't: 'p,
    {
        param
            .default
            .as_ref()
            .filter(|value| !self.refuses(value))
            .or(self.default())
    }

    /// Returns the examples that the schemas accept, the outermost first.
    pub fn examples(&self) -> impl Iterator<Item = &'t Json> {
        self.annotations()
            .flat_map(|annotations| annotations.examples)
            .filter(|value| !self.refuses(value))
    }

    /// Returns whether the value is deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.annotations().any(|annotations| annotations.deprecated)
    }

    /// Returns whether only the service sends the value.
    pub fn is_read_only(&self) -> bool {
        self.annotations().any(|annotations| annotations.read_only)
    }

    /// Returns whether only callers send the value.
    pub fn is_write_only(&self) -> bool {
        self.annotations().any(|annotations| annotations.write_only)
    }

    /// Returns whether a property is left out of values that are sent in one direction, because it is sent only
    /// in the other. A required property never is.
    pub fn hides(&self, property: &Property<'t>, side: Side) -> bool {
        let view = self.views.view(&property.nodes());
        let is_of_other = match side {
            Side::Input => view.is_read_only(),
            Side::Output => view.is_write_only(),
        };
        is_of_other && !property.is_required
    }

    /// Returns whether the schemas certainly reject a value.
    pub fn refuses(&self, value: &Json) -> bool {
        self.roots
            .iter()
            .chain(&self.chosen)
            .any(|node| self.views.is_valid(node, value) == Some(false))
    }

    /// Returns the annotations of the value's nodes, the outermost first.
    pub(in crate::schema) fn annotations(&self) -> impl Iterator<Item = &'t Annotations<'t>> {
        self.nodes().map(|node| &node.annotations)
    }
}
