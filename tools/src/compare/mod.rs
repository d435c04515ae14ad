//! Compares two descriptions of a service, and reports what each change means to callers.
//!
//! Two descriptions in the model come in, whatever formats they were read from, and a list of [`Change`]s goes out.
//! Each has a [`Rule`], the place in one of the descriptions, and a sentence, as a key and values so that it can be
//! written in any language ([`Phrase`]). Every rule has one [`Verdict`]:
//!
//! ```text
//! maximum of the parameter `limit`: 100 → 50     param-narrowed     breaking: a call with 60 fails
//! maximum of the result: 100 → 50                return-narrowed    safe
//! maximum of the result: 100 → 500               return-widened     breaking: a client may not hold 500
//! pattern of the parameter `isbn` is another     pattern-changed    risky: it may accept less
//!
//! service ─► procedure ─► params, errors, access, promises, sent ───────► ChangeReporter ─► Change
//!                           └─ schemas ─► values/ ─► ValueDifference ─ Effect::rule ─┘
//! ```
//!
//! So parameters and results are compared in the same way and judged in opposite directions: callers break if a
//! parameter accepts less, and if a result can be more. Whether a schema accepts less is decided by
//! [inclusion](crate::inclusion), and not by a list of edits of keywords, since most edits of a schema only write the
//! same in another way. A change that cannot be decided is never safe.
//!
//! Each file compares one part of a description. It gets a `ChangeReporter` that stands at that part, and names only
//! the member that changed (`report.changed(Rule::ServiceRenamed, "name", …)`). `pairs.rs` finds out which items of two
//! lists are the same. A new rule is a row of the table in `rule.rs`, with its sentences in `changes.txt`.

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
use service::{renamed_schemes, report_renamed, with_new_names};
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
        schemas: &mut SchemaComparison::new(&before, &after, max_steps),
        procedure: None,
        old: Pointer::root(),
        new: Pointer::root(),
    };
    report_renamed(&renamed, &mut report);
    service::compare(old, new, &mut report);
    changes.all.into_iter().collect()
}
