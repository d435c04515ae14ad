//! The names of components, in which OpenAPI allows few characters.

use std::collections::{HashMap, HashSet};

use crate::json::{Json, Object};
use crate::render::schemas::{redirected, reference, widely_read};
use crate::schema::{COMPONENTS, component_entered};

/// The schema of the errors that any procedure can answer with.
pub(super) const PROTOCOL_ERROR: &str = "JsonRpcProtocolError";

/// The schemas that every document has.
pub(super) const OWN_SCHEMAS: [&str; 5] = [
    "JsonRpcId",
    "JsonRpcError",
    PROTOCOL_ERROR,
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

/// Returns a reference to a shared schema.
pub(super) fn own(name: &str) -> Object {
    reference(&format!("{COMPONENTS}{name}"))
}

fn is_allowed(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-')
}
