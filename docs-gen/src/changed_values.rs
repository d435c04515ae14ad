//! The values of a version that it or an earlier version has added or changed.
//!
//! `history` fills the map once for all pages of a version, and `view/version_marks` asks it for the mark of each row,
//! by the schemas of the row, and of each error. A description does not move in memory while its site lives, so the
//! keys are addresses in memory, and a row costs a lookup.

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
    /// The index of the version among the services of the site.
    pub(crate) service: usize,
    /// The number of versions from the page's back to it.
    pub(crate) age: usize,
    /// The anchor of the change on the version's page of changes.
    pub(crate) anchor: String,
    /// True if the version has added the value.
    pub(crate) is_addition: bool,
}

impl ChangedValues {
    /// Adds a change of a value, unless the value has a newer one. Changes are added from the newest version on.
    pub(crate) fn add(&mut self, key: ValueKey, change: ValueChange) {
        let newest = self.0.entry(key).or_insert_with(|| change.clone());
        if newest.age == change.age && change.is_addition && !newest.is_addition {
            *newest = change;
        }
    }

    /// Returns the newest change of a value with these schemas. A shared type that was added is no addition of the
    /// value, so additions count only among its own schemas.
    pub(crate) fn of_schemas<'j>(
        &self,
        own: impl Iterator<Item = &'j Json>,
        all: impl Iterator<Item = &'j Json>,
    ) -> Option<&ValueChange> {
        let mut changes: Vec<&ValueChange> = Vec::new();
        changes.extend(own.filter_map(|schema| self.of_schema(schema)));
        changes.extend(
            all.filter_map(|schema| self.of_schema(schema))
                .filter(|change| !change.is_addition),
        );
        changes.into_iter().min_by_key(|change| change.age)
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
