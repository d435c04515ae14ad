//! What the compiler has to know about all components before it compiles any of them.

use docent_describe::json::Json;
use docent_describe::schema::{component_entered, component_name};
use indexmap::IndexMap;

use super::words;

/// Answers questions about components, each of which may need all others.
#[derive(Debug)]
pub(super) struct Facts<'c> {
    components: &'c IndexMap<String, Json>,
    /// The components that each one refers to.
    references: Vec<Vec<usize>>,
    /// Returns whether serde leaves any part of it unchecked, at any depth.
    needs_check: Vec<bool>,
    /// Whether it refers to itself in the same place, so that no value ever satisfies it.
    endless: Vec<bool>,
}

impl<'c> Facts<'c> {
    pub(super) fn new(components: &'c IndexMap<String, Json>) -> Self {
        let mut facts = Self {
            components,
            references: Vec::new(),
            needs_check: Vec::new(),
            endless: Vec::new(),
        };
        facts.references = facts.each(|schema| facts.references(schema, words::Reach::All));
        facts.needs_check = spread(
            facts.each(words::asserts_beyond_decoding),
            &facts.references,
        );
        let in_place = facts.each(|schema| facts.references(schema, words::Reach::InPlace));
        facts.endless = (0..components.len())
            .map(|component| {
                let mut from = in_place[component].clone();
                !from.is_empty() && closure(&mut from, &in_place).contains(&component)
            })
            .collect();
        facts
    }

    fn each<T>(&self, fact: impl Fn(&'c Json) -> T) -> Vec<T> {
        self.components.values().map(fact).collect()
    }

    /// The components.
    pub(super) fn components(&self) -> &'c IndexMap<String, Json> {
        self.components
    }

    /// The name and the schema of a component.
    pub(super) fn component(&self, component: usize) -> (&'c str, &'c Json) {
        // Indices come from this map, which does not change.
        self.components
            .get_index(component)
            .map_or(("", &Json::Null), |(name, schema)| (name.as_str(), schema))
    }

    /// The component that a reference leads to.
    pub(super) fn resolve(&self, reference: &str) -> Result<usize, String> {
        let Some(name) = component_name(reference) else {
            return Err(match component_entered(reference) {
                Some(_) => format!("points into a component: `{reference}`"),
                None => {
                    format!("points to `{reference}`; only `#/components/schemas/…` is followed")
                }
            });
        };
        self.components
            .get_index_of(name.as_ref())
            .ok_or_else(|| format!("points to `{name}`, which is not a component"))
    }

    /// Returns whether serde leaves any part of a component unchecked.
    pub(super) fn needs_check(&self, component: usize) -> bool {
        self.needs_check[component]
    }

    /// Returns whether serde leaves any part of a schema unchecked.
    pub(super) fn schema_needs_check(&self, schema: &Json) -> bool {
        words::asserts_beyond_decoding(schema)
            || self
                .references(schema, words::Reach::All)
                .into_iter()
                .any(|component| self.needs_check[component])
    }

    /// Whether a component refers directly to itself.
    pub(super) fn is_endless(&self, component: usize) -> bool {
        self.endless[component]
    }

    /// All components that a schema uses, directly or not.
    pub(super) fn reachable(&self, schema: &Json) -> Vec<usize> {
        let mut components = self.references(schema, words::Reach::All);
        closure(&mut components, &self.references);
        components
    }

    fn references(&self, schema: &Json, reach: words::Reach) -> Vec<usize> {
        let mut found = Vec::new();
        words::visit(schema, reach, &mut |schema| {
            let reference = schema.get("$ref").and_then(Json::as_str);
            found.extend(reference.and_then(|reference| self.resolve(reference).ok()));
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Adds everything that can be reached.
fn closure<'v>(components: &'v mut Vec<usize>, references: &[Vec<usize>]) -> &'v [usize] {
    let mut seen = vec![false; references.len()];
    for &component in components.iter() {
        seen[component] = true;
    }
    let mut at = 0;
    while let Some(&component) = components.get(at) {
        for &next in &references[component] {
            if !std::mem::replace(&mut seen[next], true) {
                components.push(next);
            }
        }
        at += 1;
    }
    components
}

/// Spreads a fact to everything that refers to where it holds, cycles included.
fn spread(mut holds: Vec<bool>, references: &[Vec<usize>]) -> Vec<bool> {
    let mut referrers = vec![Vec::new(); references.len()];
    for (from, targets) in references.iter().enumerate() {
        for &to in targets {
            referrers[to].push(from);
        }
    }
    let mut open: Vec<usize> = (0..holds.len()).filter(|&at| holds[at]).collect();
    while let Some(component) = open.pop() {
        for &referrer in &referrers[component] {
            if !std::mem::replace(&mut holds[referrer], true) {
                open.push(referrer);
            }
        }
    }
    holds
}
