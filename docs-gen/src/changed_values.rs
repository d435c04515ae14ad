//! The values of a version that it or an earlier version has added or changed.
//!
//! Rows of values ask by their schemas, and errors by themselves. A description stays where it is while its site lives, so
//! values are known by their addresses, and a row costs a lookup. `history` fills the map.

use std::collections::HashMap;
use std::ptr;

use docent_describe::ErrorDescription;
use docent_describe::json::Json;

/// The newest change of each value of a version.
#[derive(Debug, Default)]
pub(crate) struct ChangedValues(HashMap<ValueKey, ValueChange>);

/// The address of a value in the description of a version.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum ValueKey {
    Schema(usize),
    Error(usize),
}

/// The newest change of a value.
#[derive(Debug, Clone)]
pub(crate) struct ValueChange {
    /// The version's place among the services of the site.
    pub(crate) service: usize,
    /// The number of versions from the page's back to it.
    pub(crate) age: usize,
    /// The anchor of the change on the version's page of changes.
    pub(crate) anchor: String,
    /// True if the version has added the value.
    pub(crate) is_addition: bool,
}

impl ChangedValues {
    /// Adds what a version has added or changed, unless a later one has been added that did so.
    pub(crate) fn add(&mut self, key: ValueKey, change: ValueChange) {
        let known = self.0.entry(key).or_insert_with(|| change.clone());
        if known.age == change.age && change.is_addition && !known.is_addition {
            *known = change;
        }
    }

    /// Returns the newest change of a value with these schemas. What a shared type is said to be is no addition of the
    /// value.
    pub(crate) fn of_schemas<'j>(
        &self,
        own: impl Iterator<Item = &'j Json>,
        all: impl Iterator<Item = &'j Json>,
    ) -> Option<&ValueChange> {
        let own = own.filter_map(|schema| self.of_schema(schema));
        let shared = all.filter_map(|schema| self.of_schema(schema));
        own.chain(shared.filter(|change| !change.is_addition))
            .min_by_key(|change| change.age)
    }

    /// Returns the newest change of a schema.
    pub(crate) fn of_schema(&self, schema: &Json) -> Option<&ValueChange> {
        self.0.get(&ValueKey::of_schema(schema))
    }

    /// Returns the newest change of an error.
    pub(crate) fn of_error(&self, error: &ErrorDescription) -> Option<&ValueChange> {
        self.0.get(&ValueKey::of_error(error))
    }
}

impl ValueKey {
    /// Returns the key of a value with a schema.
    pub(crate) fn of_schema(schema: &Json) -> Self {
        Self::Schema(ptr::from_ref(schema).addr())
    }

    /// Returns the key of an error.
    pub(crate) fn of_error(error: &ErrorDescription) -> Self {
        Self::Error(ptr::from_ref(error).addr())
    }
}
