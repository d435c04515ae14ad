//! Marks at values and errors that a version has added or changed, each with a link to the change.
//!
//! `crate::changed_values` finds the newest change of each value, and rows, types and error tables ask here for the
//! mark. The search does not look for marks, so its pages have none (`PageScope::with_marked_changes`).

use docent_describe::ErrorDescription;
use docent_describe::json::Json;

use super::items::Mark;
use super::scope::{MarkedChanges, PageScope, PageText};
use crate::changed_values::ValueChange;
use crate::plan::PageTarget;
use crate::schema::{Row, RowName};

impl PageScope<'_> {
    /// Marks values on the page that versions have added or changed.
    pub(crate) fn with_marked_changes(mut self) -> Self {
        if self.service.version.history.compare.is_some() {
            self.text.changes = Some(MarkedChanges {
                site: self.site,
                values: self.site.changed_values(self.service),
            });
        }
        self
    }
}

impl MarkedChanges<'_> {
    /// Returns the mark of a change, with a link to it on the page of changes.
    fn mark(&self, page: &PageText<'_>, change: &ValueChange) -> Mark {
        let service = &self.site.services[change.service];
        let href = page
            .links
            .across_to_anchor(&service.plan, PageTarget::Changes, &change.anchor);
        let class = if change.is_addition {
            "since"
        } else {
            "changed"
        };
        Mark::of_version(page.strings, class, service, href)
    }
}

impl PageText<'_> {
    /// Returns the mark of a row. That of a type on its own page stands beside its name.
    pub(super) fn mark_of_row(&self, row: &Row<'_>) -> Option<Mark> {
        if matches!(row.name, RowName::Type(_)) {
            return None;
        }
        let changes = self.changes.as_ref()?;
        let change = changes
            .values
            .of_schemas(row.own_schemas(), row.schemas())?;
        Some(changes.mark(self, change))
    }

    /// Returns the mark of a shared type.
    pub(super) fn mark_of_type(&self, schema: &Json) -> Option<Mark> {
        let changes = self.changes.as_ref()?;
        Some(changes.mark(self, changes.values.of_schema(schema)?))
    }

    /// Returns the mark of an error that a procedure declares.
    pub(super) fn mark_of_error(&self, error: &ErrorDescription) -> Option<Mark> {
        let changes = self.changes.as_ref()?;
        Some(changes.mark(self, changes.values.of_error(error)?))
    }
}
