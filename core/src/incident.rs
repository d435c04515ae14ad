//! Incident IDs connect the internal error that a caller gets with the log entry that has its
//! cause.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::hexadecimal::hexadecimal;
use crate::runtime::{Runtime, unpredictable};

/// Generates incident IDs. A successful call in process needs none.
#[derive(Debug, Default)]
pub(crate) struct Incidents {
    seed: OnceLock<u64>,
    count: AtomicU64,
}

/// An incident ID: 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Incident([u8; 16]);

impl Incidents {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self {
            seed: seed.into(),
            count: AtomicU64::new(0),
        }
    }

    /// Returns an ID that differs from all others of this generator.
    pub(crate) fn next(&self, runtime: Option<&dyn Runtime>) -> Incident {
        let seed = *self
            .seed
            .get_or_init(|| runtime.map_or_else(unpredictable, Runtime::seed));
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        Incident(hexadecimal(&mixed(seed, count).to_be_bytes()))
    }
}

impl Incident {
    pub(crate) fn as_str(&self) -> &str {
        // All bytes are hexadecimal digits.
        str::from_utf8(&self.0).unwrap_or_default()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Computes `SplitMix64`, a bijection of the count: no two IDs from one seed are the same, and an
/// ID does not reveal how many came before it.
fn mixed(seed: u64, count: u64) -> u64 {
    let mut mixed = seed.wrapping_add(count.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_incidents_of_a_service_are_the_same() {
        let incidents = Incidents::default();
        let all: HashSet<_> = (0..10_000)
            .map(|_| incidents.next(None).as_str().to_owned())
            .collect();
        assert_eq!(all.len(), 10_000);
        assert!(all.iter().all(|incident| incident.len() == 16));
    }

    #[test]
    fn two_services_have_different_incident_ids() {
        let first = || Incidents::default().next(None);
        assert_ne!(first(), first());
    }
}
