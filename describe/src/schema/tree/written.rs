//! The keywords of a node by their names, for code that compares how schemas are written, or shows it.
//!
//! Code that needs the meaning of a schema reads the typed fields of the [`Node`] instead.

use super::node::Node;
use crate::json::Json;
use crate::schema::keyword::{KeywordRole, constrains, keywords_with_meaning, kinds_about, role};
use crate::schema::kinds::Kinds;

impl<'j> Node<'j> {
    /// Returns whether the node is one value, as a tag is. A list of one value may have other
    /// names.
    pub fn is_constant(&self) -> bool {
        self.source.get("const").is_some()
    }

    /// Returns the keyword that lists the values.
    pub fn listing_keyword(&self) -> &'static str {
        if self.is_constant() { "const" } else { "enum" }
    }

    /// Returns the node's keywords that constrain values of these kinds, and no others.
    pub fn keywords_about(&self, kinds: Kinds) -> impl Iterator<Item = &'j str> {
        self.source
            .as_object()
            .into_iter()
            .flatten()
            .map(|(keyword, _)| keyword.as_str())
            // A format may also be that of a number.
            .filter(move |keyword| {
                *keyword != "format" && constrains(keyword) && kinds_about(keyword) == kinds
            })
    }

    /// Returns whether the node describes the properties that objects may have, one by one, and
    /// has no other constraints.
    pub fn is_of_each_property(&self) -> bool {
        self.source
            .as_object()
            .into_iter()
            .flatten()
            .all(|(keyword, value)| match keyword.as_str() {
                "type" => self.types == Some(Kinds::OBJECT),
                "properties" => self
                    .objects
                    .iter()
                    .flat_map(|objects| objects.properties.values())
                    .all(|node| !node.is_never),
                "required" => true,
                "additionalProperties" => value.as_bool().is_some(),
                keyword => !constrains(keyword),
            })
    }

    /// Returns the keywords that mean something to their readers and are not checked, with their
    /// values.
    pub fn meanings(&self) -> impl Iterator<Item = (&'j str, &'j Json)> {
        let with_meaning = keywords_with_meaning()
            .filter_map(|keyword| Some((keyword, self.source.get(keyword)?)));
        self.extensions.iter().copied().chain(with_meaning)
    }

    /// Returns the unknown keywords, those that no check knows, and those with values that JSON Schema does not
    /// allow, with their values: leaving them out would be misleading.
    pub fn unexplained(&self) -> impl Iterator<Item = (&'j str, &'j Json)> {
        let malformed = self
            .malformed
            .iter()
            .filter_map(|keyword| Some((*keyword, self.source.get(keyword)?)));
        self.extensions
            .iter()
            .copied()
            .chain(malformed)
            .filter(|(keyword, _)| {
                let is_explained = matches!(
                    role(keyword),
                    Some(KeywordRole::Annotates | KeywordRole::Ineffective | KeywordRole::Foreign)
                );
                !is_explained && !keyword.starts_with('$')
            })
    }
}
