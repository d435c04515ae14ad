//! Reads schemas into nodes. Only this file knows keywords by their names.

use std::cell::Cell;

use indexmap::IndexMap;

use super::node::{
    ArrayKeywords, Discriminator, IfKeyword, Node, NodeId, NumberKeywords, ObjectKeywords,
    Reference, Span, StringKeywords, UnionKeyword, UnionRule,
};
use crate::json::{Decimal, Json, Object};
use crate::schema::keyword::{Role, listed, role};
use crate::schema::kinds::Kinds;

/// Reads schemas, and numbers their nodes.
pub(super) struct Reader<'t> {
    pub(super) next_id: &'t Cell<u32>,
    /// True if what arrays and objects are asked is left out.
    pub(super) is_shallow: bool,
}

/// A keyword's value that JSON Schema does not allow.
struct Malformed;

type Read<T> = Result<T, Malformed>;

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

    fn keywords<'j>(&self, node: &mut Node<'j>, keywords: &'j Object) {
        for (keyword, value) in keywords {
            let keyword = keyword.as_str();
            node.constraints += usize::from(constrains(keyword));
            if self.keyword(node, keyword, value).is_err() {
                node.malformed.push(keyword);
            }
        }
        Self::listed(node, keywords);
        self.condition(node, keywords);
        Self::discriminate(node, keywords);
    }

    /// Reads one keyword. Those that belong together are left to others.
    fn keyword<'j>(&self, node: &mut Node<'j>, keyword: &'j str, value: &'j Json) -> Read<()> {
        match keyword {
            "title" => node.annotations.title = said(value),
            "description" => node.annotations.description = said(value),
            "default" => node.annotations.default = Some(value),
            "examples" => node.annotations.examples = value.as_array().unwrap_or_default(),
            "deprecated" => node.annotations.deprecated = is_true(value),
            "readOnly" => node.annotations.read_only = is_true(value),
            "writeOnly" => node.annotations.write_only = is_true(value),
            "type" => node.types = Some(Kinds::of_type(value).ok_or(Malformed)?),
            "$ref" => node.reference = Some(Reference::Static(text(value)?)),
            "$dynamicRef" | "$recursiveRef" => {
                node.reference = Some(Reference::Dynamic(text(value)?));
            }
            "allOf" => node.all_of = self.list(value)?,
            "anyOf" => self.union(node, UnionRule::OneOrMore, value)?,
            "oneOf" => self.union(node, UnionRule::ExactlyOne, value)?,
            "not" => node.not = Some(Box::new(self.node(value))),
            "minimum" => numbers(node).least = Some(number(value)?),
            "exclusiveMinimum" => numbers(node).above = Some(number(value)?),
            "maximum" => numbers(node).most = Some(number(value)?),
            "exclusiveMaximum" => numbers(node).below = Some(number(value)?),
            "multipleOf" => numbers(node).multiple_of = Some(number(value)?),
            "minLength" => strings(node).length.least = Some(count(value)?),
            "maxLength" => strings(node).length.most = Some(count(value)?),
            "pattern" => strings(node).pattern = Some(text(value)?),
            "format" => strings(node).format = Some(text(value)?),
            "contentEncoding" => strings(node).encoding = Some(text(value)?),
            "contentMediaType" => strings(node).media_type = Some(text(value)?),
            "contentSchema" => strings(node).content = Some(self.node(value)),
            "const" | "enum" | "if" | "then" | "else" | "discriminator" | "minContains"
            | "maxContains" | "$schema" | "$id" | "$anchor" | "$comment" => {}
            _ => return self.container(node, keyword, value),
        }
        Ok(())
    }

    /// Reads a keyword about arrays or objects, or one that JSON Schema does not define.
    fn container<'j>(&self, node: &mut Node<'j>, keyword: &'j str, value: &'j Json) -> Read<()> {
        match keyword {
            // Anything may be asked of them.
            _ if self.is_shallow => {
                arrays(node);
                objects(node);
            }
            "$defs" | "definitions" => node.definitions = self.named(value)?,
            "prefixItems" => arrays(node).places = self.list(value)?,
            "items" => arrays(node).rest = Some(self.node(value)),
            "unevaluatedItems" => arrays(node).unevaluated = Some(self.node(value)),
            "contains" => {
                let matching = contained(node.source)?;
                arrays(node).contains = Some((self.node(value), matching));
            }
            "minItems" => arrays(node).length.least = Some(count(value)?),
            "maxItems" => arrays(node).length.most = Some(count(value)?),
            "uniqueItems" => arrays(node).are_unique = value.as_bool().ok_or(Malformed)?,
            "properties" => {
                let properties = self.named(value)?;
                objects(node).properties = IndexMap::from_iter(properties);
            }
            "required" => objects(node).required = texts(value)?,
            "patternProperties" => objects(node).patterns = self.named(value)?,
            "additionalProperties" => objects(node).others = Some(self.node(value)),
            "unevaluatedProperties" => objects(node).unevaluated = Some(self.node(value)),
            "propertyNames" => objects(node).names = Some(self.node(value)),
            "minProperties" => objects(node).length.least = Some(count(value)?),
            "maxProperties" => objects(node).length.most = Some(count(value)?),
            "dependentRequired" => {
                let names = value
                    .as_object()
                    .ok_or(Malformed)?
                    .iter()
                    .map(|(name, others)| Ok((name.as_str(), texts(others)?)));
                objects(node).dependent_names = names.collect::<Read<_>>()?;
            }
            "dependentSchemas" => objects(node).dependent = self.named(value)?,
            _ => node.extensions.push((keyword, value)),
        }
        Ok(())
    }

    fn union<'j>(&self, node: &mut Node<'j>, rule: UnionRule, value: &'j Json) -> Read<()> {
        let branches = self.list(value)?;
        node.unions.push(UnionKeyword {
            rule,
            branches,
            discriminator: None,
        });
        Ok(())
    }

    /// Reads an array of schemas, which JSON Schema does not allow to be empty.
    fn list<'j>(&self, value: &'j Json) -> Read<Vec<Node<'j>>> {
        match value.as_array() {
            Some(schemas) if !schemas.is_empty() => {
                Ok(schemas.iter().map(|schema| self.node(schema)).collect())
            }
            _ => Err(Malformed),
        }
    }

    /// Reads schemas by name.
    fn named<'j>(&self, value: &'j Json) -> Read<Vec<(&'j str, Node<'j>)>> {
        let members = value.as_object().ok_or(Malformed)?.iter();
        Ok(members
            .map(|(name, schema)| (name.as_str(), self.node(schema)))
            .collect())
    }

    /// Reads `const` and `enum`, which both list values.
    fn listed<'j>(node: &mut Node<'j>, keywords: &'j Object) {
        let is_list = |values: &Json| values.as_array().is_some();
        if !keywords.get("enum").is_none_or(is_list) {
            node.malformed.push("enum");
        }
        node.listed = listed(keywords);
    }

    /// Reads `if`, without which `then` and `else` have no effect.
    fn condition<'j>(&self, node: &mut Node<'j>, keywords: &'j Object) {
        if let Some(holds) = keywords.get("if") {
            let branch = |keyword| keywords.get(keyword).map(|schema| self.node(schema));
            node.condition = Some(Box::new(IfKeyword {
                holds: self.node(holds),
                then: branch("then"),
                otherwise: branch("else"),
            }));
        }
    }

    /// Gives the node's alternatives what the author declares to tell them apart by.
    fn discriminate<'j>(node: &mut Node<'j>, keywords: &'j Object) {
        let Some(declared) = keywords.get("discriminator") else {
            return;
        };
        if let Some(property) = declared.get("propertyName").and_then(Json::as_str) {
            let mapping = declared.get("mapping").and_then(Json::as_object);
            for union in &mut node.unions {
                union.discriminator = Some(Discriminator { property, mapping });
            }
        }
    }
}

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

/// Returns whether a keyword asks something of values by itself.
fn constrains(keyword: &str) -> bool {
    let is_part = matches!(
        keyword,
        "then" | "else" | "minContains" | "maxContains" | "contentSchema"
    );
    !is_part && matches!(role(keyword), Some(Role::Asserts | Role::Unenforced))
}

/// Returns a text that is not blank.
fn said(value: &Json) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

fn is_true(value: &Json) -> bool {
    value.as_bool() == Some(true)
}

fn text(value: &Json) -> Read<&str> {
    value.as_str().ok_or(Malformed)
}

fn texts(value: &Json) -> Read<Vec<&str>> {
    value
        .as_array()
        .ok_or(Malformed)?
        .iter()
        .map(text)
        .collect()
}

fn number(value: &Json) -> Read<&str> {
    value.as_number().ok_or(Malformed)
}

/// Reads a count. One beyond 64 bits is as good as the greatest.
fn count(value: &Json) -> Read<u64> {
    let number = Decimal::new(number(value)?);
    if !number.is_integer() || number < Decimal::new("0") {
        return Err(Malformed);
    }
    let count = number.to_u128().and_then(|count| u64::try_from(count).ok());
    Ok(count.unwrap_or(u64::MAX))
}

/// Returns how many elements must match `contains`: one, if nothing else is said.
fn contained(source: &Json) -> Read<Span> {
    let bound = |keyword| source.get(keyword).map(count).transpose();
    Ok(Span {
        least: Some(bound("minContains")?.unwrap_or(1)),
        most: bound("maxContains")?,
    })
}
