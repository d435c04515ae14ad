//! Example pairings: a call and its result.
//!
//! A pairing has no error, and no items of a subscription. So Docent writes all examples into an extension, and the
//! pairings beside it are for other readers.

use std::collections::HashSet;

use super::OpenRpcReading;
use crate::read::docent;
use crate::read::fields::{MemberReader, elements, wrong};
use crate::read::location::Location;
use docent_describe::json::{Json, Object};
use docent_describe::openrpc::{EXAMPLE_NAME, X_EXAMPLES, is_example_name};
use docent_describe::{Example, ParamDescription};

impl OpenRpcReading<'_> {
    /// Takes the examples of a method.
    pub(super) fn examples(
        &self,
        fields: &mut MemberReader<'_>,
        params: &[ParamDescription],
    ) -> Vec<Example> {
        let pairings = self.each(fields, "examples", |value, at| {
            self.pairing(value, at, params)
        });
        // The extension has all examples if the pairings cannot say all that there is to say.
        match fields.each(X_EXAMPLES, docent::example) {
            examples if examples.is_empty() => pairings,
            examples => examples,
        }
    }

    /// Reads a pairing. Its name becomes the summary, unless Docent made it up.
    fn pairing(
        &self,
        value: Json,
        at: &Location<'_>,
        params: &[ParamDescription],
    ) -> Option<Example> {
        let mut fields = MemberReader::of(value, at)?;
        let name = fields
            .text("name")
            .filter(|text| !text.is_empty() && !is_example_name(text));
        let summary = fields.text("summary").filter(|text| !text.is_empty());
        let values = self.param_values(&mut fields);
        let result = fields
            .present("result")
            .and_then(|result| self.followed(result, &at.inside("result"), example_value));
        let mut extensions = Object::new();
        if let (Some(name), Some(summary)) = (&name, &summary)
            && name != summary
        {
            extensions.insert(EXAMPLE_NAME, Json::from(name.as_str()));
        }
        let mut example = Example::default();
        example.summary = summary.or(name);
        example.description = fields.text("description");
        example.params = values.map(|values| arranged(values, params));
        example.result = result.map(|result| result.value);
        example.extensions = extensions;
        Some(example)
    }

    /// Returns the values of the parameters, each with the name of its example object.
    fn param_values(&self, fields: &mut MemberReader<'_>) -> Option<Vec<ExampleValue>> {
        match fields.present("params")? {
            // This violates the specification, but its meaning is clear.
            Json::Object(members) => {
                let mut values = Vec::new();
                for (name, value) in members {
                    values.push(ExampleValue {
                        name: name.into(),
                        value,
                    });
                }
                Some(values)
            }
            params => {
                let at = fields.at.inside("params");
                Some(elements(params, &at, |value, at| {
                    self.followed(value, at, example_value)
                }))
            }
        }
    }
}

/// An example object: a value, and the name of the parameter that it is for.
struct ExampleValue {
    name: String,
    value: Json,
}

/// Reads an example object. Its name is empty if it has none.
fn example_value(value: Json, at: &Location<'_>) -> Option<ExampleValue> {
    let Json::Object(mut members) = value else {
        return wrong(at, "an object with a `value`", &value);
    };
    let name = match members.shift_remove("name") {
        Some(Json::String(name)) => name,
        _ => String::new(),
    };
    match members.shift_remove("value") {
        Some(value) => Some(ExampleValue { name, value }),
        None if members.contains_key("externalValue") => {
            at.reject("the value of this example is external and is not fetched; left out")
        }
        None => at.reject("an example without a `value`, left out"),
    }
}

/// Returns the values by name if they are named like the parameters, and otherwise by position.
fn arranged(values: Vec<ExampleValue>, params: &[ParamDescription]) -> Json {
    let mut names: HashSet<&str> = params
        .iter()
        .filter(|param| !param.variadic)
        .map(|param| param.name.as_str())
        .collect();
    // Each name is removed when it is found, so that a repeated name matches nothing.
    if !values.is_empty() && values.iter().all(|value| names.remove(value.name.as_str())) {
        return Json::Object(
            values
                .into_iter()
                .map(|value| (value.name, value.value))
                .collect(),
        );
    }
    let mut positions: Vec<Json> = values.into_iter().map(|value| value.value).collect();
    match (positions.as_mut_slice(), params) {
        ([list @ Json::Array(_)], [param]) if param.variadic => std::mem::take(list),
        _ => Json::Array(positions),
    }
}
