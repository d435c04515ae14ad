//! The calls with keys that are running in this process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use docent_server::{Claim, KeptOutcome, KeyedCall};

use super::outcomes::name;
use super::room::Room;

/// The calls with keys that are running in this process.
#[derive(Default)]
pub(in crate::store) struct Claims {
    pub(super) room: Room,
    running: Mutex<HashMap<String, Running>>,
}

struct Running {
    call: KeyedCall,
    state: State,
}

enum State {
    /// Its outcome is not known.
    Open,
    /// A transaction has written its outcome.
    Written,
    /// It has ended like this, which could not be written.
    Unwritten(KeptOutcome),
}

impl Claims {
    /// Claims a key in this process, or returns why that is impossible.
    pub(super) fn enter(&self, call: &KeyedCall) -> Option<Claim> {
        match self.running_calls().entry(name(call)) {
            Entry::Vacant(entry) => {
                let (call, state) = (call.clone(), State::Open);
                entry.insert(Running { call, state });
                None
            }
            Entry::Occupied(entry) => {
                let running = entry.get();
                Some(match &running.state {
                    _ if running.call.fingerprint() != call.fingerprint() => Claim::UsedOtherwise,
                    State::Unwritten(outcome) => Claim::Kept(outcome.clone()),
                    State::Open | State::Written => Claim::Running,
                })
            }
        }
    }

    pub(super) fn leave(&self, call: &KeyedCall) {
        self.running_calls().remove(&name(call));
    }

    /// Returns how many there are.
    pub(super) fn running(&self) -> u64 {
        self.running_calls().len() as u64
    }

    /// Notes that a transaction has written the outcome of a call.
    pub(in crate::store) fn was_written(&self, call: &KeyedCall) {
        self.set(call, State::Written);
    }

    pub(super) fn is_written(&self, call: &KeyedCall) -> bool {
        let running = self.running_calls();
        let running = running.get(&name(call));
        running.is_some_and(|running| matches!(running.state, State::Written))
    }

    /// Notes that the outcome of a call could not be written.
    pub(super) fn could_not_write(&self, call: &KeyedCall, outcome: &KeptOutcome) {
        self.set(call, State::Unwritten(outcome.clone()));
    }

    /// Returns the outcomes that could not be written.
    pub(super) fn unwritten(&self) -> Vec<(KeyedCall, KeptOutcome)> {
        let running = self.running_calls();
        let unwritten = running.values().filter_map(|running| match &running.state {
            State::Unwritten(outcome) => Some((running.call.clone(), outcome.clone())),
            State::Open | State::Written => None,
        });
        unwritten.collect()
    }

    fn set(&self, call: &KeyedCall, state: State) {
        if let Some(running) = self.running_calls().get_mut(&name(call)) {
            running.state = state;
        }
    }

    fn running_calls(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        // No change leaves it incomplete.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
