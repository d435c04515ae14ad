//! The procedures that a check is limited to.

use std::mem;

use docent_describe::ServiceDescription;

use crate::args::CheckArgs;
use crate::pattern::fits;

/// Removes the procedures that are not to be checked from a description, and returns their names.
pub(super) fn select(service: &mut ServiceDescription, args: &CheckArgs) -> Vec<String> {
    let has = |patterns: &[String], name: &str| patterns.iter().any(|it| fits(it, name));
    let (kept, skipped) = mem::take(&mut service.procs)
        .into_iter()
        .partition::<Vec<_>, _>(|it| {
            (args.only.is_empty() || has(&args.only, &it.name)) && !has(&args.skip, &it.name)
        });
    service.procs = kept;
    skipped.into_iter().map(|it| it.name).collect()
}
