//! The calls with keys that are running in this process.
//!
//! The database knows only the outcomes of calls that have ended. What runs here, and the room that is set
//! aside for it, is known in memory alone.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use docent::{Claim, KeptOutcome, KeyRoom, KeyedCall};

use super::outcomes::{OutcomeRoom, name};

/// The room that is set aside for the outcome of a running call.
const SET_ASIDE: u64 = 16 * 1024;

/// The pause before a call that found no room should try again, if a running call may free some.
const SOON_AGAIN: Duration = Duration::from_secs(1);

/// The number of granted claims after which an instance forgets what is too old.
const GRANTS_PER_CLEANUP: u64 = 500;

/// The calls with keys that are running in this process.
#[derive(Default)]
pub(in crate::store) struct Claims {
    /// The room that was taken when a new key was last seen.
    held: Mutex<KeyRoom>,
    granted: AtomicU64,
    running: Mutex<HashMap<String, RunningClaim>>,
}

struct RunningClaim {
    call: KeyedCall,
    state: ClaimState,
}

enum ClaimState {
    /// The claim has not been granted yet.
    Asked,
    /// Its outcome is not known.
    Open,
    /// A transaction has written its outcome.
    Written,
    /// The call has ended with this outcome, which could not be written.
    Unwritten(KeptOutcome),
}

impl Claims {
    /// Claims a key in this process, or returns why that is impossible.
    pub(super) fn enter(&self, call: &KeyedCall) -> Option<Claim> {
        match self.running_calls().entry(name(call)) {
            Entry::Vacant(entry) => {
                entry.insert(RunningClaim {
                    call: call.clone(),
                    state: ClaimState::Asked,
                });
                None
            }
            Entry::Occupied(entry) => {
                let running = entry.get();
                Some(match &running.state {
                    _ if running.call.fingerprint() != call.fingerprint() => Claim::UsedOtherwise,
                    ClaimState::Unwritten(outcome) => Claim::Kept(outcome.clone()),
                    ClaimState::Asked | ClaimState::Open | ClaimState::Written => Claim::Running,
                })
            }
        }
    }

    pub(super) fn leave(&self, call: &KeyedCall) {
        self.running_calls().remove(&name(call));
    }

    /// Grants a claim that was [entered](Self::enter) if there is room for its outcome beside those that are
    /// in the database and those of the running calls.
    pub(super) fn grant(
        &self,
        call: &KeyedCall,
        room: KeyRoom,
        taken: &(OutcomeRoom, OutcomeRoom),
    ) -> Claim {
        let (of_caller, all) = taken;
        let mut calls = self.running_calls();
        let mut running = 0;
        let mut of_same = 0;
        for other in calls.values() {
            // Those that have been written are in the database.
            if matches!(other.state, ClaimState::Open | ClaimState::Unwritten(_)) {
                running += 1;
                of_same += u64::from(other.call.caller() == call.caller());
            }
        }
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = all.with(running);
        let share = room.share_of(call.caller());
        if !of_caller.with(of_same + 1).fits(share) {
            let retry_after = of_caller.room_in(share);
            return Claim::ShareFull { retry_after };
        }
        if !all.with(running + 1).fits(room) {
            let retry_after = all.room_in(room);
            return Claim::Full { retry_after };
        }
        if let Some(running) = calls.get_mut(&name(call)) {
            running.state = ClaimState::Open;
        }
        Claim::Granted
    }

    /// Returns what was taken when a new key was last seen.
    pub(super) fn held(&self) -> KeyRoom {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether it is time to forget what is too old, for one in so many granted claims.
    pub(super) fn is_time_to_forget(&self) -> bool {
        self.granted.fetch_add(1, Ordering::Relaxed) % GRANTS_PER_CLEANUP == GRANTS_PER_CLEANUP - 1
    }

    /// Notes that a transaction has written the outcome of a call.
    pub(in crate::store) fn was_written(&self, call: &KeyedCall) {
        self.set(call, ClaimState::Written);
    }

    pub(super) fn is_written(&self, call: &KeyedCall) -> bool {
        self.running_calls()
            .get(&name(call))
            .is_some_and(|running| matches!(running.state, ClaimState::Written))
    }

    /// Notes that the outcome of a call could not be written.
    pub(super) fn could_not_write(&self, call: &KeyedCall, outcome: &KeptOutcome) {
        self.set(call, ClaimState::Unwritten(outcome.clone()));
    }

    /// Returns an outcome that could not be written.
    pub(super) fn unwritten(&self) -> Option<(KeyedCall, KeptOutcome)> {
        let running = self.running_calls();
        running.values().find_map(|running| match &running.state {
            ClaimState::Unwritten(outcome) => Some((running.call.clone(), outcome.clone())),
            _ => None,
        })
    }

    fn set(&self, call: &KeyedCall, state: ClaimState) {
        if let Some(running) = self.running_calls().get_mut(&name(call)) {
            running.state = state;
        }
    }

    fn running_calls(&self) -> MutexGuard<'_, HashMap<String, RunningClaim>> {
        // No change leaves it incomplete.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutcomeRoom {
    /// Returns this with so many running calls.
    fn with(&self, running: u64) -> KeyRoom {
        KeyRoom {
            keys: self.room.keys + running,
            bytes: self.room.bytes + running * SET_ASIDE,
        }
    }

    /// Returns when there may be room: when the oldest outcome is forgotten, or soon if running calls take
    /// the room.
    fn room_in(&self, limits: KeyRoom) -> Duration {
        match self.oldest {
            Some(seconds) if !self.with(1).fits(limits) => {
                Duration::from_secs(seconds.max(1).unsigned_abs())
            }
            _ => SOON_AGAIN,
        }
    }
}
