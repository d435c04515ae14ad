//! The rules for objects: which members there may be, which there must be, and what they are.

use std::collections::BTreeSet;

use super::bounds::{Measure, NumberBounds};
use super::case::{Case, Term, takes_all};
use super::includes::Includes;
use docent_describe::json::{Json, Object};
use docent_describe::schema::{self, Kinds, named};

/// Returns the names of the members that there must be.
pub(super) fn required<'j>(case: &Case<'j>) -> BTreeSet<&'j str> {
    case.words().flat_map(schema::required).collect()
}

/// Returns the names of properties and of required members.
fn known_names<'j>(case: &Case<'j>) -> BTreeSet<&'j str> {
    let properties = case.words().flat_map(|words| named(words, "properties"));
    let names = properties.map(|(name, _)| name);
    names.chain(required(case)).collect()
}

/// Returns whether the objects of a case only have members with known names.
fn is_closed(case: &Case<'_>) -> bool {
    case.words().any(|words| {
        words.get("additionalProperties") == Some(&Json::Bool(false))
            && !words.contains_key("patternProperties")
    })
}

/// Returns how many members the objects of a case have.
pub(super) fn properties_count(case: &Case<'_>) -> NumberBounds {
    let mut count = NumberBounds::of(case.words(), Measure::Properties, Kinds::INTEGER);
    count.at_least(required(case).len());
    if is_closed(case) {
        count.at_most(known_names(case).len());
    }
    count
}

impl<'j> Includes<'j> {
    /// Returns the schemas in `words` for the member with this name; `None` for one of which it
    /// cannot be decided whether it applies.
    fn schemas_of(&self, words: &'j Object, name: &str) -> Vec<Option<&'j Json>> {
        let properties = words.get("properties");
        let own = properties.and_then(|it| it.get(name));
        let mut schemas: Vec<Option<&'j Json>> = own.into_iter().map(Some).collect();
        for (pattern, schema) in named(words, "patternProperties") {
            let applies = self.wide_validator.matches(pattern, name);
            if applies != Some(false) {
                schemas.push(applies.map(|_| schema));
            }
        }
        if schemas.is_empty() {
            schemas.extend(words.get("additionalProperties").map(Some));
        }
        schemas
    }

    /// Returns whether objects have the right members.
    pub(super) fn object(&mut self, case: &Case<'j>, words: &'j Object) -> bool {
        let needed = required(case);
        let count = NumberBounds::of(std::iter::once(words), Measure::Properties, Kinds::INTEGER);
        let mut names = known_names(case);
        names.extend(named(words, "properties").map(|(name, _)| name));
        schema::required(words).all(|name| needed.contains(name))
            && properties_count(case).are_within(&count)
            && names.into_iter().all(|name| {
                let own = self.member_schemas(case, name);
                let mut asked = self.schemas_of(words, name).into_iter();
                asked.all(|schema| schema.is_some_and(|schema| self.includes(&own, schema)))
            })
            && self.other_members(case, words)
    }

    /// Returns the schemas of the member with this name.
    pub(super) fn member_schemas(&self, case: &Case<'j>, name: &str) -> Vec<Term<'j>> {
        let mut schemas = Vec::new();
        for term in &case.terms {
            let words = term.schema.as_object();
            let own = words.into_iter().flat_map(|it| self.schemas_of(it, name));
            schemas.extend(own.flatten().map(|schema| term.with(schema)));
        }
        schemas
    }

    /// Returns whether members without known names satisfy what is asked of them, and all members
    /// what is asked of their names.
    fn other_members(&mut self, case: &Case<'j>, words: &'j Object) -> bool {
        let is_closed = is_closed(case);
        let others = words.get("additionalProperties");
        let others = others.filter(|schema| !takes_all(schema));
        let has_others = is_closed
            || self.is_stated(case, words, &["patternProperties", "additionalProperties"])
            || !words.contains_key("patternProperties")
                && others.is_none_or(|schema| {
                    let others = case.said("additionalProperties");
                    let mut others =
                        others.filter(|(owner, _)| !owner.contains_key("patternProperties"));
                    others.any(|(_, other)| self.includes(&[other], schema))
                });
        has_others
            && words.get("propertyNames").is_none_or(|names| {
                let own: Vec<Term<'j>> = case.said("propertyNames").map(|(_, own)| own).collect();
                let fits = |name: &&str| self.wide_takes(names, &Json::from(*name)) == Some(true);
                is_closed && known_names(case).iter().all(fits)
                    || !own.is_empty() && self.includes(&own, names)
            })
    }
}
