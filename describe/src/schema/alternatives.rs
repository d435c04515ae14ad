//! Tells objects among alternatives apart for the check: every value of an alternative must have the distinguishing word,
//! and no value of another alternative may have it.

use std::collections::HashSet;

use super::limits::MAX_TAG_CANDIDATES;
use super::tree::{Node, ObjectKeywords, SchemaTree};

/// The maximum number of nodes of an alternative that are read, itself included.
const MAX_NODES: usize = 16;

/// The words that tell objects apart.
#[derive(Clone, PartialEq)]
pub(super) struct Distinction<'t> {
    /// The name of the member whose value is the word. Without it, the word is the name of the only
    /// member.
    pub(super) tag: Option<&'t str>,
    /// The words, each with the place of the alternative that it stands for.
    pub(super) words: Vec<(&'t str, usize)>,
}

impl<'t> Distinction<'t> {
    /// Finds the distinction between alternatives.
    pub(super) fn of(tree: &'t SchemaTree<'_>, alternatives: &[&'t Node<'t>]) -> Option<Self> {
        let all: Vec<_> = alternatives
            .iter()
            .map(|node| SameValue::of(tree, node))
            .collect();
        let by_tag = all
            .first()?
            .names()
            .take(MAX_TAG_CANDIDATES)
            .find_map(|tag| {
                let words = distinct(&all, |alternative| alternative.constants(tree, tag))?;
                Some(Self {
                    tag: Some(tag),
                    words,
                })
            });
        by_tag.or_else(|| {
            let words = distinct(&all, |alternative| Some(vec![alternative.only_member()?]))?;
            Some(Self { tag: None, words })
        })
    }
}

/// Returns the words of all alternatives, if each has some, and all are different.
fn distinct<'t>(
    all: &[SameValue<'t>],
    words_of: impl Fn(&SameValue<'t>) -> Option<Vec<&'t str>>,
) -> Option<Vec<(&'t str, usize)>> {
    let mut known = HashSet::new();
    let mut words = Vec::new();
    for (place, alternative) in all.iter().enumerate() {
        for word in words_of(alternative)? {
            words.push(known.insert(word).then_some((word, place))?);
        }
    }
    Some(words)
}

/// Nodes that all speak of the same value: one, what it refers to, and the parts of `allOf`.
struct SameValue<'t>(Vec<&'t Node<'t>>);

impl<'t> SameValue<'t> {
    fn of(tree: &'t SchemaTree<'_>, node: &'t Node<'t>) -> Self {
        let mut nodes = vec![node];
        let mut place = 0;
        while place < nodes.len() && nodes.len() < MAX_NODES {
            let node = nodes[place];
            nodes.extend(&node.all_of);
            nodes.extend(node.reference.and_then(|it| tree.target(it).node()));
            place += 1;
        }
        nodes.truncate(MAX_NODES);
        Self(nodes)
    }

    fn objects(&self) -> impl Iterator<Item = &'t ObjectKeywords<'t>> {
        self.0.iter().filter_map(|node| node.objects.as_deref())
    }

    fn names(&self) -> impl Iterator<Item = &'t str> {
        self.objects()
            .flat_map(|objects| objects.properties.keys().copied())
    }

    /// Returns the only texts that a required member may have.
    fn constants(&self, tree: &'t SchemaTree<'_>, name: &str) -> Option<Vec<&'t str>> {
        let mut values = self
            .objects()
            .filter_map(|objects| objects.properties.get(name))
            .flat_map(|property| Self::of(tree, property).0)
            .filter_map(|node| node.listed.as_ref());
        let texts = values.next()?.iter().map(|value| value.as_str());
        let is_required = |objects: &ObjectKeywords<'_>| objects.required.contains(&name);
        self.objects().find(|objects| is_required(objects))?;
        texts.collect()
    }

    /// Returns the name of the only member, as serde writes the variants of an enum.
    fn only_member(&self) -> Option<&'t str> {
        self.objects().find_map(|objects| {
            let is_closed = objects
                .others
                .as_ref()
                .is_some_and(|others| others.is_never);
            let [name] = objects.required[..] else {
                return None;
            };
            // A variant forbids the members of the others.
            let mut allowed = objects.properties.iter().filter(|(_, node)| !node.is_never);
            let is_only = allowed.next().is_some_and(|(only, _)| *only == name);
            (is_only && allowed.next().is_none() && is_closed && objects.patterns.is_empty())
                .then_some(name)
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::json::Json;

    fn json(text: &str) -> Json {
        text.parse().unwrap()
    }

    fn distinction(alternatives: &[&str]) -> String {
        let cat = r#"{"type":"object","properties":{"is":{"const":"cat"}},"required":["is"]}"#;
        let components = [("Cat", cat), ("CatWord", r#"{"const":"cat"}"#)];
        let components = components.map(|(name, text)| (name.to_owned(), json(text)));
        let components = components.into_iter().collect();
        let schemas: Vec<Json> = alternatives.iter().map(|text| json(text)).collect();
        let tree = SchemaTree::of(&components);
        let nodes: Vec<_> = schemas.iter().map(|schema| tree.read(schema)).collect();
        match Distinction::of(&tree, &nodes) {
            Some(Distinction { tag, words }) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                format!("{} {}", tag.unwrap_or("member"), words.join(" "))
            }
            None => "none".to_owned(),
        }
    }

    #[test]
    fn a_check_tells_objects_apart_only_where_that_is_certain() {
        let cat = r##"{"$ref":"#/components/schemas/Cat"}"##;
        let dog = r#"{"type":"object","properties":{"is":{"const":"dog"}},"required":["is"]}"#;
        let fish = r#"{"type":"object","properties":{"is":{"const":"fish"}}}"#;
        let one = r#"{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}"#;
        let two = r#"{"type":"object","properties":{"b":{}},"required":["b"],"additionalProperties":false}"#;
        let open = r#"{"type":"object","properties":{"c":{}},"required":["c"]}"#;
        let kitten = r##"{"allOf":[{"properties":{"a":{}}},{"$ref":"#/components/schemas/Cat"}]}"##;
        let named =
            r##"{"properties":{"is":{"$ref":"#/components/schemas/CatWord"}},"required":["is"]}"##;
        let apart = r#"{"required":["is"],"allOf":[{"properties":{"is":{"const":"ape"}}}]}"#;
        for (alternatives, expected) in [
            ([cat, dog], "is cat dog"),
            ([kitten, dog], "is cat dog"),
            ([named, apart], "is cat ape"),
            ([kitten, named], "none"),
            ([cat, fish], "none"),
            ([one, two], "member a b"),
            ([one, open], "none"),
            ([dog, dog], "none"),
        ] {
            assert_eq!(distinction(&alternatives), expected, "{alternatives:?}");
        }
    }
}
