//! What tells the alternatives of a `oneOf` or `anyOf` apart, and what each of them is called.

use std::collections::BTreeSet;

use docent_describe::json::Json;

use super::{Shape, Shared, component_name, resolve, shape, text_of};
use crate::json_text;

/// How a reader knows which alternative a value is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// By the value of this member, which is a constant of its own in each.
    By(String),
    /// By the one member that each has and no other.
    ByMember,
    /// By their JSON types.
    ByKind,
    /// By nothing that the schema says.
    Unsaid,
}

/// Finds what tells the alternatives apart.
pub(crate) fn told_apart(shared: &Shared, schema: &Json, branches: &[&Json]) -> Told {
    if let Some(name) = schema
        .get("discriminator")
        .and_then(|by| text_of(by, "propertyName"))
    {
        return Told::By(name.to_owned());
    }
    let resolved: Vec<&Json> = branches
        .iter()
        .map(|branch| resolve(shared, branch))
        .collect();
    if let Some(name) = discriminator(&resolved) {
        return Told::By(name);
    }
    let members: Option<BTreeSet<&str>> =
        resolved.iter().map(|branch| only_member(branch)).collect();
    if members.is_some_and(|members| members.len() == branches.len()) {
        return Told::ByMember;
    }
    let kinds: Option<BTreeSet<&str>> = resolved.iter().map(|branch| kind(branch)).collect();
    if kinds.is_some_and(|kinds| kinds.len() == branches.len()) {
        return Told::ByKind;
    }
    Told::Unsaid
}

/// What an alternative is called: by its author, by its type's name, or by what tells it apart.
/// `None` where its type in words is all there is.
pub(crate) fn label(shared: &Shared, told: &Told, branch: &Json) -> Option<String> {
    let title = text_of(branch, "title").map(str::to_owned);
    let name = || component_name(branch).map(std::borrow::Cow::into_owned);
    let own = || match told {
        Told::By(member) => {
            constant(resolve(shared, branch), member).map(|value| json_text::brief(value, 60))
        }
        Told::ByMember => only_member(resolve(shared, branch)).map(str::to_owned),
        _ => None,
    };
    title.or_else(name).or_else(own)
}

/// The member that is a constant of its own in each branch.
fn discriminator(branches: &[&Json]) -> Option<String> {
    let first = branches.first()?.get("properties")?.as_object()?;
    let distinct = |member: &&String| {
        let values: Option<BTreeSet<String>> = branches
            .iter()
            .map(|branch| constant(branch, member).map(json_text::compact))
            .collect();
        values.is_some_and(|values| values.len() == branches.len())
    };
    // An honest discriminator is among the first; a giant object is not searched.
    first.keys().take(200).find(distinct).cloned()
}

fn constant<'j>(branch: &'j Json, member: &str) -> Option<&'j Json> {
    let schema = branch.get("properties")?.get(member)?;
    schema
        .get("const")
        .or_else(|| match schema.get("enum")?.as_array()? {
            [only] => Some(only),
            _ => None,
        })
}

/// The name of the only member of an object; of a constant string, the string: as serde writes
/// the variants of an enum.
fn only_member(branch: &Json) -> Option<&str> {
    if let Some(value) = branch.get("const") {
        return value.as_str();
    }
    if let Some([only]) = branch.get("enum").and_then(Json::as_array) {
        return only.as_str();
    }
    let properties = branch.get("properties")?.as_object()?;
    let required = branch.get("required")?.as_array()?;
    match (properties.len(), required) {
        (1, [only]) => only.as_str(),
        _ => None,
    }
}

fn kind(branch: &Json) -> Option<&str> {
    match shape(branch).shape {
        Shape::Scalar("integer") => Some("number"),
        Shape::Scalar(kind) => Some(match kind {
            "number" => "number",
            "string" => "string",
            "boolean" => "boolean",
            "null" => "null",
            _ => return None,
        }),
        Shape::Array(_) | Shape::Tuple(..) => Some("array"),
        Shape::Object | Shape::Map(_) => Some("object"),
        Shape::Enum(values) => {
            let kind = values.first()?.value.kind();
            values
                .iter()
                .all(|value| value.value.kind() == kind)
                .then_some(kind)
        }
        _ => None,
    }
}
