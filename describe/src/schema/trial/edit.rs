//! Edits: constraints that trials have found, and that the schemas lack.
//!
//! | a type that | its schema gets |
//! |---|---|
//! | refuses members that it does not name | `additionalProperties: false` |
//! | takes only null for a member of another alternative | that member, with `type: null` |
//! | takes only some names as keys ([`keys`](super::keys)) | `propertyNames`, or another pattern |
//!
//! An edit only narrows a schema, to the values that serde takes. It is found while the schema is borrowed and
//! made afterwards, so it remembers the schema by its address.

use std::collections::HashMap;

use crate::json::{Json, Object};
use crate::schema::tree::{Node, ObjectKeywords};
use crate::schema::view::View;
use crate::schema::{canonical, keyword};

/// Changes to schemas, by the addresses of the schemas while they are examined.
#[derive(Default)]
pub(in crate::schema) struct Edits(HashMap<usize, Vec<Edit>>);

/// A change to a schema.
#[derive(Clone, PartialEq)]
pub(super) enum Edit {
    /// There are no other members.
    Close,
    /// A member that can only be null.
    OnlyNull(String),
    /// The names of members.
    Names(Json),
    /// A pattern of names in place of others.
    Pattern(String),
}

impl Edits {
    /// Forbids all members except those that are described.
    pub(super) fn close(&mut self, case: &View<'_>) {
        if let [only] = nodes_with_properties(case)[..] {
            self.add(only, Edit::Close);
        }
    }

    /// Allows only null for a member.
    pub(super) fn only_null(&mut self, case: &View<'_>, name: &str) {
        if let Some(last) = nodes_with_properties(case).last() {
            self.add(last, Edit::OnlyNull(name.to_owned()));
        }
    }

    /// Adds an edit of the schema of a node, once.
    pub(super) fn add(&mut self, node: &Node<'_>, edit: Edit) {
        let address = std::ptr::from_ref(node.source).addr();
        let edits = self.0.entry(address).or_default();
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }

    /// Returns whether no schema changes.
    pub(in crate::schema) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the changes in a schema and those inside it. They have not moved since they were
    /// examined. Returns whether there were any.
    pub(in crate::schema) fn apply(&self, schema: &mut Json) -> bool {
        let edits = self.0.get(&std::ptr::from_ref(&*schema).addr());
        let mut is_changed = edits.is_some();
        keyword::for_each_child_mut(schema, &mut |_, child| is_changed |= self.apply(child));
        if let (Some(edits), Json::Object(keywords)) = (edits, schema) {
            for edit in edits {
                apply(edit, keywords);
            }
            canonical::sort_keywords(keywords);
        }
        is_changed
    }
}

impl Edit {
    /// Returns whether the schema has the edit already.
    pub(super) fn is_made(&self, objects: &ObjectKeywords<'_>) -> bool {
        match self {
            Self::Pattern(pattern) => objects.patterns.iter().any(|(own, _)| own == pattern),
            Self::Names(_) => objects.names.is_some(),
            Self::Close | Self::OnlyNull(_) => false,
        }
    }
}

/// Returns the nodes that describe properties.
fn nodes_with_properties<'t>(case: &View<'t>) -> Vec<&'t Node<'t>> {
    case.objects()
        .filter(|(_, objects)| !objects.properties.is_empty())
        .map(|(layer, _)| layer.node)
        .collect()
}

/// Makes one edit in the keywords of a schema.
fn apply(edit: &Edit, keywords: &mut Object) {
    match edit {
        Edit::Close => {
            keywords.insert("additionalProperties".to_owned(), Json::Bool(false));
        }
        Edit::OnlyNull(name) => {
            if let Some(Json::Object(properties)) = keywords.get_mut("properties") {
                let null = Object::from([("type", Json::from("null"))]);
                properties.insert(name.clone(), null.into());
            }
        }
        Edit::Names(names) => {
            keywords.insert("propertyNames".to_owned(), names.clone());
        }
        Edit::Pattern(pattern) => {
            if let Some(Json::Object(patterns)) = keywords.get_mut("patternProperties")
                && let Some((_, schema)) = patterns.pop()
            {
                patterns.insert(pattern.clone(), schema);
            }
        }
    }
}
