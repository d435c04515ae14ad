//! Calls with keys: which of them are running, and what became of the others.
//!
//! A caller that lost its connection cannot know whether its call was done. It sends the call again
//! with the same key, to any instance, also after a restart:
//!
//! - The outcome of a write is in the same transaction as what the write has changed ([`outcomes`]).
//!   Either both are in the database, or neither is. If the key has an outcome already, the transaction
//!   is rolled back, and the caller gets that one.
//! - All other outcomes, such as an error that stays, are written when the call ends.
//! - A running call holds a claim on its key ([`claims`]): in this process, and on PostgreSQL also
//!   against other instances. It ends with the process.
//!
//! There is [room] for a limited number of outcomes. None is forgotten before its time.

mod claims;
mod outcomes;
mod room;

use std::time::Duration;

use docent_server::{Claim, KeptOutcome, KeyedCall};

use super::Store;
use super::error::Result;
pub(super) use claims::Claims;
pub(super) use outcomes::{Found, begin, keep};
use room::Full;

/// How a database lets only one instance have a claim.
pub(super) trait Lock {
    /// Locks a name until it is released, or this process ends. Returns `false` if another instance has
    /// locked it.
    fn try_lock(&self, name: &str) -> Result<bool>;

    /// Releases a name.
    fn release(&self, name: &str);
}

impl Store {
    /// Returns the same storage with room for so many keys, and for so many bytes of outcomes.
    pub fn with_room_for(self, keys: u64, bytes: u64) -> Self {
        self.claims.room.set(keys, bytes);
        self
    }

    /// Claims the key of a call, unless it was used.
    ///
    /// A claim that is [granted](Claim::Granted) must be ended with [`keep_outcome`](Self::keep_outcome)
    /// or [`release_key`](Self::release_key).
    pub fn claim_key(&self, call: &KeyedCall) -> Result<Claim> {
        if let Some(claim) = self.claims.enter(call) {
            return Ok(claim);
        }
        let claim = self.look(call);
        if !matches!(claim, Ok(Claim::Granted)) {
            self.release_key(call);
        }
        claim
    }

    /// Looks for an outcome, while no other call can add one.
    fn look(&self, call: &KeyedCall) -> Result<Claim> {
        if let Some(lock) = self.lock()
            && !lock.try_lock(&outcomes::name(call))?
        {
            return Ok(Claim::Running);
        }
        match self.outcome(call)? {
            Some(Found::Same(outcome)) => Ok(Claim::Kept(outcome)),
            Some(Found::Other) => Ok(Claim::UsedOtherwise),
            None => match self.make_room()? {
                Ok(()) => Ok(Claim::Granted),
                Err(Full) => Ok(Claim::Full {
                    retry_after: Duration::from_secs(1),
                }),
            },
        }
    }

    /// Returns what is known of the key of a call.
    pub(super) fn outcome(&self, call: &KeyedCall) -> Result<Option<Found>> {
        let today = self.today();
        self.read(|db| outcomes::find(db, call, today))
    }

    /// Keeps the outcome of a call, unless its transaction has kept it, and ends its claim.
    ///
    /// # Errors
    /// If it could not be written. This process then keeps it in memory, writes it as soon as it can,
    /// and does not end the claim before.
    pub fn keep_outcome(&self, call: &KeyedCall, outcome: &KeptOutcome) -> Result<()> {
        if !self.claims.is_written(call) {
            let today = self.today();
            let written = self.write(true, |db| outcomes::write(db, call, outcome, today));
            if let Err(error) = written {
                self.claims.could_not_write(call, outcome);
                return Err(error);
            }
        }
        self.claims.room.filled(outcomes::size(call, outcome));
        self.release_key(call);
        Ok(())
    }

    /// Ends the claim of a call.
    pub fn release_key(&self, call: &KeyedCall) {
        if let Some(lock) = self.lock() {
            lock.release(&outcomes::name(call));
        }
        // Last: until here, no other call of this process may lock the name.
        self.claims.leave(call);
    }

    /// Returns whether there is room for another outcome.
    fn make_room(&self) -> Result<std::result::Result<(), Full>> {
        let claims = &self.claims;
        if claims.room.is_to_be_counted(claims.running()) {
            for (call, outcome) in claims.unwritten() {
                // Where that fails again, the claim goes on.
                let _ = self.keep_outcome(&call, &outcome);
            }
            let before = claims.room.added();
            let today = self.today();
            let ((keys, bytes), has_old) = self.read(|db| {
                let counted = outcomes::count(db, today)?;
                Ok((counted, outcomes::has_old(db, today)?))
            })?;
            claims.room.counted(before, keys, bytes);
            if has_old {
                // They take no room. If they cannot be deleted now, the next count does it.
                let _ = self.write(true, |db| outcomes::forget(db, today));
            }
        }
        Ok(claims.room.check(claims.running()))
    }
}
