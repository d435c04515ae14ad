//! The references between shared schemas.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::keyword::{component_entered, for_each_reference};
use crate::json::Json;

/// Returns the indexes in `names` of the shared schemas that a schema refers to or into, each once.
pub fn references<V>(schema: &Json, names: &IndexMap<String, V>) -> Vec<usize> {
    let mut places = BTreeSet::new();
    for_each_reference(schema, &mut |reference| {
        let name = component_entered(reference);
        places.extend(name.and_then(|name| names.get_index_of(name.as_ref())));
    });
    places.into_iter().collect()
}

/// Returns whether something holds for the name of each shared schema that a schema refers to or into.
pub fn all_references(schema: &Json, holds: &dyn Fn(&str) -> bool) -> bool {
    let mut all_hold = true;
    for_each_reference(schema, &mut |reference| {
        all_hold &= component_entered(reference).is_none_or(|name| holds(&name));
    });
    all_hold
}

/// Returns the indexes of the shared schemas that others use, directly or through each other.
pub(crate) fn used<'j>(
    schemas: &IndexMap<String, Json>,
    users: impl Iterator<Item = &'j Json>,
) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    let mut open: Vec<usize> = users
        .flat_map(|schema| references(schema, schemas))
        .collect();
    while let Some(place) = open.pop() {
        if used.insert(place) {
            open.extend(references(&schemas[place], schemas));
        }
    }
    used
}

/// Keeps the shared schemas that others use, directly or through each other.
pub(super) fn keep_used<'j>(
    schemas: &mut IndexMap<String, Json>,
    users: impl Iterator<Item = &'j Json>,
) {
    let used = used(schemas, users);
    let mut places = 0..;
    schemas.retain(|_, _| places.next().is_some_and(|place| used.contains(&place)));
}

/// The shared schemas that each of them refers to, by their indexes.
#[derive(Debug, Clone)]
pub struct References(Vec<Vec<usize>>);

impl References {
    /// Finds the references of all shared schemas.
    pub fn new(schemas: &IndexMap<String, Json>) -> Self {
        schemas
            .values()
            .map(|schema| references(schema, schemas))
            .collect()
    }

    /// Returns all schemas that can be reached from some schemas, themselves included.
    pub fn reach(&self, start: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<usize> = start.into_iter().collect();
        while let Some(place) = open.pop() {
            if reached.insert(place) {
                open.extend(&self.0[place]);
            }
        }
        reached
    }

    /// Returns whether a schema leads back to itself.
    pub fn is_circular(&self, place: usize) -> bool {
        self.reach(self.0[place].iter().copied()).contains(&place)
    }

    /// Returns the reverse: the schemas that refer to each schema.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut reversed = vec![Vec::new(); self.0.len()];
        for (from, targets) in self.0.iter().enumerate() {
            for &to in targets {
                reversed[to].push(from);
            }
        }
        Self(reversed)
    }
}

impl FromIterator<Vec<usize>> for References {
    fn from_iter<I: IntoIterator<Item = Vec<usize>>>(each: I) -> Self {
        Self(each.into_iter().collect())
    }
}
