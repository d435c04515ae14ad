//! The room that outcomes take, as this process knows it.
//!
//! The database adds up the outcomes of all instances in the background, and each instance reads the sums every second:
//! those of all outcomes, and of the callers that use much of their share. Meanwhile it counts its own
//! outcomes, so that a call asks nothing of the database, however full the store is. The limits may be passed by what other
//! instances keep within a second.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use docent_core::{KeptOutcome, KeyRoom, KeyedCall};

use crate::record::{caller, size};
use crate::room::{SET_ASIDE, TakenRoom, sum};

/// The name under which the outcomes of all callers are added up. It is no caller's.
pub(super) const ALL: &str = "*";

/// Room by the caller that takes it.
type RoomByCaller = HashMap<String, KeyRoom>;

#[derive(Clone, Default)]
pub(super) struct Ledger(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    /// The sums that were read last.
    sums: HashMap<String, TakenRoom>,
    /// The outcomes that this process has kept since the sums began to be read.
    kept: RoomByCaller,
    /// Those that it had kept before, while sums are being read that may not include them.
    kept_before: RoomByCaller,
    /// The callers of the running calls for which room is set aside.
    running: Vec<String>,
}

/// The room for the outcome of a running call, which is set aside until this is dropped.
pub(super) struct SetAside {
    ledger: Ledger,
    caller: String,
}

impl Drop for SetAside {
    fn drop(&mut self) {
        let running = &mut self.ledger.entries().running;
        if let Some(index) = running.iter().position(|caller| *caller == self.caller) {
            running.swap_remove(index);
        }
    }
}

impl Ledger {
    /// Returns the room that the outcomes of a caller take, and those of all.
    pub(super) fn taken(&self, caller: &str) -> (TakenRoom, TakenRoom) {
        let entries = self.entries();
        (entries.taken(caller), entries.taken(ALL))
    }

    /// Sets room aside for the outcome of a call.
    pub(super) fn set_aside(&self, call: &KeyedCall) -> SetAside {
        let caller = caller(call);
        self.entries().running.push(caller.clone());
        SetAside {
            ledger: self.clone(),
            caller,
        }
    }

    /// Adds the outcome of a call.
    pub(super) fn add(&self, call: &KeyedCall, outcome: &KeptOutcome) {
        let bytes = size(call, outcome);
        let entries = &mut *self.entries();
        for caller in [caller(call), ALL.to_owned()] {
            let taken = entries.kept.entry(caller).or_default();
            *taken = sum(*taken, KeyRoom { keys: 1, bytes });
        }
    }

    /// Begins to read the sums in the database: what is added from now on may or may not be among them.
    pub(super) fn begin_refresh(&self) {
        let entries = &mut *self.entries();
        for (caller, room) in std::mem::take(&mut entries.kept) {
            let before = entries.kept_before.entry(caller).or_default();
            *before = sum(*before, room);
        }
    }

    /// Replaces the sums by those that were read.
    pub(super) fn end_refresh(&self, sums: HashMap<String, TakenRoom>) {
        let entries = &mut *self.entries();
        entries.sums = sums;
        entries.kept_before.clear();
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // No change leaves them incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    /// Returns the room that the outcomes of a caller take, or those of [all](ALL).
    fn taken(&self, caller: &str) -> TakenRoom {
        let mut taken = self.sums.get(caller).copied().unwrap_or_default();
        for rooms in [&self.kept, &self.kept_before] {
            taken.more = sum(taken.more, rooms.get(caller).copied().unwrap_or_default());
        }
        for running in &self.running {
            if caller == ALL || running == caller {
                taken.more = sum(taken.more, SET_ASIDE);
            }
        }
        taken
    }
}
