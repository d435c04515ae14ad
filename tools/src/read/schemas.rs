//! Reads schemas and resolves their references.
//!
//! In the model, a schema refers only to `#/components/schemas/{name}`. In a document, it may refer
//! to anything. A target elsewhere in the document becomes a component, and a reference to another
//! document causes a warning.

use std::cell::RefCell;
use std::collections::HashMap;

use indexmap::IndexMap;

use super::fields::wrong;
use super::location::Location;
use super::whole::WholeDocument;
use super::{drafts, keywords};
use docent_describe::json::{Json, Object, Pointer};
use docent_describe::schema::{COMPONENTS, Holds, decoded_name, holds};
use docent_describe::schema::{component_reference, type_code};
use docent_describe::{Components, TypeCode};

/// The schemas of one document.
pub(super) struct Schemas<'d> {
    document: &'d WholeDocument<'d>,
    /// The start of the document, which is the base of references.
    start: Location<'d>,
    /// True if the schemas follow 2020-12, and not any mixture of drafts from draft-04 on.
    is_current: bool,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    components: IndexMap<String, Json>,
    /// The names of the components that were made from other schemas of the document, by pointer.
    hoisted: HashMap<String, String>,
    /// The components that have not been read yet. This is a list and not a
    /// recursion, because a document may have a chain of references of any length.
    pending: Vec<PendingSchema>,
    /// The last number that was appended to a component's name to make it unique.
    numbers: HashMap<String, usize>,
}

/// A schema elsewhere in the document that becomes a component.
struct PendingSchema {
    pointer: String,
    name: String,
    /// The schema that its references are relative to.
    root: Pointer,
}

impl<'d> Schemas<'d> {
    pub(super) fn new(whole: &'d WholeDocument<'d>, start: Location<'d>, is_current: bool) -> Self {
        Self {
            document: whole,
            start,
            is_current,
            state: RefCell::default(),
        }
    }

    /// Reads a schema and all schemas that it refers to.
    pub(super) fn read(&self, schema: Json, at: &Location<'_>) -> Json {
        self.read_part(schema, at, at)
    }

    /// Reads a part of the schema at `root`, to which references may be relative.
    pub(super) fn read_part(&self, schema: Json, at: &Location<'_>, root: &Location<'_>) -> Json {
        let schema = self.schema(schema, at, root);
        loop {
            let pending = self.state.borrow_mut().pending.pop();
            let Some(found) = pending else {
                return schema;
            };
            let body = self.document.at(&found.pointer).cloned();
            let at = self.location(&found.pointer);
            let root = at.jump(found.root.as_str());
            let body = self.schema(body.unwrap_or_default(), &at, &root);
            self.add_component(found.name, body);
        }
    }

    /// Adds a component under its name in the document.
    pub(super) fn add_component(&self, name: String, schema: Json) {
        self.state.borrow_mut().components.insert(name, schema);
    }

    /// Returns the type of a schema that was read.
    pub(super) fn type_code(&self, schema: &Json) -> TypeCode {
        type_code(schema, &self.state.borrow().components)
    }

    pub(super) fn into_components(self) -> Components {
        let schemas = self.state.into_inner().components;
        Components { schemas }
    }

    /// Returns the pointer of a reference inside the document, and its target.
    pub(super) fn resolve(&self, reference: &str) -> Option<(String, &'d Json)> {
        let pointer = pointer_of(reference)?;
        let found = self.document.at(&pointer)?;
        Some((pointer, found))
    }

    /// Returns the location that a pointer inside the document leads to.
    pub(super) fn location(&self, pointer: &str) -> Location<'d> {
        self.start.jump(&format!("{}{pointer}", self.start.pointer))
    }

    fn schema(&self, schema: Json, at: &Location<'_>, root: &Location<'_>) -> Json {
        let mut members = match schema {
            Json::Object(members) => members,
            Json::Bool(_) => return schema,
            other => {
                wrong(at, "a schema, which is an object or a boolean", &other).unwrap_or_default()
            }
        };
        if !self.is_current {
            members = drafts::to_current(members, at);
        }
        let mut result = Object::with_capacity(members.len());
        for (keyword, value) in members {
            let place = at.inside(&keyword);
            if let Some(value) = self.keyword(&keyword, value, &place, root) {
                result.insert(keyword, value);
            }
        }
        Json::Object(result)
    }

    fn keyword(
        &self,
        keyword: &str,
        value: Json,
        at: &Location<'_>,
        root: &Location<'_>,
    ) -> Option<Json> {
        let value = keywords::checked(keyword, value, at)?;
        Some(match (holds(keyword), value) {
            (Holds::Data, Json::String(text)) if keyword == "$ref" => {
                Json::String(self.reference(text, at, root))
            }
            (Holds::Schemas, Json::Array(schemas)) => {
                let schemas = schemas.into_iter().enumerate();
                let read = |(index, schema)| self.schema(schema, &at.inside(index), root);
                Json::Array(schemas.map(read).collect())
            }
            (Holds::Schema, schema) => self.schema(schema, at, root),
            (Holds::Named, Json::Object(mut schemas)) => {
                for (name, schema) in &mut schemas {
                    // The older `dependencies` has arrays of names as well as schemas.
                    if keyword != "dependencies" || schema.as_array().is_none() {
                        *schema = self.schema(std::mem::take(schema), &at.inside(name), root);
                    }
                }
                Json::Object(schemas)
            }
            (_, value) => value,
        })
    }

    /// Returns a reference to the same schema in the model.
    fn reference(&self, reference: String, at: &Location<'_>, root: &Location<'_>) -> String {
        if !reference.starts_with('#') {
            at.warn(format_args!(
                "`{reference}` points outside the document and is not followed"
            ));
            return reference;
        }
        let is_there = self.document.is_shared(&reference)
            || reference.starts_with(COMPONENTS) && self.resolve(&reference).is_some();
        if is_there && (self.is_current || !drafts::moves(&reference)) {
            return reference;
        }
        // Generators often write references relative to the schema itself.
        let found = self
            .resolve(&reference)
            .filter(|(pointer, _)| !pointer.is_empty())
            .map(|(pointer, _)| (self.location(&pointer).pointer, pointer))
            .or_else(|| Some((root.pointer.clone(), self.inside(&reference, root)?)));
        if let Some((root, pointer)) = found {
            component_reference(&self.hoist(pointer, root))
        } else {
            at.warn(format_args!(
                "`{reference}` points to nothing in the document"
            ));
            reference
        }
    }

    /// Returns the pointer of a reference that is relative to the schema that contains it.
    fn inside(&self, reference: &str, root: &Location<'_>) -> Option<String> {
        let start = &self.start.pointer;
        let root = &root.pointer;
        let root = root.as_str().strip_prefix(start.as_str())?;
        let pointer = format!("{root}{}", pointer_of(reference)?);
        self.document.at(&pointer)?;
        Some(pointer)
    }

    /// Returns the name of the component for the schema at a pointer.
    fn hoist(&self, pointer: String, root: Pointer) -> String {
        let mut state = self.state.borrow_mut();
        if let Some(name) = state.hoisted.get(&pointer) {
            return name.clone();
        }
        if let Some(name) = component_at(&pointer) {
            return name;
        }
        let mut name = name_for(&pointer);
        while state.components.contains_key(&name) || self.document.has_shared(&name) {
            let number = state.numbers.entry(name_for(&pointer)).or_insert(1);
            *number += 1;
            name = format!("{}{number}", name_for(&pointer));
        }
        // The name is reserved now, although the schema is read later.
        state.components.insert(name.clone(), Json::Bool(true));
        state.hoisted.insert(pointer.clone(), name.clone());
        state.pending.push(PendingSchema {
            pointer,
            name: name.clone(),
            root,
        });
        name
    }
}

/// Returns the JSON Pointer of a reference into the same document.
fn pointer_of(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.is_empty() {
        return Some(String::new());
    }
    let mut pointer = String::with_capacity(fragment.len());
    for token in fragment.strip_prefix('/')?.split('/') {
        pointer.push('/');
        let token = decoded_name(token)?;
        pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
    Some(pointer)
}

/// Returns the name of the component that a pointer points to, as written.
fn component_at(pointer: &str) -> Option<String> {
    let name = pointer.strip_prefix("/components/schemas/")?;
    (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
}

/// Returns a name for the schema that a pointer points to: the last token that is a usable name.
fn name_for(pointer: &str) -> String {
    const STRUCTURE: [&str; 6] = ["schema", "items", "properties", "result", "params", "allOf"];
    pointer
        .rsplit('/')
        .map(|token| token.replace("~1", "/").replace("~0", "~"))
        .find(|token| {
            !token.is_empty()
                && !STRUCTURE.contains(&token.as_str())
                && !token.bytes().all(|byte| byte.is_ascii_digit())
        })
        .unwrap_or_else(|| "Schema".to_owned())
}
