//! The page of all errors: those that procedures declare, and those of the protocol. `error_table` writes both tables.

use serde::Serialize;

use super::error_table::ErrorTable;
use super::scope::{PageContent, PageScope};
use crate::templates::TemplateData;

/// The data of the page.
#[derive(Serialize)]
struct ErrorsPage<'a> {
    /// The errors that procedures declare.
    declared: Option<ErrorTable<'a>>,
    /// The sentence about the errors of the protocol.
    protocol_note: &'a str,
    /// The errors of the protocol.
    protocol: Option<ErrorTable<'a>>,
}

impl TemplateData for ErrorsPage<'_> {
    const TEMPLATE: &'static str = "errors";
}

/// Returns the page of all errors.
pub(super) fn errors_page(scope: &PageScope<'_>) -> PageContent {
    let data = ErrorsPage {
        declared: ErrorTable::of_all_procedures(scope),
        protocol_note: scope.text_of_kind("errors.protocol"),
        protocol: ErrorTable::of_protocol(&scope.text, &scope.service.options),
    };
    let name = scope.text.strings.get("errors").to_owned();
    scope.page(name, None, &data)
}
