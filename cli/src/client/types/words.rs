//! What single keywords of a schema say.

use docent_describe::json::{Json, Object};
use docent_describe::schema::{Role, role};

use crate::client::text::paragraphs;

/// Whether a keyword decides what type a schema describes.
pub(super) fn shapes(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "type"
            | "properties"
            | "items"
            | "prefixItems"
            | "additionalProperties"
            | "patternProperties"
            | "required"
    ) && role(keyword) != Some(Role::Annotates)
}

/// The values that a schema lists.
pub(super) fn listed(words: &Object) -> Option<Vec<&Json>> {
    match (words.get("const"), words.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Json::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// The only text that a schema allows.
pub(super) fn only_text(schema: &Json) -> Option<&str> {
    match listed(schema.as_object()?)?[..] {
        [Json::String(text)] => Some(text),
        _ => None,
    }
}

pub(super) fn list<'j>(words: &'j Object, keyword: &str) -> &'j [Json] {
    words
        .get(keyword)
        .and_then(Json::as_array)
        .unwrap_or_default()
}

/// The documentation of a schema.
pub(super) fn documentation(schema: &Json) -> String {
    let word = |keyword| {
        schema
            .get(keyword)
            .and_then(Json::as_str)
            .unwrap_or_default()
    };
    let deprecated = match schema.get("deprecated") {
        Some(Json::Bool(true)) => "Deprecated.",
        _ => "",
    };
    let text = word("description");
    let text = if text.is_empty() { word("title") } else { text };
    paragraphs([text, &variants(schema), deprecated])
}

/// What is said of the variants of an enum, as a list.
pub(super) fn variants(schema: &Json) -> String {
    let parts = ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|it| schema.get(it)?.as_array());
    let lines = parts.flatten().filter_map(|part| {
        let description = part.get("description").and_then(Json::as_str)?;
        Some(format!(
            "- `{}`: {}",
            only_text(part)?,
            description.replace('\n', " ")
        ))
    });
    lines.collect::<Vec<_>>().join("\n")
}
