//! Tells objects among alternatives apart for the check: every value of an alternative must have the distinguishing word,
//! and no value of another alternative may have it.

use std::collections::HashSet;
use std::hash::Hash;

use indexmap::IndexMap;

use super::keyword::{listed, named, required, target};
use crate::json::{Json, Object};

/// The maximum number of schemas of an alternative that are read, itself included.
const FOLLOWED: usize = 16;
/// The maximum number of members of an alternative that are searched: a tag is among the first.
const SEARCHED: usize = 200;

/// The way in which objects are told apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Distinction<'j> {
    /// By the value of the member with this name: these values, for each alternative.
    Tag(&'j str, Vec<Vec<&'j Json>>),
    /// By the name of the only member, one for each alternative.
    Member(Vec<&'j str>),
}

impl<'j> Distinction<'j> {
    /// Finds the distinction between alternatives whose references lead to `components`.
    pub(super) fn of(
        components: &'j IndexMap<String, Json>,
        alternatives: &[&'j Json],
    ) -> Option<Self> {
        let all = alternatives
            .iter()
            .map(|&schema| Alternative { components, schema });
        let all: Vec<_> = all.collect();
        for tag in all.first()?.names().take(SEARCHED) {
            let values = all.iter().map(|alternative| alternative.constants(tag));
            if let Some(values) = values.collect::<Option<Vec<_>>>()
                && are_distinct(values.iter().flatten())
            {
                return Some(Self::Tag(tag, values));
            }
        }
        let members = all.iter().map(Alternative::only_member);
        let members = members.collect::<Option<Vec<&str>>>()?;
        are_distinct(members.iter()).then_some(Self::Member(members))
    }
}

/// Returns whether all values are different.
fn are_distinct<T: Eq + Hash>(mut values: impl Iterator<Item = T>) -> bool {
    let mut known = HashSet::new();
    values.all(|value| known.insert(value))
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
        let schemas = std::iter::successors(first, move |words| {
            target(words, components).and_then(Json::as_object)
        });
        schemas.take(FOLLOWED)
    }

    fn names(&self) -> impl Iterator<Item = &'j str> + use<'j> {
        let properties = self.schemas().flat_map(|words| named(words, "properties"));
        properties.map(|(name, _)| name)
    }

    /// Returns the only texts that a required member may have.
    fn constants(&self, name: &str) -> Option<Vec<&'j Json>> {
        self.schemas().find_map(|words| {
            let property = words.get("properties")?.get(name)?;
            let values = listed(property.as_object()?)?;
            let is_required = required(words).any(|required| required == name);
            let are_texts = values.iter().all(|value| value.as_str().is_some());
            (is_required && are_texts).then_some(values)
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
            let known = properties
                .values()
                .filter(|schema| **schema != Json::Bool(false));
            let is_only = known.count() == 1 && is_closed && properties.contains_key(name);
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
            Some(Distinction::Tag(name, values)) => format!("tag {name} {}", values.len()),
            Some(Distinction::Member(names)) => format!("member {}", names.join(" ")),
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
            ([cat, dog], "tag is 2"),
            ([cat, fish], "none"),
            ([one, two], "member a b"),
            ([one, open], "none"),
            ([dog, dog], "none"),
        ] {
            assert_eq!(distinction(&alternatives), expected, "{alternatives:?}");
        }
    }
}
