//! The document as it was written, for references that may lead anywhere in it.
//!
//! The readers take a document apart while they read it. A reference may lead to a part that is gone by then.

use std::cell::OnceCell;
use std::collections::HashSet;

use docent_describe::json::{Json, Object, Pointer};
use docent_describe::schema::component_name;

/// A document that is read part by part, with access to all of it.
///
/// Its tree takes twenty times the memory of its text, and the reader takes the tree apart. Nearly
/// all references lead to shared schemas, for which the names are enough. Only a document with
/// other references is parsed a second time.
pub(super) struct SourceDocument<'t> {
    text: &'t str,
    /// The names of the shared schemas.
    shared: HashSet<String>,
    /// The tree, which is parsed when the first other reference needs it.
    tree: OnceCell<Json>,
}

impl<'t> SourceDocument<'t> {
    pub(super) fn new(text: &'t str, document: &Object) -> Self {
        let mut shared = HashSet::new();
        if let Some(components) = document.get("components")
            && let Some(schemas) = components.get("schemas").and_then(Json::as_object)
        {
            shared.extend(schemas.keys().map(ToString::to_string));
        }
        Self {
            text,
            shared,
            tree: OnceCell::new(),
        }
    }

    /// Returns whether a reference leads to one of the shared schemas, and not to a part of it.
    pub(super) fn is_shared(&self, reference: &str) -> bool {
        component_name(reference).is_some_and(|name| self.has_shared(&name))
    }

    /// Returns whether there is a shared schema with this name.
    pub(super) fn has_shared(&self, name: &str) -> bool {
        self.shared.contains(name)
    }

    /// Returns the value at a JSON Pointer.
    pub(super) fn get(&self, pointer: &Pointer) -> Option<&Json> {
        // The text has been parsed before, so this cannot fail.
        let tree = self
            .tree
            .get_or_init(|| self.text.parse().unwrap_or_default());
        Pointer::resolve(pointer.as_str(), tree)
    }
}
