//! Types from the views of schemas.
//!
//! In comes the schema of a parameter, a result or an error's data; out comes a [`Type`], and the named types that it
//! needs are added to the [`TypeTable`].
//!
//! ```text
//! {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}      List(Ref(Book))
//! {"type": ["integer", "null"], "minimum": 0}                            Nullable(Integer(0..))
//! {"oneOf": [{"const": "cheap"}, {"const": "good"}]}, of find's `sort`   Ref(FindSort), a type of two values
//! ```
//!
//! A value has a named type if a reference leads to its schema, or if its language needs one. A type that leads back to
//! itself is named before its definition is known, so the table has an entry first and a definition later.
//!
//! Types are made from views, because a schema that combines others is one type with the members of all. Constraints
//! that no type can say are left to the service. `plain.rs` makes types without alternatives, `unions.rs` those with,
//! and `texts.rs` decides how types are named and documented.

mod plain;
mod texts;
mod unions;

use std::collections::HashMap;

use docent_describe::json::Json;
use docent_describe::schema::{
    Difference, Kinds, Node, NodeId, SchemaViews, Side, Target, View, node_ids,
};
use docent_describe::{ProcedureDescription, ServiceDescription};

use super::model::{NamedType, Type, TypeDefinition};
use super::names::{self, IdentifierScope, pascal};
use crate::limits::{MAX_COMBINED_MEMBERS, MAX_DEPTH_OF_TYPE, MAX_REPEATED_MEMBERS};

/// Collects the types of a description.
pub(crate) struct TypeTable<'t> {
    pub(crate) views: &'t SchemaViews<'t>,
    /// The types so far.
    pub(super) named: Vec<NamedType>,
    /// The names of the types and errors.
    pub(super) scope: IdentifierScope,
    /// The types of values by the schemas that describe them: those with a name that references lead to, those of
    /// several schemas, and those that are being made.
    made: HashMap<Vec<NodeId>, Progress>,
    /// The types of dates and times, by their formats.
    formats: HashMap<&'static str, usize>,
    /// The number of members that types may still get from schemas that combine others.
    members_left: usize,
    /// The number of types around the one that is made.
    depth: usize,
    /// The direction of the values whose types are made, or `None` for shared types, whose values go in both.
    pub(crate) side: Option<Side>,
}

/// The progress in making the type of a value.
enum Progress {
    /// It gets a name when it is needed.
    Planned,
    /// It is being made, and gets this name if the value has values of its own type.
    Open(String),
    /// It is made.
    Done(Type),
}

impl<'t> TypeTable<'t> {
    /// Creates the types of the shared schemas, at the same indexes as in the description.
    pub(crate) fn new(
        service: &'t ServiceDescription,
        views: &'t SchemaViews<'t>,
        reserved_names: &'static [&'static str],
    ) -> Self {
        let shared: Vec<_> = service
            .components
            .schemas
            .keys()
            .filter_map(|name| views.tree.shared(name))
            .collect();
        let mut made = HashMap::new();
        for (_, node) in &shared {
            plan_parts(node, views, &mut made);
        }
        for schema in service.procs.iter().flat_map(ProcedureDescription::schemas) {
            plan_parts(views.tree.read(schema), views, &mut made);
        }
        let mut table = Self {
            views,
            named: Vec::new(),
            scope: IdentifierScope::new("Type", reserved_names),
            made,
            formats: HashMap::new(),
            members_left: MAX_COMBINED_MEMBERS,
            depth: 0,
            side: None,
        };
        for (name, node) in &shared {
            table.open(&[*node], &pascal(&names::words(name)));
        }
        for (index, (_, node)) in shared.iter().enumerate() {
            table.close(index, node);
        }
        table
    }

    /// Adds a named type that gets its definition later, since it may lead back to itself.
    fn open(&mut self, nodes: &[&'t Node<'t>], hint: &str) -> usize {
        let docs = self.documentation(nodes);
        let index = self.add(TypeDefinition::Alias(Type::Any), hint, docs);
        self.made
            .insert(node_ids(nodes), Progress::Done(Type::Ref(index)));
        index
    }

    /// Gives a named type its definition.
    fn close(&mut self, index: usize, node: &'t Node<'t>) {
        let hint = self.named[index].name.clone();
        self.named[index].definition = match self.referred(node) {
            Some(target) => TypeDefinition::Alias(self.type_of(&[target], &hint)),
            None => self.definition(self.views.view(&[node]), &hint),
        };
    }

    /// Returns the schema that a node is a reference to. A chain of references may be long, so the views of all are not
    /// asked for.
    fn referred(&self, node: &'t Node<'t>) -> Option<&'t Node<'t>> {
        self.views.tree.target(node.only_reference()?).node()
    }

    /// Adds a type with a name of its own, and returns its index.
    pub(crate) fn add(&mut self, definition: TypeDefinition, hint: &str, docs: String) -> usize {
        let name = self.scope.take(hint);
        self.named.push(NamedType {
            name,
            docs,
            definition,
        });
        self.named.len() - 1
    }

    /// Returns the type of the values of a schema.
    pub(crate) fn type_of_schema(&mut self, schema: &'t Json, hint: &str) -> Type {
        self.type_of(&[self.views.tree.read(schema)], hint)
    }

    /// Returns the type of a value that these nodes describe. `hint` is its name if it needs one.
    pub(crate) fn type_of(&mut self, nodes: &[&'t Node<'t>], hint: &str) -> Type {
        let key = node_ids(nodes);
        match self.made.get(&key) {
            Some(Progress::Done(ty)) => return ty.clone(),
            Some(Progress::Open(name)) => return Type::Ref(self.open(nodes, &name.clone())),
            Some(Progress::Planned) => {
                let index = self.open(nodes, hint);
                self.close(index, nodes[0]);
                return Type::Ref(index);
            }
            None => {}
        }
        if let [node] = nodes
            && let Some(target) = self.referred(node)
        {
            return self.type_of(&[target], hint);
        }
        self.made
            .insert(key.clone(), Progress::Open(hint.to_owned()));
        let definition = self.definition(self.views.view(nodes), hint);
        let ty = match self.made.remove(&key) {
            Some(Progress::Done(Type::Ref(index))) => {
                self.named[index].definition = definition;
                Type::Ref(index)
            }
            _ => self.type_of_definition(definition, hint, self.documentation(nodes)),
        };
        if nodes.len() > 1 {
            self.made.insert(key, Progress::Done(ty.clone()));
        }
        ty
    }

    /// Returns the type of a definition. One that is more than another name for a type gets a name.
    fn type_of_definition(&mut self, definition: TypeDefinition, hint: &str, docs: String) -> Type {
        match definition {
            TypeDefinition::Alias(other) => other,
            definition => Type::Ref(self.add(definition, hint, docs)),
        }
    }

    /// Returns the definition of a value.
    fn definition(&mut self, view: &'t View<'t>, hint: &str) -> TypeDefinition {
        if self.depth > MAX_DEPTH_OF_TYPE {
            return TypeDefinition::Alias(Type::Any);
        }
        self.depth += 1;
        let definition = match self.named_type(view, hint) {
            Some(ty) => TypeDefinition::Alias(ty),
            None => self.own_definition(view, hint),
        };
        self.depth -= 1;
        definition
    }

    /// Returns the named type that a value has, if nothing else describes its parts.
    fn named_type(&mut self, view: &'t View<'t>, hint: &str) -> Option<Type> {
        let named = view
            .nodes()
            .skip(1)
            .filter(|node| self.made.contains_key(&[node.id][..]))
            .find(|node| is_described_alike(view, self.views.view(&[*node])))?;
        let ty = self.type_of(&[named], hint);
        let has_null = takes_null(view) && !takes_null(self.views.view(&[named]));
        Some(if has_null { ty.nullable() } else { ty })
    }
}

/// Plans names for the schemas inside shared ones that references lead to. Such a schema has the same type in its place
/// as behind the reference.
fn plan_parts<'t>(
    node: &'t Node<'t>,
    views: &'t SchemaViews<'t>,
    made: &mut HashMap<Vec<NodeId>, Progress>,
) {
    if let Some(reference) = node.reference
        && let Target::Inside(part) = views.tree.target(reference)
    {
        made.insert(vec![part.id], Progress::Planned);
    }
    node.for_each_child(&mut |child| plan_parts(child, views, made));
}

/// Returns whether one schema of a value says as much of it as all of them together.
fn is_described_alike(view: &View<'_>, part: &View<'_>) -> bool {
    count_describing_parts(view) == count_describing_parts(part)
        && part.all_kinds().within(view.all_kinds())
        && is_of_known_kind(view) == is_of_known_kind(part)
        && view.unread.len() == part.unread.len()
        && view.unions.len() == part.unions.len()
        && view.listed.as_ref().map(Vec::len) == part.listed.as_ref().map(Vec::len)
}

/// Returns how many schemas of a value say something of members or elements.
fn count_describing_parts(view: &View<'_>) -> usize {
    view.nodes().filter(|node| node.describes_parts()).count()
}

/// Returns the kinds of values other than null. Without `type`, others would be allowed, too, which hardly anybody
/// means.
fn kinds(view: &View<'_>) -> Kinds {
    if is_of_known_kind(view) {
        return view.kinds;
    }
    view.described_kinds()
}

/// Returns whether the schemas of a value say of which kinds it is.
fn is_of_known_kind(view: &View<'_>) -> bool {
    view.listed.is_some() || view.nodes().any(|node| node.types.is_some())
}

/// Returns whether null is one of the values. Where no kind is named, null passes, but hardly anybody means it.
fn takes_null(view: &View<'_>) -> bool {
    view.takes_null != Some(false) && (is_of_known_kind(view) || !view.nulls.is_empty())
}

/// Returns whether a type for each alternative would repeat very many members, and they only differ in those that they
/// require.
fn repeats_too_much(view: &View<'_>) -> bool {
    let [union] = &view.unions[..] else {
        return false;
    };
    // The difference between very many alternatives is not known.
    let differ_in_requirements = matches!(
        union.difference,
        Difference::Presence(_) | Difference::Required(_)
    );
    let only_requires = union
        .alternatives
        .iter()
        .all(|alternative| alternative.node.only_required().is_some());
    (differ_in_requirements || only_requires)
        && union.alternatives.len() * view.properties().len() > MAX_REPEATED_MEMBERS
}
