//! Trials find out which values a type really takes, by decoding samples of its schema.
//!
//! A schema and a derived `Deserialize` come from the same type but can differ, because attributes of serde and
//! schemars can contradict each other, and implementations can be written by hand. [`examine`] takes the described
//! parameters of a type, and returns [`TrialFindings`]:
//!
//! ```text
//! #[serde(alias = "title")] name: String   a problem: serde accepts `title`, but the schema does not describe it
//! HashMap<u8, String>                      an edit: the pattern of names becomes that of 0 to 255
//! #[serde(deserialize_with = "lenient")]   loose: serde may take more, so each call checks the schema completely
//!
//! each form of a parameter    schema/example ─► sample ─ decode ─► Attempt { outcome, hints } ─┐
//! each value in the sample    visit ─► VisitedValue { value, view, case } ─────────────────────┴─► examine_value
//! ```
//!
//! A hint says what serde asks a type for at one value: a struct with these fields, a number in this range. The hints
//! are compared with the view of the value, and the sample is tried again with one member added or left out. `keys`
//! finds out which names a map takes, and `buffered` which integers serde cannot decode behind `flatten`.
//! `schema/params` applies the edits and tries again, since edited schemas have other samples. `build()` reports the
//! problems, and checks loose parameters completely (`schema/check`).
//!
//! The obvious test would decode values that the schema refuses, but there are endlessly many of them. A hint shows for
//! all values of a kind at once whether a type accepts them. A parameter about which a trial stays uncertain counts as
//! loose, which costs time at each call and is always right.

mod buffered;
mod decode;
pub(super) mod digits;
mod edit;
mod keys;
mod visit;

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::context::SchemaContext;
use super::example::Examples;
use super::example::every::one_of_each_kind;
use super::problem::SchemaProblem;
use super::tree::{Node, NodeId};
use super::type_schemas::Definitions;
use super::view::{SchemaViews, View};
use crate::ParamDescription;
use crate::json::de::Hint;
use crate::json::{Json, Object, Pointer};
pub(super) use decode::{Attempt, Decode, attempt, decode};
use decode::{is_taken, is_taken_without};
pub(super) use edit::Edits;
use visit::VisitedValue;
pub use visit::value_of_type;
pub(super) use visit::visit_values;

/// A member that is unknown to every type.
const UNKNOWN_MEMBER: &str = "no type has this member";

/// A text in each of the notations that types of common crates decode. The schema of a socket address
/// allows any string, so its type would refuse every other sample, and the rest of the
/// value around it could not be tried.
const COMMON_NOTATIONS: [&str; 12] = [
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
    /// The differences between the type and its schemas that no schema can express.
    pub(super) problems: Vec<SchemaProblem>,
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
    let mut loose = Vec::with_capacity(params.len());
    for param in params {
        loose.push(!trial.examine_param(param));
    }
    TrialFindings {
        loose,
        problems: trial.problems,
        edits: trial.edits,
    }
}

/// Returns the index of the parameter that is called `alias` too: with both names in one call, serde finds it
/// twice.
pub(super) fn owner_of_alias(
    alias: &str,
    params: &[ParamDescription],
    definitions: &Definitions,
    decode: Decode,
) -> Option<usize> {
    let views = views(definitions);
    let trial = Trial::new(params, &views, decode);
    for (index, param) in params.iter().enumerate() {
        let Some(sample) = trial.examples.smallest(views.view_of_schema(&param.schema)) else {
            continue;
        };
        let mut call = trial.settled(trial.call(param, sample));
        if let Json::Object(members) = &mut call {
            members.insert(alias, Json::Null);
            if attempt(&call, decode).duplicate() == Some(&*param.name) {
                return Some(index);
            }
        }
    }
    None
}

/// Returns the schemas of a type, whose formats are left to it.
fn views(definitions: &Definitions) -> SchemaViews<'_> {
    SchemaViews::new(SchemaContext::new(definitions, Some(&[])))
}

/// The trials of the parameters of a type.
struct Trial<'t> {
    views: &'t SchemaViews<'t>,
    decode: Decode,
    /// Makes the samples.
    examples: Examples<'t>,
    /// A small value for each parameter that is required.
    required: Object,
    /// The nodes of the values that have been examined, with the hints about them.
    examined: HashSet<(Vec<NodeId>, Vec<Hint>)>,
    /// The problems so far, each once.
    problems: Vec<SchemaProblem>,
    /// The edits so far.
    edits: Edits,
}

impl<'t> Trial<'t> {
    /// Begins the trials with a sample of each required parameter that the type takes.
    fn new(params: &'t [ParamDescription], views: &'t SchemaViews<'t>, decode: Decode) -> Self {
        let examples = Examples::new(views.tree.context().components);
        let mut required = Object::new();
        for param in params {
            if param.required
                && !param.variadic
                && let Some(sample) = examples.smallest(views.view_of_schema(&param.schema))
            {
                required.insert(param.name.as_str(), sample);
            }
        }
        let mut trial = Self {
            views,
            decode,
            examples,
            required: Object::new(),
            examined: HashSet::new(),
            problems: Vec::new(),
            edits: Edits::default(),
        };
        if let Json::Object(required) = trial.settled(required.into()) {
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

    /// Returns whether the type takes a call.
    fn is_taken(&self, call: &Json) -> bool {
        is_taken(call, self.decode)
    }

    /// Replaces scalars that the type refuses by others, as far as it takes one.
    fn settled(&self, mut call: Json) -> Json {
        for _ in 0..COMMON_NOTATIONS.len() {
            let attempt = attempt(&call, self.decode);
            if attempt.outcome.is_ok() {
                break;
            }
            let others: Vec<Json> = match attempt.last_hint() {
                Some(Hint::Text) => COMMON_NOTATIONS.map(Json::from).into(),
                Some(Hint::Number(_)) => [0, 2, 10, 100].map(Json::from).into(),
                _ => break,
            };
            let Some(pointer) = attempt.last_pointer() else {
                break;
            };
            let Some(next) = self.first_taken(&call, &pointer, others) else {
                break;
            };
            call = next;
        }
        call
    }

    /// Returns a call with another value at a pointer, the first of several with which the type
    /// gets further than there.
    fn first_taken(&self, call: &Json, pointer: &Pointer, others: Vec<Json>) -> Option<Json> {
        for other in others {
            let mut candidate = call.clone();
            if let Some(value) = pointer.resolve_mut(&mut candidate) {
                *value = other;
            }
            let attempt = attempt(&candidate, self.decode);
            if attempt.outcome.is_ok() || attempt.last_pointer().as_ref() != Some(pointer) {
                return Some(candidate);
            }
        }
        None
    }

    /// Decodes a sample of each form of a parameter, and notes the differences that are found. Returns whether the
    /// type plainly takes no more for it than its schema allows.
    fn examine_param(&mut self, param: &'t ParamDescription) -> bool {
        let view = self.views.view_of_schema(&param.schema);
        let samples = self.examples.each_form(view);
        let mut is_plain = samples.are_all;
        for sample in samples.values {
            let call = self.settled(self.call(param, sample));
            let attempt = attempt(&call, self.decode);
            let mut pointer = Pointer::root();
            if !param.variadic {
                pointer.push(&param.name);
            }
            if attempt.outcome.is_err() {
                is_plain = false;
                let _ = visit_values(&call, &mut pointer, view, &mut |visited| {
                    buffered::report_refused_integers(self, param, visited, &attempt);
                    ControlFlow::Continue(())
                });
                continue;
            }
            let _ = visit_values(&call, &mut pointer, view, &mut |visited| {
                let hints: Vec<Hint> = attempt.hints_at(visited.pointer).collect();
                let nodes = visited.case.nodes().map(|node| node.id).collect();
                if self.examined.insert((nodes, hints)) {
                    is_plain &= self.examine_value(param, visited, &attempt);
                }
                ControlFlow::Continue(())
            });
        }
        is_plain
    }

    /// Notes the differences at one value in a sample that the type takes. Returns whether the type plainly
    /// takes no more there than the schema allows.
    fn examine_value(
        &mut self,
        param: &ParamDescription,
        visited: &VisitedValue<'_, 't>,
        attempt: &Attempt,
    ) -> bool {
        if visited.case.accepts_all() {
            return true;
        }
        for hint in attempt.hints_at(visited.pointer) {
            self.compare_names(param, visited, hint);
        }
        // A function may forgive what its type cannot decode.
        let mut is_plain = visited.is_plain(attempt)
            && !is_taken_without(visited.pointer, visited.sample, self.decode);
        if let Json::Object(members) = visited.value {
            for (name, property) in visited.case.properties() {
                if property.is_required && members.contains_key(name) {
                    let without = visited.changed(|members| _ = members.shift_remove(name));
                    is_plain = is_plain && !self.is_taken(&without);
                }
            }
            is_plain &= self.examine_openness(param, visited);
            keys::narrow_names(self, visited);
            buffered::report_refused_integers(self, param, visited, attempt);
        }
        is_plain
    }

    /// Compares the names that a type expects with those that the schema describes.
    fn compare_names(
        &mut self,
        param: &ParamDescription,
        visited: &VisitedValue<'_, 't>,
        hint: Hint,
    ) {
        let mut described = visited.described_names();
        let expected = match hint {
            Hint::Struct(fields) => fields,
            // The tag of a variant is described beside its content: one name at a time.
            Hint::Enum(variants) if !visited.is_constant() => {
                for listed in visited.cases.iter().flat_map(|case| &case.listed).flatten() {
                    described.extend(listed.value.as_str());
                }
                for node in visited.view.nodes() {
                    add_listed_names(node, &mut described);
                }
                variants
            }
            _ => return,
        };
        let param = &param.name;
        let type_phrase = visited.phrase();
        for name in expected.iter().filter(|name| !described.contains(name)) {
            self.problem(format!(
                "parameter `{param}`: serde accepts the name `{name}` {type_phrase}, but the schema does \
                 not describe it (an alias, or `schemars(skip)`); remove the attribute, or call \
                 `.unchecked(reason)` on the procedure"
            ));
        }
        if matches!(hint, Hint::Enum(_)) {
            return;
        }
        for name in described.iter().filter(|name| !expected.contains(name)) {
            self.problem(format!(
                "parameter `{param}`: the schema describes a member `{name}` {type_phrase}, but serde \
                 does not decode it; make `Deserialize` and `JsonSchema` of the type agree, or call \
                 `.unchecked(reason)` on the procedure"
            ));
        }
    }

    /// Adds a problem, once.
    fn problem(&mut self, text: String) {
        let problem = SchemaProblem::new(text);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Tries to add members: an unknown one, and those of other alternatives. Returns whether the type
    /// takes no more of them than the schema allows.
    fn examine_openness(
        &mut self,
        param: &ParamDescription,
        visited: &VisitedValue<'_, 't>,
    ) -> bool {
        if visited.has_open_members() {
            return true;
        }
        let taken = self.values_taken_as(UNKNOWN_MEMBER, visited);
        if !visited.is_open() {
            if !taken.is_empty() && is_closed_by_unevaluated(visited.case) {
                self.problem(format!(
                    "parameter `{}`: `unevaluatedProperties` says {} that there are no other members, \
                     and serde takes them; say `#[serde(deny_unknown_fields)]` instead, or \
                     `.unchecked(reason)` on the procedure",
                    param.name,
                    visited.phrase()
                ));
            }
            return taken.is_empty();
        }
        if taken.is_empty() {
            self.edits.close(visited.case);
        }
        for name in visited.described_names() {
            let is_there = visited.case.describes(name) || visited.value.get(name).is_some();
            if !is_there && self.values_taken_as(name, visited) == [Json::Null] {
                self.edits.only_null(visited.case, name);
            }
        }
        true
    }

    /// Returns the values that the type takes as an additional member of this name, of one value of each kind.
    fn values_taken_as(&self, name: &str, visited: &VisitedValue<'_, 't>) -> Vec<Json> {
        let mut values = Vec::from(one_of_each_kind());
        values.retain(|value| {
            self.is_taken(&visited.changed(|members| _ = members.insert(name, value.clone())))
        });
        values
    }
}

/// Adds the texts that a node lists for a value, also those that a constraint beside it refuses.
fn add_listed_names<'t>(node: &'t Node<'t>, names: &mut Vec<&'t str>) {
    for value in node.listed.iter().flatten() {
        names.extend(value.as_str());
    }
    node.for_each_part(&mut |part, child| {
        if part.is_of_same_value() {
            add_listed_names(child, names);
        }
    });
}

/// Returns whether `unevaluatedProperties` says that there are no other members.
fn is_closed_by_unevaluated(case: &View<'_>) -> bool {
    case.objects().any(|(_, objects)| {
        objects
            .unevaluated
            .as_deref()
            .is_some_and(|unevaluated| unevaluated.is_never)
    })
}
