//! The constraints of a schema beyond its type.

use docent_describe::json::Json;
use docent_describe::schema::{Role, is_bound_of_width, role, width};

use super::refs::text_of;

/// A constraint of one schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Constraint<'j> {
    /// A bound of numbers, inclusive (`min`, `max`) or not (`above`, `below`), or the step between
    /// them (`by`).
    Number(&'static str, &'j str),
    /// The least and the most of something: of `length`, `items` or `members`.
    Count {
        unit: &'static str,
        least: Option<&'j str>,
        most: Option<&'j str>,
    },
    Pattern(&'j str),
    /// One that is complete without a value: `unique`, `closed`, `read_only` or `write_only`.
    Flag(&'static str),
    /// A keyword without words, shown as it is: leaving it out would be misleading.
    Keyword(&'j str, &'j Json),
}

/// Keywords about parts of a value or some values, with the keys of their names.
pub(super) const CONDITIONS: &[(&str, &str)] = &[
    ("not", "tree.not"),
    ("if", "tree.if"),
    ("then", "tree.then"),
    ("else", "tree.else"),
    ("contains", "tree.contains"),
    ("propertyNames", "tree.names"),
    ("unevaluatedProperties", "tree.others"),
    ("unevaluatedItems", "tree.rest"),
    ("contentSchema", "tree.content"),
];

/// Keywords with constraints that have no words of their own.
const BARE: &[&str] = &["not", "propertyNames", "unevaluatedProperties"];

/// Keywords in documents of other formats that are shown elsewhere, or that mean nothing to a reader.
const ELSEWHERE: &[&str] = &[
    "additionalItems",
    "minProperties",
    "maxProperties",
    "example",
    "discriminator",
    "nullable",
    "externalDocs",
    "xml",
    "summary",
    "name",
];

/// The bounds of numbers, each with its key.
const BOUNDS: [(&str, &str); 4] = [
    ("min", "minimum"),
    ("above", "exclusiveMinimum"),
    ("max", "maximum"),
    ("below", "exclusiveMaximum"),
];

/// The most constraints of a schema that are read.
const MOST: usize = 40;

impl Constraint<'_> {
    /// Returns whether it is only the bound of a type of numbers with 32 bits or more, which no author
    /// chose.
    pub(crate) fn is_of_type(&self) -> bool {
        // The bounds of narrower types have fewer than ten characters.
        matches!(self, Self::Number(_, bound) if bound.len() >= 10 && is_bound_of_width(bound))
    }
}

/// Returns the constraints of a schema itself.
pub(crate) fn constraints(schema: &Json) -> Vec<Constraint<'_>> {
    let Some(members) = schema.as_object() else {
        return Vec::new();
    };
    let number = |member: &str| schema.get(member).and_then(Json::as_number);
    let is = |value, member: &str| schema.get(member).and_then(Json::as_bool) == Some(value);
    let mut found = Vec::new();
    for (key, bound) in BOUNDS {
        found.extend(number(bound).map(|text| Constraint::Number(key, text)));
    }
    // A type of floating-point numbers implies its bounds, which mean nothing to a reader.
    if !found.is_empty() && matches!(width(schema), Some("float" | "double")) {
        found.clear();
    }
    found.extend(number("multipleOf").map(|text| Constraint::Number("by", text)));
    let count = |unit, least, most| {
        let (least, most) = (number(least).filter(|&text| text != "0"), number(most));
        let is_any = least.is_none() && most.is_none();
        (!is_any).then_some(Constraint::Count { unit, least, most })
    };
    found.extend(count("length", "minLength", "maxLength"));
    found.extend(text_of(schema, "pattern").map(Constraint::Pattern));
    found.extend(count("items", "minItems", "maxItems"));
    found.extend(is(true, "uniqueItems").then_some(Constraint::Flag("unique")));
    found.extend(count("members", "minProperties", "maxProperties"));
    let is_closed = is(false, "additionalProperties") || is(false, "unevaluatedProperties");
    found.extend(is_closed.then_some(Constraint::Flag("closed")));
    found.extend(is(true, "readOnly").then_some(Constraint::Flag("read_only")));
    found.extend(is(true, "writeOnly").then_some(Constraint::Flag("write_only")));
    let others = members.iter().filter(|(name, value)| {
        let mut conditions = CONDITIONS.iter();
        let is_condition =
            value.as_object().is_some() && conditions.any(|(it, _)| *it == name.as_str());
        let is_flag = name.as_str() == "unevaluatedProperties" && is_closed;
        !is_told(name) && !is_condition && !is_flag
    });
    found.extend(others.map(|(name, value)| Constraint::Keyword(name, value)));
    found.truncate(MOST);
    found
}

/// Returns whether a keyword is expressed in words, or means nothing to a reader.
fn is_told(keyword: &str) -> bool {
    let by_role = match role(keyword) {
        Some(Role::Annotates) => true,
        Some(Role::Asserts) => !BARE.contains(&keyword),
        Some(Role::Aside) => !keyword.starts_with("content"),
        Some(Role::Unenforced) | None => keyword.starts_with('$'),
    };
    by_role || ELSEWHERE.contains(&keyword)
}
