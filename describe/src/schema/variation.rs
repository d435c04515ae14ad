//! Makes variations of a value: each differs in one place, in a way that the schema of that place
//! is about.
//!
//! Some match the schema and some do not: the bound itself and the next integer, a list of exactly
//! as many elements as are allowed and one more. A [`Validator`](super::Validator) tells them
//! apart.
//!
//! They start from existing values, such as examples. None are made from a schema alone.

use super::Definitions;
use super::form::{Form, forms};
use super::kinds::Kinds;
use crate::json::{Decimal, Json, Object};

/// The maximum depth at which values are changed.
const DEEPEST: usize = 6;
/// The maximum number of ways through the alternatives of a schema that are followed.
const FORMS: usize = 12;
/// The maximum length of a text or a list that is made.
const LONGEST: usize = 5_000;
/// The maximum number of values.
const MOST: usize = 600;
/// The maximum number of listed values that are misspelt.
const MISSPELT: usize = 8;
/// A member that no type has.
const UNKNOWN_MEMBER: &str = "noSuchMember";
/// A character that takes more bytes, and more UTF-16 units, than a letter.
const WIDE: &str = "\u{1f600}";

/// Returns values that differ from this one in a single place.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::variations;
///
/// let components = indexmap::IndexMap::new();
/// let schema: Json = r#"{"type": "integer", "maximum": 3}"#.parse()?;
/// let values = variations(&schema, &2.into(), &components);
/// assert!(values.contains(&3.into()) && values.contains(&4.into()));
/// assert!(values.contains(&"a".into()));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
pub fn variations(schema: &Json, value: &Json, definitions: &Definitions) -> Vec<Json> {
    let mut values = Vec::new();
    vary(schema, value, definitions, 0, &mut |changed| {
        if values.len() < MOST && changed != *value && !values.contains(&changed) {
            values.push(changed);
        }
    });
    values
}

fn vary(
    schema: &Json,
    value: &Json,
    definitions: &Definitions,
    depth: usize,
    give: &mut dyn FnMut(Json),
) {
    let all = forms(schema, definitions, FORMS);
    for form in &all {
        for words in form.words() {
            said(words, value, give);
        }
    }
    other_kinds(value, give);
    if depth == DEEPEST {
        return;
    }
    match value {
        Json::Object(members) => vary_members(&all, members, definitions, depth, give),
        Json::Array(elements) => vary_elements(&all, elements, definitions, depth, give),
        _ => {}
    }
}

fn vary_members(
    all: &[Form<'_>],
    members: &Object,
    definitions: &Definitions,
    depth: usize,
    give: &mut dyn FnMut(Json),
) {
    let mut more = members.clone();
    more.insert(UNKNOWN_MEMBER, Json::Null);
    give(Json::Object(more));
    for name in members.keys() {
        let mut fewer = members.clone();
        fewer.shift_remove(name.as_str());
        give(Json::Object(fewer));
    }
    for (name, value) in members {
        for schema in all.iter().filter_map(|form| form.member(name)) {
            vary(schema, value, definitions, depth + 1, &mut |changed| {
                let mut whole = members.clone();
                whole.insert(name.clone(), changed);
                give(Json::Object(whole));
            });
        }
    }
}

fn vary_elements(
    all: &[Form<'_>],
    elements: &[Json],
    definitions: &Definitions,
    depth: usize,
    give: &mut dyn FnMut(Json),
) {
    // The schema treats all further elements alike.
    for (at, value) in elements.iter().enumerate().take(3) {
        for schema in all.iter().filter_map(|form| form.element(at)) {
            vary(schema, value, definitions, depth + 1, &mut |changed| {
                let mut whole = elements.to_vec();
                whole[at] = changed;
                give(Json::Array(whole));
            });
        }
    }
}

/// Gives values of every other kind.
fn other_kinds(value: &Json, give: &mut dyn FnMut(Json)) {
    let mut one = Object::new();
    one.insert("a", Json::Null);
    let others = [
        Json::Null,
        Json::Bool(true),
        Json::from(1),
        Json::Number("0.5".into()),
        Json::from("a"),
        Json::from("1"),
        Json::Array(Vec::new()),
        Json::Array(vec![value.clone()]),
        Json::Object(one),
    ];
    let kind = Kinds::of(value);
    for other in others {
        if !Kinds::of(&other).within(kind) {
            give(other);
        }
    }
}

/// Gives values that the keywords of a schema are about.
fn said(words: &Object, value: &Json, give: &mut dyn FnMut(Json)) {
    for (keyword, asked) in words {
        match (keyword.as_str(), asked) {
            ("enum", Json::Array(listed)) => {
                // All listed values come first, and then values that only look like them.
                for value in listed {
                    give(value.clone());
                }
                for value in listed.iter().take(MISSPELT) {
                    beside(value, give);
                }
            }
            ("const", only) => {
                give(only.clone());
                beside(only, give);
            }
            ("examples", Json::Array(examples)) => {
                for value in examples {
                    give(value.clone());
                }
            }
            ("default" | "example", value) => give(value.clone()),
            (
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
                Json::Number(bound),
            ) => around(bound, give),
            ("minLength" | "maxLength", Json::Number(count)) => lengths(count, value, give),
            ("pattern" | "format", _) => misspelt(value, give),
            ("minItems" | "maxItems", Json::Number(count)) => counts(count, value, give),
            ("uniqueItems", Json::Bool(true)) => {
                if let Json::Array(elements) = value
                    && let Some(first) = elements.first()
                {
                    let mut twice = elements.clone();
                    twice.push(first.clone());
                    give(Json::Array(twice));
                }
            }
            _ => {}
        }
    }
    between(words, value, give);
    // A number that is no integer for JSON Schema, and one that is.
    if let Json::Number(text) = value
        && let Some(whole) = Decimal::new(text).to_i128()
    {
        for text in [format!("{whole}.5"), format!("{whole}.0")] {
            give(Json::Number(text.as_str().into()));
        }
    }
}

/// Gives texts that are easily mistaken for a listed value.
fn beside(listed: &Json, give: &mut dyn FnMut(Json)) {
    if let Json::String(text) = listed {
        for text in [
            text.to_uppercase(),
            text.to_lowercase(),
            format!("{text}x"),
            format!(" {text}"),
        ] {
            give(Json::from(text));
        }
    }
}

/// Gives a bound, and the next values on both sides.
fn around(bound: &str, give: &mut dyn FnMut(Json)) {
    give(Json::Number(bound.into()));
    let texts = match Decimal::new(bound).to_i128() {
        Some(whole) => vec![
            whole.saturating_add(1).to_string(),
            whole.saturating_sub(1).to_string(),
            format!("{whole}.5"),
        ],
        None => bound
            .parse::<f64>()
            .map(|bound| vec![(bound + 1.0).to_string(), (bound - 1.0).to_string()])
            .unwrap_or_default(),
    };
    for text in texts {
        if crate::json::is_number(&text) {
            give(Json::Number(text.as_str().into()));
        }
    }
}

/// Gives values well within the bounds, which may match if those at the edges do not.
fn between(words: &Object, value: &Json, give: &mut dyn FnMut(Json)) {
    let whole = |keyword: &str| match words.get(keyword) {
        Some(Json::Number(bound)) => Decimal::new(bound).to_i128(),
        _ => None,
    };
    let low = whole("minimum").or(whole("exclusiveMinimum"));
    let high = whole("maximum").or(whole("exclusiveMaximum"));
    if let (Some(low), Some(high), Json::Number(_)) = (low, high, value) {
        let span = high.saturating_sub(low);
        for part in [2, 4] {
            for inner in [
                low.saturating_add(span / part),
                high.saturating_sub(span / part),
            ] {
                give(Json::Number(inner.to_string().as_str().into()));
            }
        }
    }
    let span = |least, most| Some((whole(least).unwrap_or(0), whole(most)?));
    if let Some((least, most)) = span("minLength", "maxLength") {
        lengths(&(i128::midpoint(least, most)).to_string(), value, give);
    }
    if let Some((least, most)) = span("minItems", "maxItems") {
        counts(&(i128::midpoint(least, most)).to_string(), value, give);
    }
}

/// Gives texts of a length, and of one more and one fewer characters, with letters and with
/// characters that take more bytes.
fn lengths(count: &str, value: &Json, give: &mut dyn FnMut(Json)) {
    let (Some(count), Json::String(text)) = (size(count), value) else {
        return;
    };
    for length in [count, count + 1, count.saturating_sub(1)] {
        let kept: String = text.chars().take(length).collect();
        let missing = length - kept.chars().count();
        let fill = text.chars().last().unwrap_or('a').to_string();
        give(Json::from(format!("{kept}{}", fill.repeat(missing))));
        give(Json::from(WIDE.repeat(length)));
    }
}

/// Gives texts that only look as if they match a pattern or a format.
fn misspelt(value: &Json, give: &mut dyn FnMut(Json)) {
    let Json::String(text) = value else {
        return;
    };
    let changed = [
        "!".to_owned(),
        String::new(),
        format!("{text}\n"),
        format!(" {text}"),
        format!("{text}{text}"),
        text.to_uppercase(),
    ];
    for text in changed {
        give(Json::from(text));
    }
}

/// Gives lists of this many elements, and of one more and one fewer.
fn counts(count: &str, value: &Json, give: &mut dyn FnMut(Json)) {
    let (Some(count), Json::Array(elements)) = (size(count), value) else {
        return;
    };
    for length in [count, count + 1, count.saturating_sub(1)] {
        if elements.is_empty() && length > 0 {
            continue;
        }
        let all = elements.iter().cycle().take(length).enumerate();
        // Distinct elements if that is easy, in case they must be unique.
        let distinct = all.map(|(at, element)| match element {
            _ if at < elements.len() => element.clone(),
            Json::Number(text) => match Decimal::new(text).to_i128() {
                Some(whole) => {
                    let next = whole.saturating_add(i128::try_from(at).unwrap_or_default());
                    Json::Number(next.to_string().as_str().into())
                }
                None => element.clone(),
            },
            Json::String(text) => Json::from(format!("{text}{at}")),
            other => other.clone(),
        });
        let same = elements.iter().cycle().take(length).cloned().collect();
        give(Json::Array(distinct.collect()));
        give(Json::Array(same));
    }
}

fn size(count: &str) -> Option<usize> {
    let count = usize::try_from(Decimal::new(count).to_i128()?).ok()?;
    (count < LONGEST).then_some(count)
}
