//! The places of schemas in their description.

use std::collections::HashMap;

use docent_describe::json::{Json, Pointer};
use docent_describe::schema::{Holds, holds};

/// The places of schemas, by their addresses.
#[derive(Default)]
pub(crate) struct Places(HashMap<*const Json, Pointer>);

impl Places {
    /// Adds a schema and those inside it.
    pub(crate) fn add(&mut self, schema: &Json, place: Pointer) {
        for (inner, child) in children(schema, &place) {
            self.add(child, inner);
        }
        self.0.insert(schema, place);
    }

    /// Returns the place of a schema, if it was added.
    pub(crate) fn of(&self, schema: &Json) -> Option<&Pointer> {
        self.0.get(&std::ptr::from_ref(schema))
    }
}

/// Returns the schemas directly inside a schema, each with its place.
fn children<'j>(schema: &'j Json, at: &Pointer) -> Vec<(Pointer, &'j Json)> {
    let mut children = Vec::new();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let at = at.join(keyword);
        match (holds(keyword), value) {
            (Holds::Schema | Holds::Schemas, Json::Array(all)) => {
                let all = all.iter().enumerate();
                children.extend(all.map(|(index, child)| (at.join(index), child)));
            }
            (Holds::Named, Json::Object(named)) => {
                children.extend(named.iter().map(|(name, child)| (at.join(name), child)));
            }
            (Holds::Schema, child) => children.push((at, child)),
            _ => {}
        }
    }
    children
}
