//! The schema of a parameters type, before it is divided into parameters.
//!
//! Its constraints beside single properties would be lost in the division, so each of them is a problem.

use crate::json::Json;
use crate::schema::component_names::component_name;
use crate::schema::keyword::{KeywordRole, is_of_other_members, role};
use crate::schema::kinds::Kinds;
use crate::schema::problem::SchemaProblem;
use crate::schema::tree::Node;
use crate::schema::type_schemas::Definitions;

/// Removes the type's name, which the generator uses as the title of a root, because callers do not need it.
pub(super) fn drop_title(root: &mut Json, own_name: &str) {
    if let Json::Object(members) = root
        && members.get_str("title") == Some(own_name)
    {
        members.shift_remove("title");
    }
}

/// Returns the schema of the type that a newtype struct wraps, with the newtype's own
/// documentation.
pub(super) fn unwrap_newtypes(mut root: Json, definitions: &Definitions) -> Json {
    // A type that leads back to itself is followed no more often than there are types.
    let mut steps_left = definitions.len();
    while let Some(target) = root
        .get_str("$ref")
        .and_then(component_name)
        .and_then(|name| definitions.get(name.as_ref()))
        .filter(|_| steps_left > 0)
    {
        steps_left -= 1;
        let mut target = target.clone();
        if let (Json::Object(outer), Json::Object(inner)) = (root, &mut target) {
            for (keyword, value) in outer {
                if keyword != "$ref" {
                    inner.insert(keyword, value);
                }
            }
        }
        root = target;
    }
    root
}

/// Returns the title and the description of the type, in Markdown.
pub(super) fn documentation(root: &Node<'_>) -> Option<String> {
    match (root.annotations.title, root.annotations.description) {
        (Some(title), Some(description)) => Some(format!("{title}\n\n{description}")),
        (title, description) => title.or(description).map(str::to_owned),
    }
}

/// Returns whether the type is a sequence of any length. A tuple is none.
pub(super) fn is_array(root: &Node<'_>) -> bool {
    root.types == Some(Kinds::ARRAY)
        && root
            .arrays
            .as_ref()
            .is_none_or(|arrays| arrays.prefix.is_empty())
}

/// Returns a problem for each keyword of the struct's schema that constrains more than single
/// properties.
pub(super) fn undividable_keywords(root: &Json) -> impl Iterator<Item = SchemaProblem> {
    root.as_object()
        .into_iter()
        .flatten()
        .filter(|(keyword, value)| match keyword.as_str() {
            "type" | "properties" | "required" => false,
            keyword if is_of_other_members(keyword) => **value != Json::Bool(false),
            keyword => role(keyword) != Some(KeywordRole::Annotates),
        })
        .map(|(keyword, _)| {
            SchemaProblem::new(format!(
                "the schema of the parameters has `{keyword}`, which does not apply to single \
                 parameters (a flattened map, enum or `Option`, or an attribute on the struct); move \
                 it to a separate field"
            ))
        })
}
