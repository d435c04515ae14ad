//! Finds the references that close cycles between components.
//!
//! The OpenRPC tools in JavaScript replace references by their targets until none is left, and run
//! out of memory on cycles. This file finds the references to cut, and [`draft07`](super::draft07) cuts them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::json::Json;
use crate::schema::component_names::resolve;
use crate::schema::{component_entered, component_reference, for_each_reference};
use crate::{ProcedureDescription, ServiceDescription};

/// The references to cut so that no cycle is left, by the component that contains them.
#[derive(Default)]
pub(super) struct Cuts<'d>(HashMap<Cow<'d, str>, HashSet<&'d str>>);

/// The references to cut in one schema.
#[derive(Clone, Copy, Default)]
pub(super) struct CutReferences<'c>(Option<&'c HashSet<&'c str>>);

impl CutReferences<'_> {
    /// Returns the component that a reference points to, if the reference must be cut.
    pub(super) fn name(self, reference: &str) -> Option<Cow<'_, str>> {
        self.0
            .is_some_and(|cut| cut.contains(reference))
            .then(|| component_entered(reference))?
    }
}

impl<'d> Cuts<'d> {
    /// Follows references from the procedures. A reference back to a component on the current path
    /// is cut, so each procedure sees a type until it repeats.
    pub(super) fn find(service: &'d ServiceDescription) -> Self {
        let schemas = &service.components.schemas;
        let mut walk = Walk {
            schemas,
            visited: HashMap::new(),
            cuts: HashMap::new(),
        };
        for schema in service.procs.iter().flat_map(ProcedureDescription::schemas) {
            for reference in references(schema) {
                walk.follow(Cow::Borrowed(reference));
            }
        }
        for name in schemas.keys() {
            walk.follow(Cow::Owned(component_reference(name)));
        }
        Self(walk.cuts)
    }

    /// Returns the references to cut in a component.
    pub(super) fn in_component(&self, name: &str) -> CutReferences<'_> {
        CutReferences(self.0.get(name))
    }
}

/// Returns the references in a schema, in the order in which they stand there.
fn references(schema: &Json) -> Vec<&str> {
    let mut references = Vec::new();
    for_each_reference(schema, &mut |reference| references.push(reference));
    references
}

/// A walk along the references of a service.
struct Walk<'d> {
    schemas: &'d IndexMap<String, Json>,
    /// The references that were followed. True if the target is on the current path.
    visited: HashMap<Cow<'d, str>, bool>,
    cuts: HashMap<Cow<'d, str>, HashSet<&'d str>>,
}

/// A schema on the current path.
struct Step<'d> {
    /// The reference that leads to the schema.
    reference: Cow<'d, str>,
    /// The references in the schema that are still to be followed.
    pending: std::vec::IntoIter<&'d str>,
}

impl<'d> Walk<'d> {
    /// Follows references without recursion, because a document may have a chain of any length.
    fn follow(&mut self, start: Cow<'d, str>) {
        let mut path: Vec<Step<'d>> = self.enter(start).into_iter().collect();
        while let Some(step) = path.last_mut() {
            let Some(next) = step.pending.next() else {
                self.visited.insert(step.reference.clone(), false);
                path.pop();
                continue;
            };
            if self.visited.get(next) == Some(&true) {
                let component = component_entered(&step.reference).map(Cow::into_owned);
                self.cuts
                    .entry(Cow::Owned(component.unwrap_or_default()))
                    .or_default()
                    .insert(next);
            } else {
                path.extend(self.enter(Cow::Borrowed(next)));
            }
        }
    }

    /// Puts the target of a reference on the current path, unless it has been followed before.
    fn enter(&mut self, reference: Cow<'d, str>) -> Option<Step<'d>> {
        if self.visited.contains_key(&reference) {
            return None;
        }
        let schema = resolve(&reference, self.schemas)?;
        self.visited.insert(reference.clone(), true);
        Some(Step {
            reference,
            pending: references(schema).into_iter(),
        })
    }
}
