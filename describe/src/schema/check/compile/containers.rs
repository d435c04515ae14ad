//! Compiles the keywords for arrays and objects, and the schemas of their elements and members.
//!
//! A rule without constraints is left out, so that the check does not look at the parts of such a
//! value.

use std::fmt::Display;

use super::cursor::SchemaCursor;
use super::{Compiler, keywords};
use crate::schema::check::rules::{
    ArrayRule, CompiledSchema, InPlace, Link, ObjectRule, PropertyRule,
};
use crate::schema::check::string::Count;
use crate::schema::kinds::Kinds;
use crate::schema::tree::{ArrayKeywords, Node, ObjectKeywords, Span};

impl Compiler<'_> {
    /// Compiles the keywords about arrays.
    #[inline(never)]
    pub(super) fn array_rule(
        &mut self,
        arrays: Option<&ArrayKeywords<'_>>,
        cursor: &mut SchemaCursor,
    ) -> Option<Box<ArrayRule>> {
        let arrays = arrays?;
        let mut contains = None;
        if let Some((node, span)) = &arrays.contains
            && self.is_for_tools
        {
            let link = self.only("contains", Some(node), cursor);
            let count = keywords::count(*span, ["minContains", "maxContains"], cursor);
            contains = Some((link, count));
        }
        let rule = ArrayRule {
            count: keywords::count(arrays.length, ["minItems", "maxItems"], cursor),
            unique: arrays.are_unique,
            prefix: self.compile_nodes("prefixItems", &arrays.prefix, cursor),
            items: self.only("items", arrays.rest.as_deref(), cursor),
            contains,
        };
        let asserts = rule.count != Count::ANY
            || rule.unique
            || !rule.items.is_any()
            || rule.contains.is_some()
            || rule.prefix.iter().any(|link| !link.is_any());
        if asserts { Some(Box::new(rule)) } else { None }
    }

    /// Compiles a list of schemas.
    pub(super) fn compile_nodes(
        &mut self,
        keyword: &str,
        nodes: &[Node<'_>],
        cursor: &mut SchemaCursor,
    ) -> Vec<Link> {
        nodes
            .iter()
            .enumerate()
            .map(|(index, node)| self.inner(keyword, &index, node, cursor))
            .collect()
    }

    /// Compiles the keywords about objects, except those that hold schemas for the object itself.
    #[inline(never)]
    pub(super) fn object_rule(
        &mut self,
        objects: Option<&ObjectKeywords<'_>>,
        cursor: &mut SchemaCursor,
    ) -> Option<Box<ObjectRule>> {
        let objects = objects?;
        let mut properties: Vec<PropertyRule> = objects
            .properties
            .iter()
            .map(|(name, node)| property(name, Some(self.inner("properties", name, node, cursor))))
            .collect();
        properties.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let required = require(&objects.required, &mut properties);
        let mut patterns = Vec::new();
        for (pattern, node) in &objects.patterns {
            let link = self.inner("patternProperties", pattern, node, cursor);
            match self.tree.pattern(pattern) {
                Ok(pattern) => {
                    if self.is_slow(&pattern, usize::MAX) {
                        let reason = "takes too long to match in the longest name that is allowed: use \
                                      a simpler pattern";
                        cursor.unenforced("patternProperties", reason);
                    }
                    patterns.push((pattern, link));
                }
                Err(reason) => cursor.mistake("patternProperties", reason),
            }
        }
        let length = if self.is_for_tools {
            objects.length
        } else {
            Span::default()
        };
        let rule = ObjectRule {
            count: keywords::count(length, ["minProperties", "maxProperties"], cursor),
            properties,
            required,
            patterns,
            names: self.only("propertyNames", objects.names.as_deref(), cursor),
            additional: self.only("additionalProperties", objects.others.as_deref(), cursor),
        };
        let asserts = rule.required > 0
            || rule.count != Count::ANY
            || !rule.additional.is_any()
            || !rule.names.is_any()
            || !rule.patterns.is_empty()
            || rule
                .properties
                .iter()
                .flat_map(|property| &property.link)
                .any(|link| !link.is_any());
        if asserts { Some(Box::new(rule)) } else { None }
    }

    /// Compiles `dependentRequired` and `dependentSchemas`.
    pub(super) fn dependent(
        &mut self,
        objects: &ObjectKeywords<'_>,
        cursor: &mut SchemaCursor,
    ) -> Vec<InPlace> {
        let mut all = Vec::new();
        for (name, node) in &objects.dependent {
            let link = self.inner("dependentSchemas", name, node, cursor);
            all.push(InPlace::With((*name).into(), link));
        }
        for (name, names) in &objects.dependent_names {
            let required = ObjectKeywords {
                required: names.clone(),
                ..ObjectKeywords::default()
            };
            let rule = CompiledSchema {
                object: self.object_rule(Some(&required), cursor),
                ..CompiledSchema::of_kinds(Kinds::ALL)
            };
            all.push(InPlace::With((*name).into(), Link::Schema(Box::new(rule))));
        }
        all
    }

    /// Compiles a schema inside another.
    fn inner(
        &mut self,
        keyword: &str,
        token: &dyn Display,
        node: &Node<'_>,
        cursor: &mut SchemaCursor,
    ) -> Link {
        let outer = cursor.enter(&[&keyword, token]);
        let link = self.compile_node(node, cursor);
        cursor.leave(outer);
        link
    }

    /// Compiles the single schema of a keyword. If there is none, any value matches.
    pub(super) fn only(
        &mut self,
        keyword: &str,
        node: Option<&Node<'_>>,
        cursor: &mut SchemaCursor,
    ) -> Link {
        let Some(node) = node else {
            return Link::Any;
        };
        let outer = cursor.enter(&[&keyword]);
        let link = self.compile_node(node, cursor);
        cursor.leave(outer);
        link
    }
}

/// Returns a property that is optional unless something else requires it.
fn property(name: &str, link: Option<Link>) -> PropertyRule {
    PropertyRule {
        name: name.into(),
        is_escaped: name.contains(['\\', '"']),
        link,
        is_required: false,
    }
}

/// Marks the required ones among the properties, which are sorted by name, and adds those that are
/// not declared. Returns the number of names.
fn require(names: &[&str], properties: &mut Vec<PropertyRule>) -> usize {
    for name in names {
        let index = properties
            .binary_search_by(|property| property.name.as_ref().cmp(name))
            .unwrap_or_else(|index| {
                properties.insert(index, property(name, None));
                index
            });
        properties[index].is_required = true;
    }
    properties
        .iter()
        .filter(|property| property.is_required)
        .count()
}
