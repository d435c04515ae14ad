//! The table of keywords: all that Docent knows of each keyword of JSON Schema.
//!
//! [`KEYWORDS`] has a row for each, in the order in which a schema is written:
//!
//! ```ignore
//! keyword("minLength", STRING, Checked, Count).narrows(Least)
//! ```
//!
//! `minLength` is about strings, so other values pass. The check enforces it, because serde does not. It holds a
//! count, and a greater count accepts less. All code that needs one of these facts looks it up here, by the keyword's
//! name: the reader of schemas finds what a keyword may hold, the compiler of checks what serde leaves to it, the
//! comparison what narrows. So a new keyword begins with a row. The meaning of a keyword cannot be a column: `tree`
//! gives each a typed field, `check` a rule, `view` a fact.
//!
//! The obvious alternative, an enum of all keywords, would put each behind a variant and a spelling, although schemas
//! are read by their text, and unknown keywords would need a variant, too.
//!
//! The walks at the end work on a schema as text, before it is read. A schema mixes schemas and plain data (`default`,
//! `enum`, `examples`), and a `$ref` inside a default is a member like any other. So they look for schemas only where
//! the table says that a keyword holds some.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::expected::KeywordValue;
use super::kinds::Kinds;
use crate::json::{Json, Object};
use KeywordRole::{
    Annotates, Aside, Checked, Decoded, Foreign, Ineffective, Unchecked, Unenforced,
};
use KeywordValue::{
    Count, Flag, NameLists, Named, Names, Number, Reference, Schema, Schemas, Step, Text, Types,
    Value, Values,
};
use Narrowing::{Each, Encoding, Format, Least, Most, Parts, Pattern};

/// The role of a keyword: whether it constrains values, and which part of Docent enforces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordRole {
    /// It annotates the schema and does not constrain values.
    Annotates,
    /// It names schemas, or describes the contents of a string.
    Aside,
    /// It constrains values, and serde enforces it while it decodes them: it shapes the type.
    Decoded,
    /// It constrains values, and the check enforces it.
    Checked,
    /// It constrains values, but only the check of tools enforces it. Services refuse a schema with it.
    Unenforced,
    /// It constrains values in ways that no check knows, so it is unknown whether a value matches. Services refuse
    /// a schema with it.
    Unchecked,
    /// It constrains no values, though many readers expect it to: it is only an annotation, or comes from an older
    /// version of JSON Schema. Services refuse a schema with it.
    Ineffective,
    /// It belongs to another format. It is read into something else, or means nothing to a reader.
    Foreign,
}

impl KeywordRole {
    /// Returns whether keywords with this role constrain values, enforced or not.
    pub fn constrains(self) -> bool {
        self.is_enforced() || matches!(self, Unenforced | Unchecked)
    }

    /// Returns whether keywords with this role constrain values, and services enforce them.
    pub fn is_enforced(self) -> bool {
        matches!(self, Decoded | Checked)
    }
}

/// The way in which a keyword narrows values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Narrowing {
    /// A greater number accepts less.
    Least,
    /// A lesser number accepts less.
    Most,
    /// Each additional value accepts less.
    Each,
    /// Each additional pattern accepts less. Two patterns can hardly be compared.
    Pattern,
    /// It names the notation of text, and may not be checked.
    Format,
    /// It names the encoding of text. A change of it is reported whether or not it is checked.
    Encoding,
    /// It holds schemas of members, elements or alternatives, which can be compared one by one.
    Parts,
}

impl Narrowing {
    /// All ways, in the order in which constraints are listed: bounds first, and schemas last.
    const ALL: [Self; 7] = [Least, Most, Each, Pattern, Format, Encoding, Parts];
}

/// A row of the table.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a column of the table"
)]
struct Keyword {
    name: &'static str,
    /// The kinds of values that the keyword is about. Values of other kinds pass.
    about: Kinds,
    role: KeywordRole,
    /// The contents of its value.
    holds: KeywordValue,
    /// The way in which it narrows values. Keywords have none that constrain nothing, or that list kinds, values or
    /// members: those are compared one by one.
    narrows: Option<Narrowing>,
    /// True if it has no effect without another keyword, as `then` has none without `if`.
    needs_another: bool,
    /// True if its schemas are about the same value as the schema around it.
    is_in_place: bool,
    /// True if it defines the meaning of a value for its readers, which no check can enforce.
    is_meaning: bool,
    /// True if its schema is about the members of an object that other keywords do not describe.
    is_of_other_members: bool,
    /// True if services may write it. Others come with documents, or with other formats.
    is_written: bool,
}

/// Values of any kind.
const ANY: Kinds = Kinds::ALL;
const NUMBER: Kinds = Kinds::NUMBER;
const STRING: Kinds = Kinds::STRING;
const ARRAY: Kinds = Kinds::ARRAY;
const OBJECT: Kinds = Kinds::OBJECT;

/// Creates a row with the columns that every keyword has.
const fn keyword(
    name: &'static str,
    about: Kinds,
    role: KeywordRole,
    holds: KeywordValue,
) -> Keyword {
    Keyword {
        name,
        about,
        role,
        holds,
        narrows: None,
        needs_another: false,
        is_in_place: false,
        is_meaning: false,
        is_of_other_members: false,
        is_written: true,
    }
}

impl Keyword {
    const fn narrows(mut self, narrows: Narrowing) -> Self {
        self.narrows = Some(narrows);
        self
    }

    const fn needs_another(mut self) -> Self {
        self.needs_another = true;
        self
    }

    const fn in_place(mut self) -> Self {
        self.is_in_place = true;
        self
    }

    const fn meaning(mut self) -> Self {
        self.is_meaning = true;
        self
    }

    const fn of_other_members(mut self) -> Self {
        self.is_of_other_members = true;
        self
    }

    const fn never_written(mut self) -> Self {
        self.is_written = false;
        self
    }
}

/// All keywords: first those that services write, in the order in which a schema has them, then those that only come
/// with documents or other formats.
static KEYWORDS: [Keyword; 66] = [
    keyword("$schema", ANY, Aside, Text),
    keyword("$id", ANY, Aside, Text),
    keyword("$anchor", ANY, Aside, Text),
    keyword("$ref", ANY, Decoded, Reference),
    keyword("title", ANY, Annotates, Text),
    keyword("description", ANY, Annotates, Text),
    keyword("deprecated", ANY, Annotates, Flag),
    keyword("readOnly", ANY, Annotates, Flag).meaning(),
    keyword("writeOnly", ANY, Annotates, Flag).meaning(),
    keyword("type", ANY, Decoded, Types),
    // A format may also be that of a number, which is only an annotation: no check enforces it.
    keyword("format", STRING, Checked, Text).narrows(Format),
    keyword("enum", ANY, Checked, Values),
    keyword("const", ANY, Checked, Value),
    keyword("default", ANY, Annotates, Value),
    keyword("examples", ANY, Annotates, Values),
    keyword("minimum", NUMBER, Checked, Number).narrows(Least),
    keyword("exclusiveMinimum", NUMBER, Checked, Number).narrows(Least),
    keyword("maximum", NUMBER, Checked, Number).narrows(Most),
    keyword("exclusiveMaximum", NUMBER, Checked, Number).narrows(Most),
    keyword("multipleOf", NUMBER, Checked, Step).narrows(Each),
    keyword("minLength", STRING, Checked, Count).narrows(Least),
    keyword("maxLength", STRING, Checked, Count).narrows(Most),
    keyword("pattern", STRING, Checked, Text).narrows(Pattern),
    keyword("contentEncoding", STRING, Checked, Text)
        .narrows(Encoding)
        .meaning(),
    keyword("contentMediaType", STRING, Aside, Text).meaning(),
    keyword("contentSchema", STRING, Ineffective, Schema),
    keyword("prefixItems", ARRAY, Decoded, Schemas).narrows(Parts),
    keyword("items", ARRAY, Decoded, Schema).narrows(Parts),
    keyword("additionalItems", ARRAY, Ineffective, Schema),
    keyword("unevaluatedItems", ARRAY, Unchecked, Schema).narrows(Parts),
    keyword("contains", ARRAY, Unenforced, Schema).narrows(Each),
    keyword("minContains", ARRAY, Unenforced, Count)
        .needs_another()
        .narrows(Least),
    keyword("maxContains", ARRAY, Unenforced, Count)
        .needs_another()
        .narrows(Most),
    keyword("minItems", ARRAY, Checked, Count).narrows(Least),
    keyword("maxItems", ARRAY, Checked, Count).narrows(Most),
    keyword("uniqueItems", ARRAY, Checked, Flag).narrows(Each),
    keyword("properties", OBJECT, Decoded, Named),
    keyword("required", OBJECT, Decoded, Names),
    keyword("patternProperties", OBJECT, Checked, Named).narrows(Parts),
    keyword("additionalProperties", OBJECT, Decoded, Schema)
        .of_other_members()
        .narrows(Parts),
    keyword("unevaluatedProperties", OBJECT, Decoded, Schema)
        .of_other_members()
        .narrows(Parts),
    keyword("propertyNames", OBJECT, Checked, Schema).narrows(Parts),
    keyword("minProperties", OBJECT, Unenforced, Count).narrows(Least),
    keyword("maxProperties", OBJECT, Unenforced, Count).narrows(Most),
    keyword("dependentRequired", OBJECT, Unenforced, NameLists).narrows(Each),
    keyword("dependentSchemas", OBJECT, Unenforced, Named)
        .in_place()
        .narrows(Each),
    keyword("dependencies", OBJECT, Unchecked, Named).in_place(),
    keyword("allOf", ANY, Decoded, Schemas).in_place(),
    keyword("anyOf", ANY, Decoded, Schemas)
        .in_place()
        .narrows(Parts),
    keyword("oneOf", ANY, Decoded, Schemas)
        .in_place()
        .narrows(Parts),
    keyword("not", ANY, Checked, Schema)
        .in_place()
        .narrows(Each),
    keyword("if", ANY, Unenforced, Schema)
        .in_place()
        .narrows(Each),
    keyword("then", ANY, Unenforced, Schema)
        .needs_another()
        .in_place()
        .narrows(Each),
    keyword("else", ANY, Unenforced, Schema)
        .needs_another()
        .in_place()
        .narrows(Each),
    keyword("$defs", ANY, Aside, Named),
    keyword("definitions", ANY, Aside, Named),
    keyword("$comment", ANY, Annotates, Value).never_written(),
    keyword("$dynamicRef", ANY, Unchecked, Value).never_written(),
    keyword("$recursiveRef", ANY, Unchecked, Value).never_written(),
    keyword("discriminator", ANY, Foreign, Value)
        .meaning()
        .never_written(),
    keyword("example", ANY, Foreign, Value).never_written(),
    keyword("externalDocs", ANY, Foreign, Value).never_written(),
    keyword("name", ANY, Foreign, Value).never_written(),
    keyword("nullable", ANY, Foreign, Value).never_written(),
    keyword("summary", ANY, Foreign, Value).never_written(),
    keyword("xml", ANY, Foreign, Value).never_written(),
];

/// The row of each keyword, by its name. A schema is looked at keyword by keyword, so it is found at once.
static ROW_OF_KEYWORD: LazyLock<HashMap<&str, &Keyword, RandomState>> =
    LazyLock::new(|| KEYWORDS.iter().map(|row| (row.name, row)).collect());

/// Returns the row of a keyword, or `None` if it is unknown.
fn row(keyword: &str) -> Option<&'static Keyword> {
    ROW_OF_KEYWORD.get(keyword).copied()
}

/// Returns the role of a keyword, or `None` if it is unknown.
///
/// ```
/// use docent_describe::schema::{KeywordRole, role};
///
/// assert_eq!(role("maximum"), Some(KeywordRole::Checked));
/// assert_eq!(role("properties"), Some(KeywordRole::Decoded));
/// assert_eq!(role("title"), Some(KeywordRole::Annotates));
/// assert_eq!(role("x-internal"), Some(KeywordRole::Annotates));
/// assert_eq!(role("colour"), None);
/// ```
pub fn role(keyword: &str) -> Option<KeywordRole> {
    match row(keyword) {
        Some(row) => Some(row.role),
        None if keyword.starts_with("x-") => Some(Annotates),
        None => None,
    }
}

/// Returns whether a keyword constrains values, enforced or not.
pub fn constrains(keyword: &str) -> bool {
    role(keyword).is_some_and(KeywordRole::constrains)
}

/// Returns whether a keyword constrains values without the help of another keyword, as `then` needs `if`.
pub(super) fn constrains_alone(keyword: &str) -> bool {
    row(keyword).is_some_and(|row| row.role.constrains() && !row.needs_another)
}

/// Returns the rank of a keyword in a written schema. Those without a rank follow the others, in alphabetical order.
pub(crate) fn rank(keyword: &str) -> usize {
    all_keywords()
        .position(|known| known == keyword)
        .unwrap_or(usize::MAX)
}

/// Returns whether a name is a keyword that services may write.
pub fn is_keyword(name: &str) -> bool {
    row(name).is_some_and(|row| row.is_written)
}

/// Returns all keywords that services may write, in the order in which a schema has them. Tests go through them, to
/// find code that has forgotten a new keyword.
pub fn all_keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS
        .iter()
        .filter(|row| row.is_written)
        .map(|row| row.name)
}

/// Returns the keywords that narrow values, with the way in which each does. Bounds come first.
pub(super) fn narrowing_keywords() -> impl Iterator<Item = (&'static str, Narrowing)> {
    Narrowing::ALL.into_iter().flat_map(|narrows| {
        KEYWORDS
            .iter()
            .filter(move |row| row.narrows == Some(narrows))
            .map(move |row| (row.name, narrows))
    })
}

/// Returns the keywords that define the meaning of a value for its readers, which no check can enforce.
pub(super) fn keywords_with_meaning() -> impl Iterator<Item = &'static str> {
    KEYWORDS
        .iter()
        .filter(|row| row.is_meaning)
        .map(|row| row.name)
}

/// Returns whether the schemas of a keyword are about the same value as the schema around it.
pub(super) fn is_in_place(keyword: &str) -> bool {
    row(keyword).is_some_and(|row| row.is_in_place)
}

/// Returns whether the schema of a keyword is about the members of an object that other keywords do not describe. If
/// it is `false`, it only forbids such members.
pub(crate) fn is_of_other_members(keyword: &str) -> bool {
    row(keyword).is_some_and(|row| row.is_of_other_members)
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
    row(keyword).map_or(Value, |row| row.holds)
}

/// Returns the kinds of values that a keyword is about: values of other kinds pass. An unknown keyword may be about
/// any.
///
/// ```
/// use docent_describe::schema::{Kinds, kinds_about};
///
/// assert_eq!(kinds_about("minLength"), Kinds::STRING);
/// assert_eq!(kinds_about("enum"), Kinds::ALL);
/// ```
pub fn kinds_about(keyword: &str) -> Kinds {
    row(keyword).map_or(Kinds::ALL, |row| row.about)
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
