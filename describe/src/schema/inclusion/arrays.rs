//! Arrays: how many elements, and what each is.

use super::Includes;
use super::cases::Case;
use super::proof::Proof;
use super::strings::Count;
use crate::json::{Decimal, Json, Object};
use crate::schema::inclusion::Inclusion;
use crate::schema::valid::list;

pub(super) const ITEMS: [&str; 2] = ["minItems", "maxItems"];

/// How many elements a case has.
pub(super) fn items_count(case: &Case<'_>) -> Count {
    let mut has = Count::of(case.words(), ITEMS);
    for words in case.words() {
        if words.get("items") == Some(&Json::Bool(false)) {
            let length = list(words, "prefixItems").len();
            has.at_most(Decimal::new(&length.to_string()));
        }
    }
    has
}

/// What a schema says of the element at a place.
fn element(words: &Object, at: usize) -> Option<&Json> {
    let items = || {
        words
            .get("items")
            .filter(|items| items.as_array().is_none())
    };
    list(words, "prefixItems").get(at).or_else(items)
}

/// What a case says of the element at a place.
pub(super) fn element_schemas<'j>(case: &Case<'j>, at: usize) -> Vec<&'j Json> {
    case.words()
        .filter_map(|words| element(words, at))
        .collect()
}

impl<'j> Includes<'j> {
    pub(super) fn array(&mut self, case: &Case<'j>, words: &'j Object) -> Proof {
        let has = items_count(case);
        let asked = Count::of(std::iter::once(words), ITEMS);
        let mut proof = Proof::of(has.is_within(&asked), || {
            let counts = asked.edges().into_iter().filter(|count| *count <= 300);
            counts
                .filter_map(|count| self.with_length(case, count))
                .collect()
        });
        if words
            .get("items")
            .is_some_and(|items| items.as_array().is_some())
        {
            proof = proof.and(self.said_too(case, words, &["items", "additionalItems"]));
        }
        let prefixes = case.words().chain([words]);
        let prefix = prefixes.map(|words| list(words, "prefixItems").len()).max();
        // The elements after the prefix are all alike, so one stands for them.
        for at in 0..=prefix.unwrap_or(0) {
            let place = Decimal::new(&at.to_string());
            if has.most.as_ref().is_some_and(|most| *most <= place) {
                break;
            }
            let Some(schema) = element(words, at) else {
                continue;
            };
            let own = element_schemas(case, at);
            proof = proof.and(match self.includes(&own, schema) {
                Inclusion::Yes => Proof::Done,
                Inclusion::No(value) => Proof::Open(self.with_element(case, at, &value)),
                Inclusion::Unknown => Proof::open(),
            });
        }
        if words.get("uniqueItems") == Some(&Json::Bool(true)) {
            let one = Decimal::new("1");
            let holds = case
                .said("uniqueItems")
                .any(|said| *said == Json::Bool(true))
                || has.most.as_ref().is_some_and(|most| *most <= one);
            proof = proof.and(Proof::of(holds, || self.with_twins(case)));
        }
        if words.contains_key("contains") {
            let group = ["contains", "minContains", "maxContains"];
            proof = proof.and(self.said_too(case, words, &group));
        }
        if words.contains_key("unevaluatedItems") {
            proof = proof.and(Self::unevaluated_items(case, words));
        }
        proof
    }

    fn unevaluated_items(case: &Case<'j>, words: &'j Object) -> Proof {
        if words
            .get("unevaluatedItems")
            .is_some_and(super::cases::takes_all)
        {
            return Proof::Done;
        }
        let is_alone = !["allOf", "anyOf", "oneOf", "$ref", "if", "contains"]
            .iter()
            .any(|keyword| words.contains_key(keyword));
        let length = Decimal::new(&list(words, "prefixItems").len().to_string());
        let is_short = items_count(case).most.is_some_and(|most| most <= length);
        Proof::of(
            is_alone && (is_short || words.contains_key("items")),
            Vec::new,
        )
    }
}
