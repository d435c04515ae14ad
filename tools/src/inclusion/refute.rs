//! Looks for values that only the narrower schema takes.

use std::iter;

use super::case::followed;
use super::includes::{Includes, Inclusion, MOST_EVER, address};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Kinds, list, named, variations};

/// The maximum number of values that are tried.
const MOST: usize = 1_000;
/// The maximum number of objects that are tried with a member that is known not to fit. Each of them is a copy of an
/// example with all its members.
const MAX_MEMBERS: usize = 20;
/// The types whose examples are varied.
const TYPES: [(&str, Kinds); 4] = [
    ("object", Kinds::OBJECT),
    ("array", Kinds::ARRAY),
    ("string", Kinds::STRING),
    ("number", Kinds::NUMBER),
];

impl<'j> Includes<'j> {
    /// Returns a value of `narrow` that is not one of `wide`, if there is one among the variations of
    /// examples.
    pub(super) fn counterexample(&mut self, narrow: &'j Json, wide: &'j Json) -> Option<Json> {
        if self.all_steps > MOST_EVER {
            return None;
        }
        self.all_steps += MOST;
        let kinds = Kinds::of_schema(narrow, self.narrow.components);
        let types = TYPES.iter().filter(|(_, kind)| kinds.meet(*kind));
        let examples: Vec<Json> = types
            .filter_map(|(name, _)| self.examples.of(&typed(narrow, name)))
            .collect();
        let varied = examples.into_iter().flat_map(|example| {
            let of_wide = variations(wide, &example, self.wide.components);
            let of_narrow = variations(narrow, &example, self.narrow.components);
            iter::once(example).chain(of_wide).chain(of_narrow)
        });
        self.with_refuted_parts(narrow, wide)
            .into_iter()
            .chain(simple_values())
            .chain(varied)
            .take(MOST)
            .find(|value| {
                self.narrow_validator.is_valid(narrow, value) == Some(true)
                    && self.wide_takes(wide, value) == Some(false)
            })
    }

    /// Returns values with a part that is known not to be a value of the same part of `wide`.
    fn with_refuted_parts(&self, narrow: &'j Json, wide: &'j Json) -> Vec<Json> {
        let (Json::Object(old), Json::Object(new)) = (narrow, wide) else {
            return Vec::new();
        };
        let known = |one: &'j Json, other: &'j Json| {
            let (one, other) = (followed(one, self.narrow).0, followed(other, self.wide).0);
            match self.refuted.get(&(address(one), address(other)))? {
                Inclusion::No(value) => Some(value.clone()),
                _ => None,
            }
        };
        let under = |keyword: &str| known(old.get(keyword)?, new.get(keyword)?);
        let alternatives = |words| list(words, "anyOf").iter().chain(list(words, "oneOf"));
        let of_alternatives = alternatives(old).flat_map(|one| {
            let others = alternatives(new).chain([wide]);
            others.filter_map(move |other| known(one, other))
        });
        let members = named(old, "properties").filter_map(|(name, one)| {
            let other = new.get("properties")?.get(name)?;
            Some(Object::from([(name, known(one, other)?)]))
        });
        let further = under("additionalProperties").map(|value| Object::from([("key", value)]));
        let members: Vec<Object> = members.chain(further).take(MAX_MEMBERS).collect();
        let example = members.first().and_then(|_| self.examples.of(narrow));
        let example = example.as_ref().and_then(Json::as_object);
        let example = example.cloned().unwrap_or_default();
        let objects = members.into_iter().map(|members| {
            let mut object = example.clone();
            object.extend(members);
            Json::from(object)
        });
        let items = under("items").map(|value| Json::Array(vec![value]));
        of_alternatives.chain(objects).chain(items).collect()
    }
}

/// Returns a schema for the values of a type that satisfy another schema.
fn typed(schema: &Json, name: &str) -> Json {
    let all = Json::Array(vec![schema.clone()]);
    Json::from(Object::from([("type", Json::from(name)), ("allOf", all)]))
}

fn simple_values() -> [Json; 10] {
    [
        Json::Null,
        Json::Bool(false),
        Json::Bool(true),
        Json::from(1),
        Json::from(2),
        Json::Number("0.5".into()),
        Json::from("a"),
        Json::Array(Vec::new()),
        Json::Array(vec![Json::Null, Json::Null]),
        Json::Object(Object::new()),
    ]
}
