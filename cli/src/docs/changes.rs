//! The changes between two versions, for their page.
//!
//! `docent_docs_gen` shows changes, but does not compare: a service that serves its own site would link
//! the comparison for nothing. So this function is handed to it.

use docent_describe::ServiceDescription;
use docent_docs_gen::{VersionChange, VersionChanges};
use docent_tools::compare::{Document, Verdict, compare, merged};

/// Lists the changes between two versions of a service, in the language of the site.
pub(super) fn changes(
    old: &ServiceDescription,
    new: &ServiceDescription,
    translated: &dyn Fn(&str) -> Option<String>,
) -> VersionChanges {
    let all = compare(old, new);
    let mut changes = VersionChanges::default();
    for (change, procedures) in merged(&all, |change| (change, ())) {
        let list = match change.verdict() {
            Verdict::Breaking => &mut changes.breaking,
            Verdict::Risky => &mut changes.risky,
            Verdict::Safe => &mut changes.safe,
        };
        let mut listed = VersionChange::default();
        listed.rule = change.rule.as_str();
        listed.title = change.rule.title().translate(translated);
        listed.sentence = change.phrase.translate(translated);
        listed.pointer = change.pointer.clone();
        listed.is_addition = change.is_addition();
        listed.is_removal = change.document == Document::Old;
        listed.procedures = procedures.into_iter().map(str::to_owned).collect();
        list.push(listed);
    }
    changes
}
