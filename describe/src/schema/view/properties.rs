//! The properties of objects: those with names, those that match patterns, and all others.
//!
//! A property is described by all layers together: one may name it, another one match it with a
//! pattern, and a third one be about all that the others leave over.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::model::{Layer, Union, View};
use crate::json::Json;
use crate::schema::kinds::Kinds;
use crate::schema::limits::MAX_NESTED_UNIONS;
use crate::schema::tree::{Node, ObjectKeywords, SchemaTree};

/// A named property of an object.
#[derive(Debug, Clone, Default)]
pub struct Property<'t> {
    /// The nodes that describe it. It matches all of them.
    pub layers: Vec<PropertyLayer<'t>>,
    /// True if each object must have it.
    pub is_required: bool,
    /// True if no object may have it, although it is described or required.
    pub is_refused: bool,
}

/// A node that describes a property.
#[derive(Debug, Clone, Copy)]
pub struct PropertyLayer<'t> {
    /// The node.
    pub node: &'t Node<'t>,
    /// The shared schema that describes the property, if it was reached by a reference.
    pub from: Option<&'t str>,
}

/// The unnamed properties of an object.
#[derive(Debug, Clone, Default)]
pub struct OtherProperties<'t> {
    /// True if there may be none, except for those whose names match a pattern.
    pub are_refused: bool,
    /// True if further constraints on them depend on the rest of the object.
    pub is_conditional: bool,
    /// The nodes that each of them matches. Without any, they may be anything.
    pub nodes: Vec<&'t Node<'t>>,
    /// True if a schema mentions them, even without a constraint on them.
    pub(in crate::schema) are_mentioned: bool,
    /// The nodes that describe properties by a pattern of their names.
    pub patterns: Vec<(&'t str, &'t Node<'t>)>,
    /// The nodes that the names of all properties match.
    pub names: Vec<&'t Node<'t>>,
}

impl<'t> Property<'t> {
    /// Returns the nodes that describe it.
    pub fn nodes(&self) -> Vec<&'t Node<'t>> {
        self.layers.iter().map(|layer| layer.node).collect()
    }

    /// Adds a node that describes it.
    fn add(&mut self, node: &'t Node<'t>, from: Option<&'t str>) {
        if node.is_never {
            self.is_refused = true;
        } else if !self.has(node) {
            self.layers.push(PropertyLayer { node, from });
        }
    }

    /// Returns whether a node describes the property.
    pub fn has(&self, node: &Node<'_>) -> bool {
        self.layers.iter().any(|layer| layer.node.id == node.id)
    }
}

impl<'t> OtherProperties<'t> {
    /// Adds a node that describes all of them.
    fn add(&mut self, node: &'t Node<'t>) {
        if node.is_never {
            self.are_refused = true;
            return;
        }
        self.are_mentioned = true;
        if !node.is_empty() {
            self.nodes.push(node);
        }
    }
}

/// Returns the patterns that keywords have for names of properties.
fn patterns_of<'t>(objects: &ObjectKeywords<'t>) -> impl Iterator<Item = &'t str> {
    objects.patterns.iter().map(|(pattern, _)| *pattern)
}

/// Returns the properties that all alternatives have, with the nodes that are the same in all.
fn shared_properties<'t>(union: &Union<'t>) -> IndexMap<&'t str, Property<'t>> {
    let are_objects = union
        .alternatives
        .iter()
        .all(|alternative| alternative.kinds.meet(Kinds::OBJECT));
    let Some((first, rest)) = union.alternatives.split_first() else {
        return IndexMap::new();
    };
    if !are_objects {
        return IndexMap::new();
    }
    let mut shared = first.view.properties();
    for alternative in rest {
        let others = alternative.view.properties();
        shared.retain(|name, property| {
            let Some(other) = others.get(name) else {
                return false;
            };
            property.layers.retain(|layer| other.has(layer.node));
            property.is_required &= other.is_required;
            !other.is_refused
        });
    }
    shared.retain(|_, property| !property.is_refused);
    shared
}

/// Returns the properties that keywords describe or require, in that order.
pub(super) fn named_properties<'v, 't: 'v>(
    all: impl Iterator<Item = (&'v Layer<'t>, &'t ObjectKeywords<'t>)> + Clone,
) -> IndexMap<&'t str, Property<'t>> {
    let mut properties: IndexMap<&'t str, Property<'t>> = IndexMap::new();
    for (layer, objects) in all.clone() {
        for (name, node) in &objects.properties {
            properties.entry(name).or_default().add(node, layer.from);
        }
    }
    for (_, objects) in all {
        for name in &objects.required {
            properties.entry(name).or_default().is_required = true;
        }
    }
    properties
}

impl<'t> View<'t> {
    /// Returns the named properties of an object, without those of its alternatives, in the order in which they
    /// are described.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, SchemaViews};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let schema: Json = r#"{
    ///     "properties": {"title": {}},
    ///     "required": ["title"],
    ///     "allOf": [{"properties": {"author": {}}}]
    /// }"#.parse()?;
    ///
    /// let views = SchemaViews::new(context);
    /// let properties = views.view_of_schema(&schema).properties();
    /// assert!(properties["title"].is_required);
    /// assert!(!properties["author"].is_required);
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn properties(&self) -> IndexMap<&'t str, Property<'t>> {
        let mut properties = named_properties(self.objects());
        if self.describes_unnamed() {
            for (name, property) in &mut properties {
                self.add_unnamed(name, property);
            }
        }
        properties
    }

    /// Returns whether a node describes or forbids the property with this name.
    pub fn describes(&self, name: &str) -> bool {
        self.objects()
            .any(|(_, objects)| objects.properties.contains_key(name))
    }

    /// Returns the property with this name. No node has to name it.
    pub fn property(&self, name: &str) -> Property<'t> {
        let mut property = Property::default();
        for (layer, objects) in self.objects() {
            if let Some(node) = objects.properties.get(name) {
                property.add(node, layer.from);
            }
            property.is_required |= objects.required.contains(&name);
        }
        self.add_unnamed(name, &mut property);
        property
    }

    /// Returns the properties that are named beside all alternatives, or in each of them. The nodes of a
    /// property are those that apply to every alternative.
    pub fn common_properties(&self) -> IndexMap<&'t str, Property<'t>> {
        let mut common = self.properties();
        for union in &self.unions {
            for (name, shared) in shared_properties(union) {
                let property = common.entry(name).or_default();
                property.is_required |= shared.is_required;
                for layer in shared.layers {
                    property.add(layer.node, layer.from);
                }
            }
        }
        common
    }

    /// Returns the unnamed properties of an object.
    pub fn other_properties(&self) -> OtherProperties<'t> {
        let mut others = OtherProperties::default();
        let mut rests = Vec::new();
        for (layer, objects) in self.objects() {
            for (pattern, node) in &objects.patterns {
                others.patterns.push((pattern, node));
            }
            others.names.extend(objects.names.as_deref());
            if let Some(node) = &objects.others {
                rests.push(RestOfProperties {
                    node,
                    own_patterns: patterns_of(objects).collect(),
                });
                others.add(node);
            } else if let Some(unevaluated) = &objects.unevaluated {
                match self.evaluates(layer.node, None) {
                    Some(true) => {}
                    Some(false) => {
                        if unevaluated.is_never {
                            rests.push(RestOfProperties {
                                node: unevaluated,
                                own_patterns: self.views.view(&[layer.node]).patterns_of_names(),
                            });
                        }
                        others.add(unevaluated);
                    }
                    None => others.is_conditional = true,
                }
            }
        }
        // Such a node is also about the properties that match another node's patterns. A closed node refuses them.
        rests.sort_by_key(|rest| rest.node.is_never);
        let all_patterns = others.patterns.clone();
        for rest in rests {
            if rest.node.is_never {
                others
                    .patterns
                    .retain(|(pattern, _)| rest.own_patterns.contains(pattern));
            } else if rest.own_patterns.is_empty() && !rest.node.accepts_all() {
                for (pattern, _) in &all_patterns {
                    others.patterns.push((pattern, rest.node));
                }
            }
        }
        others
    }

    /// Returns the patterns that layers have for names of properties.
    fn patterns_of_names(&self) -> HashSet<&'t str> {
        self.objects()
            .flat_map(|(_, objects)| patterns_of(objects))
            .collect()
    }

    /// Returns the layers that are about objects, with their keywords.
    pub(in crate::schema) fn objects(
        &self,
    ) -> impl Iterator<Item = (&Layer<'t>, &'t ObjectKeywords<'t>)> + Clone {
        self.layers
            .iter()
            .filter_map(|layer| Some((layer, layer.node.objects.as_deref()?)))
    }

    /// Returns whether layers are also about properties that they do not name. See [`Self::add_unnamed`].
    pub(super) fn describes_unnamed(&self) -> bool {
        self.objects().any(|(_, objects)| {
            !objects.patterns.is_empty()
                || objects.others.is_some()
                || objects.unevaluated.is_some()
                || objects.names.is_some()
        })
    }

    /// Adds the nodes of layers that are about a property which the layers do not name.
    fn add_unnamed(&self, name: &str, property: &mut Property<'t>) {
        for (layer, objects) in self.objects() {
            let mut is_evaluated = Some(objects.properties.contains_key(name));
            for (pattern, node) in &objects.patterns {
                match self.views.tree.matches(pattern, name) {
                    Some(true) => {
                        property.add(node, layer.from);
                        is_evaluated = Some(true);
                    }
                    Some(false) => {}
                    None => is_evaluated = is_evaluated.filter(|is| *is),
                }
            }
            if let Some(others) = &objects.others {
                if is_evaluated == Some(false) {
                    property.add(others, layer.from);
                }
            } else if let Some(unevaluated) = &objects.unevaluated
                && is_evaluated == Some(false)
                && self.evaluates(layer.node, Some(name)) == Some(false)
            {
                property.add(unevaluated, layer.from);
            }
            if let Some(names) = &objects.names
                && self.views.is_valid(names, &Json::from(name)) == Some(false)
            {
                property.is_refused = true;
            }
        }
    }

    /// Returns whether the schemas inside a node evaluate a property. See [`Evaluation::inside`].
    fn evaluates(&self, node: &'t Node<'t>, name: Option<&str>) -> Option<bool> {
        let tree = &self.views.tree;
        Evaluation { tree, name }.inside(node, MAX_NESTED_UNIONS)
    }
}

/// A node about the properties that other keywords of its schema leave over.
struct RestOfProperties<'t> {
    node: &'t Node<'t>,
    /// The patterns beside the node: names that match them are not left over.
    own_patterns: HashSet<&'t str>,
}

/// Finds out whether the schemas inside a node evaluate a property, so that its
/// `unevaluatedProperties` is not about it.
struct Evaluation<'n, 't> {
    /// The tree of the schemas.
    tree: &'t SchemaTree<'t>,
    /// The name of the property, or `None` for an unnamed one.
    name: Option<&'n str>,
}

impl<'t> Evaluation<'_, 't> {
    /// Returns whether the schemas for the same value inside a node evaluate the property; `None`
    /// if that depends on the object.
    fn inside(&self, node: &'t Node<'t>, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let mut is_evaluated = Vec::new();
        if let Some(reference) = node.reference {
            let target = self.tree.target(reference).node();
            is_evaluated.push(target.and_then(|target| self.by_node(target, depth)));
        }
        node.for_each_part(&mut |part, child| {
            if part.is_of_same_value() && part.keyword != "not" {
                let by_child = self.by_node(child, depth);
                // Alternatives and conditions evaluate their properties only for some objects.
                let is_certain = part.is_of_each_value() || by_child == Some(false);
                is_evaluated.push(by_child.filter(|_| is_certain));
            }
        });
        if is_evaluated.contains(&Some(true)) {
            Some(true)
        } else if is_evaluated.contains(&None) {
            None
        } else {
            Some(false)
        }
    }

    /// Returns whether a node evaluates the property, itself or by the schemas inside it.
    fn by_node(&self, node: &'t Node<'t>, depth: usize) -> Option<bool> {
        if let Some(objects) = node.objects.as_deref() {
            let takes_others = objects.others.is_some() || objects.unevaluated.is_some();
            if takes_others {
                return Some(true);
            }
            if let Some(name) = self.name {
                if objects.properties.contains_key(name) {
                    return Some(true);
                }
                for (pattern, _) in &objects.patterns {
                    if self.tree.matches(pattern, name)? {
                        return Some(true);
                    }
                }
            }
        }
        self.inside(node, depth)
    }
}
