//! The documentation and the names of types.

use docent_describe::json::Json;
use docent_describe::schema::{Node, View};
use indexmap::IndexSet;

use super::TypeTable;
use crate::client::names::{pascal, words};
use crate::client::text::paragraphs;

impl<'t> TypeTable<'t> {
    /// Returns a word for each of several alternatives that tells it from the others, for its name.
    pub(super) fn told_apart(&self, alternatives: &[&View<'t>]) -> IndexSet<String> {
        let told: IndexSet<String> = alternatives
            .iter()
            .enumerate()
            .map(|(at, view)| self.told_by(view, at))
            .collect();
        if told.len() == alternatives.len() {
            return told;
        }
        (1..=alternatives.len())
            .map(|number| number.to_string())
            .collect()
    }

    fn told_by(&self, view: &View<'t>, at: usize) -> String {
        let mut properties = view.properties();
        properties.retain(|_, property| !property.layers.is_empty());
        let constant = || {
            properties
                .values()
                .find_map(|property| only_text(self.views.view(&property.nodes())))
        };
        let only = || properties.keys().next().filter(|_| properties.len() == 1);
        let told = match view.nodes().next() {
            // The others may have the same bases.
            Some(node) if !node.all_of.is_empty() => node.annotations.title,
            _ => view.title().or_else(constant).or_else(|| only().copied()),
        };
        told.map(|told| pascal(&words(told)))
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| (at + 1).to_string())
    }
}

/// Returns the text that a value is, if it can be no other.
fn only_text<'t>(view: &View<'t>) -> Option<&'t str> {
    match view.listed.as_deref()? {
        [only] => only.value.as_str(),
        _ => None,
    }
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
