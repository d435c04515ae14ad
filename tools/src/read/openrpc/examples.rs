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
        let given = self.given(&mut fields);
        let result = fields.present("result");
        let place = at.inside("result");
        let mut extensions = Object::new();
        if let (Some(name), Some(summary)) = (&name, &summary)
            && name != summary
        {
            extensions.insert(EXAMPLE_NAME, Json::from(name.as_str()));
        }
        let result = result
            .and_then(|result| self.followed(result, &place, example))
            .map(|(_, value)| value);
        let mut example = Example::default();
        example.summary = summary.or(name);
        example.description = fields.text("description");
        example.params = given.map(|given| arranged(given, params));
        example.result = result;
        example.extensions = extensions;
        Some(example)
    }

    /// Returns the values of the parameters, each with the name of its example object.
    fn given(&self, fields: &mut MemberReader<'_>) -> Option<Vec<(String, Json)>> {
        match fields.present("params")? {
            // This violates the specification, but its meaning is clear.
            Json::Object(values) => {
                let values = values.into_iter();
                Some(values.map(|(name, value)| (name.into(), value)).collect())
            }
            params => {
                let at = fields.at.inside("params");
                let values = elements(params, &at, |value, at| self.followed(value, at, example));
                Some(values)
            }
        }
    }
}

/// Returns the name and the value of an example.
fn example(value: Json, at: &Location<'_>) -> Option<(String, Json)> {
    let Json::Object(mut members) = value else {
        return wrong(at, "an object with a `value`", &value);
    };
    let name = match members.shift_remove("name") {
        Some(Json::String(name)) => name,
        _ => String::new(),
    };
    let why = if members.contains_key("externalValue") {
        "the value of this example is external and is not fetched; left out"
    } else {
        "an example without a `value`, left out"
    };
    let value = members.shift_remove("value");
    Some((name, value.or_else(|| at.reject(why))?))
}

/// Returns the values by name if they are named like the parameters, and otherwise by position.
fn arranged(given: Vec<(String, Json)>, params: &[ParamDescription]) -> Json {
    let mut names: HashSet<&str> = params
        .iter()
        .filter(|param| !param.variadic)
        .map(|param| param.name.as_str())
        .collect();
    // Each name is removed when it is found, so that a repeated name matches nothing.
    if !given.is_empty() && given.iter().all(|(name, _)| names.remove(name.as_str())) {
        return Json::Object(given.into_iter().collect());
    }
    let mut values: Vec<Json> = given.into_iter().map(|(_, value)| value).collect();
    match (values.as_mut_slice(), params) {
        ([list @ Json::Array(_)], [param]) if param.variadic => std::mem::take(list),
        _ => Json::Array(values),
    }
}
