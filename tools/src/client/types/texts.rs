//! The documentation and the names of types.

use docent_describe::json::Json;
use docent_describe::schema::{Label, Node, Union, View};
use indexmap::IndexSet;

use crate::client::names::{pascal, words};
use crate::client::text::paragraphs;

/// Returns a word for each of some alternatives of a value that tells it from the others, for its name.
pub(super) fn told_apart<'t>(
    view: &'t View<'t>,
    alternatives: &[&'t Node<'t>],
) -> IndexSet<String> {
    let numbers = 1..=alternatives.len();
    let numbers = numbers.map(|number| number.to_string());
    let told: IndexSet<String> = alternatives
        .iter()
        .zip(numbers.clone())
        .map(|(node, number)| {
            let told = told_by(view, node).map(|told| pascal(&words(&told)));
            told.filter(|name| !name.is_empty()).unwrap_or(number)
        })
        .collect();
    if told.len() == alternatives.len() {
        told
    } else {
        numbers.collect()
    }
}

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
        Some(Label::Without(names)) => Some(format!("without {}", names.join(" "))),
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
    Some((union, alternatives.position(|it| it.node.id == node.id)?))
}

/// Returns the only property that is described.
fn only_property<'t>(view: &View<'t>) -> Option<&'t str> {
    let mut properties = view.properties();
    properties.retain(|_, property| !property.layers.is_empty());
    let only = properties.keys().next().copied();
    only.filter(|_| properties.len() == 1)
}

/// Returns the documentation of a value that these nodes describe, without that of the types that they refer to.
pub(super) fn documentation(nodes: &[&Node<'_>]) -> String {
    let mut own = Vec::new();
    let mut left: Vec<&Node<'_>> = nodes.iter().rev().copied().collect();
    while let Some(node) = left.pop() {
        own.push(node);
        left.extend(node.all_of.iter().rev());
    }
    let text = own
        .iter()
        .find_map(|node| node.annotations.description.or(node.annotations.title));
    let is_deprecated = own.iter().any(|node| node.annotations.deprecated);
    let deprecated = if is_deprecated { "Deprecated." } else { "" };
    let variants: Vec<String> = own.iter().flat_map(|node| variants(node)).collect();
    paragraphs([text.unwrap_or_default(), &variants.join("\n"), deprecated])
}

/// Returns the documentation of an enum's variants, as a list.
fn variants<'n>(node: &'n Node<'_>) -> impl Iterator<Item = String> + use<'n> {
    let branches = node.unions.iter().flat_map(|union| &union.branches);
    branches.filter_map(|branch| {
        let description = branch.annotations.description?.replace('\n', " ");
        match branch.listed.as_deref()? {
            [Json::String(text)] => Some(format!("- `{text}`: {description}")),
            _ => None,
        }
    })
}
