//! Samples for those who can tell whether they satisfy their schema.

use std::collections::HashSet;
use std::rc::Rc;

use super::sample::{Sample, Value};
use super::sampler::Sampler;
use super::spelling::NOTATIONS;
use crate::json::{Json, Object, Pointer};
use crate::schema::Definitions;
use crate::schema::form::Form;

/// A value that satisfies a schema as far as can be seen: patterns, formats and members that exclude
/// one another may still rule it out.
#[derive(Debug)]
pub struct Candidate<'j> {
    sample: Rc<Sample<'j>>,
    text: String,
}

/// Candidates of every form that a schema allows, the simplest first.
pub fn candidates<'j>(schema: &'j Json, definitions: &'j Definitions) -> Vec<Candidate<'j>> {
    let mut texts = HashSet::new();
    let samples = Sampler::new(definitions).samples(schema).into_iter();
    samples
        .map(|sample| Candidate {
            text: sample.to_json().to_string(),
            sample,
        })
        .filter(|candidate| texts.insert(candidate.text.clone()))
        .collect()
}

impl Candidate<'_> {
    /// The value.
    pub fn value(&self) -> Json {
        self.sample.to_json()
    }

    /// The value as JSON text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value without what its schema leaves free: equal for all values with the same members,
    /// elements and listed values, in the same order.
    pub fn outline(&self) -> String {
        let mut outline = String::new();
        write_outline(&self.sample, &mut outline);
        outline
    }

    /// Whether there is a text in this place of which the schema does not say which ones there are.
    pub fn is_free_text(&self, place: &Pointer) -> bool {
        let at = place.tokens().try_fold(&*self.sample, |sample, token| {
            let index = match &sample.value {
                Value::Object(members) => members.iter().position(|(name, _)| *name == token)?,
                _ => token.parse().ok()?,
            };
            sample.inner(index).map(|inner| &**inner)
        });
        at.is_some_and(is_free_text)
    }

    /// The value with all such texts, and all names of members that are left free, in another
    /// notation: one value for each notation that types of common crates decode.
    pub fn respelled(&self) -> impl Iterator<Item = Json> {
        NOTATIONS
            .iter()
            .map(|notation| respelled(&self.sample, notation))
    }
}

/// The notations in wide use for texts: an address, a date, a duration.
pub fn notations() -> impl Iterator<Item = &'static str> {
    NOTATIONS.into_iter()
}

fn is_free_text(sample: &Sample<'_>) -> bool {
    matches!(sample.value, Value::Scalar(Json::String(_)))
        && sample.form.as_ref().is_some_and(|form| form.is_free_text())
}

/// Whether a member may have any other name instead.
fn is_free_name(form: Option<&Form<'_>>, name: &str) -> bool {
    form.is_some_and(|form| form.property(name).is_none() && form.has_free_names())
}

fn write_outline(sample: &Sample<'_>, outline: &mut String) {
    match &sample.value {
        Value::Scalar(scalar) => {
            let listed = sample.form.as_ref().and_then(|form| form.listed());
            match listed {
                Some(_) => outline.push_str(&scalar.to_string()),
                None => outline.push_str(scalar.kind()),
            }
        }
        Value::Array(elements) => {
            outline.push('[');
            for element in elements {
                write_outline(element, outline);
                outline.push(',');
            }
            outline.push(']');
        }
        Value::Object(members) => {
            outline.push('{');
            for (name, value) in members {
                if is_free_name(sample.form.as_deref(), name) {
                    outline.push('*');
                } else {
                    outline.push_str(&Json::from(name.as_str()).to_string());
                }
                outline.push(':');
                write_outline(value, outline);
                outline.push(',');
            }
            outline.push('}');
        }
    }
}

fn respelled(sample: &Sample<'_>, notation: &str) -> Json {
    match &sample.value {
        Value::Scalar(_) if is_free_text(sample) => Json::from(notation),
        Value::Scalar(scalar) => scalar.clone(),
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| respelled(element, notation));
            Json::Array(elements.collect())
        }
        Value::Object(members) => {
            let mut object = Object::new();
            for (name, value) in members {
                let is_free = is_free_name(sample.form.as_deref(), name);
                let name = if is_free {
                    notation.into()
                } else {
                    name.clone()
                };
                object.insert(name, respelled(value, notation));
            }
            Json::Object(object)
        }
    }
}
