//! Types of values without alternatives.
//!
//! A value of several kinds becomes a union of their types. Constraints within a kind are left to the service, except
//! for the bounds of integers, which decide their type.

use std::collections::HashMap;

use docent_describe::schema::{Format, Kinds, Node, Property, UnionRule, View};
use indexmap::IndexMap;

use super::{Progress, TypeTable, kinds};
use crate::client::model::{Field, OtherMembers, Type, TypeDefinition};
use crate::client::names::{self, pascal};

impl<'t> TypeTable<'t> {
    /// Returns the definition of a value other than null, whatever its alternatives are.
    pub(super) fn plain(&mut self, view: &'t View<'t>, hint: &str) -> TypeDefinition {
        let kinds = kinds(view);
        if kinds == Kinds::OBJECT {
            return self.object(view, hint);
        }
        let mut each = Vec::new();
        if kinds.meet(Kinds::OBJECT) {
            let hint = format!("{hint}Object");
            let definition = self.object(view, &hint);
            each.push(self.type_of_definition(definition, &hint, String::new()));
        }
        if kinds == Kinds::ARRAY {
            each.push(self.array(view, hint));
        } else if kinds.meet(Kinds::ARRAY) {
            each.push(self.array(view, &format!("{hint}Array")));
        }
        if kinds.meet(Kinds::BOOLEAN) {
            each.push(Type::Boolean);
        }
        if kinds.meet(Kinds::STRING) {
            each.push(self.text(view));
        }
        if kinds.meet(Kinds::FRACTION) {
            each.push(Type::Number);
        } else if kinds.meet(Kinds::INTEGER) {
            each.push(Type::Integer(view.integers()));
        }
        self.union(each, UnionRule::ExactlyOne, hint)
    }

    /// Returns the definition of an object that has the members of all its alternatives.
    pub(super) fn object(&mut self, view: &'t View<'t>, hint: &str) -> TypeDefinition {
        let mut properties = view.possible_properties();
        // The values of a type with a name may go in both directions, as may what several schemas describe.
        if let (Some(side), [root]) = (self.side, &view.roots[..])
            && !matches!(self.made.get(&[root.id][..]), Some(Progress::Done(_)))
        {
            properties.retain(|_, property| !view.hides(property, side));
        }
        if view.layers.len() > 1 {
            let Some(left) = self.members_left.checked_sub(properties.len()) else {
                return TypeDefinition::Alias(Type::Any);
            };
            self.members_left = left;
        }
        let others = self.other_members(view, hint);
        let is_undescribed = view.unions.is_empty()
            && properties
                .values()
                .all(|property| property.layers.is_empty());
        if is_undescribed || properties.is_empty() {
            return TypeDefinition::Alias(Type::Map(Box::new(
                others.kept_type().cloned().unwrap_or(Type::Any),
            )));
        }
        let mut fields = Vec::new();
        let mut in_alternatives = nodes_in_alternatives(view, &properties);
        for (name, property) in properties {
            let nodes = property.nodes();
            let hint = format!("{hint}{}", pascal(&names::words(name)));
            let ty = match in_alternatives.remove(name) {
                Some(each) => self.type_in_alternatives(&each, &hint),
                None => self.type_of(&nodes, &hint),
            };
            fields.push(Field {
                wire: name.to_owned(),
                ty,
                required: property.is_required,
                docs: self.documentation(&nodes),
            });
        }
        TypeDefinition::Object(fields, others)
    }

    /// Returns the type of a member that only some alternatives describe, each with some nodes.
    fn type_in_alternatives(&mut self, alternatives: &[Vec<&'t Node<'t>>], hint: &str) -> Type {
        let each = alternatives
            .iter()
            .map(|nodes| self.type_of(nodes, hint))
            .collect();
        let definition = self.union(each, UnionRule::ExactlyOne, hint);
        self.type_of_definition(definition, hint, String::new())
    }

    /// Returns what is known of members without names of their own. A type that keeps them has one type for all.
    fn other_members(&mut self, view: &'t View<'t>, hint: &str) -> OtherMembers {
        let others = view.other_properties();
        let hint = format!("{hint}Value");
        let mut each = Vec::new();
        for (_, pattern) in &others.patterns {
            each.push(self.type_of(&[pattern], &hint));
        }
        if each.is_empty() && others.are_refused {
            return OtherMembers::Refused;
        }
        let is_undescribed = each.is_empty() && others.nodes.is_empty();
        if is_undescribed
            && view
                .alternatives()
                .all(|alternative| alternative.view.other_properties().nodes.is_empty())
        {
            return OtherMembers::Unknown;
        }
        if !others.are_refused {
            each.push(self.type_of(&others.nodes, &hint));
        }
        let definition = self.union(each, UnionRule::ExactlyOne, &hint);
        OtherMembers::Kept(self.type_of_definition(definition, &hint, String::new()))
    }

    /// Returns the type of an array: a tuple if its elements are described one by one and all there.
    fn array(&mut self, view: &'t View<'t>, hint: &str) -> Type {
        let hint = format!("{hint}Item");
        let elements = view.elements();
        let places = u64::try_from(elements.prefix.len()).ok();
        let rest = self.type_of(&elements.rest, &hint);
        if elements.prefix.is_empty() {
            return Type::List(Box::new(rest));
        }
        let mut each = Vec::new();
        for (at, nodes) in elements.prefix.iter().enumerate() {
            each.push(self.type_of(nodes, &format!("{hint}{}", at + 1)));
        }
        let rest = Some(rest).filter(|_| !elements.is_closed());
        // An array that may end early is not a tuple.
        if elements.length.least >= places {
            return Type::Tuple(each, rest.map(Box::new));
        }
        each.extend(rest);
        let definition = self.union(each, UnionRule::ExactlyOne, &hint);
        Type::List(Box::new(self.type_of_definition(
            definition,
            &hint,
            String::new(),
        )))
    }

    /// Returns the type of a text. Dates and times have names of their own.
    fn text(&mut self, view: &View<'t>) -> Type {
        let format = view.formats().first().copied().and_then(Format::find);
        let Some((format, name)) = format.and_then(|format| Some((format, format.client_type?)))
        else {
            return match view.checked_encoding() {
                Some(_) => Type::Bytes,
                None => Type::Text,
            };
        };
        if let Some(known) = self.formats.get(name) {
            return Type::Ref(*known);
        }
        let docs = format!("A text: {}.", format.phrase);
        let index = self.add(TypeDefinition::Alias(Type::Text), name, docs);
        self.formats.insert(name, index);
        Type::Ref(index)
    }
}

/// Returns the nodes that describe members in alternatives, for members that nothing describes in all of them.
fn nodes_in_alternatives<'t>(
    view: &'t View<'t>,
    properties: &IndexMap<&'t str, Property<'t>>,
) -> HashMap<&'t str, Vec<Vec<&'t Node<'t>>>> {
    let mut described: HashMap<&str, Vec<_>> = HashMap::new();
    for alternative in view.alternatives() {
        for (name, property) in view.added_properties(alternative) {
            let is_common = properties
                .get(name)
                .is_none_or(|known| !known.layers.is_empty());
            if !is_common && !property.layers.is_empty() {
                described.entry(name).or_default().push(property.nodes());
            }
        }
    }
    described
}
