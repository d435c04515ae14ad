//! The other parameters of a call in which one is tried.

use std::rc::Rc;

use super::decode::{Asks, Decode, Log, Refusal, Source};
use super::sample::{Sample, Value};
use super::sampler::Sampler;
use super::spelling::Spellings;
use crate::ParamDescription;
use crate::json::{Json, Name};
use crate::schema::Definitions;

/// A small value for each parameter that has to be given, so that one of them can be tried.
pub(in crate::schema) struct Beside<'j> {
    /// None where a parameter has no value.
    required: Option<Vec<(Name, Rc<Sample<'j>>)>>,
    variadic: bool,
    /// The texts that the type takes where its schema allows any.
    pub(super) spellings: Spellings,
}

impl<'j> Beside<'j> {
    pub(in crate::schema) fn of(
        params: &'j [ParamDescription],
        definitions: &'j Definitions,
        decode: Decode,
    ) -> Self {
        let mut beside = Self {
            required: None,
            variadic: params.iter().any(|param| param.variadic),
            spellings: Spellings::default(),
        };
        beside.fill(params, definitions);
        let spell = |beside: &mut Self, spellings: &Spellings| {
            if beside.spellings != *spellings {
                beside.spellings = spellings.clone();
                beside.fill(params, definitions);
            }
        };
        let mut spellings = Spellings::default();
        spellings.learn(|spellings| {
            spell(&mut beside, spellings);
            attempt(&beside.whole(), decode)
        });
        spell(&mut beside, &spellings);
        // What is asked for at these values does not concern the parameter that is tried.
        for (_, value) in beside.required.iter_mut().flatten() {
            *value = Sample::free(&value.to_json());
        }
        beside
    }

    fn fill(&mut self, params: &'j [ParamDescription], definitions: &'j Definitions) {
        let required = params
            .iter()
            .filter(|param| param.required && !param.variadic);
        let spellings = &self.spellings;
        let small = |param: &'j ParamDescription| {
            let mut sampler = Sampler::new(definitions).spelled(spellings);
            Some((Name::from(&param.name), sampler.simplest(&param.schema)?))
        };
        self.required = required.map(small).collect();
    }

    /// The required parameters and no other.
    fn whole(&self) -> Sample<'j> {
        Sample {
            form: None,
            value: Value::Object(self.required.clone().unwrap_or_default()),
        }
    }

    /// All parameters, this one with a value of its own.
    pub(super) fn with(&self, name: &str, value: &Rc<Sample<'j>>) -> Rc<Sample<'j>> {
        if self.variadic {
            return Rc::clone(value);
        }
        let mut whole = self.whole();
        if let Value::Object(members) = &mut whole.value {
            members.retain(|(other, _)| *other != *name);
            members.push((name.into(), Rc::clone(value)));
        }
        Rc::new(whole)
    }
}

/// The parameter that is called `alias` too: with both names in one call, serde finds it twice.
pub(in crate::schema) fn owner(
    alias: &str,
    params: &[ParamDescription],
    definitions: &Definitions,
    decode: Decode,
) -> Option<usize> {
    let beside = Beside::of(params, definitions, decode);
    params.iter().position(|param| {
        let mut sampler = Sampler::new(definitions).spelled(&beside.spellings);
        let Some(sample) = sampler.simplest(&param.schema) else {
            return false;
        };
        let mut whole = beside.with(&param.name, &sample);
        if let Value::Object(members) = &mut Rc::make_mut(&mut whole).value {
            members.push((alias.into(), Sample::free(&Json::Null)));
        }
        let refused = attempt(&whole, decode).1.err();
        refused.is_some_and(|refusal| refusal.duplicate == Some(&*param.name))
    })
}

/// Whether a type takes a sample.
pub(super) fn is_taken(whole: &Sample<'_>, decode: Decode) -> bool {
    decode(Source::new(whole, &Log::silent())).is_ok()
}

/// Decodes a sample, and says what the type asked for.
pub(super) fn attempt<'j>(whole: &Sample<'j>, decode: Decode) -> (Asks<'j>, Result<(), Refusal>) {
    let log = Log::new();
    let outcome = decode(Source::new(whole, &log));
    (log.into_asks(), outcome)
}
