//! Looks for values that only the narrower schema takes.

use std::iter;

use super::includes::{Includes, Inclusion, MAX_STEPS_EVER, followed, ids};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Kinds, Node, OtherProperties, View, variations};

/// The maximum number of values that are tried.
const MAX_VALUES: usize = 1_000;
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
        let (own, others) = (source(narrow), source(wide));
        let kinds = self.narrow.view(narrow).kinds;
        let types = TYPES.iter().filter(|(_, kind)| kinds.meet(*kind));
        let examples: Vec<Json> = types
            .filter_map(|(name, _)| self.examples.of(&typed(&own, name)))
            .collect();
        let varied = examples.into_iter().flat_map(|example| {
            let of_wide = variations(&others, &example, self.wide.tree.context().components);
            let of_narrow = variations(&own, &example, self.narrow.tree.context().components);
            iter::once(example).chain(of_wide).chain(of_narrow)
        });
        self.with_refuted_parts(narrow, wide, &own)
            .into_iter()
            .chain(simple_values())
            .chain(varied)
            .take(MAX_VALUES)
            .find(|value| {
                let is_own =
                    |node: &&Node<'t>| self.narrow.tree.is_valid(node, value) == Some(true);
                let is_refused = |node: &&'t Node<'t>| self.wide_takes(node, value) == Some(false);
                narrow.iter().all(is_own) && wide.iter().any(is_refused)
            })
    }

    /// Returns values with a part that is known not to be a value of the same part of `wide`.
    fn with_refuted_parts(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
        own: &Json,
    ) -> Vec<Json> {
        let (one, other) = (self.narrow.view(narrow), self.wide.view(wide));
        let mut members = self.refuted_members(one, other);
        members.extend(self.members_by_pattern(one, other));
        members.truncate(MAX_MEMBERS);
        let example = members.first().and_then(|_| self.examples.of(own));
        let example = example.as_ref().and_then(Json::as_object);
        let example = example.cloned().unwrap_or_default();
        let objects = members.into_iter().map(|members| {
            let mut object = example.clone();
            object.extend(members);
            Json::from(object)
        });
        let element = self.known(one.elements().at(0), other.elements().at(0));
        let arrays = element.map(|value| Json::Array(vec![value]));
        let alternatives = self.refuted_alternatives((narrow, one), (wide, other));
        alternatives
            .into_iter()
            .chain(objects)
            .chain(arrays)
            .collect()
    }

    /// Returns members that are known not to fit.
    fn refuted_members(&self, narrow: &View<'t>, wide: &View<'t>) -> Vec<Object> {
        let mut members = Vec::new();
        let asked = wide.properties();
        for (name, own) in narrow.properties() {
            let others = asked.get(name).map(|property| property.nodes());
            let value = others.and_then(|others| self.known(&own.nodes(), &others));
            members.extend(value.map(|value| Object::from([(name, value)])));
        }
        let (own, others) = (narrow.other_properties(), wide.other_properties());
        let nodes = |others: &OtherProperties<'t>| -> Vec<&'t Node<'t>> {
            others.layers.iter().map(|layer| layer.node).collect()
        };
        let value = self.known(&nodes(&own), &nodes(&others));
        members.extend(value.map(|value| Object::from([("key", value)])));
        members
    }

    /// Returns members that do not fit what is asked of the names that match a pattern.
    fn members_by_pattern(&mut self, narrow: &View<'t>, wide: &View<'t>) -> Vec<Object> {
        let mut members = Vec::new();
        for (pattern, layer) in wide.other_properties().patterns {
            let name = Object::from(
                [("type", "string"), ("pattern", pattern)]
                    .map(|(keyword, text)| (keyword, Json::from(text))),
            );
            let name = self.examples.of(&Json::from(name));
            let Some(name) = name.as_ref().and_then(Json::as_str) else {
                continue;
            };
            let own = narrow.property(name).nodes();
            let answer = self.deeper(|includes| includes.answer(&own, &[layer.node]));
            if let Some(Inclusion::No(value)) = answer {
                members.push(Object::from([(name, value)]));
            }
        }
        members
    }

    /// Returns values of alternatives that are known not to fit any of the others, or the whole.
    fn refuted_alternatives(
        &self,
        (narrow, own): (&[&'t Node<'t>], &View<'t>),
        (wide, others): (&[&'t Node<'t>], &View<'t>),
    ) -> Vec<Json> {
        let others = alternatives(others);
        let mut values = Vec::new();
        for one in alternatives(own) {
            let pairs = others.iter();
            values.extend(pairs.filter_map(|other| self.known(&[one], &[other])));
            let chosen: Vec<_> = narrow.iter().copied().chain([one]).collect();
            values.extend(self.known(&chosen, wide));
        }
        values
    }

    /// Returns a value that is known to be of some schemas, and not of others.
    fn known(&self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> Option<Json> {
        let (narrow, wide) = (followed(self.narrow, narrow), followed(self.wide, wide));
        match self.refuted.get(&(ids(&narrow), ids(&wide)))? {
            Inclusion::No(value) => Some(value.clone()),
            _ => None,
        }
    }
}

/// Returns the alternatives of a value.
fn alternatives<'t>(view: &View<'t>) -> Vec<&'t Node<'t>> {
    let unions = view.unions.iter();
    let alternatives = unions.flat_map(|union| &union.alternatives);
    alternatives.map(|alternative| alternative.node).collect()
}

/// Returns the text of a schema for the values of all nodes.
fn source(nodes: &[&Node<'_>]) -> Json {
    match nodes {
        [node] => node.source.clone(),
        nodes => all(nodes.iter().map(|node| node.source.clone()).collect()),
    }
}

fn all(schemas: Vec<Json>) -> Json {
    Json::from(Object::from([("allOf", Json::Array(schemas))]))
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
