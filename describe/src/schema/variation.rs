//! Makes variations of a value: in each, one value inside it is replaced by another that a keyword of its schema is
//! about.
//!
//! Some match the schema and some do not: the bound itself and the next integer, a list of exactly
//! as many elements as are allowed and one more. A [`Validator`](super::Validator) decides which do.
//!
//! They start from existing values, such as examples. None are made from a schema alone.

use std::collections::HashSet;
use std::fmt;
use std::iter;
use std::ops::ControlFlow;
use std::ptr;

use indexmap::IndexSet;

use super::example::every::one_of_each_kind;
use super::kinds::Kinds;
use super::tree::{Node, NumberKeywords};
use super::trial::visit_values;
use super::view::View;
use crate::json::{Decimal, Json, Object, Pointer, is_number};
use crate::schema::limits::{MAX_VARIED_CASES, MAX_VISITED_TO_VARY};

/// The maximum length of a text or a list that is made.
const MAX_LENGTH: usize = 5_000;
/// The maximum number of variations.
const MAX_VARIATIONS: usize = 600;
/// The maximum number of values in all variations, with those inside them.
const MAX_COPIED_VALUES: usize = 100_000;
/// The maximum number of listed values that are misspelt.
const MAX_MISSPELT: usize = 8;
/// A member that is unknown to every type.
const UNKNOWN_MEMBER: &str = "noSuchMember";
/// A character that takes more bytes, and more UTF-16 units, than a letter.
const WIDE_CHARACTER: &str = "\u{1f600}";

/// A value in place of another one inside a value.
struct Replacement {
    /// The pointer to the value that is replaced.
    pointer: Pointer,
    /// The value that replaces it.
    value: Json,
}

/// Returns values that differ from this one in a single value inside it.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{SchemaContext, SchemaViews, variations};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let schema: Json = r#"{"type": "integer", "maximum": 3}"#.parse()?;
/// let views = SchemaViews::new(context);
/// let values = variations(views.view_of_schema(&schema), &2.into());
/// assert!(values.contains(&3.into()) && values.contains(&4.into()));
/// assert!(values.contains(&"a".into()));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
pub fn variations<'t>(view: &'t View<'t>, value: &Json) -> Vec<Json> {
    let mut replacements = Vec::new();
    // A wrong kind shows less than a value that a keyword is about, so wrong kinds come last.
    let mut of_other_kinds = Vec::new();
    let mut seen = HashSet::new();
    let mut visited_values = 0;
    let _ = visit_values(value, &mut Pointer::root(), view, &mut |visited| {
        visited_values += 1;
        if visited_values > MAX_VISITED_TO_VARY {
            return ControlFlow::Break(());
        }
        // Each combination of the same alternatives would give the same.
        if !seen.insert((visited.pointer.clone(), ptr::from_ref(visited.view))) {
            return ControlFlow::Continue(());
        }
        let mut others = Vec::new();
        let mut misspelt_values = Vec::new();
        for listed in visited.cases.iter().flat_map(|case| &case.listed).flatten() {
            if others.len() < MAX_MISSPELT {
                misspelt_values.extend(misspelt(listed.value));
            }
            others.push(listed.value.clone());
        }
        // All listed values come first, and then values that only look like them.
        others.append(&mut misspelt_values);
        for node in nodes(visited.cases) {
            add_values_of_keywords(node, visited.value, &mut others);
        }
        add_objects(visited.value, &mut others);
        for value in others {
            replacements.push(Replacement {
                pointer: visited.pointer.clone(),
                value,
            });
        }
        for value in values_of_other_kinds(visited.value) {
            of_other_kinds.push(Replacement {
                pointer: visited.pointer.clone(),
                value,
            });
        }
        ControlFlow::Continue(())
    });
    replacements.append(&mut of_other_kinds);
    let max_variations = max_copies(value);
    let mut values = IndexSet::new();
    for replacement in replacements {
        if values.len() == max_variations {
            break;
        }
        let mut changed = value.clone();
        if let Some(inner) = replacement.pointer.resolve_mut(&mut changed) {
            *inner = replacement.value;
            if changed != *value {
                values.insert(changed);
            }
        }
    }
    values.into_iter().collect()
}

/// Returns the maximum number of variations of a value. Each is a copy of all of it.
fn max_copies(value: &Json) -> usize {
    MAX_VARIATIONS.min(MAX_COPIED_VALUES / value.value_count())
}

/// Adds objects with one member more and one fewer.
fn add_objects(value: &Json, others: &mut Vec<Json>) {
    let Json::Object(members) = value else {
        return;
    };
    let mut more = members.clone();
    more.insert(UNKNOWN_MEMBER, Json::Null);
    others.push(more.into());
    for name in members.keys().take(max_copies(value)) {
        let mut fewer = members.clone();
        fewer.shift_remove(name.as_str());
        others.push(fewer.into());
    }
}

/// Returns values of every other kind.
fn values_of_other_kinds(value: &Json) -> impl Iterator<Item = Json> + use<> {
    let more = [
        Json::from("1"),
        Json::Array(Vec::new()),
        Json::Array(vec![value.clone()]),
    ];
    let kind = Kinds::of_value(value);
    one_of_each_kind()
        .into_iter()
        .chain(more)
        .filter(move |other| Kinds::of_value(other) != kind)
}

/// Returns the nodes of a value's cases, each once.
fn nodes<'t>(cases: &[&View<'t>]) -> Vec<&'t Node<'t>> {
    let mut seen = HashSet::new();
    let mut nodes = Vec::new();
    for case in cases.iter().take(MAX_VARIED_CASES) {
        for node in case.nodes() {
            if seen.insert(node.id) {
                nodes.push(node);
            }
        }
    }
    nodes
}

/// Adds values that the keywords of a schema are about.
fn add_values_of_keywords(node: &Node<'_>, value: &Json, others: &mut Vec<Json>) {
    others.extend_from_slice(node.annotations.examples);
    others.extend(node.annotations.default.cloned());
    let mut spans = Vec::new();
    if let Some(strings) = node.strings.as_deref() {
        if strings.pattern.is_some() || strings.format.is_some() || strings.encoding.is_some() {
            others.extend(misspelt(value));
        }
        spans.push(strings.length);
    }
    if let Some(numbers) = node.numbers.as_deref() {
        let bounds = [
            numbers.least,
            numbers.above,
            numbers.most,
            numbers.below,
            numbers.multiple_of,
        ];
        for bound in bounds.into_iter().flatten() {
            add_around(bound, others);
        }
        add_between(numbers, others);
    }
    if let Some(arrays) = node.arrays.as_deref() {
        if arrays.are_unique {
            let elements = value.as_array().unwrap_or_default();
            let mut with_first_twice = elements.to_vec();
            with_first_twice.extend(elements.first().cloned());
            others.push(Json::Array(with_first_twice));
        }
        spans.push(arrays.length);
    }
    spans.extend(node.objects.iter().map(|objects| objects.length));
    for span in spans {
        let middle = span
            .most
            .map(|most| u64::midpoint(span.least.unwrap_or(0), most));
        for count in [span.least, span.most, middle].into_iter().flatten() {
            for count in [count, count.saturating_add(1), count.saturating_sub(1)] {
                if let Ok(count) = usize::try_from(count)
                    && count <= MAX_LENGTH
                {
                    add_of_length(count, value, others);
                }
            }
        }
    }
    // A number that is no integer for JSON Schema, and one that is.
    if let Json::Number(text) = value
        && let Some(integer) = integer(text)
    {
        let texts = [
            format!("{integer}.5"),
            format!("{integer}.0"),
            "0".to_owned(),
        ];
        others.extend(texts.map(number));
    }
}

/// Returns a number, as it is written.
fn number(text: impl fmt::Display) -> Json {
    Json::Number(format!("{text}").into())
}

/// Adds a bound, and the next values on both sides.
fn add_around(bound: &str, others: &mut Vec<Json>) {
    others.push(number(bound));
    let texts = if let Some(integer) = integer(bound) {
        [
            integer.saturating_add(1).to_string(),
            integer.saturating_sub(1).to_string(),
            format!("{integer}.5"),
        ]
    } else if let Ok(double) = bound.parse::<f64>() {
        [double + 1.0, double - 1.0, double / 2.0].map(|number| number.to_string())
    } else {
        return;
    };
    others.extend(texts.into_iter().filter(|text| is_number(text)).map(number));
}

/// Returns an integer, if the text is one.
fn integer(text: &str) -> Option<i128> {
    Decimal::new(text).to_i128()
}

/// Adds numbers well within the bounds, which may match if those at the edges do not.
fn add_between(numbers: &NumberKeywords<'_>, others: &mut Vec<Json>) {
    let low = numbers.least.or(numbers.above).and_then(integer);
    let high = numbers.most.or(numbers.below).and_then(integer);
    if let (Some(low), Some(high)) = (low, high) {
        let quarter = high.saturating_sub(low) / 4;
        let within = [low + 2 * quarter, low + quarter, high - quarter];
        others.extend(within.map(number));
    }
}

/// Returns texts that only look like a text, or as if they match the same pattern or format.
fn misspelt(value: &Json) -> Vec<Json> {
    let Json::String(text) = value else {
        return Vec::new();
    };
    [
        "!".to_owned(),
        String::new(),
        format!("{text}\n"),
        format!(" {text}"),
        format!("{text}x"),
        format!("{text}{text}"),
        text.to_uppercase(),
        text.to_lowercase(),
        // Base64 without its padding.
        text.trim_end_matches('=').to_owned(),
    ]
    .map(Json::from)
    .into()
}

/// Adds texts of this many characters, with letters and with characters that take more bytes, lists
/// of this many elements, distinct if that is easy and equal ones, or an object of this many
/// members.
fn add_of_length(count: usize, value: &Json, others: &mut Vec<Json>) {
    match value {
        Json::String(text) => {
            let last = text.chars().last().unwrap_or('a');
            let filled = text.chars().chain(iter::repeat(last)).take(count).collect();
            others.push(Json::String(filled));
            others.push(Json::String(WIDE_CHARACTER.repeat(count)));
        }
        Json::Array(elements) if count == 0 || !elements.is_empty() => {
            let same = elements.iter().cycle().take(count).cloned();
            let mut distinct = Vec::new();
            for (index, element) in same.clone().enumerate() {
                distinct.push(match &element {
                    _ if index < elements.len() => element,
                    Json::Number(text) => {
                        let integer = integer(text).unwrap_or(0);
                        number(integer.saturating_add(i128::try_from(index).unwrap_or(0)))
                    }
                    Json::String(text) => Json::from(format!("{text}{index}")),
                    _ => element,
                });
            }
            others.push(Json::Array(distinct));
            others.push(same.collect());
        }
        Json::Object(members) => {
            let mut sized: Object = members.clone().into_iter().take(count).collect();
            let usual = members.values().next().cloned().unwrap_or_default();
            for number in sized.len()..count {
                sized.insert(format!("key{number}"), usual.clone());
            }
            others.push(sized.into());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::variations;
    use crate::json::{Json, Object};
    use crate::schema::context::SchemaContext;
    use crate::schema::view::SchemaViews;

    #[test]
    fn the_larger_a_value_is_the_fewer_variations_it_has() {
        let components = indexmap::IndexMap::new();
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        let schema = Json::Bool(true);
        let view = views.view_of_schema(&schema);
        for (members, most) in [(10, 600), (1_000, 99), (200_000, 0)] {
            let mut value = Object::new();
            for number in 0..members {
                value.insert(format!("m{number}"), Json::Null);
            }
            let varied = variations(view, &value.into());
            assert!(varied.len() <= most, "{} of {members}", varied.len());
            assert_eq!(varied.is_empty(), most == 0);
        }
    }

    #[test]
    fn values_that_keywords_are_about_come_before_other_kinds() {
        let schema: Json = r#"{"type": "object", "properties": {
            "a": {"type": "integer", "maximum": 9}, "b": {"type": "number", "multipleOf": 0.5},
            "m": {"type": "object", "additionalProperties": true, "maxProperties": 1}}}"#
            .parse()
            .expect("JSON");
        let value: Json = r#"{"a": 5, "b": 1, "m": {"k": 2}}"#.parse().expect("JSON");
        let components = indexmap::IndexMap::new();
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        let values = variations(views.view_of_schema(&schema), &value);
        let first_kind = position(&values, r#"{"a": null, "b": 1, "m": {"k": 2}}"#);
        for text in [
            r#"{"a": 10, "b": 1, "m": {"k": 2}}"#,
            r#"{"a": 0, "b": 1, "m": {"k": 2}}"#,
            r#"{"a": 5, "b": 0.25, "m": {"k": 2}}"#,
            r#"{"a": 5, "b": 1, "m": {"k": 2, "key1": 2}}"#,
        ] {
            assert!(position(&values, text) < first_kind, "{text}");
        }
    }

    /// Returns the position of a value among others.
    #[track_caller]
    fn position(values: &[Json], text: &str) -> usize {
        let wanted: Json = text.parse().expect("JSON");
        values
            .iter()
            .position(|value| *value == wanted)
            .expect(text)
    }
}
