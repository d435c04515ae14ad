//! The schemas inside a schema, each with the keyword that holds it.
//!
//! Every walk over schemas that does not depend on their keywords goes through [`Node::for_each_part`], so a new keyword
//! that holds schemas needs a line there.

use super::node::Node;
use crate::schema::keyword::{constrains, is_in_place};

/// The step from a schema to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part<'j> {
    /// The keyword that holds it.
    pub keyword: &'static str,
    /// The one that it is of several.
    pub at: Option<PartName<'j>>,
}

/// The name of a schema among those of one keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartName<'j> {
    /// Its index in a list.
    Index(usize),
    /// Its name.
    Name(&'j str),
}

impl<'j> Node<'j> {
    /// Calls `visit` with every schema directly inside this one.
    pub fn for_each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node<'j>)) {
        self.for_each_part(&mut |_, child| visit(child));
    }

    /// Calls `visit` with this schema and every one inside it, the outermost first. References are
    /// not followed.
    pub fn for_each_inside<'n>(&'n self, visit: &mut dyn FnMut(&'n Node<'j>)) {
        visit(self);
        self.for_each_child(&mut |child| child.for_each_inside(visit));
    }

    /// Calls `visit` with every schema directly inside this one, and the step to it.
    pub fn for_each_part<'n>(&'n self, visit: &mut dyn FnMut(Part<'j>, &'n Node<'j>)) {
        visit_list("allOf", &self.all_of, visit);
        for union in &self.unions {
            visit_list(union.rule.keyword(), &union.branches, visit);
        }
        visit_one("not", self.not.as_deref(), visit);
        if let Some(condition) = self.condition.as_deref() {
            visit_one("if", Some(&condition.holds), visit);
            visit_one("then", condition.then.as_ref(), visit);
            visit_one("else", condition.otherwise.as_ref(), visit);
        }
        if let Some(strings) = self.strings.as_deref() {
            visit_one("contentSchema", strings.content.as_deref(), visit);
        }
        if let Some(arrays) = self.arrays.as_deref() {
            visit_list("prefixItems", &arrays.prefix, visit);
            visit_one("items", arrays.rest.as_deref(), visit);
            visit_one("unevaluatedItems", arrays.unevaluated.as_deref(), visit);
            let contained = arrays.contains.as_ref().map(|(contained, _)| &**contained);
            visit_one("contains", contained, visit);
        }
        if let Some(objects) = self.objects.as_deref() {
            let properties = objects.properties.iter().map(|(name, node)| (*name, node));
            visit_named("properties", properties, visit);
            visit_named("patternProperties", pairs(&objects.patterns), visit);
            visit_named("dependentSchemas", pairs(&objects.dependent), visit);
            visit_one("additionalProperties", objects.others.as_deref(), visit);
            visit_one(
                "unevaluatedProperties",
                objects.unevaluated.as_deref(),
                visit,
            );
            visit_one("propertyNames", objects.names.as_deref(), visit);
        }
        visit_named("$defs", pairs(&self.definitions), visit);
    }
}

impl Part<'_> {
    /// Returns whether the schema constrains values: one in `$defs` or `contentSchema` does not.
    pub fn constrains(&self) -> bool {
        constrains(self.keyword)
    }

    /// Returns whether each value of the schema around it has to match.
    pub(crate) fn is_of_each_value(&self) -> bool {
        self.keyword == "allOf"
    }

    /// Returns whether it belongs to the condition of the schema around it.
    pub fn is_of_condition(&self) -> bool {
        matches!(self.keyword, "if" | "then" | "else")
    }

    /// Returns whether some elements of an array have to match it.
    pub fn is_contained(&self) -> bool {
        self.keyword == "contains"
    }

    /// Returns whether the schema is about the same value as the one around it.
    pub fn is_of_same_value(&self) -> bool {
        is_in_place(self.keyword)
    }
}

/// The function that is called with each schema inside a node.
type NodeVisitor<'v, 'n, 'j> = &'v mut dyn FnMut(Part<'j>, &'n Node<'j>);

/// Visits the only schema of a keyword, if there is one.
fn visit_one<'n, 'j>(
    keyword: &'static str,
    node: Option<&'n Node<'j>>,
    visit: NodeVisitor<'_, 'n, 'j>,
) {
    if let Some(node) = node {
        visit(Part { keyword, at: None }, node);
    }
}

/// Visits the schemas of a keyword that holds an array.
fn visit_list<'n, 'j>(
    keyword: &'static str,
    nodes: &'n [Node<'j>],
    visit: NodeVisitor<'_, 'n, 'j>,
) {
    for (index, node) in nodes.iter().enumerate() {
        let at = Some(PartName::Index(index));
        visit(Part { keyword, at }, node);
    }
}

/// Visits the schemas of a keyword that holds them by name.
fn visit_named<'n, 'j: 'n>(
    keyword: &'static str,
    nodes: impl Iterator<Item = (&'j str, &'n Node<'j>)>,
    visit: NodeVisitor<'_, 'n, 'j>,
) {
    for (name, node) in nodes {
        let at = Some(PartName::Name(name));
        visit(Part { keyword, at }, node);
    }
}

/// Returns names and schemas as pairs, as they are visited.
fn pairs<'n, 'j>(
    nodes: &'n [(&'j str, Node<'j>)],
) -> impl Iterator<Item = (&'j str, &'n Node<'j>)> {
    nodes.iter().map(|(name, node)| (*name, node))
}
