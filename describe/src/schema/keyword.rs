//! The keywords of JSON Schema: their order, their roles, what they hold, and walks over the
//! schemas that they hold.
//!
//! [`KEYWORD_GROUPS`] is the one table of keywords; a new keyword begins with a row there. The
//! walks work on a schema as text, before it is read: what its keywords mean for values is the
//! business of `tree` and `view`.
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
    /// The name of a kind of values, or several.
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
///
/// ```
/// use docent_describe::schema::{Role, role};
///
/// assert_eq!(role("maximum"), Some(Role::Asserts));
/// assert_eq!(role("title"), Some(Role::Annotates));
/// assert_eq!(role("x-internal"), Some(Role::Annotates));
/// assert_eq!(role("colour"), None);
/// ```
pub fn role(keyword: &str) -> Option<Role> {
    if let Some(group) = group(keyword) {
        return Some(group.role);
    }
    match keyword {
        "$comment" => Some(Role::Annotates),
        "$dynamicRef" | "$recursiveRef" => Some(Role::Unenforced),
        _ if keyword.starts_with("x-") => Some(Role::Annotates),
        _ => None,
    }
}

/// Keywords that are alike, and that stand side by side in a written schema.
struct KeywordGroup {
    /// The type of the values that the keywords are about, as `type` names it. It is empty if they
    /// are about any value.
    about: &'static str,
    role: Role,
    holds: Holds,
    keywords: &'static [&'static str],
}

/// Creates a row of the table of keywords.
const fn keywords(
    about: &'static str,
    role: Role,
    holds: Holds,
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
    keywords("", Role::Aside, Holds::Text, &["$schema", "$id", "$anchor"]),
    keywords("", Role::Asserts, Holds::Reference, &["$ref"]),
    keywords("", Role::Annotates, Holds::Text, &["title", "description"]),
    keywords(
        "",
        Role::Annotates,
        Holds::Flag,
        &["deprecated", "readOnly", "writeOnly"],
    ),
    keywords("", Role::Asserts, Holds::Types, &["type"]),
    keywords("string", Role::Asserts, Holds::Text, &["format"]),
    keywords("", Role::Asserts, Holds::Values, &["enum"]),
    keywords("", Role::Asserts, Holds::Value, &["const"]),
    keywords("", Role::Annotates, Holds::Value, &["default"]),
    keywords("", Role::Annotates, Holds::Values, &["examples"]),
    keywords(
        "number",
        Role::Asserts,
        Holds::Number,
        &["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"],
    ),
    keywords("number", Role::Asserts, Holds::Step, &["multipleOf"]),
    keywords(
        "string",
        Role::Asserts,
        Holds::Count,
        &["minLength", "maxLength"],
    ),
    keywords("string", Role::Asserts, Holds::Text, &["pattern"]),
    keywords("string", Role::Asserts, Holds::Text, &["contentEncoding"]),
    keywords("string", Role::Aside, Holds::Text, &["contentMediaType"]),
    keywords(
        "string",
        Role::Unenforced,
        Holds::Schema,
        &["contentSchema"],
    ),
    keywords("array", Role::Asserts, Holds::Schemas, &["prefixItems"]),
    keywords("array", Role::Asserts, Holds::Schema, &["items"]),
    keywords(
        "array",
        Role::Unenforced,
        Holds::Schema,
        &["additionalItems", "unevaluatedItems", "contains"],
    ),
    keywords(
        "array",
        Role::Unenforced,
        Holds::Count,
        &["minContains", "maxContains"],
    ),
    keywords(
        "array",
        Role::Asserts,
        Holds::Count,
        &["minItems", "maxItems"],
    ),
    keywords("array", Role::Asserts, Holds::Flag, &["uniqueItems"]),
    keywords("object", Role::Asserts, Holds::Named, &["properties"]),
    keywords("object", Role::Asserts, Holds::Names, &["required"]),
    keywords(
        "object",
        Role::Asserts,
        Holds::Named,
        &["patternProperties"],
    ),
    keywords(
        "object",
        Role::Asserts,
        Holds::Schema,
        &[
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
        ],
    ),
    keywords(
        "object",
        Role::Unenforced,
        Holds::Count,
        &["minProperties", "maxProperties"],
    ),
    keywords(
        "object",
        Role::Unenforced,
        Holds::NameLists,
        &["dependentRequired"],
    ),
    keywords(
        "object",
        Role::Unenforced,
        Holds::Named,
        &["dependentSchemas", "dependencies"],
    ),
    keywords(
        "",
        Role::Asserts,
        Holds::Schemas,
        &["allOf", "anyOf", "oneOf"],
    ),
    keywords("", Role::Asserts, Holds::Schema, &["not"]),
    keywords("", Role::Unenforced, Holds::Schema, &["if", "then", "else"]),
    keywords("", Role::Aside, Holds::Named, &["$defs", "definitions"]),
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

/// Returns all keywords of the table.
#[cfg(test)]
pub(super) fn all_keywords() -> impl Iterator<Item = &'static str> {
    KEYWORD_GROUPS
        .iter()
        .flat_map(|group| group.keywords)
        .copied()
}

/// Returns the contents of a keyword's value. An unknown keyword holds any value.
///
/// ```
/// use docent_describe::schema::{Holds, holds};
///
/// assert_eq!(holds("items"), Holds::Schema);
/// assert_eq!(holds("properties"), Holds::Named);
/// assert_eq!(holds("x-internal"), Holds::Value);
/// ```
pub fn holds(keyword: &str) -> Holds {
    group(keyword).map_or(Holds::Value, |group| group.holds)
}

/// Returns the kinds of values that a keyword constrains, or `None` if it is not about
/// particular kinds.
pub fn kinds_about(keyword: &str) -> Option<Kinds> {
    group(keyword).and_then(|group| Kinds::of_word(group.about))
}

/// Calls `$visit` with every schema directly inside `$schema`, and the keyword that holds it.
/// `$values` are the values of a map, mutable or not.
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

/// Returns a schema of all that several say.
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

/// Returns the name of the shared schema that a reference points to: the part after
/// `#/components/schemas/`, decoded (RFC 6901, section 6). Returns `None` if it points elsewhere or
/// deeper.
///
/// ```
/// use docent_describe::schema::component_name;
///
/// let name = component_name("#/components/schemas/Page%20of%20a~1b");
/// assert_eq!(name.as_deref(), Some("Page of a/b"));
/// assert_eq!(component_name("#/components/schemas/Book/properties/title"), None);
/// ```
pub fn component_name(reference: &str) -> Option<Cow<'_, str>> {
    decoded_name(reference.strip_prefix(COMPONENTS)?)
}

/// Returns the name of the shared schema that a reference points to or into, as in
/// `#/components/schemas/Book/properties/title`.
///
/// ```
/// use docent_describe::schema::component_entered;
///
/// let name = component_entered("#/components/schemas/Book/properties/title");
/// assert_eq!(name.as_deref(), Some("Book"));
/// assert_eq!(component_entered("https://example.com/schema"), None);
/// ```
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
    let mut schema = components.get(name.as_ref())?;
    for token in tokens {
        schema = inner(schema, &decoded_name(token)?)?;
    }
    Some(schema)
}

/// Returns the characters to encode if all but letters, digits and these are encoded.
pub(crate) const fn all_but(allowed: &[u8]) -> AsciiSet {
    let mut set = NON_ALPHANUMERIC.remove(allowed[0]);
    let mut index = 1;
    while index < allowed.len() {
        set = set.remove(allowed[index]);
        index += 1;
    }
    set
}

/// The characters to encode in the fragment of a URI (RFC 3986, section 3.5), and `/`, which
/// separates the tokens of a JSON Pointer.
const IN_FRAGMENT: &AsciiSet = &all_but(b"!$&'()*+,-.:;=?@_~");

/// Returns the reference to a shared schema.
///
/// ```
/// use docent_describe::schema::component_reference;
///
/// assert_eq!(component_reference("a/b c"), "#/components/schemas/a~1b%20c");
/// ```
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
