//! Tells the alternatives of an `anyOf` or `oneOf` apart.
//!
//! A check needs certainty: every value of an alternative must have the distinguishing word, and no
//! value of another alternative may have it. A reader needs less: a member with a different
//! constant in each alternative.

use std::collections::HashSet;
use std::hash::Hash;

use indexmap::IndexMap;

use super::keyword::{listed, named, required, target};
use super::kinds::KindsOf;
use crate::json::{Json, Object};

/// The maximum number of schemas of an alternative that are read, itself included.
const FOLLOWED: usize = 16;
/// The maximum number of members of an alternative that are searched: a tag is among the first.
const SEARCHED: usize = 200;

/// The certainty that a distinction between alternatives requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence<'j> {
    /// Every value that matches an alternative has the distinguishing word.
    Certain,
    /// Readers would recognise the alternative by it. The member that the author declares comes
    /// first.
    Likely(Option<&'j str>),
}

/// The way in which alternatives are told apart.
#[derive(Debug, Clone, PartialEq)]
pub enum Distinction<'j> {
    /// By the value of the member with this name: these values, for each alternative.
    Tag(&'j str, Vec<Vec<&'j Json>>),
    /// By the name of the only member, one for each alternative.
    Member(Vec<&'j str>),
    /// By the kinds of values.
    Kind,
    /// Not by anything in the schemas.
    Unsaid,
}

impl<'j> Distinction<'j> {
    /// Finds the distinction between alternatives whose references lead to `components`.
    pub fn of(
        components: &'j IndexMap<String, Json>,
        alternatives: &[&'j Json],
        evidence: Evidence<'j>,
    ) -> Self {
        if let Some(members) = Self::by_members(components, alternatives, evidence) {
            return members;
        }
        let kinds_of = KindsOf::new(components);
        let kinds: Vec<_> = alternatives.iter().map(|it| kinds_of.schema(it)).collect();
        let meets_another = |at: usize| kinds[at + 1..].iter().any(|it| it.meet(kinds[at]));
        if (0..kinds.len()).any(meets_another) {
            return Self::Unsaid;
        }
        Self::Kind
    }

    /// Finds a distinction by the members of objects: a tag, or the name of the only member.
    pub(in crate::schema) fn by_members(
        components: &'j IndexMap<String, Json>,
        alternatives: &[&'j Json],
        evidence: Evidence<'j>,
    ) -> Option<Self> {
        let all = || {
            let alternatives = alternatives.iter();
            alternatives.map(|&schema| Alternative {
                components,
                schema,
                evidence,
            })
        };
        let declared = match evidence {
            Evidence::Likely(declared) => declared,
            Evidence::Certain => None,
        };
        let first = all().next();
        let names = first.iter().flat_map(Alternative::names);
        for tag in declared.into_iter().chain(names.take(SEARCHED)) {
            let values = all().map(|it| it.constants(tag));
            if let Some(values) = values.collect::<Option<Vec<_>>>()
                && are_distinct(values.iter().flatten())
            {
                return Some(Self::Tag(tag, values));
            }
        }
        let members: Option<Vec<&str>> = all().map(|it| it.only_member()).collect();
        let members = members.filter(|members| are_distinct(members.iter()));
        members.map(Self::Member)
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
    evidence: Evidence<'j>,
}

impl<'j> Alternative<'j> {
    /// Returns the schemas of the alternative and of its references, and for readers also those of
    /// `allOf`.
    fn schemas(&self) -> impl Iterator<Item = &'j Object> + use<'j> {
        let components = self.components;
        let parts = self.evidence != Evidence::Certain;
        let mut left: Vec<&'j Object> = self.schema.as_object().into_iter().collect();
        let schemas = std::iter::from_fn(move || {
            let words = left.pop()?;
            if parts && let Some(Json::Array(parts)) = words.get("allOf") {
                let parts = parts.iter().take(FOLLOWED).rev();
                left.extend(parts.filter_map(Json::as_object));
            }
            left.extend(target(words, components).and_then(Json::as_object));
            Some(words)
        });
        schemas.take(FOLLOWED)
    }

    fn names(&self) -> impl Iterator<Item = &'j str> + use<'j> {
        let properties = self.schemas().flat_map(|words| named(words, "properties"));
        properties.map(|(name, _)| name)
    }

    /// Returns the only values that a member may have.
    fn constants(&self, name: &str) -> Option<Vec<&'j Json>> {
        self.schemas().find_map(|words| {
            let property = words.get("properties")?.get(name)?;
            let values = listed(property.as_object()?)?;
            let is_enough = match self.evidence {
                Evidence::Certain => {
                    let is_there = required(words).any(|required| required == name);
                    is_there && values.iter().all(|value| value.as_str().is_some())
                }
                Evidence::Likely(_) => values.len() == 1,
            };
            is_enough.then_some(values)
        })
    }

    /// Returns the name of the only member, as serde writes the variants of an enum; for readers
    /// also the only allowed string.
    fn only_member(&self) -> Option<&'j str> {
        self.schemas().find_map(|words| {
            if self.evidence != Evidence::Certain
                && let Some([only]) = listed(words).as_deref()
            {
                return only.as_str();
            }
            let is_closed = words.get("additionalProperties") == Some(&Json::Bool(false))
                && !words.contains_key("patternProperties");
            let mut names = required(words);
            let (name, None) = (names.next()?, names.next()) else {
                return None;
            };
            let properties = words.get("properties")?.as_object()?;
            // A variant forbids the members of the others.
            let known = properties.values().filter(|it| **it != Json::Bool(false));
            let is_only = known.count() == 1
                && (is_closed && properties.contains_key(name)
                    || self.evidence != Evidence::Certain);
            is_only.then_some(name)
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    fn distinction(alternatives: &[&str], evidence: Evidence<'_>) -> String {
        let components: IndexMap<String, Json> = [(
            "Cat".to_owned(),
            r#"{"type":"object","properties":{"is":{"const":"cat"}},"required":["is"]}"#
                .parse()
                .unwrap(),
        )]
        .into_iter()
        .collect();
        let schemas: Vec<Json> = alternatives.iter().map(|it| it.parse().unwrap()).collect();
        let schemas: Vec<&Json> = schemas.iter().collect();
        match Distinction::of(&components, &schemas, evidence) {
            Distinction::Tag(name, values) => format!("tag {name} {}", values.len()),
            Distinction::Member(names) => format!("member {}", names.join(" ")),
            Distinction::Kind => "kind".to_owned(),
            Distinction::Unsaid => "unsaid".to_owned(),
        }
    }

    #[test]
    fn a_check_asks_for_more_than_a_reader_does() {
        let cat = r##"{"$ref":"#/components/schemas/Cat"}"##;
        let dog = r#"{"type":"object","properties":{"is":{"const":"dog"}},"required":["is"]}"#;
        let fish = r#"{"type":"object","properties":{"is":{"const":"fish"}}}"#;
        let one = r#"{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}"#;
        let two = r#"{"type":"object","properties":{"b":{}},"required":["b"],"additionalProperties":false}"#;
        let open = r#"{"type":"object","properties":{"c":{}},"required":["c"]}"#;
        let likely = Evidence::Likely(None);
        for (alternatives, certain, seen) in [
            (vec![cat, dog], "tag is 2", "tag is 2"),
            (vec![cat, fish], "unsaid", "tag is 2"),
            (vec![one, two], "member a b", "member a b"),
            (vec![one, open], "unsaid", "member a c"),
            (vec![r#"{"type":"string"}"#, cat], "kind", "kind"),
            (
                vec![r#"{"type":"integer"}"#, r#"{"type":"number"}"#],
                "unsaid",
                "unsaid",
            ),
            (vec![r#"{"const":"x"}"#, two], "kind", "member x b"),
        ] {
            assert_eq!(distinction(&alternatives, Evidence::Certain), certain);
            assert_eq!(distinction(&alternatives, likely), seen);
        }
        // A text is not the number that it spells, and a value that occurs twice distinguishes
        // nothing.
        let constant = |value: &str| format!(r#"{{"properties":{{"is":{{"const":{value}}}}}}}"#);
        let (number, text, other) = (constant("1"), constant("\"1\""), constant("[1]"));
        let all = [&*number, &text, &other];
        assert_eq!(distinction(&all, likely), "tag is 3");
        assert_eq!(distinction(&[&number, &text, &number], likely), "unsaid");
        assert_eq!(distinction(&[&other, &other], likely), "unsaid");
        // A tag may be in a schema that an alternative extends, at any depth.
        let nested = |value: &str| {
            let base = r#"{"properties":{"id":{"type":"string"}}}"#;
            let own = format!(r#"{{"allOf":[{},{base}]}}"#, constant(value));
            format!(r#"{{"allOf":[{base},{own}],"properties":{{"own":{{}}}}}}"#)
        };
        let (first, second) = (nested("\"a\""), nested("\"b\""));
        assert_eq!(distinction(&[&first, &second], likely), "tag is 2");
        assert_eq!(distinction(&[&first, &second], Evidence::Certain), "unsaid");
        // The member that the author declares comes first.
        let kinds = |kind: &str, size: &str| {
            format!(
                r#"{{"properties":{{"kind":{{"const":"{kind}"}},"size":{{"const":"{size}"}}}}}}"#
            )
        };
        let (small, large) = (kinds("a", "s"), kinds("b", "l"));
        assert_eq!(distinction(&[&small, &large], likely), "tag kind 2");
        let declared = Evidence::Likely(Some("size"));
        assert_eq!(distinction(&[&small, &large], declared), "tag size 2");
    }
}
