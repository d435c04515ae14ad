//! The calls with keys that are running in this process.
//!
//! A repetition in the same process is answered from here, so it waits for no transaction. Other processes find out from
//! the database.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use docent_core::{Claim, KeyRoom, KeyedCall};

use crate::record::{caller, name};
use crate::room::{SET_ASIDE, sum};

#[derive(Default)]
pub(crate) struct RunningCalls(Mutex<HashMap<String, RunningCall>>);

struct RunningCall {
    caller: String,
    fingerprint: String,
    /// Set once room was set aside for its outcome, until that is kept.
    has_room: bool,
}

impl RunningCalls {
    /// Claims the key of a call.
    pub(crate) fn claim(&self, call: &KeyedCall) -> Claim {
        match self.calls().entry(name(call)) {
            Entry::Vacant(entry) => {
                entry.insert(RunningCall {
                    caller: caller(call),
                    fingerprint: call.fingerprint().to_owned(),
                    has_room: false,
                });
                Claim::Granted
            }
            Entry::Occupied(entry) if entry.get().fingerprint == call.fingerprint() => {
                Claim::Running
            }
            Entry::Occupied(_) => Claim::UsedOtherwise,
        }
    }

    /// Ends the claim of a call.
    pub(crate) fn release(&self, call: &KeyedCall) {
        self.calls().remove(&name(call));
    }

    /// Notes whether room is set aside for the outcome of a call.
    pub(crate) fn set_room(&self, call: &KeyedCall, has_room: bool) {
        if let Some(running) = self.calls().get_mut(&name(call)) {
            running.has_room = has_room;
        }
    }

    /// Returns the room that is set aside for the calls of a caller, and for all.
    pub(crate) fn room(&self, caller: &str) -> (KeyRoom, KeyRoom) {
        let mut of_caller = KeyRoom::default();
        let mut of_all = KeyRoom::default();
        for running in self.calls().values().filter(|running| running.has_room) {
            of_all = sum(of_all, SET_ASIDE);
            if running.caller == caller {
                of_caller = sum(of_caller, SET_ASIDE);
            }
        }
        (of_caller, of_all)
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<String, RunningCall>> {
        // No change leaves it incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
