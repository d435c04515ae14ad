//! The keywords of JSON Schema: their order, their roles, what they hold, and walks over the
//! schemas that they hold.
//!
//! [`KEYWORD_GROUPS`] is the one table of keywords; a new keyword begins with a row there. The
//! walks work on a schema as text, before it is read: what its keywords mean for values is the
//! business of `tree` and `view`.
//!
//! A schema mixes schemas and plain data (`default`, `enum`, `examples`). A `$ref` inside a default
//! is a member like any other, so nothing here looks for keywords inside data.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::kinds::Kinds;
use crate::json::{Json, Object};
use KeywordRole::{Annotates, Aside, Asserts, Unenforced};
use KeywordValue::{
    Count, Flag, NameLists, Named, Names, Number, Reference, Schema, Schemas, Step, Text, Types,
    Value, Values,
};

/// The contents of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordValue {
    /// One schema, or (in older drafts) an array of them.
    Schema,
    /// An array of schemas.
    Schemas,
    /// Schemas by name.
    Named,
    /// Lists of names by name.
    NameLists,
    /// The reference to a schema.
    Reference,
    /// A text.
    Text,
    /// A number.
    Number,
    /// A number greater than 0.
    Step,
    /// A whole number from 0.
    Count,
    /// True or false.
    Flag,
    /// An array of values.
    Values,
    /// The name of a kind of values, or several.
    Types,
    /// An array of names.
    Names,
    /// Any value.
    Value,
}

/// The role of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordRole {
    /// It annotates the schema and does not constrain values.
    Annotates,
    /// It names schemas, or describes the contents of a string.
    Aside,
    /// It constrains values, and services enforce it.
    Asserts,
    /// It constrains values, but is not enforced. Some of these come from older versions of JSON Schema and no
    /// longer have an effect, though many readers still expect one.
    Unenforced,
}

/// Returns the role of a keyword, or `None` if it is unknown.
///
/// ```
/// use docent_describe::schema::{KeywordRole, role};
///
/// assert_eq!(role("maximum"), Some(KeywordRole::Asserts));
/// assert_eq!(role("title"), Some(KeywordRole::Annotates));
/// assert_eq!(role("x-internal"), Some(KeywordRole::Annotates));
/// assert_eq!(role("colour"), None);
/// ```
pub fn role(keyword: &str) -> Option<KeywordRole> {
    if let Some(group) = group(keyword) {
        return Some(group.role);
    }
    match keyword {
        "$comment" => Some(Annotates),
        "$dynamicRef" | "$recursiveRef" => Some(Unenforced),
        _ if keyword.starts_with("x-") => Some(Annotates),
        _ => None,
    }
}

/// Keywords that are alike, and that stand side by side in a written schema.
struct KeywordGroup {
    /// The type of the values that the keywords are about, as `type` names it. It is empty if they
    /// are about any value.
    about: &'static str,
    role: KeywordRole,
    holds: KeywordValue,
    keywords: &'static [&'static str],
}

/// Creates a row of the table of keywords.
const fn keywords(
    about: &'static str,
    role: KeywordRole,
    holds: KeywordValue,
    keywords: &'static [&'static str],
) -> KeywordGroup {
    KeywordGroup {
        about,
        role,
        holds,
        keywords,
    }
}

/// The keywords with a place of their own in a written schema, in order. Others follow them, in
/// alphabetical order.
static KEYWORD_GROUPS: [KeywordGroup; 34] = [
    keywords("", Aside, Text, &["$schema", "$id", "$anchor"]),
    keywords("", Asserts, Reference, &["$ref"]),
    keywords("", Annotates, Text, &["title", "description"]),
    keywords(
        "",
        Annotates,
        Flag,
        &["deprecated", "readOnly", "writeOnly"],
    ),
    keywords("", Asserts, Types, &["type"]),
    keywords("string", Asserts, Text, &["format"]),
    keywords("", Asserts, Values, &["enum"]),
    keywords("", Asserts, Value, &["const"]),
    keywords("", Annotates, Value, &["default"]),
    keywords("", Annotates, Values, &["examples"]),
    keywords(
        "number",
        Asserts,
        Number,
        &["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"],
    ),
    keywords("number", Asserts, Step, &["multipleOf"]),
    keywords("string", Asserts, Count, &["minLength", "maxLength"]),
    keywords("string", Asserts, Text, &["pattern"]),
    keywords("string", Asserts, Text, &["contentEncoding"]),
    keywords("string", Aside, Text, &["contentMediaType"]),
    keywords("string", Unenforced, Schema, &["contentSchema"]),
    keywords("array", Asserts, Schemas, &["prefixItems"]),
    keywords("array", Asserts, Schema, &["items"]),
    keywords(
        "array",
        Unenforced,
        Schema,
        &["additionalItems", "unevaluatedItems", "contains"],
    ),
    keywords("array", Unenforced, Count, &["minContains", "maxContains"]),
    keywords("array", Asserts, Count, &["minItems", "maxItems"]),
    keywords("array", Asserts, Flag, &["uniqueItems"]),
    keywords("object", Asserts, Named, &["properties"]),
    keywords("object", Asserts, Names, &["required"]),
    keywords("object", Asserts, Named, &["patternProperties"]),
    keywords(
        "object",
        Asserts,
        Schema,
        &[
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
        ],
    ),
    keywords(
        "object",
        Unenforced,
        Count,
        &["minProperties", "maxProperties"],
    ),
    keywords("object", Unenforced, NameLists, &["dependentRequired"]),
    keywords(
        "object",
        Unenforced,
        Named,
        &["dependentSchemas", "dependencies"],
    ),
    keywords("", Asserts, Schemas, &["allOf", "anyOf", "oneOf"]),
    keywords("", Asserts, Schema, &["not"]),
    keywords("", Unenforced, Schema, &["if", "then", "else"]),
    keywords("", Aside, Named, &["$defs", "definitions"]),
];

/// The group that each keyword belongs to. A schema is looked at keyword by keyword, so it is found
/// at once.
static GROUP_OF_KEYWORD: LazyLock<HashMap<&str, &KeywordGroup, RandomState>> =
    LazyLock::new(|| {
        let mut groups = HashMap::default();
        for group in &KEYWORD_GROUPS {
            for keyword in group.keywords {
                groups.insert(*keyword, group);
            }
        }
        groups
    });

/// Returns the group that a keyword belongs to, or `None` if it is unknown.
fn group(keyword: &str) -> Option<&'static KeywordGroup> {
    GROUP_OF_KEYWORD.get(keyword).copied()
}

/// Returns the place of a keyword in a written schema.
pub(crate) fn rank(keyword: &str) -> usize {
    KEYWORD_GROUPS
        .iter()
        .flat_map(|group| group.keywords)
        .position(|known| *known == keyword)
        .unwrap_or(usize::MAX)
}

/// Returns whether a name is a known keyword.
pub fn is_keyword(name: &str) -> bool {
    group(name).is_some()
}

/// Returns all keywords, in the order in which a schema is written. Tests go through them, to find code that
/// has forgotten a new keyword.
pub fn all_keywords() -> impl Iterator<Item = &'static str> {
    KEYWORD_GROUPS
        .iter()
        .flat_map(|group| group.keywords)
        .copied()
}

/// Returns the contents of a keyword's value. An unknown keyword holds any value.
///
/// ```
/// use docent_describe::schema::{KeywordValue, holds};
///
/// assert_eq!(holds("items"), KeywordValue::Schema);
/// assert_eq!(holds("properties"), KeywordValue::Named);
/// assert_eq!(holds("x-internal"), KeywordValue::Value);
/// ```
pub fn holds(keyword: &str) -> KeywordValue {
    group(keyword).map_or(Value, |group| group.holds)
}

/// Returns the kinds of values that a keyword constrains, or `None` if it is not about
/// particular kinds.
pub fn kinds_about(keyword: &str) -> Option<Kinds> {
    group(keyword).and_then(|group| Kinds::from_type_name(group.about))
}

/// Calls `$visit` with every schema directly inside `$schema`, and the keyword that holds it.
/// `$values` are the values of a map, mutable or not.
macro_rules! each_child {
    ($schema:ident, $visit:ident, $values:ident) => {
        let Json::Object(members) = $schema else {
            return;
        };
        for (keyword, value) in members {
            match (holds(keyword.as_str()), value) {
                (Schema | Schemas, Json::Array(schemas)) => {
                    for schema in schemas {
                        $visit(keyword.as_str(), schema);
                    }
                }
                (Schema, schema) => $visit(keyword.as_str(), schema),
                (Named, Json::Object(schemas)) => {
                    for schema in schemas.$values() {
                        $visit(keyword.as_str(), schema);
                    }
                }
                _ => {}
            }
        }
    };
}

/// Calls `visit` with every schema directly inside `schema`, and the keyword that holds it.
fn for_each_child<'j>(schema: &'j Json, visit: &mut dyn FnMut(&'j str, &'j Json)) {
    each_child!(schema, visit, values);
}

/// Calls `visit` with `schema` and every schema inside it, the outermost first. References are not
/// followed.
pub fn for_each_schema<'j>(schema: &'j Json, visit: &mut dyn FnMut(&'j Json)) {
    visit(schema);
    for_each_child(schema, &mut |_, child| for_each_schema(child, visit));
}

/// Calls `visit` with every schema directly inside `schema`, mutably, and the keyword that holds
/// it.
pub(crate) fn for_each_child_mut(schema: &mut Json, visit: &mut dyn FnMut(&str, &mut Json)) {
    each_child!(schema, visit, values_mut);
}

/// Calls `change` with `schema` and with every schema inside it, the outermost first.
pub(crate) fn change_all(schema: &mut Json, change: &mut dyn FnMut(&mut Object)) {
    if let Json::Object(members) = schema {
        change(members);
    }
    for_each_child_mut(schema, &mut |_, child| change_all(child, change));
}

/// Returns the schema that combines all of these.
pub fn all_of(mut schemas: Vec<Json>) -> Json {
    match schemas.len() {
        0 => Json::Object(Object::new()),
        1 => schemas.remove(0),
        _ => Json::Object(Object::from([("allOf", Json::Array(schemas))])),
    }
}

/// Changes the references in a schema for which `replacement` has another.
pub(crate) fn redirect(schema: &mut Json, replacement: &dyn Fn(&str) -> Option<String>) {
    change_all(schema, &mut |members| {
        if let Some(Json::String(reference)) = members.get_mut("$ref")
            && let Some(replacement) = replacement(reference)
        {
            *reference = replacement;
        }
    });
}

/// Calls `visit` with the text of every `$ref` in `schema`, in order.
pub(crate) fn for_each_reference<'j>(schema: &'j Json, visit: &mut dyn FnMut(&'j str)) {
    for_each_schema(schema, &mut |schema| {
        if let Some(Json::String(reference)) = schema.get("$ref") {
            visit(reference);
        }
    });
}
