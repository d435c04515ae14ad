//! Objects: which members there may be, which there must be, and what they are.

use std::collections::BTreeSet;

use super::Includes;
use super::cases::Case;
use super::proof::Proof;
use super::strings::Count;
use crate::json::{Decimal, Json, Object};
use crate::schema::context::SchemaContext;
use crate::schema::inclusion::Inclusion;
use crate::schema::keyword::resolve;
use crate::schema::valid::list;

static ANYTHING: Json = Json::Bool(true);

pub(super) const PROPERTIES: [&str; 2] = ["minProperties", "maxProperties"];

/// The names of a keyword's members, such as those of `properties`.
pub(super) fn named<'j>(
    words: &'j Object,
    keyword: &str,
) -> impl Iterator<Item = (&'j str, &'j Json)> {
    let members = words.get(keyword).and_then(Json::as_object);
    let members = members.map(Object::iter).unwrap_or_default();
    members.map(|(name, schema)| (name.as_str(), schema))
}

/// The members that some schemas require.
pub(super) fn required<'j>(case: &Case<'j>) -> BTreeSet<&'j str> {
    let names = case.words().flat_map(|words| list(words, "required"));
    names.filter_map(Json::as_str).collect()
}

impl<'j> Includes<'j> {
    pub(super) fn object(&mut self, case: &Case<'j>, words: &'j Object) -> Proof {
        let needed = required(case);
        let missing: Vec<&str> = list(words, "required")
            .iter()
            .filter_map(Json::as_str)
            .filter(|name| !needed.contains(name))
            .collect();
        let mut proof = Proof::of(missing.is_empty(), || {
            missing
                .iter()
                .flat_map(|name| self.without(case, name))
                .collect()
        });
        let mut names: BTreeSet<&'j str> = needed;
        for words in case.words().chain([words]) {
            names.extend(named(words, "properties").map(|(name, _)| name));
        }
        for name in names {
            for schema in self.asked(words, name) {
                let Some(schema) = schema else {
                    proof = proof.and(Proof::open());
                    continue;
                };
                proof = proof.and(self.member(case, name, schema));
            }
        }
        proof = proof.and(self.others(case, words));
        self.counts(case, words, proof)
    }

    /// Proves that a member, where there is one, satisfies a schema.
    fn member(&mut self, case: &Case<'j>, name: &str, schema: &'j Json) -> Proof {
        let own = self.member_schemas(case, name);
        match self.includes(&own, schema) {
            Inclusion::Yes => Proof::Done,
            Inclusion::No(value) => Proof::Open(self.with(case, name, value)),
            Inclusion::Unknown => Proof::open(),
        }
    }

    /// What a case says of the member with this name.
    pub(super) fn member_schemas(&self, case: &Case<'j>, name: &str) -> Vec<&'j Json> {
        let mut schemas = Vec::new();
        for words in case.words() {
            let own = named(words, "properties").find(|(own, _)| *own == name);
            let mut is_named = Some(own.is_some());
            schemas.extend(own.map(|(_, schema)| schema));
            for (pattern, schema) in named(words, "patternProperties") {
                match self.narrow.validator.matches(pattern, name) {
                    Some(true) => {
                        is_named = Some(true);
                        schemas.push(schema);
                    }
                    Some(false) => {}
                    None => is_named = is_named.filter(|named| *named),
                }
            }
            if is_named == Some(false) {
                schemas.extend(words.get("additionalProperties"));
            }
            if let Some(schema) = words.get("unevaluatedProperties")
                && mentioned(case.context, words, 0).is_some_and(|names| !names.contains(name))
            {
                schemas.push(schema);
            }
        }
        schemas
    }

    /// What a wider schema asks of the member with this name; `None` for what cannot be told.
    fn asked(&self, words: &'j Object, name: &str) -> Vec<Option<&'j Json>> {
        let own = named(words, "properties").find(|(own, _)| *own == name);
        let mut schemas: Vec<Option<&'j Json>> =
            own.map(|(_, schema)| Some(schema)).into_iter().collect();
        let mut is_named = own.is_some();
        for (pattern, schema) in named(words, "patternProperties") {
            match self.wide.validator.matches(pattern, name) {
                Some(false) => {}
                Some(true) => {
                    is_named = true;
                    schemas.push(Some(schema));
                }
                None => schemas.push(None),
            }
        }
        if !is_named {
            schemas.extend(words.get("additionalProperties").map(Some));
        }
        schemas
    }

    /// Proves what is asked of members that no schema names.
    fn others(&mut self, case: &Case<'j>, words: &'j Object) -> Proof {
        let mut proof = Proof::Done;
        for (pattern, schema) in named(words, "patternProperties") {
            let own = Self::matching_schemas(case, pattern);
            proof = proof.and(self.other(case, &own, schema));
        }
        if let Some(schema) = words.get("additionalProperties") {
            let patterns: Vec<&str> = named(words, "patternProperties")
                .map(|(name, _)| name)
                .collect();
            for own in Self::unnamed_schemas(case, &patterns) {
                proof = proof.and(self.other(case, &own, schema));
            }
        }
        if let Some(schema) = words.get("unevaluatedProperties") {
            proof = proof.and(self.unevaluated(case, words, schema));
        }
        if let Some(names) = words.get("propertyNames") {
            proof = proof.and(self.names(case, names));
        }
        let dependent = words.get("dependentRequired").and_then(Json::as_object);
        if let Some(dependent) = dependent {
            let needed = required(case);
            let follows = |(_, others): (_, &Json)| {
                let others = others.as_array().unwrap_or_default().iter();
                others
                    .filter_map(Json::as_str)
                    .all(|name| needed.contains(name))
            };
            if !dependent.iter().all(follows) {
                proof = proof.and(self.said_too(case, words, &["dependentRequired"]));
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            if words.contains_key(keyword) {
                proof = proof.and(self.said_too(case, words, &[keyword]));
            }
        }
        proof
    }

    fn other(&mut self, case: &Case<'j>, own: &[&'j Json], schema: &'j Json) -> Proof {
        match self.includes(own, schema) {
            Inclusion::Yes => Proof::Done,
            Inclusion::No(value) => Proof::Open(
                self.free_names(case)
                    .into_iter()
                    .flat_map(|name| self.with(case, &name, value.clone()))
                    .collect(),
            ),
            Inclusion::Unknown => Proof::open(),
        }
    }

    /// What a case says of members whose names match a pattern, none of which it names.
    fn matching_schemas(case: &Case<'j>, pattern: &str) -> Vec<&'j Json> {
        let mut schemas = Vec::new();
        for words in case.words() {
            let mut patterns = named(words, "patternProperties").peekable();
            if patterns.peek().is_none() {
                schemas.extend(words.get("additionalProperties"));
            }
            let same = patterns.filter(|(own, _)| *own == pattern);
            schemas.extend(same.map(|(_, schema)| schema));
        }
        schemas
    }

    /// What a case says of members that it does not name and whose names match none of some
    /// patterns: each of the ways in which they may come about.
    fn unnamed_schemas(case: &Case<'j>, patterns: &[&str]) -> Vec<Vec<&'j Json>> {
        let mut ways: Vec<Vec<&'j Json>> = vec![Vec::new()];
        for words in case.words() {
            let more: Vec<&'j Json> = named(words, "patternProperties")
                .filter(|(own, _)| !patterns.contains(own))
                .map(|(_, schema)| schema)
                .collect();
            let rest = words.get("additionalProperties").unwrap_or(&ANYTHING);
            let choices: Vec<&'j Json> = more.into_iter().chain([rest]).collect();
            if ways.len() * choices.len() > 16 {
                continue;
            }
            ways = ways
                .iter()
                .flat_map(|way| {
                    choices.iter().map(move |choice| {
                        let mut way = way.clone();
                        way.push(*choice);
                        way
                    })
                })
                .collect();
        }
        for words in case.words() {
            if let Some(schema) = words.get("unevaluatedProperties")
                && mentioned(case.context, words, 0).is_some()
            {
                for way in &mut ways {
                    way.push(schema);
                }
            }
        }
        ways
    }

    /// Proves `unevaluatedProperties`, where it is certain what else applies.
    fn unevaluated(&mut self, case: &Case<'j>, words: &'j Object, schema: &'j Json) -> Proof {
        if super::cases::takes_all(schema) {
            return Proof::Done;
        }
        let mut applied = Vec::new();
        self.applied(case, words, 0, &mut applied);
        if applied.iter().any(|words| {
            words.contains_key("additionalProperties") || words.contains_key("patternProperties")
        }) {
            return Proof::open();
        }
        let seen: BTreeSet<&str> = applied
            .iter()
            .flat_map(|words| named(words, "properties"))
            .map(|(name, _)| name)
            .collect();
        let names = case.words().flat_map(|words| named(words, "properties"));
        let names: BTreeSet<&str> = names.map(|(name, _)| name).chain(required(case)).collect();
        let mut proof = Proof::Done;
        for name in names.into_iter().filter(|name| !seen.contains(name)) {
            proof = proof.and(self.member(case, name, schema));
        }
        for own in Self::unnamed_schemas(case, &[]) {
            proof = proof.and(self.other(case, &own, schema));
        }
        proof
    }

    /// The parts of a schema that certainly apply to a case.
    fn applied(
        &mut self,
        case: &Case<'j>,
        words: &'j Object,
        depth: usize,
        applied: &mut Vec<&'j Object>,
    ) {
        applied.push(words);
        if depth > 8 || !self.step() {
            return;
        }
        let mut inside: Vec<&'j Json> = list(words, "allOf").iter().collect();
        let target = words.get("$ref").and_then(Json::as_str);
        inside.extend(target.and_then(|target| resolve(target, self.wide.context.components)));
        for keyword in ["anyOf", "oneOf"] {
            for one in list(words, keyword) {
                if self
                    .kind(case, crate::schema::Kinds::OBJECT, one, depth + 1)
                    .is_done()
                {
                    inside.push(one);
                }
            }
        }
        for schema in inside {
            if let Json::Object(words) = schema {
                self.applied(case, words, depth + 1, applied);
            }
        }
    }

    fn names(&mut self, case: &Case<'j>, names: &'j Json) -> Proof {
        let own: Vec<&'j Json> = case.said("propertyNames").collect();
        if !own.is_empty() && self.includes(&own, names) == Inclusion::Yes {
            return Proof::Done;
        }
        let is_closed = Self::is_closed(case);
        let all: BTreeSet<&str> = case
            .words()
            .flat_map(|words| named(words, "properties"))
            .map(|(name, _)| name)
            .chain(required(case))
            .collect();
        let fits = |name: &&str| self.wide.takes(&[names], &Json::from(*name)) == Some(true);
        let holds = is_closed && all.iter().all(fits);
        Proof::of(holds, || {
            let all = all.iter().map(|name| (*name).to_owned());
            let all = all.chain(self.free_names(case));
            all.flat_map(|name| self.with(case, &name, Json::Null))
                .collect()
        })
    }

    /// Whether a case has no members but those that it names.
    fn is_closed(case: &Case<'j>) -> bool {
        case.words().any(|words| {
            let is_never = |keyword: &str| words.get(keyword) == Some(&Json::Bool(false));
            is_never("additionalProperties") && !words.contains_key("patternProperties")
                || is_never("unevaluatedProperties") && mentioned(case.context, words, 0).is_some()
        })
    }

    fn counts(&mut self, case: &Case<'j>, words: &'j Object, proof: Proof) -> Proof {
        let asked = Count::of(std::iter::once(words), PROPERTIES);
        let has = Self::properties_count(case);
        proof.and(Proof::of(has.is_within(&asked), || {
            let counts = asked.edges().into_iter().filter(|count| *count <= 100);
            counts
                .filter_map(|count| self.with_count(case, count))
                .collect()
        }))
    }

    pub(super) fn properties_count(case: &Case<'j>) -> Count {
        let mut has = Count::of(case.words(), PROPERTIES);
        has.at_least(Decimal::new(&required(case).len().to_string()));
        if Self::is_closed(case) {
            let names: BTreeSet<&str> = case
                .words()
                .flat_map(|words| named(words, "properties"))
                .map(|(name, _)| name)
                .collect();
            has.at_most(Decimal::new(&names.len().to_string()));
        }
        has
    }
}

/// Every name that a schema mentions in any way; `None` if that may be any
/// name.
fn mentioned<'j>(
    context: SchemaContext<'j>,
    words: &'j Object,
    depth: usize,
) -> Option<BTreeSet<&'j str>> {
    let is_open = [
        "patternProperties",
        "additionalProperties",
        "if",
        "dependentSchemas",
    ]
    .iter()
    .any(|keyword| words.contains_key(keyword));
    if is_open || depth > 8 {
        return None;
    }
    let mut names: BTreeSet<&'j str> = named(words, "properties").map(|(name, _)| name).collect();
    let mut inside: Vec<&'j Json> = Vec::new();
    for keyword in ["allOf", "anyOf", "oneOf"] {
        inside.extend(list(words, keyword));
    }
    if let Some(target) = words.get("$ref") {
        inside.push(resolve(target.as_str()?, context.components)?);
    }
    for schema in inside {
        if let Json::Object(words) = schema {
            if depth > 0 && words.contains_key("unevaluatedProperties") {
                return None;
            }
            names.extend(mentioned(context, words, depth + 1)?);
        }
    }
    Some(names)
}
