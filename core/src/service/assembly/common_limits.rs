//! The limits that apply to every procedure of a service.

use super::findings::Findings;
use crate::limits::Limits;

/// Warns about limits that reject every call: only tests want them.
pub(super) fn check(limits: &Limits, findings: &mut Findings) {
    let rejects_all = [
        ("max_body_bytes", limits.max_body_bytes == 0),
        ("max_response_bytes", limits.max_response_bytes == 0),
        ("max_depth", limits.max_depth == 0),
        ("max_concurrent_calls", limits.max_concurrent_calls == 0),
        ("timeout", limits.timeout.is_zero()),
    ];
    for (limit, _) in rejects_all.iter().filter(|(_, rejects)| *rejects) {
        findings.warnings.push(format!(
            "the limit `{limit}` is zero, so every call is rejected; leave it out for the default"
        ));
    }
}
