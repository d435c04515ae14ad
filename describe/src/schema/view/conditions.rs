//! What is asked only of some values: sentences of their own, and never members or alternatives.

use indexmap::IndexMap;

use super::model::{Layer, View};
use super::properties::Property;
use crate::schema::tree::{IfKeyword, Node, Span};

/// Something that is asked of some values, or that none may be.
#[derive(Debug, Clone, Copy)]
pub enum Condition<'t> {
    /// No value may match the node.
    Not(&'t Node<'t>),
    /// What is asked depends on whether the value matches another node.
    If(&'t IfKeyword<'t>),
    /// An object with this member has these too.
    Requires(&'t str, &'t [&'t str]),
    /// An object with this member matches the node.
    With(&'t str, &'t Node<'t>),
    /// So many elements match the node.
    Contains(&'t Node<'t>, Span),
}

impl<'t> Condition<'t> {
    /// Returns the nodes that some objects match.
    fn objects(self) -> impl Iterator<Item = &'t Node<'t>> {
        let nodes = match self {
            Self::If(condition) => [
                Some(&condition.holds),
                condition.then.as_ref(),
                condition.otherwise.as_ref(),
            ],
            Self::With(_, node) => [Some(node), None, None],
            Self::Not(_) | Self::Requires(..) | Self::Contains(..) => [None; 3],
        };
        nodes.into_iter().flatten()
    }
}

impl<'t> View<'t> {
    /// Returns the conditions of all nodes.
    pub fn conditions(&self) -> Vec<Condition<'t>> {
        self.layers.iter().flat_map(Layer::conditions).collect()
    }

    /// Returns the properties that only conditions describe, as the first of them does. None is required.
    pub fn conditional_properties(&self) -> IndexMap<&'t str, Property<'t>> {
        let mut properties = IndexMap::new();
        let nodes = self.conditions().into_iter().flat_map(Condition::objects);
        for (name, property) in nodes.flat_map(|node| self.views.view(&[node]).properties()) {
            let own = self.property(name);
            let is_own = self.describes(name) || own.is_required;
            if !is_own && !own.is_refused && !property.is_refused {
                properties.entry(name).or_insert(Property {
                    is_required: false,
                    ..property
                });
            }
        }
        properties
    }
}

impl<'t> Layer<'t> {
    /// Returns the conditions of the node. A `not` that only excludes kinds is none, unless something is said
    /// of it: [`View::kinds`] tells which are left.
    pub fn conditions(&self) -> Vec<Condition<'t>> {
        let node = self.node;
        let not = node.not.as_deref();
        let not = not.filter(|not| {
            let annotations = &not.annotations;
            let is_described = annotations.title.is_some() || annotations.description.is_some();
            is_described || !not.is_only_types() && !not.accepts_all()
        });
        let mut conditions: Vec<Condition<'t>> = not.map(Condition::Not).into_iter().collect();
        conditions.extend(node.condition.as_deref().map(Condition::If));
        if let Some(objects) = node.objects.as_deref() {
            let names = objects.dependent_names.iter();
            conditions.extend(names.map(|(name, others)| Condition::Requires(name, others)));
            let schemas = objects.dependent.iter();
            conditions.extend(schemas.map(|(name, schema)| Condition::With(name, schema)));
        }
        if let Some(arrays) = node.arrays.as_deref()
            && let Some((contained, count)) = &arrays.contains
        {
            conditions.push(Condition::Contains(contained, *count));
        }
        conditions
    }
}
