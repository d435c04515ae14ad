//! Reads single keywords of a schema.

use docent_describe::json::Json;
use docent_describe::schema::listed;

use crate::client::text::paragraphs;

/// The keywords that affect which type a schema describes.
pub(super) const SHAPING: [&str; 11] = [
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "type",
    "properties",
    "items",
    "prefixItems",
    "additionalProperties",
    "patternProperties",
    "required",
];

/// Returns the text of a schema that allows only one.
pub(super) fn only_text(schema: &Json) -> Option<&str> {
    match listed(schema.as_object()?)?[..] {
        [Json::String(text)] => Some(text),
        _ => None,
    }
}

/// Returns the documentation of a schema.
pub(super) fn documentation(schema: &Json) -> String {
    let word = |keyword| schema.get(keyword)?.as_str();
    let deprecated = match schema.get("deprecated") {
        Some(Json::Bool(true)) => "Deprecated.",
        _ => "",
    };
    let text = word("description").filter(|text| !text.is_empty());
    let text = text.or(word("title")).unwrap_or_default();
    paragraphs([text, &variants(schema), deprecated])
}

/// Returns the documentation of an enum's variants, as a list.
pub(super) fn variants(schema: &Json) -> String {
    let parts = ["oneOf", "anyOf"].into_iter();
    let parts = parts.filter_map(|it| schema.get(it)?.as_array());
    let lines = parts.flatten().filter_map(|part| {
        let description = part.get("description")?.as_str()?.replace('\n', " ");
        Some(format!("- `{}`: {description}", only_text(part)?))
    });
    lines.collect::<Vec<_>>().join("\n")
}
