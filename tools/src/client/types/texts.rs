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
pub(super) fn told_apart<'t>(
    view: &'t View<'t>,
    alternatives: &[&'t Node<'t>],
) -> IndexSet<String> {
    let numbers = (1..=alternatives.len()).map(|number| number.to_string());
    let mut names = IndexSet::new();
    for (node, number) in alternatives.iter().zip(numbers.clone()) {
        let name = told_by(view, node).map(|told| pascal(&words(&told)));
        names.insert(name.filter(|name| !name.is_empty()).unwrap_or(number));
    }
    if names.len() == alternatives.len() {
        names
    } else {
        numbers.collect()
    }
}

/// Returns what tells an alternative from the others: its title, its label, or its only property.
fn told_by<'t>(view: &'t View<'t>, node: &'t Node<'t>) -> Option<String> {
    // Others may have the same bases.
    let own = Some(view.views.view(&[node])).filter(|_| node.all_of.is_empty());
    if let Some(title) = own.and_then(View::title) {
        return Some(title.to_owned());
    }
    let label = placed(view, node).and_then(|(union, place)| union.label(place));
    match label {
        Some(Label::Named(name)) => Some(name.to_owned()),
        Some(Label::With(names)) => Some(names.join(" ")),
        Some(Label::Values(values)) if let [only] = values[..] => Some(only.to_string()),
        _ => own.and_then(only_property).map(str::to_owned),
    }
}

/// Returns the only union of a value, and the place of the alternative that a node is.
pub(super) fn placed<'t>(view: &'t View<'t>, node: &Node<'t>) -> Option<(&'t Union<'t>, usize)> {
    let [union] = &view.unions[..] else {
        return None;
    };
    let mut alternatives = union.alternatives.iter();
    let place = alternatives.position(|alternative| alternative.node.id == node.id)?;
    Some((union, place))
}

/// Returns the only property that is described.
fn only_property<'t>(view: &View<'t>) -> Option<&'t str> {
    let mut properties = view.properties();
    properties.retain(|_, property| !property.layers.is_empty());
    let only = properties.keys().next().copied();
    only.filter(|_| properties.len() == 1)
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
        let mut said = own.iter().map(|node| &node.annotations);
        let is_deprecated = said.clone().any(|said| said.deprecated);
        let deprecated = if is_deprecated { "Deprecated." } else { "" };
        let text = said.find_map(|said| said.description.or(said.title));
        let text = text.unwrap_or_default();
        paragraphs([text, requirement, &variants.join("\n"), deprecated])
    }
}

/// Returns the documentation of a listed text, as an item of a list.
fn variant(listed: &ListedValue<'_>) -> Option<String> {
    let description = listed.about?.annotations.description?.replace('\n', " ");
    Some(format!("- `{}`: {description}", listed.value.as_str()?))
}
