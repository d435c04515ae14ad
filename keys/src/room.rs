//! The room for outcomes, of which each caller has a share.

use std::time::Duration;

use docent_core::{BegunTransaction, KeyRoom, KeyedCall};

/// The room of a store unless it is told otherwise: at 500 writes a second, for the outcomes of half an hour; at ten, for
/// those of a day.
pub(crate) const DEFAULT_ROOM: KeyRoom = KeyRoom {
    keys: 1_000_000,
    bytes: 1 << 30,
};

/// The room that is set aside for the outcome of a running call.
pub(crate) const SET_ASIDE: KeyRoom = KeyRoom {
    keys: 1,
    bytes: 16 * 1024,
};

/// The time after which a call that found no room should be repeated, if a running call may free some.
const SOON: Duration = Duration::from_secs(1);

/// The room that outcomes take: those of one caller, or all.
#[derive(Clone, Copy, Default)]
pub(crate) struct TakenRoom {
    pub(crate) kept: KeyRoom,
    /// The room that is set aside for running calls, or was taken since `kept` was counted.
    pub(crate) more: KeyRoom,
    /// The seconds until the oldest outcome expires.
    pub(crate) oldest: Option<i64>,
}

impl TakenRoom {
    /// Returns whether the outcome of one more call fits. Expired outcomes take no caller's room: while some wait to be
    /// deleted, there is room.
    fn has_room(&self, limits: KeyRoom) -> bool {
        let some_have_expired = self.oldest.is_some_and(|seconds| seconds <= 0);
        some_have_expired || sum(sum(self.kept, self.more), SET_ASIDE).fits(limits)
    }

    fn time_to_room(&self, limits: KeyRoom) -> Duration {
        let is_full = !sum(self.kept, SET_ASIDE).fits(limits);
        match self.oldest {
            Some(seconds) if is_full => Duration::from_secs(seconds.unsigned_abs()),
            _ => SOON,
        }
    }
}

/// Refuses a call if there is no room for its outcome, in its caller's share or in the store.
pub(crate) fn refusal<T>(
    call: &KeyedCall,
    limits: KeyRoom,
    own: TakenRoom,
    all: TakenRoom,
) -> Option<BegunTransaction<T>> {
    let share = limits.share_of(call.caller());
    if !own.has_room(share) {
        let retry_after = own.time_to_room(share);
        return Some(BegunTransaction::ShareFull { retry_after });
    }
    if !all.has_room(limits) {
        let retry_after = all.time_to_room(limits);
        return Some(BegunTransaction::Full { retry_after });
    }
    None
}

pub(crate) fn sum(one: KeyRoom, other: KeyRoom) -> KeyRoom {
    KeyRoom {
        keys: one.keys.saturating_add(other.keys),
        bytes: one.bytes.saturating_add(other.bytes),
    }
}

/// Returns a number of a table, which is never negative.
pub(crate) fn count(number: i64) -> u64 {
    number.try_into().unwrap_or_default()
}
