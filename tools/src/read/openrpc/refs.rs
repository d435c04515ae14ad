//! Follows references to anything but schemas: methods, content descriptors, errors, examples,
//! tags, and links.

use std::cell::Cell;

use crate::read::location::Location;
use crate::read::schemas::pointer_of;
use crate::read::whole::WholeDocument;
use docent_describe::json::Json;

/// The maximum number of values that are copied from the targets of references. No real document
/// comes close. The limit keeps a small document from expanding into a huge one.
const BUDGET: usize = 2_000_000;

pub(super) struct Refs<'d> {
    document: &'d WholeDocument<'d>,
    start: Location<'d>,
    budget: Cell<usize>,
}

impl<'d> Refs<'d> {
    pub(super) fn new(document: &'d WholeDocument<'d>, start: Location<'d>) -> Self {
        Self {
            document,
            start,
            budget: Cell::new(BUDGET),
        }
    }

    /// Reads a value, or its target if it is a reference. Members beside a reference override those
    /// of the target.
    pub(super) fn followed<T>(
        &self,
        mut value: Json,
        at: &Location<'_>,
        read: impl FnOnce(Json, &Location<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut pointer = None;
        // A longer chain of references is a cycle.
        for _ in 0..16 {
            let Some(Json::String(reference)) = value.get("$ref") else {
                let Some(pointer) = pointer else {
                    return read(value, at);
                };
                let text = format!("{}{pointer}", self.start.pointer);
                return read(value, &at.jump(&text));
            };
            let (target, found) = self.resolve(reference, at)?;
            pointer = Some(target);
            value = over(value, found);
        }
        at.warn("a reference to itself, left out");
        None
    }

    fn resolve(&self, reference: &str, at: &Location<'_>) -> Option<(String, Json)> {
        if !reference.starts_with('#') {
            at.warn(format_args!(
                "`{reference}` points outside the document and is not followed; left out"
            ));
            return None;
        }
        let found = pointer_of(reference).and_then(|pointer| {
            let found = self.document.at(&pointer)?;
            Some((pointer, found))
        });
        let Some((pointer, found)) = found else {
            at.warn(format_args!(
                "`{reference}` points to nothing in the document; left out"
            ));
            return None;
        };
        let Some(left) = self.budget.get().checked_sub(size(found)) else {
            at.warn("the references of this document make it too large; left out");
            return None;
        };
        self.budget.set(left);
        Some((pointer, found.clone()))
    }
}

/// Merges the target of a reference with the members beside the reference.
fn over(reference: Json, mut found: Json) -> Json {
    if let (Json::Object(beside), Json::Object(found)) = (reference, &mut found) {
        for (name, value) in beside {
            if name != "$ref" {
                found.insert(name, value);
            }
        }
    }
    found
}

fn size(value: &Json) -> usize {
    1 + match value {
        Json::Array(elements) => elements.iter().map(size).sum(),
        Json::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}
