//! The changes between versions, as the caller's comparison finds them.
//!
//! The comparison itself is in `docent-tools`, which a service does not link. The author of a site with versions
//! passes it as a function ([`CompareVersions`]). `history` calls it once for each pair of versions, and `view/changes`
//! writes what it has found.

use std::sync::OnceLock;

use docent_describe::ServiceDescription;
use docent_describe::json::Pointer;

use crate::changed_values::ChangedValues;

/// The maximum number of changes with the same effect that are listed.
pub(crate) const MAX_LISTED_CHANGES: usize = 300;

/// Compares a version of a service with the next one. Its third argument translates: it returns the text of a
/// key in the language of the site, or `None` if there is no text.
pub type CompareVersions =
    fn(&ServiceDescription, &ServiceDescription, &dyn Fn(&str) -> Option<String>) -> VersionChanges;

/// The changes between two versions of a service, by their effects on callers.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct VersionChanges {
    /// Changes that break existing callers.
    pub breaking: Vec<VersionChange>,
    /// Changes that may break some callers.
    pub risky: Vec<VersionChange>,
    /// Changes that break no caller.
    pub safe: Vec<VersionChange>,
}

/// A change between two versions of a service.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct VersionChange {
    /// The name of the kind of change, such as `param-removed`.
    pub rule: &'static str,
    /// The kind of change in a few words, such as "Parameter removed".
    pub title: String,
    /// A sentence that says what changed. Text between backticks becomes code.
    pub sentence: String,
    /// The location of the change in the format of `rpc.describe`.
    pub pointer: Pointer,
    /// True if the change adds what the pointer leads to.
    pub is_addition: bool,
    /// True if the pointer leads into the previous version, because the change removes what is there.
    pub is_removal: bool,
    /// The names of the procedures that changed.
    pub procedures: Vec<String>,
}

/// A change, with its anchor on the page of changes.
#[derive(Debug)]
pub(crate) struct FoundChange {
    pub(crate) change: VersionChange,
    /// The anchor of its effect on callers.
    pub(crate) effect: &'static str,
    /// The anchor of the change, or that of the effect if it is not listed.
    pub(crate) anchor: String,
}

/// The changes of a version since the previous ones.
#[derive(Debug, Default)]
pub(crate) struct VersionHistory {
    /// Compares the previous version with this one.
    pub(crate) compare: Option<CompareVersions>,
    /// The changes since the previous version, once they are asked for.
    pub(crate) changes: OnceLock<Vec<FoundChange>>,
    /// The values that versions up to this one have added or changed, once they are asked for.
    pub(crate) changed_values: OnceLock<ChangedValues>,
}
