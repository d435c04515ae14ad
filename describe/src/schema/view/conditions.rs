//! Conditions, which constrain only some values. They are sentences of their own, and never members or alternatives.
//!
//! Nothing here changes the other parts of a view. The constraints of a view with conditions are fewer
//! than those of its schemas, so a reader that has to be certain checks [`View::is_of_each_value`].

use indexmap::IndexSet;

use super::model::{Layer, View};
use crate::schema::tree::{IfKeyword, Node, Span};

/// A constraint on some values only, or one that excludes values.
#[derive(Debug, Clone, Copy)]
pub enum Condition<'t> {
    /// No value may match the node.
    Not(&'t Node<'t>),
    /// One node for values that match a condition, and another for those that do not.
    If(&'t IfKeyword<'t>),
    /// An object with this member must have these, too.
    Requires(&'t str, &'t [&'t str]),
    /// An object with this member matches the node.
    With(&'t str, &'t Node<'t>),
    /// The number of elements that match the node.
    Contains(&'t Node<'t>, Span),
}

impl<'t> Condition<'t> {
    /// Returns the properties that no object may have all together, if this is the condition's only constraint
    /// on objects.
    pub fn excluded_together(self) -> Option<Vec<&'t str>> {
        match self {
            Self::Not(node) => node.only_required().map(<[_]>::to_vec),
            Self::With(name, node) if node.is_never => Some(vec![name]),
            Self::With(name, node) => Some(vec![name, node.only_refused()?]),
            _ => None,
        }
    }

    /// Returns the nodes that some values, or some of their elements, match.
    pub fn nodes(self) -> impl Iterator<Item = &'t Node<'t>> {
        let nodes = match self {
            Self::If(condition) => [
                Some(&condition.holds),
                condition.then.as_ref(),
                condition.otherwise.as_ref(),
            ],
            Self::Not(node) | Self::With(_, node) | Self::Contains(node, _) => {
                [Some(node), None, None]
            }
            Self::Requires(..) => [None; 3],
        };
        nodes.into_iter().flatten()
    }
}

impl<'t> View<'t> {
    /// Returns the conditions of all nodes.
    pub fn conditions(&self) -> Vec<Condition<'t>> {
        self.layers.iter().flat_map(Layer::conditions).collect()
    }

    /// Returns the allowed properties that only conditions name. Their values depend on the rest of the object.
    pub fn conditional_names(&self) -> IndexSet<&'t str> {
        let mut names = IndexSet::new();
        for condition in self.conditions() {
            match condition {
                Condition::Requires(_, others) => names.extend(others),
                Condition::If(_) | Condition::With(..) => {
                    for node in condition.nodes() {
                        let mut properties = self.views.view(&[node]).properties();
                        properties.retain(|_, property| !property.is_refused);
                        names.extend(properties.into_keys());
                    }
                }
                Condition::Not(_) | Condition::Contains(..) => {}
            }
        }
        names.retain(|name| !self.property(name).is_refused);
        names
    }
}

impl<'t> Layer<'t> {
    /// Returns the conditions of the node. A `not` that only excludes kinds, without a title or a description,
    /// is left out, because [`View::kinds`] has the kinds that are left.
    pub fn conditions(&self) -> Vec<Condition<'t>> {
        let node = self.node;
        let mut conditions = Vec::new();
        if let Some(not) = node.not.as_deref() {
            let annotations = &not.annotations;
            let is_described = annotations.title.is_some() || annotations.description.is_some();
            if is_described || !not.is_only_types() && !not.accepts_all() {
                conditions.push(Condition::Not(not));
            }
        }
        conditions.extend(node.condition.as_deref().map(Condition::If));
        if let Some(objects) = node.objects.as_deref() {
            for (name, others) in &objects.dependent_names {
                conditions.push(Condition::Requires(name, others));
            }
            for (name, schema) in &objects.dependent {
                conditions.push(Condition::With(name, schema));
            }
        }
        if let Some(arrays) = node.arrays.as_deref()
            && let Some((contained, count)) = &arrays.contains
        {
            conditions.push(Condition::Contains(contained, *count));
        }
        conditions
    }
}
