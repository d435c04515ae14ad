//! Trials: what a type really takes, found out by decoding samples of its schema.
//!
//! A schema and a derived `Deserialize` come from the same type but can differ. If it is not plain
//! that serde takes no more than the schema allows, the whole schema is checked at each call
//! ([`TrialFindings::loose`]). If it takes less, in a way that a schema can say, the schema is narrowed
//! ([`edit`]): keys that are integers, members next to the only one. If the names differ, that is a
//! [`ShapeProblem`].

mod buffered;
mod decode;
pub(super) mod digits;
mod edit;
mod keys;
mod place;

use std::collections::HashSet;

use super::context::SchemaContext;
use super::example::Examples;
use super::example::every::one_of_each_kind;
use super::problem::ShapeProblem;
use super::shape::Definitions;
use super::tree::NodeId;
use super::view::{SchemaViews, View};
use crate::ParamDescription;
use crate::json::{Json, Object, Pointer};
use decode::is_taken;
pub(super) use decode::{Ask, Attempt, Decode, attempt, decode};
pub(super) use edit::Edits;
pub(super) use place::each_place;
use place::{Place, address};

/// A member that no type has.
const UNKNOWN_MEMBER: &str = "no type has this member";

/// A text in each of the notations that types of common crates decode. To its schema, a socket
/// address is a string, and a type that wants one refuses every sample that knows no better: nothing
/// else of the value around it could then be tried.
const NOTATIONS: [&str; 12] = [
    "127.0.0.1:80",
    "[::1]:80",
    "192.0.2.0/24",
    "1.5",
    "PT1H",
    "1h",
    "1.2.3",
    "2024-02-29",
    "2024-02-29T12:34:56Z",
    "UTC",
    "text/plain",
    "https://example.com/",
];

/// The findings of trials of a type.
pub(super) struct TrialFindings {
    /// True for each parameter whose type may take more than its schema allows.
    pub(super) loose: Vec<bool>,
    pub(super) problems: Vec<ShapeProblem>,
    /// Changes to schemas that the type takes less than.
    pub(super) edits: Edits,
}

/// Tries the parameters of a type.
pub(super) fn examine(
    params: &[ParamDescription],
    definitions: &Definitions,
    decode: Decode,
) -> TrialFindings {
    let views = views(definitions);
    let mut trial = Trial::new(params, &views, decode);
    let loose = params.iter().map(|param| !trial.is_plain(param));
    TrialFindings {
        loose: loose.collect(),
        problems: trial.problems,
        edits: trial.edits,
    }
}

/// Returns the parameter that is called `alias` too: with both names in one call, serde finds it
/// twice.
pub(super) fn owner(
    alias: &str,
    params: &[ParamDescription],
    definitions: &Definitions,
    decode: Decode,
) -> Option<usize> {
    let views = views(definitions);
    let trial = Trial::new(params, &views, decode);
    params.iter().position(|param| {
        let sample = trial.examples.smallest(views.of(&param.schema));
        let refusal = sample
            .and_then(|sample| {
                let mut call = trial.settled(trial.call(param, sample));
                call.as_object_mut()?.insert(alias, Json::Null);
                Some(call)
            })
            .and_then(|call| attempt(&call, decode).outcome.err());
        refusal.is_some_and(|refusal| refusal.duplicate == Some(&*param.name))
    })
}

/// Returns the schemas of a type, whose formats are left to it.
fn views(definitions: &Definitions) -> SchemaViews<'_> {
    SchemaViews::new(SchemaContext {
        components: definitions,
        enforced_formats: Some(&[]),
    })
}

/// The trials of the parameters of a type.
struct Trial<'t> {
    views: &'t SchemaViews<'t>,
    decode: Decode,
    examples: Examples<'t>,
    /// A small value for each parameter that is required.
    required: Object,
    /// The nodes of the values that have been visited, with what was asked for.
    met: HashSet<(Vec<NodeId>, Vec<Ask>)>,
    problems: Vec<ShapeProblem>,
    edits: Edits,
}

impl<'t> Trial<'t> {
    fn new(params: &'t [ParamDescription], views: &'t SchemaViews<'t>, decode: Decode) -> Self {
        let examples = Examples::new(views.tree.context().components);
        let required = params
            .iter()
            .filter(|param| param.required && !param.variadic)
            .filter_map(|param| {
                Some((
                    param.name.as_str(),
                    examples.smallest(views.of(&param.schema))?,
                ))
            });
        let required = Json::Object(required.collect());
        let mut trial = Self {
            views,
            decode,
            examples,
            required: Object::new(),
            met: HashSet::new(),
            problems: Vec::new(),
            edits: Edits::default(),
        };
        if let Json::Object(required) = trial.settled(required) {
            trial.required = required;
        }
        trial
    }

    /// Returns the parameters of a call in which one of them has this value.
    fn call(&self, param: &ParamDescription, value: Json) -> Json {
        if param.variadic {
            return value;
        }
        let mut call = self.required.clone();
        call.insert(param.name.as_str(), value);
        Json::Object(call)
    }

    fn is_taken(&self, call: &Json) -> bool {
        is_taken(call, None, self.decode)
    }

    /// Replaces scalars that the type refuses by others, as far as it takes one.
    fn settled(&self, mut call: Json) -> Json {
        for _ in 0..NOTATIONS.len() {
            let attempt = attempt(&call, self.decode);
            let refused = attempt.outcome.err().and(attempt.asks.last().copied());
            let others: Vec<Json> = match refused {
                Some((_, Ask::Text)) => NOTATIONS.map(Json::from).into(),
                Some((_, Ask::Number(_))) => [0, 2, 10, 100].map(Json::from).into(),
                _ => break,
            };
            let place = refused.and_then(|(place, _)| pointer_to(&call, place, Pointer::root()));
            let Some(place) = place else { break };
            let mut written = others.into_iter().map(|other| {
                let mut call = call.clone();
                if let Some(value) = place.resolve_mut(&mut call) {
                    *value = other;
                }
                call
            });
            let is_next = |call: &Json| {
                let attempt = decode::attempt(call, self.decode);
                let last = attempt.asks.last().map(|(at, _)| *at);
                attempt.outcome.is_ok() || last != address(&place, call)
            };
            match written.find(is_next) {
                Some(next) => call = next,
                None => break,
            }
        }
        call
    }

    /// Returns whether the type plainly takes no more for a parameter than its schema allows. Learns
    /// in which other ways they differ.
    fn is_plain(&mut self, param: &'t ParamDescription) -> bool {
        let schema = self.views.of(&param.schema);
        let (samples, mut is_plain) = self.examples.each_form(schema);
        for sample in samples {
            let call = self.settled(self.call(param, sample));
            let attempt = attempt(&call, self.decode);
            let mut at = Pointer::root();
            if !param.variadic {
                at.push(&param.name);
            }
            if attempt.outcome.is_err() {
                is_plain = false;
                each_place(&call, &mut at, schema, &mut |place| {
                    buffered::learn(self, param, place, &attempt);
                });
                continue;
            }
            each_place(&call, &mut at, schema, &mut |place| {
                let asks: Vec<Ask> = attempt.asks_at(place.value).collect();
                let nodes = place.case.nodes().map(|node| node.id).collect();
                if self.met.insert((nodes, asks)) {
                    is_plain &= self.learn(param, place, &attempt);
                }
            });
        }
        is_plain
    }

    /// Learns from one place of a sample that the type takes. Returns whether the type plainly takes
    /// no more there than the schema allows.
    fn learn(
        &mut self,
        param: &ParamDescription,
        place: &Place<'_, 't>,
        attempt: &Attempt,
    ) -> bool {
        if place.case.accepts_all() {
            return true;
        }
        for ask in attempt.asks_at(place.value) {
            self.compare_names(param, place, ask);
        }
        // A function may forgive what its type cannot decode.
        let mut is_plain =
            place.is_plain(attempt) && !is_taken(place.sample, Some(place.value), self.decode);
        if let Json::Object(members) = place.value {
            is_plain &= !place.case.properties().iter().any(|(name, property)| {
                property.is_required && members.contains_key(name) && {
                    self.is_taken(&place.changed(|members| _ = members.shift_remove(name)))
                }
            });
            is_plain &= self.learn_open(param, place);
            keys::learn(self, place);
            buffered::learn(self, param, place, attempt);
        }
        is_plain
    }

    /// Compares the names that a type asks for with those that the schema describes.
    fn compare_names(&mut self, param: &ParamDescription, place: &Place<'_, 't>, ask: Ask) {
        let mut described = place.described();
        let asked = match ask {
            Ask::Struct(fields) => fields,
            // The tag of a variant is described beside its content: one name at a time.
            Ask::Enum(variants) if !place.is_constant() => {
                let listed = place.cases.iter().flat_map(|case| &case.listed);
                described.extend(listed.flatten().filter_map(|listed| listed.value.as_str()));
                variants
            }
            _ => return,
        };
        let (param, place_name) = (&param.name, place.in_words());
        for name in asked.iter().filter(|name| !described.contains(name)) {
            self.problem(format!(
                "parameter `{param}`: serde accepts the name `{name}` {place_name}, but the schema does \
                 not describe it (an alias, or `schemars(skip)`); remove the attribute, or call \
                 `.unchecked(reason)` on the procedure"
            ));
        }
        if matches!(ask, Ask::Enum(_)) {
            return;
        }
        for name in described.iter().filter(|name| !asked.contains(name)) {
            self.problem(format!(
                "parameter `{param}`: the schema describes a member `{name}` {place_name}, but serde \
                 does not decode it; make `Deserialize` and `JsonSchema` of the type agree, or call \
                 `.unchecked(reason)` on the procedure"
            ));
        }
    }

    fn problem(&mut self, text: String) {
        let problem = ShapeProblem::new(text);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Adds members: an unknown one, and those of other alternatives. Returns whether the type takes
    /// no more of them than the schema allows.
    fn learn_open(&mut self, param: &ParamDescription, place: &Place<'_, 't>) -> bool {
        if place.has_open_members() {
            return true;
        }
        let taken = self.takes_member(place, UNKNOWN_MEMBER);
        if !place.is_open() {
            if !taken.is_empty() && is_closed_by_unevaluated(place.case) {
                self.problem(format!(
                    "parameter `{}`: `unevaluatedProperties` says {} that there are no other members, \
                     and serde takes them; say `#[serde(deny_unknown_fields)]` instead, or \
                     `.unchecked(reason)` on the procedure",
                    param.name,
                    place.in_words()
                ));
            }
            return taken.is_empty();
        }
        if taken.is_empty() {
            self.edits.close(place.case);
        }
        for name in place.described() {
            let is_there = place.case.describes(name) || place.value.get(name).is_some();
            if !is_there && self.takes_member(place, name) == [Json::Null] {
                self.edits.only_null(place.case, name);
            }
        }
        true
    }

    /// Returns the values with which a member may be added, of one of each kind.
    fn takes_member(&self, place: &Place<'_, 't>, name: &str) -> Vec<Json> {
        let mut values = Vec::from(one_of_each_kind());
        values.retain(|value| {
            self.is_taken(&place.changed(|members| _ = members.insert(name, value.clone())))
        });
        values
    }
}

/// Returns whether `unevaluatedProperties` says that there are no other members.
fn is_closed_by_unevaluated(case: &View<'_>) -> bool {
    case.objects().any(|(_, objects)| {
        let unevaluated = objects.unevaluated.as_ref();
        unevaluated.is_some_and(|unevaluated| unevaluated.is_never)
    })
}

/// Returns the pointer to a place inside a value, by its address.
fn pointer_to(value: &Json, place: *const Json, at: Pointer) -> Option<Pointer> {
    if std::ptr::eq(value, place) {
        return Some(at);
    }
    match value {
        Json::Array(elements) => elements
            .iter()
            .enumerate()
            .find_map(|(index, inner)| pointer_to(inner, place, at.join(index))),
        Json::Object(members) => members
            .iter()
            .find_map(|(name, inner)| pointer_to(inner, place, at.join(name))),
        _ => None,
    }
}
