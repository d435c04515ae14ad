//! Looks for values that only the narrower schema takes.

use std::iter;

use super::includes::{Includes, Inclusion, MAX_STEPS_EVER};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Kinds, Node, View, text_matching, variations};

/// The maximum number of values that are tried.
const MAX_VALUES: usize = 1_000;
/// The maximum number of objects that are tried with a member that is known not to fit. Each of them is a copy of an
/// example with all its members.
const MAX_MEMBERS: usize = 20;
/// The maximum number of searches inside each other, for members whose names match a pattern.
const MAX_SEARCHES: usize = 8;
/// The kinds whose examples are varied.
const KINDS: [Kinds; 4] = [Kinds::OBJECT, Kinds::ARRAY, Kinds::STRING, Kinds::NUMBER];

impl<'t> Includes<'t> {
    /// Returns a value of `narrow` that is not one of `wide`, if there is one among the variations of
    /// examples.
    pub(super) fn counterexample(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
    ) -> Option<Json> {
        if self.all_steps > MAX_STEPS_EVER {
            return None;
        }
        self.all_steps += MAX_VALUES;
        let (own, others) = (self.narrow.view(narrow), self.wide.view(wide));
        let examples: Vec<Json> = KINDS
            .into_iter()
            .filter(|kind| own.kinds.meet(*kind))
            .filter_map(|kind| self.examples.of_kind(own, kind))
            .collect();
        let parts = self.with_refuted_parts(narrow, wide, examples.first());
        let varied = examples.into_iter().flat_map(|example| {
            let mut varied = variations(others, &example);
            varied.extend(variations(own, &example));
            iter::once(example).chain(varied)
        });
        parts
            .into_iter()
            .chain(simple_values())
            .chain(varied)
            .take(MAX_VALUES)
            .find(|value| {
                let is_own = |node: &&Node<'t>| self.narrow.is_valid(node, value) == Some(true);
                let is_refused = |node: &&'t Node<'t>| self.wide_takes(node, value) == Some(false);
                narrow.iter().all(is_own) && wide.iter().any(is_refused)
            })
    }

    /// Returns values with a part that is known not to be a value of the same part of `wide`.
    fn with_refuted_parts(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
        example: Option<&Json>,
    ) -> Vec<Json> {
        let (one, other) = (self.narrow.view(narrow), self.wide.view(wide));
        let mut values = Vec::new();
        let others = alternatives(other);
        for one in alternatives(one) {
            let pairs = others.iter();
            values.extend(pairs.filter_map(|other| self.known(&[one], &[other])));
            let chosen = [narrow, &[one]].concat();
            values.extend(self.known(&chosen, wide));
        }
        let element = self.known(one.elements().at(0), other.elements().at(0));
        values.extend(element.map(|value| Json::Array(vec![value])));
        let members = self.refuted_members(one, other);
        for (name, value) in members {
            let mut object = example
                .and_then(Json::as_object)
                .cloned()
                .unwrap_or_default();
            object.insert(name, value);
            values.push(Json::from(object));
        }
        values
    }

    /// Returns members that are known not to fit: those that have a name, one that has none, and those whose names
    /// match a pattern.
    fn refuted_members(&mut self, narrow: &View<'t>, wide: &View<'t>) -> Vec<(String, Json)> {
        let mut names = vec!["key".to_owned()];
        names.extend(narrow.properties().into_keys().map(str::to_owned));
        for (pattern, _) in wide.other_properties().patterns {
            if let Some(name) = text_matching(pattern) {
                let (own, others) = (narrow.property(&name), wide.property(&name));
                if self.depth < MAX_SEARCHES {
                    self.deeper(|includes| includes.answer(&own.nodes(), &others.nodes()));
                }
                names.push(name);
            }
        }
        let mut members = Vec::new();
        for name in names {
            let (own, others) = (narrow.property(&name), wide.property(&name));
            if let Some(value) = self.known(&own.nodes(), &others.nodes()) {
                members.push((name, value));
            }
            if members.len() == MAX_MEMBERS {
                break;
            }
        }
        members
    }

    /// Returns a value that is known to be of some schemas and not of others.
    fn known(&self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> Option<Json> {
        match self.refuted.get(&self.pair(narrow, wide))? {
            Inclusion::No(value) => Some(value.clone()),
            _ => None,
        }
    }
}

/// Returns the alternatives of a value.
fn alternatives<'t>(view: &View<'t>) -> Vec<&'t Node<'t>> {
    view.alternatives()
        .map(|alternative| alternative.node)
        .collect()
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
