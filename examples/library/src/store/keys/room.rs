//! How many outcomes there is room for.
//!
//! Counting them takes a moment, so an instance does it now and then, and adds what it has written
//! since. What other instances have written since then it does not know: together, they may keep
//! somewhat more than one alone.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many outcomes are kept unless the store is told otherwise: at 500 writes a second, those of
/// half an hour; at ten, those of a day.
const KEYS: u64 = 1_000_000;

/// How much room their texts may take.
const BYTES: u64 = 1 << 30;

/// The room that is set aside for the outcome of a running call.
const SET_ASIDE: u64 = 16 * 1024;

/// How long a count is good for.
const OLD: Duration = Duration::from_secs(10);

/// How long a count is good for when there is no room.
const OLD_IF_FULL: Duration = Duration::from_millis(500);

/// An instance counts again when it has filled this part of the room that it found.
const PART: u64 = 8;

/// There is no room for another outcome.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// The room for outcomes.
pub(super) struct Room(Mutex<State>);

struct State {
    max: Amount,
    /// What was in the database when it was last counted.
    counted: Amount,
    /// When it was counted, or when somebody began to.
    at: Option<Instant>,
    /// What this process has added since.
    added: Amount,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Amount {
    keys: u64,
    bytes: u64,
}

impl Default for Room {
    fn default() -> Self {
        Self(Mutex::new(State {
            max: Amount {
                keys: KEYS,
                bytes: BYTES,
            },
            counted: Amount::default(),
            at: None,
            added: Amount::default(),
        }))
    }
}

impl Room {
    pub(super) fn set(&self, keys: u64, bytes: u64) {
        self.state().max = Amount { keys, bytes };
    }

    /// Returns whether the caller should count, with so many calls running. Others then go on with
    /// the old numbers.
    pub(super) fn is_to_be_counted(&self, running: u64) -> bool {
        let mut state = self.state();
        let age = if state.check(running).is_ok() {
            OLD
        } else {
            OLD_IF_FULL
        };
        let is_due = state.at.is_none_or(|at| at.elapsed() > age) || state.has_filled_much();
        if is_due {
            state.at = Some(Instant::now());
        }
        is_due
    }

    /// Returns what was added so far, for [`counted`](Self::counted).
    pub(super) fn added(&self) -> Amount {
        self.state().added
    }

    /// Notes what is in the database, where `before` was added before it was counted.
    pub(super) fn counted(&self, before: Amount, keys: u64, bytes: u64) {
        let mut state = self.state();
        state.counted = Amount { keys, bytes };
        state.added.keys -= before.keys.min(state.added.keys);
        state.added.bytes -= before.bytes.min(state.added.bytes);
    }

    /// Notes that an outcome was added.
    pub(super) fn filled(&self, bytes: u64) {
        let mut state = self.state();
        state.added.keys += 1;
        state.added.bytes += bytes;
    }

    /// Returns whether there is room for all running calls, of which the new one is the last.
    pub(super) fn check(&self, running: u64) -> Result<(), Full> {
        self.state().check(running)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No change leaves it incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn check(&self, running: u64) -> Result<(), Full> {
        let keys = self.counted.keys + self.added.keys + running;
        let bytes = self.counted.bytes + self.added.bytes + running.saturating_mul(SET_ASIDE);
        if keys <= self.max.keys && bytes <= self.max.bytes {
            Ok(())
        } else {
            Err(Full)
        }
    }

    fn has_filled_much(&self) -> bool {
        let much = |max: u64, counted: u64, added: u64| {
            added > 0 && added >= max.saturating_sub(counted) / PART
        };
        let Self {
            max,
            counted,
            added,
            ..
        } = self;
        much(max.keys, counted.keys, added.keys) || much(max.bytes, counted.bytes, added.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u64 = 1024;

    #[test]
    fn there_is_room_until_keys_or_bytes_are_used_up() {
        let room = Room::default();
        room.set(3, 64 * KIB);
        assert!(room.is_to_be_counted(1));
        assert!(!room.is_to_be_counted(1), "somebody is counting");
        room.counted(room.added(), 1, KIB);
        assert_eq!(room.check(2), Ok(()));
        assert_eq!(room.check(3), Err(Full), "too many keys");
        room.filled(20 * KIB);
        assert_eq!(room.check(1), Ok(()));
        room.filled(30 * KIB);
        room.set(100, 64 * KIB);
        assert_eq!(room.check(1), Err(Full), "too many bytes");
    }

    #[test]
    fn what_was_added_is_counted_once_and_makes_the_next_count_due() {
        let room = Room::default();
        room.set(100, u64::MAX);
        assert!(room.is_to_be_counted(1));
        room.filled(10);
        let before = room.added();
        room.filled(10);
        // The database has the first of them.
        room.counted(before, 91, 910);
        assert_eq!(room.added(), Amount { keys: 1, bytes: 10 });
        assert_eq!(room.check(8), Ok(()));
        assert_eq!(room.check(9), Err(Full));
        assert!(room.is_to_be_counted(1), "an eighth of the rest is filled");
    }
}
