//! The limits that procedures set for themselves.

use std::sync::Arc;

use docent_describe::ProcedureLimits;
#[cfg(feature = "rate-limits")]
use docent_describe::{RateKey, RateLimit};

use super::draft::Draft;
use super::findings::Findings;
use crate::call::{Gauge, OwnLimits};
#[cfg(feature = "rate-limits")]
use crate::rates::Rate;

/// Describes the limits of a procedure. Called once it is known whether the procedure knows its
/// caller.
pub(super) fn describe(draft: &mut Draft, findings: &mut Findings) {
    let about = &draft.registered.about;
    let name = &draft.registered.name;
    if about.max_concurrent == Some(0) {
        findings.mistake(
            name,
            "max_concurrent(0) would reject every call; allow at least one",
        );
    }
    if about.timeout.is_some_and(|timeout| timeout.is_zero()) {
        findings.mistake(
            name,
            "timeout needs a time that is longer than zero; without it, the timeout of the service \
             applies",
        );
    }
    #[cfg(feature = "rate-limits")]
    if let Some((calls, per)) = about.rate {
        if calls == 0 {
            findings.mistake(
                name,
                "rate(0, …) would reject every call; allow at least one",
            );
        }
        if per.is_zero() {
            findings.mistake(name, "rate needs a time that is longer than zero");
        }
    }
    let limits = ProcedureLimits {
        concurrent: about.max_concurrent.and_then(|most| most.try_into().ok()),
        #[cfg(feature = "rate-limits")]
        rate: about.rate.map(|(calls, per)| RateLimit {
            calls: calls.into(),
            per,
            by: match draft.access {
                Some(_) => RateKey::Caller,
                None => RateKey::Peer,
            },
        }),
        #[cfg(not(feature = "rate-limits"))]
        rate: None,
    };
    draft.description.limits = (limits != ProcedureLimits::default()).then_some(limits);
}

/// Returns the counters for the calls of a procedure, if it has limits of its own.
pub(super) fn enforce(draft: &Draft) -> Option<Arc<OwnLimits>> {
    let about = &draft.registered.about;
    draft.description.limits.as_ref()?;
    Some(Arc::new(OwnLimits {
        gauge: about.max_concurrent.map(Gauge::new),
        #[cfg(feature = "rate-limits")]
        rate: about.rate.map(|(calls, per)| Rate::new(calls, per)),
    }))
}
