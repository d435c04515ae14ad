//! Trials: what a type really takes, found out by decoding samples of its schema.
//!
//! A schema and a derived `Deserialize` come from the same type but can differ. serde accepts names
//! that the schema does not have (aliases), and values where the schema is stricter (a buffered
//! struct may be an array). It rejects values that the schema allows (keys that are not integers,
//! members next to the only one). Samples of the schema, and values with a single error, show the
//! differences. What serde accepts in excess must be checked ([`Decoding::loose`]); if it accepts
//! less, the schema is narrowed ([`edit`]); what remains is a [`ShapeProblem`].

mod addresses;
mod asked;
mod beside;
mod candidate;
mod decode;
mod digits;
mod edit;
mod flat;
mod keys;
mod place;
mod probe;
mod sample;
mod sampler;
mod scalars;
mod seen;
mod spelling;
mod text;
mod wrong;

use std::collections::HashSet;
use std::rc::Rc;

use super::form::says_nothing;
use super::recursion::Copies;
use super::{Definitions, ShapeProblem, resolve};
use crate::ParamDescription;
use crate::json::Json;
use decode::{Asks, Refusal};
use sample::Sample;
use sampler::Sampler;
use seen::Seen;

pub(super) use beside::{Beside, owner};
pub use candidate::candidates;
pub(super) use decode::{Ask, Decode, decode};
pub use digits::range_of_names;
pub(super) use edit::Edits;
pub(super) use probe::{Probed, probe};
#[cfg(feature = "validate")]
pub(super) use text::{matching_of_length, of_format};

/// What trials of a parameter have shown.
#[derive(Default)]
pub(super) struct Verdict {
    /// Whether the type may take more than the schema says.
    pub(super) loose: bool,
    /// What is wrong.
    pub(super) problems: Vec<ShapeProblem>,
    /// What the schemas have to say in addition.
    pub(super) edits: Edits,
    /// What is copied where it is decoded.
    pub(super) copies: Copies,
}

/// Tries one parameter of a type.
pub(super) fn examine<'j>(
    param: &'j ParamDescription,
    definitions: &'j Definitions,
    decode: Decode,
    beside: &Beside<'j>,
) -> Verdict {
    let schema = &param.schema;
    let mut trial = Trial {
        name: &param.name,
        schema,
        definitions,
        decode,
        beside,
        seen: Seen::default(),
        met: HashSet::new(),
        verdict: Verdict::default(),
    };
    let samples = Sampler::new(definitions)
        .spelled(&beside.spellings)
        .samples(schema);
    let mut taken = Vec::new();
    for sample in &samples {
        let (asks, outcome) = trial.attempt(sample);
        if outcome.is_ok() {
            trial.seen.cover(sample);
            for (form, ask) in asks {
                if trial.seen.asks_first(&form, ask) {
                    trial.judge(&form, ask);
                }
            }
            taken.push(sample);
        }
    }
    let mut known = place::Known::default();
    for sample in taken {
        place::each_form(sample, &mut known, &mut |form, place| {
            trial.learn(sample, form, place);
        });
    }
    if !trial.covers_all() {
        trial.verdict.loose = true;
    }
    trial.verdict
}

/// The trials of one parameter.
struct Trial<'t, 'j> {
    name: &'t str,
    schema: &'j Json,
    definitions: &'j Definitions,
    decode: Decode,
    beside: &'t Beside<'j>,
    seen: Seen<'j>,
    /// What has been said already.
    met: HashSet<String>,
    verdict: Verdict,
}

impl<'j> Trial<'_, 'j> {
    /// Decodes a sample, and says what the type asked for.
    fn attempt(&self, sample: &Rc<Sample<'j>>) -> (Asks<'j>, Result<(), Refusal>) {
        beside::attempt(&self.beside.with(self.name, sample), self.decode)
    }

    fn is_taken(&self, sample: &Rc<Sample<'j>>) -> bool {
        beside::is_taken(&self.beside.with(self.name, sample), self.decode)
    }

    /// Whether a sample of every schema that the parameter leads to has been taken.
    fn covers_all(&self) -> bool {
        let mut left = vec![self.schema];
        let mut known: HashSet<*const Json> = HashSet::new();
        while let Some(schema) = left.pop() {
            if !known.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            let Json::Object(words) = schema else {
                continue;
            };
            if !self.seen.has(schema) && !says_nothing(words) {
                return false;
            }
            super::keyword::for_each_child(schema, &mut |keyword, child| {
                if !matches!(keyword, "not" | "propertyNames") {
                    left.push(child);
                }
            });
            if let Some(Json::String(reference)) = words.get("$ref") {
                left.extend(resolve(reference, self.definitions));
            }
        }
        true
    }
}
