//! The documentation and the names of types.
//!
//! A description rarely names alternatives. Their types are named by what tells them apart, and by numbers where
//! nothing does.

use docent_describe::schema::{Label, ListedValue, Node, Union, View};
use indexmap::IndexSet;

use super::{TypeTable, repeats_too_much};
use crate::client::names::{pascal, words};
use crate::client::text::paragraphs;

/// The sentence on a type that has the members of many alternatives.
const REQUIREMENT: &str = "A value has the members that one of many alternatives requires. \
    The alternatives are too many for types of their own, so those members are optional here.";

/// Returns a word for each of some alternatives of a value that tells it from the others, for its name.
pub(super) fn distinguishing_words<'t>(
    view: &'t View<'t>,
    alternatives: &[&'t Node<'t>],
) -> IndexSet<String> {
    let numbers = (1..=alternatives.len()).map(|number| number.to_string());
    let mut names = IndexSet::new();
    for (node, number) in alternatives.iter().zip(numbers.clone()) {
        let name = distinguishing_text(view, node).map(|text| pascal(&words(&text)));
        names.insert(name.filter(|name| !name.is_empty()).unwrap_or(number));
    }
    if names.len() == alternatives.len() {
        names
    } else {
        numbers.collect()
    }
}

/// Returns what tells an alternative from the others: its title, its label, or its only property.
fn distinguishing_text<'t>(view: &'t View<'t>, node: &'t Node<'t>) -> Option<String> {
    // Others may have the same bases.
    let own = Some(view.views.view(&[node])).filter(|_| node.all_of.is_empty());
    if let Some(title) = own.and_then(View::title) {
        return Some(title.to_owned());
    }
    match position_in_union(view, node).and_then(|(union, index)| union.label(index)) {
        Some(Label::Named(name)) => Some(name.to_owned()),
        Some(Label::With(names)) => Some(names.join(" ")),
        Some(Label::Values(values)) if let [only] = values[..] => Some(only.to_string()),
        _ => own.and_then(only_property).map(str::to_owned),
    }
}

/// Returns the only union of a value, and the index of the alternative that a node is.
pub(super) fn position_in_union<'t>(
    view: &'t View<'t>,
    node: &Node<'t>,
) -> Option<(&'t Union<'t>, usize)> {
    let [union] = &view.unions[..] else {
        return None;
    };
    let index = union
        .alternatives
        .iter()
        .position(|alternative| alternative.node.id == node.id)?;
    Some((union, index))
}

/// Returns the only property that is described.
fn only_property<'t>(view: &View<'t>) -> Option<&'t str> {
    let mut properties = view.properties();
    properties.retain(|_, property| !property.layers.is_empty());
    if properties.len() == 1 {
        properties.keys().next().copied()
    } else {
        None
    }
}

impl<'t> TypeTable<'t> {
    /// Returns the documentation of a value that these nodes describe, without that of the types that they refer to.
    pub(super) fn documentation(&self, nodes: &[&'t Node<'t>]) -> String {
        let mut own = nodes.to_vec();
        let mut variants = Vec::new();
        let mut requirement = "";
        // The views of a long chain of references would be long, too.
        if nodes.iter().any(|node| node.only_reference().is_none()) {
            let view = self.views.view(nodes);
            own = view.own_nodes().collect();
            if repeats_too_much(view) {
                requirement = REQUIREMENT;
            }
            if view.names().is_empty() {
                variants.extend(view.listed.iter().flatten().filter_map(variant));
            }
        }
        let deprecated = if own.iter().any(|node| node.annotations.deprecated) {
            "Deprecated."
        } else {
            ""
        };
        let text = own
            .iter()
            .find_map(|node| node.annotations.description.or(node.annotations.title))
            .unwrap_or_default();
        paragraphs([text, requirement, &variants.join("\n"), deprecated])
    }
}

/// Returns the documentation of a listed text, as an item of a list.
fn variant(listed: &ListedValue<'_>) -> Option<String> {
    let description = listed.about?.annotations.description?.replace('\n', " ");
    Some(format!("- `{}`: {description}", listed.value.as_str()?))
}
