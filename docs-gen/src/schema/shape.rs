//! The shape of a schema: the one thing that a reader would call its type.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ptr;

use docent_describe::json::Json;
use docent_describe::schema::Kinds;

use super::refs::component_name;

/// The schema of a value that no schema describes.
pub(super) static ANY: Json = Json::Bool(true);

/// The shape of a schema, without null: see [`Outline::nullable`].
#[derive(Debug)]
pub(crate) enum SchemaShape<'j> {
    /// Every value.
    Any,
    /// No value at all.
    Never,
    /// A shared schema.
    Ref(Cow<'j, str>),
    /// A reference that leads nowhere in this description.
    Lost(&'j str),
    /// `null`, `boolean`, `integer`, `number` or `string`, and nothing else.
    Scalar(&'j str),
    /// A list.
    Array(Option<&'j Json>),
    /// A list with a type for each position, and the type of the elements after them.
    Tuple(&'j [Json], Option<&'j Json>),
    /// An object whose keys are data.
    Map(&'j Json),
    /// An object with named members, or with any members.
    Object,
    /// One of these values.
    Enum(Vec<AllowedValue<'j>>),
    /// One of these schemas.
    Alternatives(Vec<&'j Json>),
    /// All of these shapes at once, each with its schema.
    All(Vec<(Self, &'j Json)>),
    /// One of several JSON types.
    Kinds(Vec<&'j str>),
}

/// An allowed value, and the schema that describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllowedValue<'j> {
    pub(crate) value: &'j Json,
    pub(crate) about: Option<&'j Json>,
}

/// The outline of a schema: its shape, and whether null is allowed as well.
#[derive(Debug)]
pub(crate) struct Outline<'j> {
    pub(crate) shape: SchemaShape<'j>,
    pub(crate) nullable: bool,
}

fn plain(shape: SchemaShape<'_>) -> Outline<'_> {
    Outline {
        shape,
        nullable: false,
    }
}

/// Finds the outline of a schema without its `allOf` and without an only alternative, which apply to
/// the same value.
pub(super) fn shape(schema: &Json) -> Outline<'_> {
    match union(schema) {
        Some(branches) if branches.iter().filter(|it| !is_null(it)).count() != 1 => {
            alternatives(branches)
        }
        _ => own_outline(schema),
    }
}

/// Returns the alternatives that a schema stands for.
fn union(schema: &Json) -> Option<&[Json]> {
    let unions = ["oneOf", "anyOf"].map(|word| list(schema, word));
    // Branches with only further constraints leave the type to the schema that contains them.
    let adds = |branches: &[Json]| schema.get("type").is_some() && branches.iter().all(is_vague);
    let mut unions = unions.into_iter();
    let found = unions.find(|branches| !branches.is_empty() && !adds(branches));
    found.filter(|_| !has_own(schema))
}

/// Returns whether the alternatives of a keyword are the values that the schema is said to list.
pub(super) fn is_listing(schema: &Json, keyword: &str) -> bool {
    let is_told = union(schema).is_some_and(|it| ptr::eq(it, list(schema, keyword)));
    is_told && matches!(shape(schema).shape, SchemaShape::Enum(_))
}

/// Returns whether a schema says more than its alternatives. Those next to an object's own members add
/// to it, and do not replace it.
fn has_own(schema: &Json) -> bool {
    let mut words = ["$ref", "const", "enum"].into_iter();
    words.any(|word| schema.get(word).is_some()) || has_members(schema, "properties")
}

/// Returns whether a keyword that holds schemas by name holds any.
fn has_members(schema: &Json, keyword: &str) -> bool {
    let members = schema.get(keyword).and_then(Json::as_object);
    members.is_some_and(|members| !members.is_empty())
}

/// Returns the outline of a schema by itself, without its alternatives and the branches of its
/// `allOf`.
pub(super) fn own_outline(schema: &Json) -> Outline<'_> {
    let reference = schema.get("$ref").and_then(Json::as_str);
    plain(match (schema, reference) {
        (Json::Bool(true), _) => SchemaShape::Any,
        (Json::Bool(false), _) => SchemaShape::Never,
        (_, Some(lost)) => component_name(schema).map_or(SchemaShape::Lost(lost), SchemaShape::Ref),
        (_, None) => return stated_outline(schema),
    })
}

/// Returns the outline of a schema by itself, without its reference too.
pub(crate) fn stated_outline(schema: &Json) -> Outline<'_> {
    let allowed = |value| AllowedValue { value, about: None };
    if let Some(value) = schema.get("const") {
        return plain(SchemaShape::Enum(vec![allowed(value)]));
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        let others = values.iter().filter(|value| !matches!(value, Json::Null));
        let others: Vec<_> = others.map(allowed).collect();
        let nullable = others.len() < values.len() && !others.is_empty();
        let all = || values.iter().map(allowed).collect();
        let shape = SchemaShape::Enum(if nullable { others } else { all() });
        return Outline { shape, nullable };
    }
    by_type(schema)
}

/// Returns whether a schema has constraints but does not determine a type.
fn is_vague(schema: &Json) -> bool {
    let mut words = ["type", "$ref", "oneOf", "anyOf", "allOf"].into_iter();
    let is_open = matches!(stated_outline(schema).shape, SchemaShape::Any);
    schema.as_object().is_some() && is_open && !words.any(|word| schema.get(word).is_some())
}

fn alternatives(branches: &[Json]) -> Outline<'_> {
    let others: Vec<_> = branches.iter().filter(|branch| !is_null(branch)).collect();
    let nullable = others.len() < branches.len() && !others.is_empty();
    let constants = others.iter().map(|branch| constant(branch));
    let shape = match constants.collect() {
        _ if others.is_empty() => SchemaShape::Scalar("null"),
        Some(values) => SchemaShape::Enum(values),
        None => SchemaShape::Alternatives(others),
    };
    Outline { shape, nullable }
}

/// Returns the only value that an alternative accepts.
fn constant(branch: &Json) -> Option<AllowedValue<'_>> {
    let value = match branch.get("enum").and_then(Json::as_array) {
        Some([only]) => only,
        _ => branch.get("const")?,
    };
    Some(AllowedValue {
        value,
        about: Some(branch),
    })
}

/// Derives the outline of a schema from its type.
fn by_type(schema: &Json) -> Outline<'_> {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Json::String(kind)) => vec![kind],
        Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => return plain(by_members(schema)),
    };
    let others = kinds.iter().copied().filter(|kind| *kind != "null");
    let others: Vec<&str> = others.collect();
    let nullable = kinds.len() > others.len() && !others.is_empty();
    let shape = match others.as_slice() {
        [] if kinds.is_empty() => SchemaShape::Any,
        [] => SchemaShape::Scalar("null"),
        _ => of_kinds(others, schema),
    };
    Outline { shape, nullable }
}

/// Returns the shape of a value of one of these JSON types.
fn of_kinds<'j>(kinds: Vec<&'j str>, schema: &'j Json) -> SchemaShape<'j> {
    match *kinds {
        [] => SchemaShape::Never,
        ["array"] => in_list(schema),
        ["object"] => object(schema),
        [only] => SchemaShape::Scalar(only),
        _ => SchemaShape::Kinds(kinds),
    }
}

/// Derives the shape of a schema without `type` from its other members.
fn by_members(schema: &Json) -> SchemaShape<'_> {
    let has = |names: &[&str]| names.iter().any(|name| schema.get(name).is_some());
    if has(&[
        "properties",
        "additionalProperties",
        "patternProperties",
        "required",
    ]) {
        object(schema)
    } else if has(&["items", "prefixItems"]) {
        in_list(schema)
    } else {
        SchemaShape::Any
    }
}

/// Returns the shape of a list, according to its elements.
pub(crate) fn in_list(schema: &Json) -> SchemaShape<'_> {
    let items = schema.get("items");
    let Some(places) = schema.get("prefixItems").and_then(Json::as_array) else {
        return SchemaShape::Array(items.filter(|items| items.as_bool() != Some(true)));
    };
    let most = schema.get("maxItems").and_then(Json::as_i64);
    let is_full = most.is_some_and(|most| usize::try_from(most).is_ok_and(|it| it <= places.len()));
    let rest = items.unwrap_or(&ANY);
    let is_open = !is_full && rest.as_bool() != Some(false);
    SchemaShape::Tuple(places, is_open.then_some(rest))
}

fn object(schema: &Json) -> SchemaShape<'_> {
    let named = has_members(schema, "properties") || has_members(schema, "patternProperties");
    match schema.get("additionalProperties") {
        Some(values @ Json::Object(_)) if !named => SchemaShape::Map(values),
        _ => SchemaShape::Object,
    }
}

/// Returns the elements of a keyword that holds a list of schemas.
pub(super) fn list<'j>(schema: &'j Json, keyword: &str) -> &'j [Json] {
    let list = schema.get(keyword).and_then(Json::as_array);
    list.unwrap_or_default()
}

/// Returns whether a schema accepts only null.
pub(super) fn is_null(schema: &Json) -> bool {
    schema.get("type").and_then(Json::as_str) == Some("null")
        || matches!(schema.get("const"), Some(Json::Null))
}

impl<'j> Outline<'j> {
    /// Returns the values that are listed.
    pub(super) fn listed(&self) -> Option<HashSet<&'j Json>> {
        match &self.shape {
            SchemaShape::Enum(values) => Some(values.iter().map(|it| it.value).collect()),
            _ => None,
        }
    }

    /// Removes what is of none of these kinds, which are all that the schemas of the value allow.
    pub(super) fn narrow(&mut self, kinds: Kinds, schema: &'j Json) {
        let fitting = |name: &'j str| match Kinds::of_word(name).unwrap_or(Kinds::ALL) & kinds {
            Kinds::NONE => None,
            Kinds::INTEGER => Some("integer"),
            _ => Some(name),
        };
        match &mut self.shape {
            shape if kinds == Kinds::NONE => *shape = SchemaShape::Never,
            SchemaShape::Enum(values) => values.retain(|it| kinds.meet(Kinds::of(it.value))),
            shape if kinds == Kinds::NULL => *shape = SchemaShape::Scalar("null"),
            SchemaShape::Scalar(name) => {
                self.shape = of_kinds(fitting(name).into_iter().collect(), schema);
            }
            SchemaShape::Kinds(names) => {
                self.shape = of_kinds(names.iter().copied().filter_map(fitting).collect(), schema);
            }
            SchemaShape::Array(_) | SchemaShape::Tuple(..) if !kinds.meet(Kinds::ARRAY) => {
                self.shape = SchemaShape::Any;
            }
            SchemaShape::Map(_) | SchemaShape::Object if !kinds.meet(Kinds::OBJECT) => {
                self.shape = SchemaShape::Any;
            }
            _ => {}
        }
    }
}

impl SchemaShape<'_> {
    /// Returns the vagueness of a shape: a list of values is most specific, any value least.
    pub(crate) fn vagueness(&self) -> u8 {
        match self {
            SchemaShape::Never | SchemaShape::Enum(_) => 0,
            SchemaShape::Ref(_) | SchemaShape::Tuple(..) => 1,
            SchemaShape::Array(Some(_)) | SchemaShape::Map(_) | SchemaShape::Alternatives(_) => 2,
            SchemaShape::Scalar("integer") => 3,
            SchemaShape::Scalar(_) | SchemaShape::Array(None) => 4,
            SchemaShape::Object => 5,
            SchemaShape::Kinds(_) | SchemaShape::All(_) => 6,
            SchemaShape::Lost(_) => 7,
            SchemaShape::Any => 8,
        }
    }
}
