//! Values that the schema of a parameter accepts and its type rejects.
//!
//! A schema comes from the declaration of a type, but decoding may be stricter: a conversion that
//! rejects values, a custom function, serde's buffer without 128-bit integers. A caller that follows
//! the description would then be rejected. So when the service is built, we bind samples of the schema
//! as calls do: those of parameters that are not [settled](Decoding::settled), because the samples of
//! most types have been decoded already when their schemas were made.
//!
//! If a type accepts some of the strings or numbers that its schema allows and rejects others,
//! `build()` warns: this is common for types of other crates, and no schema can say which socket
//! addresses exist. If it accepts none, the schema is wrong, and that is a mistake.

mod call;
mod refused;

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{Candidate, Decoding, ParamsShape, ShapeProblem, candidates};
use docent_describe::{Components, ParamDescription};

use super::draft::Draft;
use super::enforce::Enforcer;
use super::findings::Findings;
use crate::service::callable::Callable;
use call::Call;
use docent_describe::schema::check::Check;
use refused::{Extent, SHOWN};

/// The properties of a procedure that its trial needs.
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
    /// The types of parameters that need not be tried again, by the addresses of their shapes.
    done: HashSet<usize>,
    /// The warnings that have been given. They are about types, and are given once.
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
        if decoding
            .iter()
            .all(|it| it.settled && it.infinite.is_empty())
        {
            self.done.insert(key);
            return;
        }
        let all: Vec<_> = (params.iter().zip(decoding))
            .map(|(param, decoding)| {
                if decoding.settled {
                    Vec::new()
                } else {
                    self.candidates(param, enforcer)
                }
            })
            .collect();
        let beside: Vec<Option<String>> = (params.iter().zip(decoding).zip(&all))
            .map(|((param, decoding), candidates)| {
                let sample = || decoding.sample.as_ref().map(Json::to_string);
                let first = || candidates.first().map(|first| first.text().to_owned());
                param.required.then(|| sample().or_else(first)).flatten()
            })
            .collect();
        let mut done = true;
        for (index, (param, candidates)) in params.iter().zip(&all).enumerate() {
            let call = Call::new(callable, index, &beside, decoding[index].buffered);
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

    /// Reports a value that the schema allows and that has a number that is infinite for the
    /// handler. Returns whether there is one.
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

    /// Returns the samples of a parameter that match its schema.
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
            let fits = |check: &Check| check.check(candidate.text()).is_ok();
            check.as_ref().is_some_and(fits)
        };
        let mut candidates = candidates(&param.schema, &self.components.schemas);
        candidates.retain(fits);
        candidates
    }
}
