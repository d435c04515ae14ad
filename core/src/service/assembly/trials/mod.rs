//! Values that the schema of a parameter accepts and its type rejects.
//!
//! A schema comes from the declaration of a type, but decoding may be stricter: a conversion that
//! rejects values, a custom function, serde's buffer without 128-bit integers. A caller that
//! follows the description would then be rejected. So we bind samples of the schema, like calls,
//! when the service is built.
//!
//! If a type accepts some of the strings or numbers that its schema allows and rejects others,
//! `build()` warns: this is common for types of other crates, and no schema can say which socket
//! addresses exist. If it accepts none, the schema is wrong, and that is a mistake.

mod refused;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use docent_describe::json::{Json, Object, Pointer, shorten};
use docent_describe::schema::{
    Candidate, Decoding, ParamsShape, ShapeProblem, candidates, notations,
};
use docent_describe::{Components, ParamDescription};

use super::draft::Draft;
use super::enforce::Enforcer;
use super::findings::Findings;
use crate::bind::{BindError, Params};
use crate::check::Check;
use crate::service::callable::Callable;
use refused::{Extent, Refused, SHOWN};

/// How many refusals of one parameter are reported.
const REPORTED: usize = 3;
/// How many texts in notations of their own are looked for in one sample.
const NOTATIONS: usize = 64;

/// What has to be known of a procedure to try it.
pub(super) struct Subject {
    shape: Arc<Result<ParamsShape, Vec<ShapeProblem>>>,
    unchecked: bool,
}

impl Subject {
    pub(super) fn of(draft: &Draft) -> Self {
        Self {
            shape: Arc::clone(&draft.shapes.params),
            unchecked: draft.registered.about.unchecked.is_some(),
        }
    }

    fn decoding(&self) -> &[Decoding] {
        self.shape
            .as_ref()
            .as_ref()
            .map_or(&[], |shape| &shape.decoding)
    }
}

/// The trials of a service's types.
pub(super) struct Trials<'c> {
    components: &'c Components,
    /// The types of parameters that need not be tried again, by where their shapes are.
    done: HashSet<usize>,
    /// The warnings that have been given. They are about types, and stand once.
    warned: HashSet<String>,
}

impl<'c> Trials<'c> {
    pub(super) fn new(components: &'c Components) -> Self {
        Self {
            components,
            done: HashSet::new(),
            warned: HashSet::new(),
        }
    }

    /// Binds samples of each parameter, and reports those that are refused.
    pub(super) fn check(
        &mut self,
        subject: &Subject,
        callable: &Callable,
        enforcer: &mut Enforcer<'c>,
        findings: &mut Findings,
    ) {
        let params = &callable.callee.description.params;
        let decoding = subject.decoding();
        let key = Arc::as_ptr(&subject.shape).addr();
        if subject.unchecked || decoding.len() != params.len() || self.done.contains(&key) {
            return;
        }
        let all = params.iter();
        let all: Vec<_> = all.map(|param| self.candidates(param, enforcer)).collect();
        let beside: Vec<Option<Json>> = (params.iter().zip(decoding).zip(&all))
            .map(|((param, decoding), candidates)| {
                let first = || candidates.first().map(Candidate::value);
                let sample = decoding.sample.clone().or_else(first);
                sample.filter(|_| param.required)
            })
            .collect();
        let mut done = true;
        for (index, (param, candidates)) in params.iter().zip(&all).enumerate() {
            let call = Call {
                callable,
                beside: &beside,
                buffered: decoding[index].buffered,
                index,
            };
            for refused in call.refusals(candidates) {
                done &= refused.extent == Extent::Narrower;
                let name = &callable.callee.description.name;
                refused.report(name, &param.name, &mut self.warned, findings);
            }
            done &= !Self::check_infinite(
                &callable.callee.description.name,
                param,
                &decoding[index],
                enforcer,
                findings,
            );
        }
        if done {
            self.done.insert(key);
        }
    }

    /// Finds a value that the schema takes with a number in it that is infinity to the handler.
    fn check_infinite(
        procedure: &str,
        param: &ParamDescription,
        decoding: &Decoding,
        enforcer: &mut Enforcer<'_>,
        findings: &mut Findings,
    ) -> bool {
        if decoding.infinite.is_empty() {
            return false;
        }
        let check = enforcer.full_check(&param.schema);
        let texts = decoding.infinite.iter().map(Json::to_string);
        let is_allowed = |text: &String| {
            let check = check.as_ref();
            check.is_some_and(|check| check.check(text).is_ok())
        };
        let Some(text) = texts.filter(is_allowed).min_by_key(String::len) else {
            return false;
        };
        let (name, shown) = (&param.name, shorten(&text, SHOWN));
        findings.mistake(
            procedure,
            format_args!(
                "parameter `{name}`: the schema allows {shown}, which serde decodes as an infinite \
                 `f32`: of the alternatives it takes the first that fits, and from a buffer every \
                 number fits an `f32`; use `f64`, or call `.unchecked(reason)` on the procedure"
            ),
        );
        true
    }

    /// The samples of a parameter that its schema takes.
    fn candidates<'p>(
        &self,
        param: &'p ParamDescription,
        enforcer: &mut Enforcer<'_>,
    ) -> Vec<Candidate<'p>>
    where
        'c: 'p,
    {
        let check = enforcer.full_check(&param.schema);
        let fits = |candidate: &Candidate<'_>| {
            let fits = |check: &Check| check.check(&candidate.value().to_string()).is_ok();
            check.as_ref().is_some_and(fits)
        };
        let mut candidates = candidates(&param.schema, &self.components.schemas);
        candidates.retain(fits);
        candidates
    }
}

/// The notation that the type takes in a place; None where none was found.
type Spellings = HashMap<Pointer, Option<&'static str>>;

/// Calls in which one parameter is tried.
struct Call<'e> {
    callable: &'e Callable,
    /// The values of the parameters that have to be given.
    beside: &'e [Option<Json>],
    /// Whether some of the parameter is decoded from a buffer.
    buffered: bool,
    /// Which one.
    index: usize,
}

impl Call<'_> {
    /// What the type refuses, each sort of it once.
    fn refusals(&self, candidates: &[Candidate<'_>]) -> Vec<Refused> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            outcomes.push(self.bind(&candidate.value()));
        }
        if outcomes.iter().all(Result::is_ok) {
            return Vec::new();
        }
        let outcomes = candidates.iter().zip(outcomes);
        let (taken, refused): (Vec<_>, Vec<_>) = outcomes.partition(|(_, outcome)| outcome.is_ok());
        let taken: HashSet<String> = taken
            .into_iter()
            .map(|(candidate, _)| candidate.outline())
            .collect();
        let mut spellings = HashMap::new();
        let mut found: Vec<Refused> = Vec::new();
        for (candidate, outcome) in refused {
            if let Err(error) = outcome {
                for refused in self.explain(candidate, error, &taken, &mut spellings) {
                    // Warnings must not crowd out a mistake.
                    let alike = found.iter().filter(|known| known.extent == refused.extent);
                    let is_new = !found.iter().any(|known| known.is_like(&refused));
                    if is_new && alike.count() < REPORTED {
                        found.push(refused);
                    }
                }
            }
        }
        found
    }

    /// Why a sample is refused. What is refused for a text in a notation of its own may be refused
    /// for something else beside it.
    fn explain(
        &self,
        candidate: &Candidate<'_>,
        error: BindError,
        taken: &HashSet<String>,
        spellings: &mut Spellings,
    ) -> Vec<Refused> {
        let mut sample = candidate.value();
        if taken.contains(&candidate.outline()) {
            return vec![Refused::new(
                sample,
                &error,
                Extent::Narrower,
                self.buffered,
            )];
        }
        let mut found = Vec::new();
        let mut error = error;
        while candidate.is_free_text(error.pointer()) {
            found.push(Refused::new(
                sample.clone(),
                &error,
                Extent::Narrower,
                self.buffered,
            ));
            if found.len() == NOTATIONS {
                return found;
            }
            match self.respell(&mut sample, error.pointer(), spellings) {
                Some(Err(next)) => error = next,
                Some(Ok(())) | None => return found,
            }
        }
        let respelled = || {
            candidate
                .respelled()
                .any(|sample| self.bind(&sample).is_ok())
        };
        let extent = if found.is_empty() && respelled() {
            Extent::Narrower
        } else {
            Extent::Nothing
        };
        found.push(Refused::new(sample, &error, extent, self.buffered));
        found
    }

    /// Writes a text in another notation with which it is not the text that is refused. Gives what is,
    /// if anything; None where no notation is known that the type takes.
    fn respell(
        &self,
        sample: &mut Json,
        place: &Pointer,
        spellings: &mut Spellings,
    ) -> Option<Result<(), BindError>> {
        let mut write = |notation: &str| {
            *place.resolve_mut(sample)? = Json::from(notation);
            match self.bind(sample) {
                Err(error) if error.pointer() == place => None,
                outcome => Some(outcome),
            }
        };
        if let Some(known) = spellings.get(place) {
            return known.and_then(write);
        }
        let mut found = notations().filter_map(|notation| Some((notation, write(notation)?)));
        let found = found.next();
        let notation = found.as_ref().map(|(notation, _)| *notation);
        spellings.insert(place.clone(), notation);
        found.map(|(_, outcome)| outcome)
    }

    /// Binds a call in which the parameter has this value, and the others are as small as they can
    /// be. A refusal of another parameter is none of this one.
    fn bind(&self, sample: &Json) -> Result<(), BindError> {
        let params = &self.callable.callee.description.params;
        let own = &params[self.index];
        let text = if own.variadic {
            sample.to_string()
        } else {
            let mut members = Object::new();
            for (at, param) in params.iter().enumerate() {
                let value = if at == self.index {
                    Some(sample)
                } else {
                    self.beside[at].as_ref()
                };
                members.extend(value.map(|value| (param.name.clone(), value.clone())));
            }
            Json::Object(members).to_string()
        };
        let Callable { handler, plan, .. } = self.callable;
        let outcome = handler.accepts(plan, Params::given(&text));
        match outcome
            .as_ref()
            .map_err(|error| error.concerning(&own.name))
        {
            Err(Some(error)) => Err(error.clone()),
            _ => Ok(()),
        }
    }
}
