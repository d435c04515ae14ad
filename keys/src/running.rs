//! The calls with keys that are running in this process.
//!
//! A repetition in the same process is answered from here, so it waits for no transaction. Other processes find out from
//! the database.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use docent_core::{Claim, KeyedCall};

use crate::record::name;

/// The fingerprints of the calls, by the names of their keys.
#[derive(Clone, Default)]
pub(crate) struct RunningCalls(Arc<Mutex<HashMap<String, String>>>);

/// The claim of a call, which ends when this is dropped.
pub(crate) struct ClaimedKey {
    running: RunningCalls,
    pub(crate) call: Arc<KeyedCall>,
}

impl Drop for ClaimedKey {
    fn drop(&mut self) {
        self.running.release(&self.call);
    }
}

impl RunningCalls {
    /// Claims the key of a call.
    pub(crate) fn claim(&self, call: &KeyedCall) -> Claim {
        match self.calls().entry(name(call)) {
            Entry::Vacant(entry) => {
                entry.insert(call.fingerprint().to_owned());
                Claim::Granted
            }
            Entry::Occupied(entry) if entry.get() == call.fingerprint() => Claim::Running,
            Entry::Occupied(_) => Claim::UsedOtherwise,
        }
    }

    /// Returns the claim of a call that was granted.
    pub(crate) fn claimed(&self, call: &Arc<KeyedCall>) -> ClaimedKey {
        ClaimedKey {
            running: self.clone(),
            call: Arc::clone(call),
        }
    }

    /// Ends the claim of a call.
    pub(crate) fn release(&self, call: &KeyedCall) {
        self.calls().remove(&name(call));
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<String, String>> {
        // No change leaves it incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
