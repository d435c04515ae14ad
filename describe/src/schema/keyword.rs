//! The keywords of JSON Schema: their roles, and walks over the schemas that they hold.
//!
//! A schema mixes schemas and plain data (`default`, `enum`, `examples`). A `$ref` inside a default
//! is a member like any other, so nothing here looks for keywords inside data.

use std::borrow::Cow;

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
    /// Data.
    Data,
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
        _ => ORDER.get(rank(keyword)).map(|(.., role)| *role),
    }
}

/// The keywords with a place of their own in a written schema, in order. Others follow them, in
/// alphabetical order.
const ORDER: &[(&str, Holds, Role)] = &[
    ("$schema", Holds::Data, Role::Aside),
    ("$id", Holds::Data, Role::Aside),
    ("$anchor", Holds::Data, Role::Aside),
    ("$ref", Holds::Data, Role::Asserts),
    ("title", Holds::Data, Role::Annotates),
    ("description", Holds::Data, Role::Annotates),
    ("deprecated", Holds::Data, Role::Annotates),
    ("readOnly", Holds::Data, Role::Annotates),
    ("writeOnly", Holds::Data, Role::Annotates),
    ("type", Holds::Data, Role::Asserts),
    ("format", Holds::Data, Role::Asserts),
    ("enum", Holds::Data, Role::Asserts),
    ("const", Holds::Data, Role::Asserts),
    ("default", Holds::Data, Role::Annotates),
    ("examples", Holds::Data, Role::Annotates),
    ("minimum", Holds::Data, Role::Asserts),
    ("exclusiveMinimum", Holds::Data, Role::Asserts),
    ("maximum", Holds::Data, Role::Asserts),
    ("exclusiveMaximum", Holds::Data, Role::Asserts),
    ("multipleOf", Holds::Data, Role::Asserts),
    ("minLength", Holds::Data, Role::Asserts),
    ("maxLength", Holds::Data, Role::Asserts),
    ("pattern", Holds::Data, Role::Asserts),
    ("contentEncoding", Holds::Data, Role::Aside),
    ("contentMediaType", Holds::Data, Role::Aside),
    ("contentSchema", Holds::Schema, Role::Unenforced),
    ("prefixItems", Holds::Schemas, Role::Asserts),
    ("items", Holds::Schema, Role::Asserts),
    ("additionalItems", Holds::Schema, Role::Unenforced),
    ("unevaluatedItems", Holds::Schema, Role::Unenforced),
    ("contains", Holds::Schema, Role::Unenforced),
    ("minContains", Holds::Data, Role::Unenforced),
    ("maxContains", Holds::Data, Role::Unenforced),
    ("minItems", Holds::Data, Role::Asserts),
    ("maxItems", Holds::Data, Role::Asserts),
    ("uniqueItems", Holds::Data, Role::Asserts),
    ("properties", Holds::Named, Role::Asserts),
    ("required", Holds::Data, Role::Asserts),
    ("patternProperties", Holds::Named, Role::Asserts),
    ("additionalProperties", Holds::Schema, Role::Asserts),
    ("unevaluatedProperties", Holds::Schema, Role::Asserts),
    ("propertyNames", Holds::Schema, Role::Asserts),
    ("minProperties", Holds::Data, Role::Unenforced),
    ("maxProperties", Holds::Data, Role::Unenforced),
    ("dependentRequired", Holds::Data, Role::Unenforced),
    ("dependentSchemas", Holds::Named, Role::Unenforced),
    ("dependencies", Holds::Named, Role::Unenforced),
    ("allOf", Holds::Schemas, Role::Asserts),
    ("anyOf", Holds::Schemas, Role::Asserts),
    ("oneOf", Holds::Schemas, Role::Asserts),
    ("not", Holds::Schema, Role::Asserts),
    ("if", Holds::Schema, Role::Unenforced),
    ("then", Holds::Schema, Role::Unenforced),
    ("else", Holds::Schema, Role::Unenforced),
    ("$defs", Holds::Named, Role::Aside),
    ("definitions", Holds::Named, Role::Aside),
];

/// Returns the place of a keyword in a written schema.
pub(crate) fn rank(keyword: &str) -> usize {
    ORDER
        .iter()
        .position(|(known, ..)| *known == keyword)
        .unwrap_or(ORDER.len())
}

/// Returns whether a name is a known keyword.
pub fn is_keyword(name: &str) -> bool {
    rank(name) < ORDER.len()
}

/// Returns the contents of a keyword's value. An unknown keyword holds data.
pub fn holds(keyword: &str) -> Holds {
    ORDER
        .get(rank(keyword))
        .map_or(Holds::Data, |(_, holds, _)| *holds)
}

/// Returns the kinds of values that a keyword constrains, or `None` if it is not about
/// particular kinds.
pub(crate) fn kinds_about(keyword: &str) -> Option<Kinds> {
    Some(match keyword {
        "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" | "multipleOf" => {
            Kinds::NUMBER
        }
        // The formats that a description may have are all about strings.
        "format" | "minLength" | "maxLength" | "pattern" | "contentEncoding"
        | "contentMediaType" => Kinds::STRING,
        "items" | "prefixItems" | "additionalItems" | "contains" | "minItems" | "maxItems"
        | "uniqueItems" => Kinds::ARRAY,
        "properties"
        | "required"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependencies" => Kinds::OBJECT,
        _ => return None,
    })
}

/// Returns the names in `required`.
pub fn required(words: &Object) -> impl Iterator<Item = &str> {
    let names = words.get("required").and_then(Json::as_array);
    names.into_iter().flatten().filter_map(Json::as_str)
}

/// Returns the values that `const` and `enum` list, or `None` if neither does.
pub fn listed(words: &Object) -> Option<Vec<&Json>> {
    match (words.get("const"), words.get("enum")) {
        (only, Some(Json::Array(values))) => {
            let is_allowed = |value: &&Json| only.is_none_or(|only| only == *value);
            Some(values.iter().filter(is_allowed).collect())
        }
        (Some(only), None) => Some(vec![only]),
        _ => None,
    }
}

/// Returns the schema that `$ref` leads to.
pub fn target<'j>(words: &Object, components: &'j IndexMap<String, Json>) -> Option<&'j Json> {
    resolve(words.get("$ref")?.as_str()?, components)
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

/// Calls `change` with the text of every `$ref` in `schema`.
pub(crate) fn change_references(schema: &mut Json, change: &mut dyn FnMut(&mut String)) {
    change_all(schema, &mut |members| {
        if let Some(Json::String(reference)) = members.get_mut("$ref") {
            change(reference);
        }
    });
}

/// Calls `visit` with the text of every `$ref` in `schema`, in order.
pub fn for_each_reference<'j>(schema: &'j Json, visit: &mut dyn FnMut(&'j str)) {
    if let Some(Json::String(reference)) = schema.get("$ref") {
        visit(reference);
    }
    for_each_child(schema, &mut |_, child| for_each_reference(child, visit));
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
pub fn resolve<'j>(reference: &str, components: &'j IndexMap<String, Json>) -> Option<&'j Json> {
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
