//! Defaults keep the rules that they stand beside.

use super::Findings;
use super::enforce::Enforcer;
use crate::service::Entry;

pub(super) fn check(entry: &Entry, enforcer: &mut Enforcer<'_>, findings: &mut Findings) {
    for param in &entry.description.params {
        if let Some(default) = &param.default
            && let Err(reason) = enforcer.matches(&param.schema, default)
        {
            let param = &param.name;
            findings.mistake(
                &entry.description.name,
                format_args!("the default of `{param}` breaks its own rules: {reason}"),
            );
        }
    }
}
