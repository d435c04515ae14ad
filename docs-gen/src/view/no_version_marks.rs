//! Pages without marks of what versions have changed, since nothing compares versions without the feature `publish`.
//! The functions are those of `version_marks`.

use docent_describe::ErrorDescription;
use docent_describe::json::Json;

use super::items::Mark;
use super::scope::{PageScope, PageText};
use crate::schema::Row;

impl PageScope<'_> {
    /// Marks nothing.
    pub(crate) fn with_marked_changes(self) -> Self {
        self
    }
}

#[expect(
    clippy::unused_self,
    reason = "the marks of changes are part of the text"
)]
impl PageText<'_> {
    /// Returns no mark of a row.
    pub(super) fn mark_of_row(&self, _row: &Row<'_>) -> Option<Mark> {
        None
    }

    /// Returns no mark of a shared type.
    pub(super) fn mark_of_type(&self, _schema: &Json) -> Option<Mark> {
        None
    }

    /// Returns no mark of an error.
    pub(super) fn mark_of_error(&self, _error: &ErrorDescription) -> Option<Mark> {
        None
    }
}
