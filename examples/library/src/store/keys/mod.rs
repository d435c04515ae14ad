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
//! There is room for a limited number of outcomes, and each caller has a share of it. The database counts them
//! as they are written, so the limits hold for all instances together; they may be exceeded by the calls that
//! are running. No outcome is forgotten before its time, which the database's clock tells.

mod claims;
mod outcomes;

use docent::{Claim, KeptOutcome, KeyRoom, KeyUsage, KeyedCall};

use super::Store;
use super::error::Result;
pub(super) use claims::Claims;
pub(super) use outcomes::{KeptCall, begin, keep};

/// The room for outcomes unless the store is told otherwise: at 500 writes a second, for those of half an
/// hour; at ten, for those of a day.
pub(super) const ROOM: KeyRoom = KeyRoom {
    keys: 1_000_000,
    bytes: 1 << 30,
};

/// A lock that lets only one instance have a claim.
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
        let room = KeyRoom { keys, bytes };
        Self { room, ..self }
    }

    /// Returns how full the storage was when a new key was last seen.
    pub fn key_usage(&self) -> KeyUsage {
        KeyUsage {
            held: self.claims.held(),
            limits: self.room,
        }
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
            Some(KeptCall::Same(outcome)) => Ok(Claim::Kept(outcome)),
            Some(KeptCall::Other) => Ok(Claim::UsedOtherwise),
            None => self.grant(call),
        }
    }

    /// Grants a claim if there is room for its outcome.
    fn grant(&self, call: &KeyedCall) -> Result<Claim> {
        if let Some((call, outcome)) = self.claims.unwritten() {
            // The claim goes on if that fails again.
            let _ = self.keep_outcome(&call, &outcome);
        }
        let before = self.read(|db| outcomes::taken(db, call))?;
        let claim = self.claims.grant(call, self.room, &before);
        let is_granted = claim == Claim::Granted;
        let has_old = before.1.oldest.is_some_and(|seconds| seconds <= 0);
        if is_granted && !self.claims.is_time_to_forget() || !is_granted && !has_old {
            return Ok(claim);
        }
        let forgotten = self.write(true, outcomes::forget);
        if is_granted {
            // If they cannot be deleted now, another call does it.
            return Ok(claim);
        }
        forgotten?;
        let now = self.read(|db| outcomes::taken(db, call))?;
        Ok(self.claims.grant(call, self.room, &now))
    }

    /// Returns what is known of the key of a call.
    pub(super) fn outcome(&self, call: &KeyedCall) -> Result<Option<KeptCall>> {
        self.read(|db| outcomes::find(db, call))
    }

    /// Keeps the outcome of a call, unless its transaction has kept it, and ends its claim.
    ///
    /// # Errors
    /// If it could not be written. This process then keeps it in memory, writes it as soon as it can,
    /// and does not end the claim before.
    pub fn keep_outcome(&self, call: &KeyedCall, outcome: &KeptOutcome) -> Result<()> {
        if !self.claims.is_written(call) {
            let written = self.write(true, |db| outcomes::write(db, call, outcome));
            if let Err(error) = written {
                self.claims.could_not_write(call, outcome);
                return Err(error);
            }
        }
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
}
