//! What outcomes take, as this process knows it.
//!
//! The database adds up the outcomes of all instances in the background, and each instance [looks](Ledger::look) at the
//! sums every second, at those of all outcomes and of the callers that use much of their share. Meanwhile it counts its own
//! outcomes, so that a call asks nothing of the database, however full the store is. The limits may be passed by what other
//! instances keep within a second.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use docent_core::KeyRoom;

use crate::room::{TakenRoom, sum};
use crate::running::RunningCalls;

/// The name under which the outcomes of all callers are added up. It is no caller's.
pub(super) const ALL: &str = "*";

/// Room by the caller that takes it.
type RoomByCaller = HashMap<String, KeyRoom>;

#[derive(Default)]
pub(super) struct Ledger(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    /// What the last look found.
    seen: HashMap<String, TakenRoom>,
    /// What this process has kept since the last look began.
    kept: RoomByCaller,
    /// What it had kept before, while a look is under way that may not see that yet.
    kept_before: RoomByCaller,
}

impl Ledger {
    /// Returns the room that the outcomes of a caller take, and those of all.
    pub(super) fn taken(&self, caller: &str, running: &RunningCalls) -> (TakenRoom, TakenRoom) {
        let (of_caller, of_all) = running.room(caller);
        let entries = self.entries();
        (entries.taken(caller, of_caller), entries.taken(ALL, of_all))
    }

    /// Returns the room that all outcomes take, with what is set aside for running calls.
    pub(super) fn all(&self, running: &RunningCalls) -> KeyRoom {
        let (_, all) = self.taken(ALL, running);
        sum(all.kept, all.more)
    }

    /// Adds an outcome.
    pub(super) fn add(&self, caller: String, room: KeyRoom) {
        let kept = &mut self.entries().kept;
        for name in [caller, ALL.to_owned()] {
            let taken = kept.entry(name).or_default();
            *taken = sum(*taken, room);
        }
    }

    /// Begins to look at the sums in the database.
    pub(super) fn begin_look(&self) {
        let entries = &mut *self.entries();
        for (caller, room) in std::mem::take(&mut entries.kept) {
            let before = entries.kept_before.entry(caller).or_default();
            *before = sum(*before, room);
        }
    }

    /// Ends a look with what was found.
    pub(super) fn end_look(&self, seen: HashMap<String, TakenRoom>) {
        let entries = &mut *self.entries();
        entries.seen = seen;
        entries.kept_before.clear();
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // No change leaves them incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn taken(&self, caller: &str, set_aside: KeyRoom) -> TakenRoom {
        let of = |rooms: &RoomByCaller| rooms.get(caller).copied().unwrap_or_default();
        let kept = sum(of(&self.kept), of(&self.kept_before));
        let mut taken = self.seen.get(caller).copied().unwrap_or_default();
        taken.more = sum(kept, set_aside);
        taken
    }
}
