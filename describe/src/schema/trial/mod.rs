//! Trials: what a type really takes, found out by decoding samples of its schema.
//!
//! A schema and a derived `Deserialize` come from the same type but can differ. serde accepts names
//! that the schema does not have (aliases), and values where the schema is stricter (a buffered
//! struct may be an array). It rejects values that the schema allows (keys that are not integers,
//! members next to the only one). Samples of the schema, and values with a single error, show the
//! differences. What serde accepts in excess must be checked ([`Verdict::loose`]); if it accepts
//! less, the schema is narrowed ([`edit`]); what remains is a [`ShapeProblem`].

mod beside;
mod candidate;
mod decode;
mod digits;
mod edit;
mod flat;
mod form;
mod keys;
mod sample;
mod spelling;
mod text;
mod wrong;

use std::collections::HashSet;

use super::recursion::Copies;
use super::{Definitions, ShapeProblem, resolve};
use crate::ParamDescription;
use crate::json::Json;
use decode::{Ask, Asks, Refusal};
use form::Form;
use sample::{Sample, Sampler, Value};

pub(super) use beside::Beside;
pub use candidate::{Candidate, candidates, notations};
pub(super) use decode::{Decode, decode};
pub use digits::range_of_names;
pub(super) use edit::Edits;

/// What trials of a parameter have shown.
#[derive(Default)]
pub(super) struct Verdict {
    /// Whether the type may take what the schema does not allow.
    pub(super) loose: bool,
    /// Whether the type decodes some of its values from a buffer of serde's.
    pub(super) buffered: bool,
    /// See [`Decoding::flattened`](super::Decoding::flattened).
    pub(super) flattened: Option<usize>,
    /// See [`Decoding::infinite`](super::Decoding::infinite).
    pub(super) infinite: Vec<Json>,
    /// What is wrong.
    pub(super) problems: Vec<ShapeProblem>,
    /// What the schemas have to say in addition.
    pub(super) edits: Edits,
    /// What is copied where it is decoded.
    pub(super) copies: Copies,
    /// A value that the type takes.
    pub(super) sample: Option<Json>,
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
        seen: HashSet::new(),
        met: HashSet::new(),
        verdict: Verdict::default(),
    };
    let samples = Sampler::new(definitions)
        .spelled(&beside.spellings)
        .samples(schema);
    let mut taken = Vec::new();
    for sample in &samples {
        let (asks, outcome) = trial.attempt(sample.clone());
        trial.verdict.buffered |= asks
            .iter()
            .any(|(form, ask)| *ask == Ask::Any && !form.is_free());
        if outcome.is_ok() {
            trial.cover(sample);
            for (form, ask) in asks {
                trial.judge(&form, ask);
            }
            taken.push(sample);
        }
    }
    trial.verdict.sample = taken.first().map(|sample| sample.to_json());
    let mut known = HashSet::new();
    for sample in taken {
        wrong::each_form(sample, &mut known, &mut |form, place| {
            trial.learn(sample, form, place);
        });
    }
    if !trial.covers_all() {
        trial.verdict.loose = true;
    }
    trial.verdict.flattened = beside.refuses_behind(&param.name, decode);
    trial.verdict
}

/// The trials of one parameter.
struct Trial<'t, 'j> {
    name: &'t str,
    schema: &'j Json,
    definitions: &'j Definitions,
    decode: Decode,
    beside: &'t Beside<'j>,
    /// The schemas of which a sample has been taken.
    seen: HashSet<*const Json>,
    /// What has been said already.
    met: HashSet<String>,
    verdict: Verdict,
}

impl<'j> Trial<'_, 'j> {
    /// Decodes a sample, and says what the type asked for.
    fn attempt(&self, sample: Sample<'j>) -> (Asks<'j>, Result<(), Refusal>) {
        beside::attempt(&self.beside.with(self.name, sample), self.decode)
    }

    fn is_taken(&self, sample: Sample<'j>) -> bool {
        self.attempt(sample).1.is_ok()
    }

    /// Notes which schemas a sample that was taken stands for.
    fn cover(&mut self, sample: &Sample<'j>) {
        let schemas = sample.form.iter().flat_map(|form| &form.schemas);
        self.seen
            .extend(schemas.map(|schema| std::ptr::from_ref(*schema)));
        match &sample.value {
            Value::Scalar(_) => {}
            Value::Array(elements) => elements.iter().for_each(|element| self.cover(element)),
            Value::Object(members) => members.iter().for_each(|(_, value)| self.cover(value)),
        }
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
            if !self.seen.contains(&std::ptr::from_ref(schema)) && !sample::says_nothing(words) {
                return false;
            }
            super::keyword::for_each_child(schema, &mut |child| left.push(child));
            for keyword in ["not", "propertyNames"] {
                if let Some(child) = words.get(keyword) {
                    left.retain(|other| !std::ptr::eq(*other, child));
                }
            }
            if let Some(Json::String(reference)) = words.get("$ref") {
                left.extend(resolve(reference, self.definitions));
            }
        }
        true
    }

    /// Records what the type asks for, given a value of some form.
    fn judge(&mut self, form: &Form<'j>, ask: Ask) {
        if form.is_free() {
            return;
        }
        match ask {
            Ask::Exact => {}
            Ask::Any | Ask::Bytes | Ask::Ignored => self.verdict.loose = true,
            Ask::Map => {
                let properties = form
                    .schemas
                    .iter()
                    .any(|schema| schema.get("properties").is_some());
                let open = form.open_members().is_empty();
                self.verdict.loose |= properties || open;
            }
            Ask::Struct(fields) => self.fields(form, fields),
            Ask::Enum(variants) => self.variants(form, variants),
        }
    }

    fn fields(&mut self, form: &Form<'j>, fields: &[&str]) {
        let described = form.properties();
        let is_described = |field: &str| {
            described.iter().any(|(name, _)| *name == field)
                || form.others.iter().any(|other| self.mentions(other, field))
        };
        let hidden: Vec<&str> = fields
            .iter()
            .copied()
            .filter(|field| !is_described(field))
            .collect();
        for field in hidden {
            self.problem(form, field, |parameter, name, place| {
                ShapeProblem::NotDescribedInside {
                    parameter,
                    name,
                    place,
                }
            });
        }
        for (name, _) in described {
            if !fields.contains(&name) {
                self.verdict.loose = true;
                self.problem(form, name, |parameter, name, place| {
                    ShapeProblem::NotDecodedInside {
                        parameter,
                        name,
                        place,
                    }
                });
            }
        }
    }

    fn variants(&mut self, form: &Form<'j>, variants: &[&str]) {
        if let [only] = &*form.schemas
            && only.get("const").is_some()
        {
            // The tag beside some content. Its other variants stand in other alternatives, and
            // what is none of them is refused by all.
            return;
        }
        let schemas = || form.schemas.iter().chain(&form.others);
        for variant in variants {
            if !schemas().any(|schema| self.names(schema, variant)) {
                self.verdict.loose = true;
                self.problem(form, variant, |parameter, name, place| {
                    ShapeProblem::NotDescribedInside {
                        parameter,
                        name,
                        place,
                    }
                });
            }
        }
    }

    /// Whether a schema has a property of this name, by itself or where it refers to.
    fn mentions(&self, schema: &'j Json, name: &str) -> bool {
        form::forms(schema, self.definitions)
            .iter()
            .any(|form| form.property(name).is_some())
    }

    /// Whether a schema allows a variant of this name: a string, or the only member of an object.
    fn names(&self, schema: &'j Json, name: &str) -> bool {
        form::forms(schema, self.definitions).iter().any(|form| {
            let listed = form.listed().unwrap_or_default();
            listed.iter().any(|word| word.as_str() == Some(name)) || form.property(name).is_some()
        })
    }

    fn problem(
        &mut self,
        form: &Form<'j>,
        name: &str,
        problem: impl FnOnce(String, String, String) -> ShapeProblem,
    ) {
        let place = match form.types.last() {
            Some(name) => format!("in the type `{name}`"),
            None => "inside it".to_owned(),
        };
        let problem = problem(self.name.to_owned(), name.to_owned(), place);
        if self.met.insert(problem.to_string()) {
            self.verdict.problems.push(problem);
        }
    }
}
