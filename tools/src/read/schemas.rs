//! Reads schemas and resolves their references.
//!
//! In the model, a schema refers only to `#/components/schemas/{name}`. In a document, it may refer
//! to anything. A target elsewhere in the document becomes a component, and a reference to another
//! document causes a warning.

use std::cell::RefCell;
use std::collections::HashMap;

use indexmap::IndexMap;

use super::drafts::{self, Dialect};
use super::fields::wrong;
use super::location::Location;
use super::source::SourceDocument;
use docent_describe::TypeCode;
use docent_describe::json::{Json, Object, Pointer};
use docent_describe::schema::{COMPONENTS_PREFIX, KeywordValue, decoded_name, holds};
use docent_describe::schema::{component_reference, type_code};

/// The schemas of one document.
pub(super) struct Schemas<'d> {
    document: &'d SourceDocument<'d>,
    /// The start of the document, which is the base of references.
    start: Location<'d>,
    /// The dialect in which authors of the format write schemas.
    dialect: Dialect,
    /// The components so far. Readers share the schemas, and each may add to them.
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    components: IndexMap<String, Json>,
    /// The names of the components that were made from other schemas of the document, by pointer.
    hoisted: HashMap<Pointer, String>,
    /// The components that have not been read yet. This is a list and not a
    /// recursion, because a document may have a chain of references of any length.
    pending: Vec<PendingSchema>,
    /// The last number that was appended to a component's name to make it unique.
    numbers: HashMap<String, usize>,
}

/// A schema elsewhere in the document that becomes a component.
struct PendingSchema {
    /// The pointer to the schema in the document.
    pointer: Pointer,
    /// The name of the component that it becomes.
    name: String,
    /// The schema that its references are relative to.
    root: Pointer,
}

impl<'d> Schemas<'d> {
    pub(super) fn new(
        document: &'d SourceDocument<'d>,
        start: Location<'d>,
        dialect: Dialect,
    ) -> Self {
        Self {
            document,
            start,
            dialect,
            state: RefCell::default(),
        }
    }

    /// Reads a schema and all schemas that it refers to.
    pub(super) fn read(&self, schema: Json, at: &Location<'_>) -> Json {
        let schema = self.schema(schema, at, at);
        loop {
            let pending = self.state.borrow_mut().pending.pop();
            let Some(found) = pending else {
                return schema;
            };
            let body = self.document.get(&found.pointer).cloned();
            let at = self.start.jump(found.pointer);
            self.add_component(
                found.name,
                self.schema(body.unwrap_or_default(), &at, &at.jump(found.root)),
            );
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

    /// Returns the shared schemas of the document.
    pub(super) fn into_components(self) -> IndexMap<String, Json> {
        self.state.into_inner().components
    }

    /// Returns the place that a reference inside the document leads to, and the value there.
    pub(super) fn resolve(&self, reference: &str) -> Option<(Location<'d>, &'d Json)> {
        self.resolve_from(&self.start.pointer, reference)
    }

    /// Resolves a reference from the place that is its base.
    fn resolve_from(&self, base: &Pointer, reference: &str) -> Option<(Location<'d>, &'d Json)> {
        let pointer = target_pointer(base, reference)?;
        let found = self.document.get(&pointer)?;
        Some((self.start.jump(pointer), found))
    }

    /// Reads a schema with those inside it. `root` is what references relative to the schema itself start at.
    fn schema(&self, schema: Json, at: &Location<'_>, root: &Location<'_>) -> Json {
        let mut members = match schema {
            Json::Object(members) => members,
            Json::Bool(_) => return schema,
            other => {
                wrong(at, "a schema, which is an object or a boolean", &other).unwrap_or_default()
            }
        };
        if self.dialect != Dialect::Current {
            members = drafts::to_current(members, self.dialect, at);
        }
        let mut result = Object::with_capacity(members.len());
        for (keyword, value) in members {
            let place = at.inside(&keyword);
            if let Some(value) = self.keyword(keyword.as_str(), value, &place, root) {
                result.insert(keyword, value);
            }
        }
        Json::Object(result)
    }

    /// Reads the value of a keyword. One of the wrong type is left out.
    fn keyword(
        &self,
        keyword: &str,
        value: Json,
        at: &Location<'_>,
        root: &Location<'_>,
    ) -> Option<Json> {
        let holds = holds(keyword);
        if let Some(expected) = holds.expected(&value) {
            return at.leave_out(format_args!("should be {expected}"));
        }
        Some(match (holds, value) {
            (KeywordValue::Reference, Json::String(text)) => {
                Json::String(self.reference(text, at, root))
            }
            (KeywordValue::Schemas, Json::Array(schemas)) => {
                let mut read = Vec::new();
                for (index, schema) in schemas.into_iter().enumerate() {
                    read.push(self.schema(schema, &at.inside(index), root));
                }
                Json::Array(read)
            }
            (KeywordValue::Schema, schema) => self.schema(schema, at, root),
            (KeywordValue::Named, Json::Object(mut schemas)) => {
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
            || reference.starts_with(COMPONENTS_PREFIX) && self.resolve(&reference).is_some();
        if is_there && (self.dialect == Dialect::Current || !drafts::moves(&reference)) {
            return reference;
        }
        // Generators often write references relative to the schema itself.
        if let Some((found, _)) = self.resolve(&reference)
            && found.pointer != self.start.pointer
        {
            component_reference(&self.hoist(found.pointer.clone(), found.pointer))
        } else if let Some((found, _)) = self.resolve_from(&root.pointer, &reference) {
            component_reference(&self.hoist(found.pointer, root.pointer.clone()))
        } else {
            let target = if reference.starts_with("#/") {
                "to nothing in the document"
            } else {
                "to an anchor, which is not followed"
            };
            at.warn(format_args!("`{reference}` points {target}"));
            reference
        }
    }

    /// Returns the name of the component for the schema at a pointer.
    fn hoist(&self, pointer: Pointer, root: Pointer) -> String {
        let mut state = self.state.borrow_mut();
        if let Some(name) = state.hoisted.get(&pointer) {
            return name.clone();
        }
        let shared = self.start.pointer.join("components").join("schemas");
        if let Some(name) = pointer.tokens().last()
            && shared.join(&name) == pointer
        {
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

/// Returns the pointer that a reference into the same document stands for, from the place that is its base.
fn target_pointer(base: &Pointer, reference: &str) -> Option<Pointer> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.is_empty() {
        return Some(base.clone());
    }
    fragment
        .strip_prefix('/')?
        .split('/')
        .try_fold(base.clone(), |pointer, token| {
            Some(pointer.join(decoded_name(token)?))
        })
}

/// Returns a name for the schema that a pointer points to: the last token that is a usable name.
fn name_for(pointer: &Pointer) -> String {
    pointer
        .tokens()
        .filter(|token| is_telling_name(token))
        .last()
        .unwrap_or_else(|| "Schema".to_owned())
}

/// Returns whether a token says more of a schema than where it stands in a document.
fn is_telling_name(token: &str) -> bool {
    !matches!(token, "" | "schema" | "result" | "params")
        && !holds(token).has_schemas()
        && !token.bytes().all(|byte| byte.is_ascii_digit())
}
