//! The names of components, in which OpenAPI allows few characters.

use std::collections::{HashMap, HashSet};

use crate::json::{Json, Object};
use crate::render::json_schema::redirected;
use crate::schema::keyword::for_each_child_mut;
use crate::schema::{COMPONENTS, component_entered};

/// The schemas that every document has.
pub(super) const OWN_SCHEMAS: [&str; 5] = [
    "JsonRpcId",
    "JsonRpcError",
    "JsonRpcProtocolError",
    "JsonRpcErrorResponse",
    "JsonRpcBatchResponse",
];

/// The components that have another name in the document.
pub(super) struct ComponentNames(HashMap<String, String>);

impl ComponentNames {
    /// Chooses a name for each component. Names that OpenAPI allows stay as they are.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let is_fine = |name: &&str| {
            !name.is_empty() && name.chars().all(is_allowed) && !OWN_SCHEMAS.contains(name)
        };
        let (fine, others): (Vec<&str>, Vec<&str>) = names.partition(is_fine);
        let mut taken: HashSet<String> = OWN_SCHEMAS
            .into_iter()
            .chain(fine)
            .map(str::to_owned)
            .collect();
        let renamed = others.into_iter().map(|name| {
            let mut allowed: String = name
                .chars()
                .map(|char| if is_allowed(char) { char } else { '_' })
                .collect();
            while allowed.is_empty() || !taken.insert(allowed.clone()) {
                allowed.push('_');
            }
            (name.to_owned(), allowed)
        });
        Self(renamed.collect())
    }

    /// Returns the name of a component in the document.
    pub(super) fn get<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// Returns a schema with its references changed to lead to these names.
    pub(super) fn schema(&self, schema: &Json) -> Json {
        let mut schema = redirected(schema, |reference| {
            let new = self.0.get(&*component_entered(reference)?)?;
            let path = &reference[COMPONENTS.len()..];
            let rest = path.find('/').map_or("", |at| &path[at..]);
            Some(format!("{COMPONENTS}{new}{rest}"))
        });
        widely_read("", &mut schema);
        schema
    }
}

/// Changes a schema, which `keyword` holds, to one with the same meaning that generators of clients read:
/// several know schemas only as objects, take the type null, except beside others, for the name of a type
/// of theirs, or write a default of null into code as it is.
pub(super) fn widely_read(keyword: &str, schema: &mut Json) {
    for_each_child_mut(schema, &mut widely_read);
    match schema {
        // Here they expect a Boolean.
        Json::Bool(_) if matches!(keyword, "additionalProperties" | "unevaluatedProperties") => {}
        Json::Bool(true) => *schema = Object::new().into(),
        Json::Bool(false) => *schema = Object::new().with("not", Object::new()).into(),
        Json::Object(members) if !matches!(keyword, "anyOf" | "oneOf") => {
            if members.get("default") == Some(&Json::Null) {
                members.shift_remove("default");
            }
            if members.get("type").and_then(Json::as_str) == Some("null") {
                members.shift_remove("type");
                members.insert("const", Json::Null);
            }
        }
        _ => {}
    }
}

/// Returns a reference to a shared schema.
pub(super) fn own(name: &str) -> Object {
    Object::new().with("$ref", format!("#/components/schemas/{name}"))
}

fn is_allowed(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-')
}
