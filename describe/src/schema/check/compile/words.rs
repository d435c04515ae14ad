//! The keywords of JSON Schema 2020-12 and their constraints.

use crate::json::{Decimal, Json, Object};
use crate::schema::bounds::bounds_of_format;
use crate::schema::keyword::{Role, for_each_child, role};
use crate::schema::kinds::Kinds;

use super::place::SchemaPlace;
use crate::schema::check::format::Format;
use crate::schema::check::number::{Bound, NumberRule};
use crate::schema::check::string::Count;

/// Notes the keywords of a schema that services do not enforce, and returns them. Those of which the
/// meaning is clear are compiled for tools.
pub(super) fn refuse_unenforced<'j>(words: &'j Object, place: &mut SchemaPlace) -> Vec<&'j str> {
    let mut refused = Vec::new();
    for (keyword, value) in words {
        let mut reason = "is not enforced";
        let is_refused = match keyword.as_str() {
            "not" => {
                reason = "is not enforced, except for integers as `{\"const\": 0}`";
                !is_enforced_negation(words, value)
            }
            keyword => role(keyword) == Some(Role::Unenforced),
        };
        if !is_refused {
            continue;
        }
        refused.push(keyword.as_str());
        match keyword.as_str() {
            "unevaluatedItems" | "dependencies" | "$dynamicRef" | "$recursiveRef" => {
                place.mistake(keyword, reason);
            }
            _ => place.unenforced(keyword, reason),
        }
    }
    refused
}

/// Returns whether services enforce this value of `not`: one that nothing matches, which schemars
/// writes for an enum without variants, or zero, which it writes for integers that are not zero.
fn is_enforced_negation(words: &Object, negated: &Json) -> bool {
    let is_integer =
        Kinds::of_type(words).is_some_and(|kinds| kinds.within(Kinds::INTEGER | Kinds::NULL));
    match negated {
        Json::Bool(any) => *any,
        Json::Object(words) if words.is_empty() => true,
        Json::Object(words) => {
            is_integer && words.len() == 1 && words.get("const") == Some(&Json::from(0))
        }
        _ => false,
    }
}

/// The schemas inside a schema that are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those that apply to the same value.
    InPlace,
    /// Those, and the ones that apply to values inside it.
    All,
}

/// Visits a schema and its subschemas. References are not followed, and a `false` that only forbids
/// further members is skipped.
pub(super) fn visit<'j>(schema: &'j Json, reach: Reach, visitor: &mut dyn FnMut(&'j Json)) {
    visitor(schema);
    for_each_child(schema, &mut |keyword, child| {
        let is_reached = match reach {
            Reach::InPlace => matches!(keyword, "allOf" | "anyOf" | "oneOf"),
            Reach::All => keyword != "not" && role(keyword) == Some(Role::Asserts),
        };
        let closes = matches!(keyword, "additionalProperties" | "unevaluatedProperties")
            && *child == Json::Bool(false);
        if is_reached && !closes {
            visit(child, reach, visitor);
        }
    });
}

/// Returns whether a schema itself, at any depth, has keywords that serde leaves unchecked.
pub(super) fn asserts_beyond_decoding(schema: &Json) -> bool {
    let mut asserts = false;
    visit(schema, Reach::All, &mut |schema| {
        asserts |= match schema {
            Json::Object(words) => words_assert_beyond_decoding(words),
            other => *other == Json::Bool(false),
        };
    });
    asserts
}

fn words_assert_beyond_decoding(words: &Object) -> bool {
    const ALWAYS: [&str; 6] = [
        "enum",
        "const",
        "pattern",
        "patternProperties",
        "propertyNames",
        "not",
    ];
    // Malformed keywords are reported when the schema is compiled.
    let mut place = SchemaPlace::default();
    ALWAYS.iter().any(|&keyword| words.contains_key(keyword))
        || count(words, "minLength", "maxLength", &mut place) != Count::ANY
        || count(words, "minItems", "maxItems", &mut place) != Count::ANY
        || flag(words, "uniqueItems", &mut place)
        || format(words).and_then(Format::named).is_some()
        || number(words, &mut place).is_some_and(|rule| !is_width(words, &rule))
}

/// Returns whether a rule is implied by the numeric type that `format` names, which serde enforces.
pub(super) fn is_width(words: &Object, rule: &NumberRule) -> bool {
    let number =
        Kinds::of_type(words).is_some_and(|kinds| kinds.within(Kinds::NUMBER | Kinds::NULL));
    let format = words.get("format").and_then(Json::as_str);
    match format.and_then(|format| bounds_of_format(format, words)) {
        Some((least, greatest)) => number && rule.is_implied_by(least, greatest),
        None => false,
    }
}

/// Reads the constraints on numbers.
pub(super) fn number(words: &Object, place: &mut SchemaPlace) -> Option<NumberRule> {
    let mut bound = |keyword, exclusive| {
        let text = read(words, keyword, "a number", Json::as_number, place)?;
        Some(Bound::new(text, exclusive))
    };
    let low = [bound("minimum", false), bound("exclusiveMinimum", true)];
    let high = [bound("maximum", false), bound("exclusiveMaximum", true)];
    // If both are there, the stricter one applies; if they are equal, the exclusive one.
    let low = low
        .into_iter()
        .flatten()
        .max_by(|a, b| a.value.cmp(&b.value));
    let high = high
        .into_iter()
        .flatten()
        .rev()
        .min_by(|a, b| a.value.cmp(&b.value));
    let step = read(words, "multipleOf", "a number", Json::as_number, place);
    let step = step.and_then(|text| {
        let step = Bound::step(text);
        if step.is_none() {
            place.mistake(
                "multipleOf",
                "must be a number greater than 0 of up to 37 digits",
            );
        }
        step
    });
    if low.is_none() && high.is_none() && step.is_none() {
        return None;
    }
    let rule = NumberRule { low, high, step };
    if rule.is_empty() {
        let keyword = ["minimum", "exclusiveMinimum"]
            .into_iter()
            .find(|&word| words.contains_key(word));
        place.mistake(
            keyword.unwrap_or("minimum"),
            "and the upper bound exclude every number",
        );
    }
    Some(rule)
}

/// Reads a keyword, and notes a value that is none of what it must be.
pub(super) fn read<'j, T>(
    words: &'j Object,
    keyword: &str,
    must_be: &str,
    read: impl FnOnce(&'j Json) -> Option<T>,
    place: &mut SchemaPlace,
) -> Option<T> {
    let value = words.get(keyword)?;
    let read = read(value);
    if read.is_none() {
        place.mistake(keyword, format!("must be {must_be}, not {value}"));
    }
    read
}

/// Reads the name of the format of strings.
pub(super) fn format(words: &Object) -> Option<&str> {
    let name = words.get("format").and_then(Json::as_str)?;
    let is_of_strings = Kinds::of_type(words).is_none_or(|kinds| kinds.meet(Kinds::STRING));
    is_of_strings.then_some(name)
}

/// Reads the allowed number of characters or elements.
pub(super) fn count(words: &Object, min: &str, max: &str, place: &mut SchemaPlace) -> Count {
    let count = Count {
        min: size(words, min, place).unwrap_or(Count::ANY.min),
        max: size(words, max, place).unwrap_or(Count::ANY.max),
    };
    if count.min > count.max {
        place.mistake(min, format!("is greater than `{max}`, so no value matches"));
    }
    count
}

fn size(words: &Object, keyword: &str, place: &mut SchemaPlace) -> Option<usize> {
    let size = |value: &Json| {
        let whole = Decimal::new(value.as_number()?);
        let size = whole.to_i128().and_then(|size| size.try_into().ok());
        let is_size = whole.is_integer() && whole >= Decimal::new("0");
        // A size that does not fit is beyond any text.
        is_size.then_some(size.unwrap_or(usize::MAX))
    };
    read(words, keyword, "a whole number from 0", size, place)
}

/// Reads a Boolean keyword. It is false by default.
pub(super) fn flag(words: &Object, keyword: &str, place: &mut SchemaPlace) -> bool {
    read(words, keyword, "true or false", Json::as_bool, place) == Some(true)
}
