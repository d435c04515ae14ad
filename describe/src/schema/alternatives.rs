//! Tells objects among alternatives apart for the check: every value of an alternative must have the distinguishing word,
//! and no value of another alternative may have it.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::keyword::{listed, named, required, target};
use crate::json::{Json, Object};

/// The maximum number of schemas of an alternative that are read, itself included.
const FOLLOWED: usize = 16;
/// The maximum number of members of an alternative that are searched: a tag is among the first.
const SEARCHED: usize = 200;

/// The words that tell objects apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Distinction<'j> {
    /// The name of the member whose value is the word. Without it, the word is the name of the only
    /// member.
    pub(super) tag: Option<&'j str>,
    /// The words, each with the place of the alternative that it stands for.
    pub(super) words: Vec<(&'j str, usize)>,
}

impl<'j> Distinction<'j> {
    /// Finds the distinction between alternatives whose references lead to `components`.
    pub(super) fn of(
        components: &'j IndexMap<String, Json>,
        alternatives: &[&'j Json],
    ) -> Option<Self> {
        let all: Vec<_> = alternatives
            .iter()
            .map(|&schema| Alternative { components, schema })
            .collect();
        let by_tag = all.first()?.names().take(SEARCHED).find_map(|tag| {
            let words = distinct(&all, |alternative| alternative.constants(tag))?;
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
fn distinct<'j>(
    all: &[Alternative<'j>],
    words_of: impl Fn(&Alternative<'j>) -> Option<Vec<&'j str>>,
) -> Option<Vec<(&'j str, usize)>> {
    let mut known = HashSet::new();
    let mut words = Vec::new();
    for (place, alternative) in all.iter().enumerate() {
        for word in words_of(alternative)? {
            words.push(known.insert(word).then_some((word, place))?);
        }
    }
    Some(words)
}

/// An alternative, with all that is needed to read it.
struct Alternative<'j> {
    components: &'j IndexMap<String, Json>,
    schema: &'j Json,
}

impl<'j> Alternative<'j> {
    /// Returns the schemas of the alternative and of its references.
    fn schemas(&self) -> impl Iterator<Item = &'j Object> + use<'j> {
        let components = self.components;
        let first = self.schema.as_object();
        std::iter::successors(first, move |words| {
            target(words, components).and_then(Json::as_object)
        })
        .take(FOLLOWED)
    }

    fn names(&self) -> impl Iterator<Item = &'j str> + use<'j> {
        self.schemas()
            .flat_map(|words| named(words, "properties"))
            .map(|(name, _)| name)
    }

    /// Returns the only texts that a required member may have.
    fn constants(&self, name: &str) -> Option<Vec<&'j str>> {
        self.schemas().find_map(|words| {
            let property = words.get("properties")?.get(name)?;
            let values = listed(property.as_object()?)?.into_iter();
            let is_required = required(words).any(|required| required == name);
            values
                .map(Json::as_str)
                .collect::<Option<_>>()
                .filter(|_| is_required)
        })
    }

    /// Returns the name of the only member, as serde writes the variants of an enum.
    fn only_member(&self) -> Option<&'j str> {
        self.schemas().find_map(|words| {
            let is_closed = words.get("additionalProperties") == Some(&Json::Bool(false))
                && !words.contains_key("patternProperties");
            let mut names = required(words);
            let (name, None) = (names.next()?, names.next()) else {
                return None;
            };
            let properties = words.get("properties")?.as_object()?;
            // A variant forbids the members of the others.
            let is_only = properties
                .values()
                .filter(|schema| **schema != Json::Bool(false))
                .count()
                == 1
                && is_closed
                && properties.contains_key(name);
            is_only.then_some(name)
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    fn distinction(alternatives: &[&str]) -> String {
        let components: IndexMap<String, Json> = [(
            "Cat".to_owned(),
            r#"{"type":"object","properties":{"is":{"const":"cat"}},"required":["is"]}"#
                .parse()
                .unwrap(),
        )]
        .into_iter()
        .collect();
        let schemas: Vec<Json> = alternatives
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let schemas: Vec<&Json> = schemas.iter().collect();
        match Distinction::of(&components, &schemas) {
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
        for (alternatives, expected) in [
            ([cat, dog], "is cat dog"),
            ([cat, fish], "none"),
            ([one, two], "member a b"),
            ([one, open], "none"),
            ([dog, dog], "none"),
        ] {
            assert_eq!(distinction(&alternatives), expected, "{alternatives:?}");
        }
    }
}
