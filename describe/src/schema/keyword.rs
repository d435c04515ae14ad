//! The keywords of JSON Schema: their roles, and walks over the schemas that they hold.
//!
//! A schema mixes schemas and plain data (`default`, `enum`, `examples`). A `$ref` inside a default
//! is a member like any other, so nothing here looks for keywords inside data.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::kinds::Kinds;
use crate::json::{Json, Object, inner};

/// The prefix of references to the shared schemas of a description.
pub const COMPONENTS: &str = "#/components/schemas/";

/// The contents of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
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
    /// A word for a kind of values, or several.
    Types,
    /// An array of names.
    Names,
    /// Any value.
    Value,
}

/// The role of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It annotates the schema and does not constrain values.
    Annotates,
    /// It names schemas, or describes the contents of a string.
    Aside,
    /// It constrains values, and services enforce it.
    Asserts,
    /// It constrains values, but is not enforced. Some of these belong to older versions of JSON
    /// Schema and no longer have an effect, but many readers still expect one.
    Unenforced,
}

/// Returns the role of a keyword, or `None` if it is unknown.
pub fn role(keyword: &str) -> Option<Role> {
    match keyword {
        "$comment" => Some(Role::Annotates),
        "$dynamicRef" | "$recursiveRef" => Some(Role::Unenforced),
        _ if keyword.starts_with("x-") => Some(Role::Annotates),
        _ => group(keyword).map(|(_, role, ..)| *role),
    }
}

/// The type of the values that some keywords are about, if they are about one, their role, what they hold, and their
/// names.
type Keywords = (&'static str, Role, Holds, &'static [&'static str]);

/// The keywords with a place of their own in a written schema, in order. Others follow them, in
/// alphabetical order.
const ORDER: [Keywords; 34] = [
    ("", Role::Aside, Holds::Text, &["$schema", "$id", "$anchor"]),
    ("", Role::Asserts, Holds::Reference, &["$ref"]),
    ("", Role::Annotates, Holds::Text, &["title", "description"]),
    (
        "",
        Role::Annotates,
        Holds::Flag,
        &["deprecated", "readOnly", "writeOnly"],
    ),
    ("", Role::Asserts, Holds::Types, &["type"]),
    ("string", Role::Asserts, Holds::Text, &["format"]),
    ("", Role::Asserts, Holds::Values, &["enum"]),
    ("", Role::Asserts, Holds::Value, &["const"]),
    ("", Role::Annotates, Holds::Value, &["default"]),
    ("", Role::Annotates, Holds::Values, &["examples"]),
    (
        "number",
        Role::Asserts,
        Holds::Number,
        &["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"],
    ),
    ("number", Role::Asserts, Holds::Step, &["multipleOf"]),
    (
        "string",
        Role::Asserts,
        Holds::Count,
        &["minLength", "maxLength"],
    ),
    ("string", Role::Asserts, Holds::Text, &["pattern"]),
    ("string", Role::Asserts, Holds::Text, &["contentEncoding"]),
    ("string", Role::Aside, Holds::Text, &["contentMediaType"]),
    (
        "string",
        Role::Unenforced,
        Holds::Schema,
        &["contentSchema"],
    ),
    ("array", Role::Asserts, Holds::Schemas, &["prefixItems"]),
    ("array", Role::Asserts, Holds::Schema, &["items"]),
    (
        "array",
        Role::Unenforced,
        Holds::Schema,
        &["additionalItems", "unevaluatedItems", "contains"],
    ),
    (
        "array",
        Role::Unenforced,
        Holds::Count,
        &["minContains", "maxContains"],
    ),
    (
        "array",
        Role::Asserts,
        Holds::Count,
        &["minItems", "maxItems"],
    ),
    ("array", Role::Asserts, Holds::Flag, &["uniqueItems"]),
    ("object", Role::Asserts, Holds::Named, &["properties"]),
    ("object", Role::Asserts, Holds::Names, &["required"]),
    (
        "object",
        Role::Asserts,
        Holds::Named,
        &["patternProperties"],
    ),
    (
        "object",
        Role::Asserts,
        Holds::Schema,
        &[
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
        ],
    ),
    (
        "object",
        Role::Unenforced,
        Holds::Count,
        &["minProperties", "maxProperties"],
    ),
    (
        "object",
        Role::Unenforced,
        Holds::NameLists,
        &["dependentRequired"],
    ),
    (
        "object",
        Role::Unenforced,
        Holds::Named,
        &["dependentSchemas", "dependencies"],
    ),
    (
        "",
        Role::Asserts,
        Holds::Schemas,
        &["allOf", "anyOf", "oneOf"],
    ),
    ("", Role::Asserts, Holds::Schema, &["not"]),
    ("", Role::Unenforced, Holds::Schema, &["if", "then", "else"]),
    ("", Role::Aside, Holds::Named, &["$defs", "definitions"]),
];

/// The keywords that each belongs to. A schema is looked at keyword by keyword, so they are found at once.
static GROUPS: LazyLock<HashMap<&str, &Keywords, RandomState>> = LazyLock::new(|| {
    let named = |group: &'static Keywords| group.3.iter().map(move |name| (*name, group));
    ORDER.iter().flat_map(named).collect()
});

/// Returns the keywords that one belongs to.
fn group(keyword: &str) -> Option<&'static Keywords> {
    GROUPS.get(keyword).copied()
}

/// Returns the place of a keyword in a written schema.
pub(crate) fn rank(keyword: &str) -> usize {
    let mut all = ORDER.iter().flat_map(|(.., names)| *names);
    all.position(|name| *name == keyword).unwrap_or(usize::MAX)
}

/// Returns whether a name is a known keyword.
pub fn is_keyword(name: &str) -> bool {
    group(name).is_some()
}

/// Returns the contents of a keyword's value. An unknown keyword holds any value.
pub fn holds(keyword: &str) -> Holds {
    group(keyword).map_or(Holds::Value, |(.., holds, _)| *holds)
}

/// Returns the kinds of values that a keyword constrains, or `None` if it is not about
/// particular kinds.
pub fn kinds_about(keyword: &str) -> Option<Kinds> {
    group(keyword).and_then(|(about, ..)| Kinds::of_word(about))
}

/// Calls `$visit` with every schema directly inside `$schema`, and the keyword that holds it. `$values` are
/// the values of a map, mutable or not.
macro_rules! each_child {
    ($schema:ident, $visit:ident, $values:ident) => {
        let Json::Object(members) = $schema else {
            return;
        };
        for (keyword, value) in members {
            match (holds(keyword), value) {
                (Holds::Schema | Holds::Schemas, Json::Array(schemas)) => {
                    for schema in schemas {
                        $visit(keyword, schema);
                    }
                }
                (Holds::Schema, schema) => $visit(keyword, schema),
                (Holds::Named, Json::Object(schemas)) => {
                    for schema in schemas.$values() {
                        $visit(keyword, schema);
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
pub(super) fn for_each_schema<'j>(schema: &'j Json, visit: &mut dyn FnMut(&'j Json)) {
    visit(schema);
    for_each_child(schema, &mut |_, child| for_each_schema(child, visit));
}

/// Calls `visit` with every schema directly inside `schema`, mutably, and the keyword that holds it.
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

/// Returns a schema of all that several say.
pub fn all_of(mut schemas: Vec<Json>) -> Json {
    match schemas.len() {
        0 => Json::Object(Object::new()),
        1 => schemas.remove(0),
        _ => Json::Object(Object::from([("allOf", Json::Array(schemas))])),
    }
}

/// Changes the references in a schema for which `place` has another.
pub(crate) fn redirect(schema: &mut Json, place: &dyn Fn(&str) -> Option<String>) {
    change_all(schema, &mut |members| {
        if let Some(Json::String(reference)) = members.get_mut("$ref")
            && let Some(place) = place(reference)
        {
            *reference = place;
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

/// Returns the name of the shared schema that a reference points to: the part after
/// `#/components/schemas/`, decoded (RFC 6901, section 6). Returns `None` if it points elsewhere or
/// deeper.
pub fn component_name(reference: &str) -> Option<Cow<'_, str>> {
    decoded_name(reference.strip_prefix(COMPONENTS)?)
}

/// Returns the name of the shared schema that a reference points to or into, as in
/// `#/components/schemas/Book/properties/title`.
pub fn component_entered(reference: &str) -> Option<Cow<'_, str>> {
    let path = reference.strip_prefix(COMPONENTS)?;
    decoded_name(path.split_once('/').map_or(path, |(name, _)| name))
}

/// Resolves a reference to or into a shared schema.
pub(crate) fn resolve<'j>(
    reference: &str,
    components: &'j IndexMap<String, Json>,
) -> Option<&'j Json> {
    let mut tokens = reference.strip_prefix(COMPONENTS)?.split('/');
    let name = decoded_name(tokens.next()?)?;
    tokens.try_fold(components.get(name.as_ref())?, |schema, token| {
        inner(schema, &decoded_name(token)?)
    })
}

/// Returns the characters to encode if all but letters, digits and these are encoded.
pub(crate) const fn all_but(allowed: &[u8]) -> AsciiSet {
    let mut set = NON_ALPHANUMERIC.remove(allowed[0]);
    let mut at = 1;
    while at < allowed.len() {
        set = set.remove(allowed[at]);
        at += 1;
    }
    set
}

/// The characters to encode in the fragment of a URI (RFC 3986, section 3.5), and `/`, which separates the
/// tokens of a JSON Pointer.
const IN_FRAGMENT: &AsciiSet = &all_but(b"!$&'()*+,-.:;=?@_~");

/// Returns the reference to a shared schema.
pub fn component_reference(name: &str) -> String {
    let token = name.replace('~', "~0").replace('/', "~1");
    format!("{COMPONENTS}{}", utf8_percent_encode(&token, IN_FRAGMENT))
}

/// Decodes one reference token of a JSON Pointer in a URI's fragment.
pub fn decoded_name(token: &str) -> Option<Cow<'_, str>> {
    if token.contains('/') {
        return None;
    }
    let text = percent_decode_str(token).decode_utf8().ok()?;
    if text.contains('~') {
        return Some(Cow::Owned(text.replace("~1", "/").replace("~0", "~")));
    }
    Some(text)
}
