//! Procedures whose calls can be repeated with a key.

use std::sync::Arc;

use docent_describe::ServiceDescription;

use super::draft::Draft;
use super::findings::Findings;
use crate::keys::{KeyStore, MemoryKeyStore};

/// Collects mistakes about keys. Called once it is known whether the procedure knows its caller.
pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let about = &draft.registered.about;
    let name = &draft.registered.name;
    let Some(time) = about.repeatable else {
        if about.keys_without_caller {
            findings.mistake(
                name,
                "keys_without_caller is for procedures that are `repeatable`",
            );
        }
        return;
    };
    if time.is_zero() {
        findings.mistake(name, "repeatable needs a time that is longer than zero");
    }
    if about.idempotent {
        findings.mistake(
            name,
            "an idempotent procedure can be repeated without a key; remove `idempotent` or \
             `repeatable`",
        );
    }
    let knows_caller = draft.access.as_ref().is_some_and(|access| access.required);
    if !knows_caller && !about.keys_without_caller {
        findings.mistake(
            name,
            "repeatable needs to know whom a key belongs to: let the handler take its caller \
             (`Cx<_, User>`) or add `ServiceBuilder::protect`; or, if callers may get each other's \
             results, add `keys_without_caller`",
        );
    }
}

/// Returns the store for outcomes: the one that the author chose, or the default if a procedure
/// needs one.
pub(super) fn store(
    chosen: Option<Arc<dyn KeyStore>>,
    description: &ServiceDescription,
) -> Option<Arc<dyn KeyStore>> {
    let mut procedures = description.procs.iter();
    let default = || Arc::new(MemoryKeyStore::new()) as Arc<dyn KeyStore>;
    let is_needed = procedures.any(|procedure| procedure.repeatable.is_some());
    chosen.or_else(|| is_needed.then(default))
}
