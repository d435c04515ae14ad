//! Checks the values of a schema's keywords.
//!
//! A keyword with a value of the wrong type would make the schema and the whole description
//! invalid. So the keyword is left out, and the rest of the schema is kept.

use std::collections::HashSet;

use super::location::Location;
use docent_describe::json::{Decimal, Json};
use docent_describe::schema::Kinds;

/// Returns the value of a keyword if it is valid.
pub(super) fn checked(keyword: &str, value: Json, at: &Location<'_>) -> Option<Json> {
    let expected = match keyword {
        "type" => "a type of JSON Schema, or several",
        "required" => "an array of names, each once",
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
        ("a type of JSON Schema, or several", Json::Array(words)) => {
            !words.is_empty() && words.iter().all(is_type)
        }
        ("a type of JSON Schema, or several", word) => is_type(word),
        ("an array of names, each once", Json::Array(names)) => {
            let different: HashSet<&str> = names.iter().filter_map(Json::as_str).collect();
            different.len() == names.len()
        }
        ("a non-empty array", Json::Array(elements)) => !elements.is_empty(),
        ("a number greater than 0", Json::Number(text)) => Decimal::new(text) > zero,
        ("an integer from 0", Json::Number(text)) => {
            let number = Decimal::new(text);
            number.is_integer() && number >= zero
        }
        _ => false,
    };
    fits.then_some(value)
        .or_else(|| at.leave_out(format_args!("should be {expected}")))
}

fn is_type(word: &Json) -> bool {
    word.as_str().and_then(Kinds::of_word).is_some()
}
