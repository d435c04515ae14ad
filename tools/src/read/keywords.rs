//! Checks the values of a schema's keywords.
//!
//! A keyword with a value of the wrong type would make the schema and the whole description
//! invalid. So the keyword is left out, and the rest of the schema is kept.

use indexmap::IndexSet;

use super::fields::{string, wrong};
use super::location::Location;
use docent_describe::json::{Decimal, Json};

/// The types of JSON Schema.
pub(super) const TYPES: [&str; 7] = [
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// Returns the value of a keyword if it is valid.
pub(super) fn checked(keyword: &str, value: Json, at: &Location<'_>) -> Option<Json> {
    let expected = match keyword {
        "type" => return types(value, at),
        "required" => return names(value, at),
        "$ref" | "$id" | "$schema" | "$anchor" | "$comment" | "title" | "description"
        | "format" | "pattern" | "contentEncoding" | "contentMediaType" => "a string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => "a number",
        "multipleOf" => "a number greater than 0",
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains"
        | "minProperties" | "maxProperties" => "an integer from 0",
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => "a boolean",
        "enum" | "examples" => "an array",
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => "a non-empty array",
        "properties" | "patternProperties" | "dependentSchemas" | "dependentRequired" | "$defs"
        | "definitions" => "an object",
        _ => return Some(value),
    };
    let zero = Decimal::new("0");
    let fits = match (expected, &value) {
        ("a string", Json::String(_))
        | ("a number", Json::Number(_))
        | ("a boolean", Json::Bool(_))
        | ("an array", Json::Array(_))
        | ("an object", Json::Object(_)) => true,
        ("a non-empty array", Json::Array(elements)) => !elements.is_empty(),
        ("a number greater than 0", Json::Number(text)) => Decimal::new(text) > zero,
        ("an integer from 0", Json::Number(text)) => {
            let number = Decimal::new(text);
            number.is_integer() && number >= zero
        }
        _ => false,
    };
    let value = fits.then_some(value);
    value.or_else(|| at.leave_out(format_args!("should be {expected}")))
}

fn types(value: Json, at: &Location<'_>) -> Option<Json> {
    let is_type = |word: &Json, at: &Location<'_>| {
        let known = word.as_str().is_some_and(|word| TYPES.contains(&word));
        if !known {
            at.warn(format_args!("{word} is not a JSON Schema type; left out"));
        }
        known
    };
    match value {
        Json::Array(words) => {
            let mut kept: Vec<Json> = Vec::new();
            let before = words.len();
            for (index, word) in words.into_iter().enumerate() {
                if is_type(&word, &at.inside(index)) && !kept.contains(&word) {
                    kept.push(word);
                }
            }
            // If one of two types is unknown, the other alone would reject values that the author
            // meant to allow.
            (!kept.is_empty() && kept.len() == before).then_some(Json::Array(kept))
        }
        word => is_type(&word, at).then_some(word),
    }
}

fn names(value: Json, at: &Location<'_>) -> Option<Json> {
    match value {
        Json::Array(names) => {
            let names = names.into_iter().enumerate();
            let names = names.filter_map(|(index, name)| string(name, &at.inside(index)));
            let kept: IndexSet<String> = names.collect();
            Some(Json::Array(kept.into_iter().map(Json::String).collect()))
        }
        Json::String(name) => {
            at.warn("should be an array of names; read as an array of this one");
            Some(Json::Array(vec![Json::String(name)]))
        }
        other => wrong(at, "an array of names", &other),
    }
}
