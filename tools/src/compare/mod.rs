//! Compares two descriptions of a service, and reports what each change means to callers.
//!
//! Every change has a [`Rule`], and every rule a [`Verdict`]. Parameters and results are judged in
//! opposite directions: a parameter that accepts less breaks callers, and so does a result with new
//! possible values. [Rules](crate::inclusion::Includes) find out whether a schema became narrower or wider.
//! A change that cannot be decided is never safe.

mod access;
mod change;
mod errors;
mod openrpc;
mod pairs;
mod params;
mod phrase;
mod procedure;
mod promises;
mod report;
mod rule;
mod sent;
mod service;
#[cfg(test)]
mod tests;
mod values;

use docent_describe::ServiceDescription;
use docent_describe::json::Pointer;
use docent_describe::schema::SchemaViews;

use crate::limits::MAX_STEPS_OF_INCLUSIONS;

pub use change::{Change, Document, merged};
pub use openrpc::openrpc_pointer;
pub use phrase::{CHANGE_TEXTS, Phrase};
use report::{ChangeReporter, Changes};
pub use rule::{Rule, Verdict};
use service::{renamed_schemes, tell_renamed, with_new_names};
use values::SchemaComparison;

/// Compares two descriptions of a service and lists the changes, those of the service first and then
/// those of each procedure.
///
/// ```
/// use docent_tools::compare::{Verdict, compare};
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let mut old = ServiceDescription::default();
/// old.procs = vec![ProcedureDescription::new("sum")];
/// let changes = compare(&old, &ServiceDescription::default());
/// assert_eq!(changes[0].rule.as_str(), "procedure-removed");
/// assert_eq!(changes[0].verdict(), Verdict::Breaking);
/// ```
pub fn compare(old: &ServiceDescription, new: &ServiceDescription) -> Vec<Change> {
    compare_within(old, new, MAX_STEPS_OF_INCLUSIONS)
}

/// Compares two descriptions, with a limit on the steps that all questions of inclusion take.
fn compare_within(
    old: &ServiceDescription,
    new: &ServiceDescription,
    max_steps: usize,
) -> Vec<Change> {
    let mut changes = Changes::default();
    let renamed = renamed_schemes(old, new);
    let old = &*with_new_names(old, &renamed);
    let before = SchemaViews::new(old);
    let after = SchemaViews::new(new);
    let mut report = ChangeReporter {
        changes: &mut changes,
        values: &mut SchemaComparison::new(&before, &after, max_steps),
        procedure: None,
        old: Pointer::root(),
        new: Pointer::root(),
    };
    tell_renamed(&renamed, &mut report);
    service::compare(old, new, &mut report);
    changes.all.into_iter().collect()
}
