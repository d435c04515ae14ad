//! The document as a whole, for references that lead to any place in it.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::json::{Json, Pointer};
use crate::schema::component_name;

/// A document that is read piece by piece, and can be looked at as a whole.
///
/// Its tree takes twenty times the memory of its text, and the reader takes it apart. Nearly all
/// references lead to shared schemas, of which only the names are needed; only a document that has
/// others is parsed a second time.
pub(super) struct Whole<'t> {
    text: &'t str,
    /// Where the description is in the text, as a JSON Pointer.
    start: &'t str,
    /// The names of the shared schemas.
    shared: HashSet<String>,
    tree: OnceCell<Json>,
}

impl<'t> Whole<'t> {
    pub(super) fn new(text: &'t str, start: &'t str, document: &Json) -> Self {
        let components = document.get("components");
        let schemas = components.and_then(|components| components.get("schemas"));
        let names = schemas.and_then(Json::as_object).into_iter();
        Self {
            text,
            start,
            shared: names
                .flat_map(|schemas| schemas.keys().map(ToString::to_string))
                .collect(),
            tree: OnceCell::new(),
        }
    }

    /// Whether a reference leads to one of the shared schemas, and not into it.
    pub(super) fn is_shared(&self, reference: &str) -> bool {
        component_name(reference).is_some_and(|name| self.has_shared(&name))
    }

    /// Whether there is a shared schema of this name.
    pub(super) fn has_shared(&self, name: &str) -> bool {
        self.shared.contains(name)
    }

    /// The value at a JSON Pointer.
    pub(super) fn at(&self, pointer: &str) -> Option<&Json> {
        // The text has been parsed before.
        let tree = self
            .tree
            .get_or_init(|| self.text.parse().unwrap_or_default());
        Pointer::resolve(pointer, Pointer::resolve(self.start, tree)?)
    }
}
