//! A value, and what its schema says of it and of what is in it. A trial that ends otherwise than the
//! schema says can so name the place and the form that are to blame.

use std::rc::Rc;

use crate::json::{Json, Name};
use crate::schema::Definitions;
use crate::schema::form::Form;

/// How many forms of one schema are tried.
const FORMS: usize = 64;

/// The forms of a schema that are tried.
pub(super) fn forms<'j>(schema: &'j Json, definitions: &'j Definitions) -> Vec<Form<'j>> {
    crate::schema::form::forms(schema, definitions, FORMS)
}

/// A value and, for itself and what is in it, the form of the schema that it was made for.
///
/// Samples differ in one place each, and share what they have in common.
#[derive(Debug, Clone)]
pub(super) struct Sample<'j> {
    /// None where the schema says nothing.
    pub(super) form: Option<Rc<Form<'j>>>,
    pub(super) value: Value<'j>,
}

#[derive(Debug, Clone)]
pub(super) enum Value<'j> {
    Scalar(Json),
    Array(Vec<Rc<Sample<'j>>>),
    Object(Vec<(Name, Rc<Sample<'j>>)>),
}

impl Sample<'_> {
    /// A value of which no schema says anything.
    pub(super) fn free(value: &Json) -> Rc<Self> {
        let value = match value {
            Json::Array(elements) => Value::Array(elements.iter().map(Self::free).collect()),
            Json::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), Self::free(value)));
                Value::Object(members.collect())
            }
            scalar => Value::Scalar(scalar.clone()),
        };
        Rc::new(Self { form: None, value })
    }

    pub(super) fn to_json(&self) -> Json {
        match &self.value {
            Value::Scalar(scalar) => scalar.clone(),
            Value::Array(elements) => Json::Array(elements.iter().map(|it| it.to_json()).collect()),
            Value::Object(members) => Json::Object(
                members
                    .iter()
                    .map(|(name, value)| (name.clone(), value.to_json()))
                    .collect(),
            ),
        }
    }
}
