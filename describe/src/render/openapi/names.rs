//! The names of components, in which OpenAPI allows few characters.
//!
//! Authors name types as they like, so some components get another name in the document. References
//! to them have to follow. Schemas are also changed here for generators of clients.

use std::collections::{HashMap, HashSet};

use super::enums;
use crate::json::{Json, Object};
use crate::render::schemas::{redirected, reference, widely_read};
use crate::schema::{COMPONENTS_PREFIX, component_entered};

/// The schema of the id of a call.
pub(super) const ID: &str = "JsonRpcId";

/// The schema of any error.
pub(super) const ERROR: &str = "JsonRpcError";

/// The schema of the errors that any procedure can answer with.
pub(super) const PROTOCOL_ERROR: &str = "JsonRpcProtocolError";

/// The schema of the response to a batch.
pub(super) const BATCH_RESPONSE: &str = "JsonRpcBatchResponse";

/// The schemas that every document has.
const SHARED_SCHEMAS: [&str; 5] = [
    ID,
    ERROR,
    PROTOCOL_ERROR,
    "JsonRpcErrorResponse",
    BATCH_RESPONSE,
];

/// The components that have another name in the document.
pub(super) struct ComponentNames(HashMap<String, String>);

impl ComponentNames {
    /// Chooses a name for each component. Names that OpenAPI allows stay as they are.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let (allowed, others): (Vec<&str>, Vec<&str>) = names.partition(|name| can_stay(name));
        let mut taken: HashSet<String> = SHARED_SCHEMAS
            .into_iter()
            .chain(allowed)
            .map(str::to_owned)
            .collect();
        let mut renamed = HashMap::new();
        for name in others {
            let mut new_name = name.replace(|char| !is_allowed(char), "_");
            while new_name.is_empty() || !taken.insert(new_name.clone()) {
                new_name.push('_');
            }
            renamed.insert(name.to_owned(), new_name);
        }
        Self(renamed)
    }

    /// Returns the name of a component in the document.
    pub(super) fn get<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// Returns a schema with its references changed to lead to these names.
    pub(super) fn schema(&self, schema: &Json) -> Json {
        let mut renamed = redirected(schema, |reference| {
            let new_name = self.0.get(&*component_entered(reference)?)?;
            let path = &reference[COMPONENTS_PREFIX.len()..];
            let rest = path.find('/').map_or("", |slash| &path[slash..]);
            Some(format!("{COMPONENTS_PREFIX}{new_name}{rest}"))
        });
        widely_read("", &mut renamed);
        enums::unite(&mut renamed);
        renamed
    }
}

/// Returns a reference to a shared schema.
pub(super) fn shared_schema(name: &str) -> Object {
    reference(&format!("{COMPONENTS_PREFIX}{name}"))
}

/// Returns the schema of the version of the protocol in a message.
pub(super) fn version() -> Object {
    Object::new().with("type", "string").with("const", "2.0")
}

/// Returns whether a component keeps its name in the document.
fn can_stay(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_allowed) && !SHARED_SCHEMAS.contains(&name)
}

fn is_allowed(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-')
}
