//! The references between shared schemas, as a graph.
//!
//! Schemas are named by their indexes in the description, so that walks over thousands of them copy
//! no names. A reference into a shared schema counts as one to it.

use std::collections::BTreeSet;
use std::mem;

use indexmap::IndexMap;

use super::component_names::component_entered;
use super::keyword::for_each_reference;
use crate::json::Json;

/// Returns the indexes in `names` of the shared schemas that a schema refers to or into, each once.
pub fn references<V>(schema: &Json, names: &IndexMap<String, V>) -> Vec<usize> {
    let mut indexes = BTreeSet::new();
    for_each_reference(schema, &mut |reference| {
        if let Some(name) = component_entered(reference) {
            indexes.extend(names.get_index_of(name.as_ref()));
        }
    });
    indexes.into_iter().collect()
}

/// Returns whether `holds` is true for the name of each shared schema that a schema refers to or into.
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
    let mut pending: Vec<usize> = users
        .flat_map(|schema| references(schema, schemas))
        .collect();
    while let Some(index) = pending.pop() {
        if used.insert(index) {
            pending.extend(references(&schemas[index], schemas));
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
    let mut index = 0;
    schemas.retain(|_, _| {
        let is_used = used.contains(&index);
        index += 1;
        is_used
    });
}

/// The references between shared schemas, which are numbered in order.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::ReferenceGraph;
///
/// let tree: Json = r##"{"items": {"$ref": "#/components/schemas/Tree"}}"##.parse()?;
/// let schemas = [("Leaf".to_owned(), Json::Bool(true)), ("Tree".to_owned(), tree)];
///
/// let references = ReferenceGraph::new(&schemas.into_iter().collect());
/// assert_eq!(references.circular(), [false, true]);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReferenceGraph(Vec<Vec<usize>>);

impl ReferenceGraph {
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
        let mut pending: Vec<usize> = start.into_iter().collect();
        while let Some(index) = pending.pop() {
            if reached.insert(index) {
                pending.extend(&self.0[index]);
            }
        }
        reached
    }

    /// Returns for each schema whether it leads back to itself. This looks twice at each reference (Kosaraju's
    /// algorithm), because a walk from each schema would take too long for thousands of them.
    pub fn circular(&self) -> Vec<bool> {
        let mut circular: Vec<bool> = self
            .0
            .iter()
            .enumerate()
            .map(|(index, targets)| targets.contains(&index))
            .collect();
        let reversed = self.reversed();
        let mut is_grouped = vec![false; self.0.len()];
        for start in self.outermost_first() {
            // Of the schemas that lead to this one, those that it does not lead to are in groups of their own already.
            let mut group = Vec::new();
            let mut pending = vec![start];
            while let Some(index) = pending.pop() {
                if !mem::replace(&mut is_grouped[index], true) {
                    group.push(index);
                    pending.extend(&reversed.0[index]);
                }
            }
            if group.len() > 1 {
                for index in group {
                    circular[index] = true;
                }
            }
        }
        circular
    }

    /// Returns all schemas, each before those that it leads to, unless they lead back to it.
    fn outermost_first(&self) -> Vec<usize> {
        let mut innermost_first = Vec::with_capacity(self.0.len());
        let mut is_entered = vec![false; self.0.len()];
        let mut pending: Vec<Visit> = (0..self.0.len()).map(Visit::Enter).collect();
        while let Some(visit) = pending.pop() {
            match visit {
                Visit::Enter(index) => {
                    if !mem::replace(&mut is_entered[index], true) {
                        pending.push(Visit::Leave(index));
                        pending.extend(self.0[index].iter().copied().map(Visit::Enter));
                    }
                }
                Visit::Leave(index) => innermost_first.push(index),
            }
        }
        innermost_first.reverse();
        innermost_first
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

/// A step of a walk over references.
enum Visit {
    /// The schema is reached.
    Enter(usize),
    /// All that it refers to has been visited.
    Leave(usize),
}

impl FromIterator<Vec<usize>> for ReferenceGraph {
    fn from_iter<I: IntoIterator<Item = Vec<usize>>>(each: I) -> Self {
        Self(each.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_schemas_that_lead_back_to_themselves_are_circular() {
        // Two circles, a schema between them, one before and one behind both, and one that refers to itself.
        let graph = ReferenceGraph(vec![
            vec![1],
            vec![2],
            vec![1, 3],
            vec![4],
            vec![5],
            vec![6, 7],
            vec![4],
            vec![],
            vec![8, 7],
        ]);
        let circular = [false, true, true, false, true, true, true, false, true];
        assert_eq!(graph.circular(), circular);
        for (index, is_circular) in circular.into_iter().enumerate() {
            let reached = graph.reach(graph.0[index].iter().copied());
            assert_eq!(reached.contains(&index), is_circular, "{index}");
        }
    }
}
