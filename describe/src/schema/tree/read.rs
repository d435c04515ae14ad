//! Reads schemas into nodes, once each.
//!
//! Reading never fails: a keyword whose value JSON Schema does not allow is marked as malformed, and
//! the rest is read. No reference is followed, so a schema that leads back to itself is read like
//! any other.

use std::cell::Cell;

use indexmap::IndexMap;

use super::node::{
    ArrayKeywords, Discriminator, IfKeyword, Node, NodeId, ObjectKeywords, Reference,
    StringKeywords, UnionKeyword, UnionRule,
};
use super::values::{NumberKeywords, Span};
use crate::json::{Decimal, Json, Object};
use crate::schema::keyword::{KeywordRole, constrains_alone, holds, role};
use crate::schema::kinds::Kinds;

/// Reads schemas, and numbers their nodes.
pub(super) struct Reader<'t> {
    /// The number of the next node, in the tree.
    pub(super) next_id: &'t Cell<u32>,
}

impl Reader<'_> {
    /// Reads a schema and those inside it.
    pub(super) fn node<'j>(&self, source: &'j Json) -> Node<'j> {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        let mut node = Node::new(NodeId(id), source);
        match source {
            Json::Bool(true) => {}
            Json::Bool(false) => {
                node.is_never = true;
                node.constraints = 1;
            }
            Json::Object(keywords) => self.keywords(&mut node, keywords),
            _ => {
                node.malformed.push("schema");
                node.constraints = 1;
            }
        }
        node
    }

    /// Reads the keywords of a schema, first one by one and then those that belong together.
    fn keywords<'j>(&self, node: &mut Node<'j>, keywords: &'j Object) {
        for (keyword, value) in keywords {
            let keyword = keyword.as_str();
            node.constraints += usize::from(constrains_alone(keyword));
            if holds(keyword).expected(value).is_none() {
                self.keyword(node, keyword, value);
            } else if role(keyword) != Some(KeywordRole::Annotates) {
                node.malformed.push(keyword);
            }
        }
        node.listed = listed_values(keywords);
        self.condition(node, keywords);
        Self::discriminate(node, keywords);
    }

    /// Reads one keyword, unless it belongs together with others.
    fn keyword<'j>(&self, node: &mut Node<'j>, keyword: &'j str, value: &'j Json) {
        match keyword {
            "title" => node.annotations.title = non_blank(value),
            "description" => node.annotations.description = non_blank(value),
            "default" => node.annotations.default = Some(value),
            "examples" => node.annotations.examples = value.as_array().unwrap_or_default(),
            "deprecated" => node.annotations.deprecated = is_true(value),
            "readOnly" => node.annotations.read_only = is_true(value),
            "writeOnly" => node.annotations.write_only = is_true(value),
            "type" => node.types = Kinds::of_type(value),
            "$ref" => node.reference = value.as_str().map(Reference::Static),
            "$dynamicRef" | "$recursiveRef" => {
                node.reference = value.as_str().map(Reference::Dynamic);
            }
            "allOf" => node.all_of = self.schemas(value),
            "anyOf" => self.union(node, UnionRule::OneOrMore, value),
            "oneOf" => self.union(node, UnionRule::ExactlyOne, value),
            "not" => node.not = Some(Box::new(self.node(value))),
            "minimum" => numbers(node).least = value.as_number(),
            "exclusiveMinimum" => numbers(node).above = value.as_number(),
            "maximum" => numbers(node).most = value.as_number(),
            "exclusiveMaximum" => numbers(node).below = value.as_number(),
            "multipleOf" => numbers(node).multiple_of = value.as_number(),
            "minLength" => strings(node).length.least = count(value),
            "maxLength" => strings(node).length.most = count(value),
            "pattern" => strings(node).pattern = value.as_str(),
            "format" => strings(node).format = value.as_str(),
            "contentEncoding" => strings(node).encoding = value.as_str(),
            "contentMediaType" => strings(node).media_type = value.as_str(),
            "contentSchema" => strings(node).content = Some(Box::new(self.node(value))),
            "const" | "enum" | "if" | "then" | "else" | "discriminator" | "minContains"
            | "maxContains" | "$schema" | "$id" | "$anchor" | "$comment" => {}
            _ => self.container(node, keyword, value),
        }
    }

    /// Reads a keyword about arrays or objects, or one that JSON Schema does not define.
    fn container<'j>(&self, node: &mut Node<'j>, keyword: &'j str, value: &'j Json) {
        match keyword {
            "$defs" | "definitions" => node.definitions = self.schemas_by_name(value),
            "prefixItems" => arrays(node).prefix = self.schemas(value),
            "items" => arrays(node).rest = Some(Box::new(self.node(value))),
            "unevaluatedItems" => arrays(node).unevaluated = Some(Box::new(self.node(value))),
            "contains" => {
                let count = contained_count(node.source);
                arrays(node).contains = Some((Box::new(self.node(value)), count));
            }
            "minItems" => arrays(node).length.least = count(value),
            "maxItems" => arrays(node).length.most = count(value),
            "uniqueItems" => arrays(node).are_unique = is_true(value),
            "properties" => {
                objects(node).properties = IndexMap::from_iter(self.schemas_by_name(value));
            }
            "required" => objects(node).required = texts(value),
            "patternProperties" => objects(node).patterns = self.schemas_by_name(value),
            "additionalProperties" => objects(node).others = Some(Box::new(self.node(value))),
            "unevaluatedProperties" => objects(node).unevaluated = Some(Box::new(self.node(value))),
            "propertyNames" => objects(node).names = Some(Box::new(self.node(value))),
            "minProperties" => objects(node).length.least = count(value),
            "maxProperties" => objects(node).length.most = count(value),
            "dependentRequired" => {
                objects(node).dependent_names = value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, others)| (name.as_str(), texts(others)))
                    .collect();
            }
            "dependentSchemas" => objects(node).dependent = self.schemas_by_name(value),
            _ => node.extensions.push((keyword, value)),
        }
    }

    /// Reads the alternatives of one keyword.
    fn union<'j>(&self, node: &mut Node<'j>, rule: UnionRule, value: &'j Json) {
        node.unions.push(UnionKeyword {
            rule,
            branches: self.schemas(value),
            discriminator: None,
        });
    }

    /// Reads an array of schemas.
    fn schemas<'j>(&self, value: &'j Json) -> Vec<Node<'j>> {
        value
            .as_array()
            .unwrap_or_default()
            .iter()
            .map(|schema| self.node(schema))
            .collect()
    }

    /// Reads schemas by name.
    fn schemas_by_name<'j>(&self, value: &'j Json) -> Vec<(&'j str, Node<'j>)> {
        value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.as_str(), self.node(schema)))
            .collect()
    }

    /// Reads `if`, without which `then` and `else` have no effect.
    fn condition<'j>(&self, node: &mut Node<'j>, keywords: &'j Object) {
        if let Some(holds) = keywords.get("if") {
            node.condition = Some(Box::new(IfKeyword {
                holds: self.node(holds),
                then: keywords.get("then").map(|schema| self.node(schema)),
                otherwise: keywords.get("else").map(|schema| self.node(schema)),
            }));
        }
    }

    /// Sets the discriminator that the author declares on the node's unions.
    fn discriminate<'j>(node: &mut Node<'j>, keywords: &'j Object) {
        let Some(declared) = keywords.get("discriminator") else {
            return;
        };
        if let Some(property) = declared.get_str("propertyName") {
            let mapping = declared.get("mapping").and_then(Json::as_object);
            for union in &mut node.unions {
                union.discriminator = Some(Discriminator { property, mapping });
            }
        }
    }
}

/// Returns the constraints on numbers, which a node has from its first keyword about them on.
fn numbers<'n, 'j>(node: &'n mut Node<'j>) -> &'n mut NumberKeywords<'j> {
    node.numbers.get_or_insert_default()
}

fn strings<'n, 'j>(node: &'n mut Node<'j>) -> &'n mut StringKeywords<'j> {
    node.strings.get_or_insert_default()
}

fn arrays<'n, 'j>(node: &'n mut Node<'j>) -> &'n mut ArrayKeywords<'j> {
    node.arrays.get_or_insert_default()
}

fn objects<'n, 'j>(node: &'n mut Node<'j>) -> &'n mut ObjectKeywords<'j> {
    node.objects.get_or_insert_default()
}

/// Returns the values that `const` and `enum` list, or `None` if neither does.
fn listed_values(keywords: &Object) -> Option<Vec<&Json>> {
    match (keywords.get("const"), keywords.get("enum")) {
        (constant, Some(Json::Array(values))) => {
            let mut listed: Vec<&Json> = values.iter().collect();
            listed.retain(|value| constant.is_none_or(|constant| constant == *value));
            Some(listed)
        }
        (Some(constant), None) => Some(vec![constant]),
        _ => None,
    }
}

/// Returns a text, unless it is blank.
fn non_blank(value: &Json) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

/// Returns whether a flag is set.
fn is_true(value: &Json) -> bool {
    value.as_bool() == Some(true)
}

/// Returns the texts in an array.
fn texts(value: &Json) -> Vec<&str> {
    value
        .as_array()
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_str)
        .collect()
}

/// Reads a count. One beyond 64 bits is as good as the greatest.
fn count(value: &Json) -> Option<u64> {
    let count = Decimal::new(value.as_number()?).to_u128();
    Some(count.map_or(u64::MAX, |count| u64::try_from(count).unwrap_or(u64::MAX)))
}

/// Returns the number of elements that must match `contains`: at least one, unless `minContains` says otherwise.
fn contained_count(source: &Json) -> Span {
    Span {
        least: source.get("minContains").and_then(count).or(Some(1)),
        most: source.get("maxContains").and_then(count),
    }
}
