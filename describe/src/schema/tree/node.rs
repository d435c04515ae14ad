//! A schema as it is written: its keywords, typed, and nothing of other schemas.
//!
//! A new keyword gets a field here and a line in `read.rs`. The methods of a node are about it alone. Other nodes may be
//! about the same value; its [view](crate::schema::view) combines all of them.

use indexmap::IndexMap;

use super::values::{Annotations, NumberKeywords, Span};
use crate::json::{Json, Object};
use crate::schema::kinds::Kinds;

/// The number of a node. No other node of the same tree has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

/// A schema as it is written, with the schemas inside it.
#[derive(Debug)]
pub struct Node<'j> {
    /// The number of the node.
    pub id: NodeId,
    /// The text of the schema.
    pub source: &'j Json,
    /// True for the schema `false`, which accepts nothing.
    pub is_never: bool,
    /// The number of keywords that constrain values.
    pub(super) constraints: usize,
    /// The author's texts and marks about the value.
    pub annotations: Annotations<'j>,
    /// The kinds that `type` names.
    pub types: Option<Kinds>,
    /// The values that `const` and `enum` list.
    pub listed: Option<Vec<&'j Json>>,
    /// The constraints on numbers.
    pub numbers: Option<Box<NumberKeywords<'j>>>,
    /// The constraints on strings.
    pub strings: Option<Box<StringKeywords<'j>>>,
    /// The constraints on arrays.
    pub arrays: Option<Box<ArrayKeywords<'j>>>,
    /// The constraints on objects.
    pub objects: Option<Box<ObjectKeywords<'j>>>,
    /// A reference to another schema, which the value must match, too.
    pub reference: Option<Reference<'j>>,
    /// The schemas in `allOf`, all of which the value must match, too.
    pub all_of: Vec<Node<'j>>,
    /// The alternatives of `anyOf` and of `oneOf`.
    pub unions: Vec<UnionKeyword<'j>>,
    /// The schema that no value may match.
    pub not: Option<Box<Node<'j>>>,
    /// The constraints that depend on a condition.
    pub condition: Option<Box<IfKeyword<'j>>>,
    /// The schemas in `$defs`, which apply to nothing by themselves.
    pub definitions: Vec<(&'j str, Node<'j>)>,
    /// Keywords that JSON Schema does not define, in order, with their values.
    pub extensions: Vec<(&'j str, &'j Json)>,
    /// Keywords with values that JSON Schema does not allow. Their meaning is unknown.
    pub malformed: Vec<&'j str>,
}

/// The constraints on strings.
#[derive(Debug, Default)]
pub struct StringKeywords<'j> {
    /// The number of characters of a string.
    pub length: Span,
    /// `pattern`
    pub pattern: Option<&'j str>,
    /// `format`
    pub format: Option<&'j str>,
    /// `contentEncoding`
    pub encoding: Option<&'j str>,
    /// `contentMediaType`
    pub media_type: Option<&'j str>,
    /// `contentSchema`
    pub content: Option<Box<Node<'j>>>,
}

/// The constraints on arrays.
#[derive(Debug, Default)]
pub struct ArrayKeywords<'j> {
    /// `prefixItems`: the elements at the first positions.
    pub prefix: Vec<Node<'j>>,
    /// `items`: the elements after them.
    pub rest: Option<Box<Node<'j>>>,
    /// `unevaluatedItems`
    pub unevaluated: Option<Box<Node<'j>>>,
    /// `contains`, and the number of elements that must match it.
    pub contains: Option<(Box<Node<'j>>, Span)>,
    /// The number of elements of an array.
    pub length: Span,
    /// `uniqueItems`
    pub are_unique: bool,
}

/// The constraints on objects.
#[derive(Debug, Default)]
pub struct ObjectKeywords<'j> {
    /// `properties`
    pub properties: IndexMap<&'j str, Node<'j>>,
    /// `required`
    pub required: Vec<&'j str>,
    /// `patternProperties`
    pub patterns: Vec<(&'j str, Node<'j>)>,
    /// `additionalProperties`
    pub others: Option<Box<Node<'j>>>,
    /// `unevaluatedProperties`
    pub unevaluated: Option<Box<Node<'j>>>,
    /// `propertyNames`
    pub names: Option<Box<Node<'j>>>,
    /// The number of members of an object.
    pub length: Span,
    /// `dependentRequired`: names that must be there if another is.
    pub dependent_names: Vec<(&'j str, Vec<&'j str>)>,
    /// `dependentSchemas`: schemas for the object if it has a member.
    pub dependent: Vec<(&'j str, Node<'j>)>,
}

/// A reference as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference<'j> {
    /// `$ref`
    Static(&'j str),
    /// `$dynamicRef` or `$recursiveRef`. Its target depends on the way to it.
    Dynamic(&'j str),
}

/// The number of alternatives that a value must match: exactly one, or one or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnionRule {
    /// `oneOf`
    ExactlyOne,
    /// `anyOf`
    OneOrMore,
}

impl UnionRule {
    /// Returns the keyword with this rule.
    pub(in crate::schema) fn keyword(self) -> &'static str {
        match self {
            Self::ExactlyOne => "oneOf",
            Self::OneOrMore => "anyOf",
        }
    }
}

/// The alternatives of one keyword.
#[derive(Debug)]
pub struct UnionKeyword<'j> {
    /// The number of alternatives that a value must match.
    pub rule: UnionRule,
    /// The alternatives.
    pub branches: Vec<Node<'j>>,
    /// The property that tells the alternatives apart, if the author declares one.
    pub discriminator: Option<Discriminator<'j>>,
}

/// OpenAPI's `discriminator`.
#[derive(Debug, Clone, Copy)]
pub struct Discriminator<'j> {
    /// The property that tells alternatives apart.
    pub property: &'j str,
    /// The types that the property's values stand for. For a type without an entry, the value is its name.
    pub mapping: Option<&'j Object>,
}

/// `if`, `then` and `else`.
#[derive(Debug)]
pub struct IfKeyword<'j> {
    /// The condition.
    pub holds: Node<'j>,
    /// The schema for values that meet the condition.
    pub then: Option<Node<'j>>,
    /// The schema for all other values.
    pub otherwise: Option<Node<'j>>,
}

/// A condition on the value of one property.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PropertyTest<'j> {
    /// The property's name.
    pub name: &'j str,
    /// The values for which the condition holds.
    pub values: &'j [&'j Json],
    /// True if an object without the property fails the condition.
    pub is_required: bool,
}

impl<'j> IfKeyword<'j> {
    /// Returns the condition if it only requires that one property of an object has a listed value.
    pub fn property_test(&'j self) -> Option<PropertyTest<'j>> {
        let objects = self.holds.objects.as_deref()?;
        let (name, property) = objects.properties.first()?;
        let values = property.listed.as_deref()?;
        let is_required = objects.required[..] == [*name];
        // `properties`, and these two if they are there.
        let expected = 1 + usize::from(is_required) + usize::from(self.holds.types.is_some());
        let constrains_more = self.holds.constraints > expected || property.constraints > 1;
        let is_of_objects = self.holds.own_kinds().meet(Kinds::OBJECT);
        if objects.properties.len() > 1 || constrains_more || !is_of_objects {
            return None;
        }
        Some(PropertyTest {
            name,
            values,
            is_required,
        })
    }
}

impl<'j> Node<'j> {
    /// Creates a node without keywords, which accepts everything.
    pub(super) fn new(id: NodeId, source: &'j Json) -> Self {
        Self {
            id,
            source,
            is_never: false,
            constraints: 0,
            annotations: Annotations::default(),
            types: None,
            listed: None,
            numbers: None,
            strings: None,
            arrays: None,
            objects: None,
            reference: None,
            all_of: Vec::new(),
            unions: Vec::new(),
            not: None,
            condition: None,
            definitions: Vec::new(),
            extensions: Vec::new(),
            malformed: Vec::new(),
        }
    }

    /// Returns whether the node accepts every value, because it has no constraints.
    pub fn accepts_all(&self) -> bool {
        self.constraints == 0
    }

    /// Returns whether the node is the schema `true` or `{}`.
    pub fn is_empty(&self) -> bool {
        match self.source {
            Json::Bool(accepts) => *accepts,
            source => source.as_object().is_some_and(Object::is_empty),
        }
    }

    /// Returns whether the node constrains the kinds of values, and nothing else.
    pub(in crate::schema) fn is_only_types(&self) -> bool {
        self.types.is_some() && self.constraints == 1
    }

    /// Returns the properties that the node requires, if it has no other constraints.
    pub fn only_required(&self) -> Option<&[&'j str]> {
        let required = &self.objects.as_deref()?.required;
        (!required.is_empty() && self.constrains_objects_once()).then_some(required)
    }

    /// Returns the property that the node refuses, if it has no other constraints.
    pub(in crate::schema) fn only_refused(&self) -> Option<&'j str> {
        let properties = &self.objects.as_deref()?.properties;
        let (name, property) = properties.first()?;
        let is_alone = properties.len() == 1 && self.constrains_objects_once();
        (property.is_never && is_alone).then_some(name)
    }

    /// Returns whether one keyword constrains objects, and no other keyword but `type` constrains anything.
    fn constrains_objects_once(&self) -> bool {
        let constrains_more = self.constraints > 1 + usize::from(self.types.is_some());
        !constrains_more && self.own_kinds().meet(Kinds::OBJECT)
    }

    /// Returns the node's reference, if it has no other constraints.
    pub fn only_reference(&self) -> Option<Reference<'j>> {
        self.reference.filter(|_| self.constraints == 1)
    }

    /// Returns the text of the node's reference, if there is nothing beside it.
    pub(in crate::schema) fn plain_reference(&self) -> Option<&'j str> {
        let has_more = self.annotations != Annotations::default()
            || !self.extensions.is_empty()
            || !self.definitions.is_empty();
        match self.only_reference()? {
            Reference::Static(text) if !has_more => Some(text),
            _ => None,
        }
    }

    /// Returns whether no other schema of the node describes the same value.
    pub(in crate::schema) fn is_alone(&self) -> bool {
        self.reference.is_none()
            && self.all_of.is_empty()
            && self.unions.is_empty()
            && self.condition.is_none()
            && self
                .objects
                .iter()
                .all(|objects| objects.dependent.is_empty())
    }

    /// Returns whether all constraints of the node are in other nodes that it refers to, combines or chooses
    /// from.
    pub fn only_combines(&self) -> bool {
        let combining = usize::from(self.reference.is_some())
            + usize::from(!self.all_of.is_empty())
            + self.unions.len();
        self.constraints == combining
    }

    /// Returns the union of the node, if it has no name and no other constraints.
    pub(in crate::schema) fn only_union(&self) -> Option<&UnionKeyword<'j>> {
        let is_named = self.annotations.title.is_some() || self.annotations.description.is_some();
        if is_named || self.constraints != 1 {
            return None;
        }
        self.unions.first()
    }

    /// Returns the kinds of values that the node's keywords about single kinds are about.
    pub(in crate::schema) fn constrained_kinds(&self) -> Kinds {
        let mut constrained = Kinds::NONE;
        for (is_constrained, kinds) in [
            (self.numbers.is_some(), Kinds::NUMBER),
            (self.strings.is_some(), Kinds::STRING),
            (self.arrays.is_some(), Kinds::ARRAY),
            (self.objects.is_some(), Kinds::OBJECT),
        ] {
            if is_constrained {
                constrained = constrained | kinds;
            }
        }
        constrained
    }

    /// Returns whether the node describes members or elements, or requires members.
    pub fn describes_parts(&self) -> bool {
        let requires_members = self
            .objects
            .as_ref()
            .is_some_and(|objects| !objects.required.is_empty());
        requires_members || self.described_kinds() != Kinds::NONE
    }

    /// Returns the kinds of values whose members or elements the node describes.
    pub fn described_kinds(&self) -> Kinds {
        let mut kinds = Kinds::NONE;
        if let Some(objects) = self.objects.as_deref()
            && (!objects.properties.is_empty()
                || !objects.patterns.is_empty()
                || objects.others.is_some()
                || objects.unevaluated.is_some())
        {
            kinds = kinds | Kinds::OBJECT;
        }
        if let Some(arrays) = self.arrays.as_deref()
            && (!arrays.prefix.is_empty() || arrays.rest.is_some())
        {
            kinds = kinds | Kinds::ARRAY;
        }
        kinds
    }

    /// Returns the kinds that the node's own `type`, `const` and `enum` allow.
    pub fn own_kinds(&self) -> Kinds {
        if self.is_never {
            return Kinds::NONE;
        }
        let mut kinds = self.types.unwrap_or(Kinds::ALL);
        if let Some(values) = &self.listed {
            kinds = kinds & Kinds::any(values.iter().map(|value| Kinds::of_value(value)));
        }
        kinds
    }
}
