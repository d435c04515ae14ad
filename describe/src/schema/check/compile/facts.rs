//! Facts about all components, which the compiler needs before it compiles any of them for a service.
//!
//! A tool needs none of them: it asks about a few components of a document that may have thousands.

use std::collections::BTreeSet;

use crate::json::Json;
use crate::schema::keyword::component_name;
use crate::schema::references::{References, references};
use indexmap::IndexMap;

use super::words::{self, Reach};

/// Answers questions about components that may depend on all other components.
#[derive(Debug)]
pub(super) struct Facts<'c> {
    components: &'c IndexMap<String, Json>,
    references: References,
    /// The components of which serde leaves some part unchecked, at any depth.
    needs_check: BTreeSet<usize>,
    /// The components that refer to themselves in the same place, so that no value can satisfy
    /// them.
    endless: BTreeSet<usize>,
}

impl<'c> Facts<'c> {
    pub(super) fn new(components: &'c IndexMap<String, Json>) -> Self {
        let references = References::new(components);
        let asserts = |place: &usize| words::asserts_beyond_decoding(&components[*place]);
        let needs_check = references
            .reversed()
            .reach((0..components.len()).filter(asserts));
        let in_place = components.values().map(|schema| {
            let mut places = Vec::new();
            words::visit(schema, Reach::InPlace, &mut |schema| {
                let reference = schema.get("$ref").and_then(Json::as_str);
                let name = reference.and_then(component_name);
                places.extend(name.and_then(|name| components.get_index_of(name.as_ref())));
            });
            places
        });
        let in_place: References = in_place.collect();
        let is_endless = |place: &usize| in_place.is_circular(*place);
        Self {
            components,
            references,
            needs_check,
            endless: (0..components.len()).filter(is_endless).collect(),
        }
    }

    /// Returns whether serde leaves any part of a schema unchecked.
    pub(super) fn needs_check(&self, schema: &Json) -> bool {
        let mut used = references(schema, self.components).into_iter();
        words::asserts_beyond_decoding(schema)
            || used.any(|component| self.needs_check.contains(&component))
    }

    /// Returns whether a component refers directly to itself.
    pub(super) fn is_endless(&self, component: usize) -> bool {
        self.endless.contains(&component)
    }

    /// Returns all components that a schema uses, directly or through others.
    pub(super) fn reachable(&self, schema: &Json) -> BTreeSet<usize> {
        self.references.reach(references(schema, self.components))
    }
}
