//! A call with a key, as its handler sees it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::call::KeyedCall;
use super::outcome::KeptOutcome;

/// The key of a running call, for handlers that keep its outcome in a transaction of their own,
/// together with what they change. [`Cx::once`](crate::Cx::once) does that for stores that implement
/// [`TransactionStore`](crate::TransactionStore); this is for all others.
///
/// In one transaction, look for the [fingerprint](KeyedCall::fingerprint) and the outcome under the
/// caller and the key. If they are there, roll back and say [`found`](Self::found). Otherwise make the
/// changes, write the outcome, commit, and say [`committed`](Self::committed). What the caller gets is
/// then that outcome, whatever the handler returns.
pub struct RunningKey {
    call: Arc<KeyedCall>,
    progress: Mutex<Progress>,
}

/// How far a handler has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Progress {
    /// What the handler returns is the outcome.
    #[default]
    Open,
    /// What the handler has done is rolled back, unless it gets further.
    InTransaction,
    /// This is kept together with what the handler has done.
    Committed(KeptOutcome),
    /// This is how an earlier call has ended, and the handler has done nothing.
    Found(KeptOutcome),
    /// The handler has done nothing, for this error of the protocol.
    Refused(i64),
    /// Nobody knows whether the handler's transaction was committed. The database will tell.
    InDoubt,
}

impl RunningKey {
    pub(crate) fn new(call: Arc<KeyedCall>) -> Self {
        Self {
            call,
            progress: Mutex::default(),
        }
    }

    /// Returns the call: its caller, its key, its fingerprint, and how long to keep the outcome.
    pub fn call(&self) -> &KeyedCall {
        &self.call
    }

    /// Says that all that the handler does from now on is in one transaction, which is rolled back
    /// unless it is committed. If the handler panics before that, the key is free again.
    pub fn begins(&self) {
        self.set(Progress::InTransaction);
    }

    /// Says that an earlier call has ended like this. The caller gets it again.
    pub fn found(&self, outcome: KeptOutcome) {
        self.set(Progress::Found(outcome));
    }

    /// Says that the same call is running elsewhere. The caller gets -32009.
    pub fn is_running_elsewhere(&self) {
        self.set(Progress::Refused(crate::code::STILL_RUNNING));
    }

    /// Says that the key was used for a call with another fingerprint. The caller gets -32010.
    pub fn is_used_otherwise(&self) {
        self.set(Progress::Refused(crate::code::KEY_USED_OTHERWISE));
    }

    /// Says that a transaction was committed with this outcome in it.
    pub fn committed(&self, outcome: KeptOutcome) {
        self.set(Progress::Committed(outcome));
    }

    /// Says that nobody knows whether the transaction was committed, because the connection was
    /// lost meanwhile. The caller gets what the handler returns, which should be an error that says
    /// that repeating helps: a repetition looks for the outcome again.
    pub fn is_in_doubt(&self) {
        self.set(Progress::InDoubt);
    }

    pub(crate) fn progress(&self) -> Progress {
        self.lock().clone()
    }

    fn set(&self, progress: Progress) {
        *self.lock() = progress;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Progress> {
        // No change leaves it incomplete.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RunningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)
    }
}
