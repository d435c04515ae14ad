//! Looks for values that only the narrower schema takes.
//!
//! Rules can say yes, and never no. So values are tried: examples of the narrower schema, what they become if one
//! keyword is broken, and values with a part that is known not to fit: if `"x"` refutes the elements, `["x"]` may
//! refute the array. Each is validated against both schemas.

use std::{iter, slice};

use indexmap::IndexMap;

use super::checker::{Inclusion, InclusionChecker};
use crate::limits::{
    MAX_COPIED_MEMBERS, MAX_EQUAL_ELEMENTS, MAX_NESTED_SEARCHES, MAX_PAIRS_OF_ALTERNATIVES,
    MAX_REFUTING_MEMBERS, MAX_REFUTING_PATTERNS, MAX_REFUTING_VALUES, MAX_STEPS_OF_SEARCH,
    STEPS_OF_SEARCH,
};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Condition, Kinds, Node, Property, View, text_matching, variations};

/// Values that are tried for any schema.
const SIMPLE_VALUES: &str = r#"[null, false, true, 1, 2, 0.5, "a", [], [null, null], {}]"#;
/// The kinds whose examples are varied.
const VARIED_KINDS: [Kinds; 4] = [Kinds::OBJECT, Kinds::ARRAY, Kinds::STRING, Kinds::NUMBER];

impl<'t> InclusionChecker<'t> {
    /// Returns a value of `narrow` that is not one of `wide`, if there is one among the variations of
    /// examples.
    pub(super) fn counterexample(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
    ) -> Option<Json> {
        if self.is_over_budget() {
            return None;
        }
        self.total_steps += STEPS_OF_SEARCH;
        let max_steps = self.total_steps + MAX_STEPS_OF_SEARCH;
        let visited = self.examples.visited();
        let narrow_view = self.narrow.view(narrow);
        let wide_view = self.wide.view(wide);
        let examples: Vec<Json> = VARIED_KINDS
            .into_iter()
            .filter(|kind| narrow_view.kinds.meet(*kind))
            .filter_map(|kind| self.examples.of_kind(narrow_view, kind))
            .collect();
        self.total_steps += self.examples.visited() - visited;
        let simple: Json = SIMPLE_VALUES.parse().unwrap_or_default();
        let parts = self.with_refuted_parts(narrow, wide, examples.first());
        let varied = examples.into_iter().flat_map(|example| {
            let mut varied = variations(wide_view, &example);
            varied.extend(variations(narrow_view, &example));
            iter::once(example).chain(varied)
        });
        parts
            .into_iter()
            .chain(simple.as_array().unwrap_or_default().iter().cloned())
            .chain(varied)
            .take(MAX_REFUTING_VALUES)
            .find(|value| {
                self.total_steps < max_steps && self.is_counterexample(narrow, wide, value)
            })
    }

    /// Returns whether a value is one of `narrow` and not one of `wide`.
    fn is_counterexample(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
        value: &Json,
    ) -> bool {
        self.total_steps += value.value_count();
        narrow
            .iter()
            .all(|node| self.is_valid(self.narrow, node, value) == Some(true))
            && wide
                .iter()
                .any(|node| self.is_valid(self.wide, node, value) == Some(false))
    }

    /// Returns values with a part that is known not to be a value of the same part of `wide`.
    fn with_refuted_parts(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
        example: Option<&Json>,
    ) -> Vec<Json> {
        let narrow_view = self.narrow.view(narrow);
        let wide_view = self.wide.view(wide);
        let mut values = Vec::new();
        let narrow_alternatives = alternatives(narrow_view);
        let wide_alternatives = alternatives(wide_view);
        let pairs = narrow_alternatives.len() * wide_alternatives.len();
        for (index, node) in narrow_alternatives.into_iter().enumerate() {
            // Of very many, only those in the same place are looked at.
            let others = match wide_alternatives.get(index) {
                Some(same) if pairs > MAX_PAIRS_OF_ALTERNATIVES => slice::from_ref(same),
                _ if pairs > MAX_PAIRS_OF_ALTERNATIVES => &[],
                _ => &wide_alternatives[..],
            };
            for other in others {
                values.extend(self.known_counterexample(&[node], &[other]));
            }
            let chosen = [narrow, &[node]].concat();
            values.extend(self.known_counterexample(&chosen, wide));
        }
        if let Some(element) = self.known_counterexample(
            narrow_view.elements().nodes_at(0),
            wide_view.elements().nodes_at(0),
        ) {
            values.push(Json::Array(vec![element]));
        }
        let example = example.and_then(Json::as_object);
        for (name, value) in self.refuted_members(narrow_view, wide_view) {
            let mut object = example.cloned().unwrap_or_default();
            object.insert(name, value);
            values.push(object.into());
        }
        values.extend(self.with_conditions([narrow_view, wide_view], example));
        values
    }

    /// Returns values that conditions and alternatives of both sides are about, lists of them, and an example with more
    /// and more of their members.
    fn with_conditions(&self, views: [&'t View<'t>; 2], example: Option<&Object>) -> Vec<Json> {
        let mut all = example.cloned().unwrap_or_default();
        let mut values = Vec::new();
        let mut copied = 0;
        for view in views {
            let mut nodes = alternatives(view);
            for condition in view.conditions() {
                nodes.extend(condition.nodes());
                let (name, others): (_, &[_]) = match condition {
                    Condition::Requires(name, others) => (name, others),
                    Condition::With(name, _) => (name, &[]),
                    _ => continue,
                };
                for name in [&name].into_iter().chain(others) {
                    all.or_insert_with(*name, || Json::Null);
                    copied += all.len();
                    if copied <= MAX_COPIED_MEMBERS {
                        values.push(all.clone().into());
                    }
                }
            }
            for node in nodes.into_iter().take(MAX_REFUTING_MEMBERS) {
                let node = view.views.view(&[node]);
                if let Some(value) = self.examples.of_kind(node, Kinds::ALL) {
                    if let Some(members) = value.as_object() {
                        all.extend(members.clone());
                        values.push(all.clone().into());
                    }
                    let equal = (1..=MAX_EQUAL_ELEMENTS).map(|count| vec![value.clone(); count]);
                    values.extend(equal.map(Json::Array));
                    values.push(value);
                }
            }
        }
        values
    }

    /// Returns members that are known not to fit: those that have a name, one that has none, and those whose names
    /// match a pattern.
    fn refuted_members(&mut self, narrow: &View<'t>, wide: &View<'t>) -> Vec<(String, Json)> {
        let narrow_properties = narrow.properties();
        let wide_properties = wide.properties();
        let mut names = vec!["key".to_owned()];
        names.extend(narrow_properties.keys().map(|name| (*name).to_owned()));
        let patterns = wide.other_properties().patterns;
        for (pattern, _) in patterns.into_iter().take(MAX_REFUTING_PATTERNS) {
            if let Some(name) = text_matching(pattern) {
                if self.depth < MAX_NESTED_SEARCHES {
                    let narrow_nodes = narrow.property(&name).nodes();
                    let wide_nodes = wide.property(&name).nodes();
                    // The checker remembers the result, with the value that is looked up below.
                    self.deeper(|checker| {
                        checker.check_inner(&narrow_nodes, &wide_nodes) == Inclusion::Yes
                    });
                }
                names.push(name);
            }
        }
        let mut refuted = Vec::new();
        for name in names {
            let narrow_nodes = nodes_of_property(narrow, &narrow_properties, &name);
            let wide_nodes = nodes_of_property(wide, &wide_properties, &name);
            if let Some(value) = self.known_counterexample(&narrow_nodes, &wide_nodes) {
                refuted.push((name, value));
            }
            if refuted.len() == MAX_REFUTING_MEMBERS {
                break;
            }
        }
        refuted
    }

    /// Returns a value that is known to be of some schemas and not of others.
    fn known_counterexample(&self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> Option<Json> {
        match self.refuted.get(&self.node_pair(narrow, wide))? {
            Inclusion::No(value) => Some(value.clone()),
            _ => None,
        }
    }
}

/// Returns the nodes of a property. Those of named properties are known, because finding one asks all layers.
fn nodes_of_property<'t>(
    view: &View<'t>,
    named: &IndexMap<&str, Property<'t>>,
    name: &str,
) -> Vec<&'t Node<'t>> {
    match named.get(name) {
        Some(property) => property.nodes(),
        None => view.property(name).nodes(),
    }
}

/// Returns the alternatives of a value.
fn alternatives<'t>(view: &View<'t>) -> Vec<&'t Node<'t>> {
    view.alternatives()
        .map(|alternative| alternative.node)
        .collect()
}
