//! A call with a key, as its handler sees it.
//!
//! A handler may take over the keeping of its outcome. This is how it tells the service what has
//! become of the key.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use crate::panic::lock;

/// The key of a running call, for handlers that keep its outcome in a transaction of their own,
/// together with what they change. [`Cx::once`](crate::Cx::once) does that for stores that implement
/// [`TransactionStore`](crate::TransactionStore); this type is for all others.
///
/// In one transaction, look for the [fingerprint](KeyedCall::fingerprint) and the outcome under the
/// caller and the key. If they are there, roll back and call [`found`](Self::found). Otherwise make
/// the changes, write the outcome, commit, and call [`committed`](Self::committed). The caller then
/// gets that outcome, whatever the handler returns.
pub struct RunningKey {
    pub(crate) call: Arc<KeyedCall>,
    /// The progress that the handler has reported. No change can leave it incomplete.
    progress: Mutex<Progress>,
}

/// The progress of a handler that may keep its outcome itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The outcome is what the handler returns.
    #[default]
    Open,
    /// The changes of the handler are rolled back, unless it gets further.
    InTransaction,
    /// The outcome has been committed together with the changes of the handler.
    Committed(KeptOutcome),
    /// An earlier call had this outcome, and the handler has changed nothing.
    Found(KeptOutcome),
    /// The handler has changed nothing, because of this error of the protocol.
    Rejected(i64),
    /// It is unknown whether the handler's transaction was committed. The database has the answer.
    InDoubt,
}

impl RunningKey {
    pub(crate) fn new(call: KeyedCall) -> Self {
        Self {
            call: Arc::new(call),
            progress: Mutex::default(),
        }
    }

    /// Returns the call: its caller, its key, its fingerprint, and how long to keep the outcome.
    pub fn call(&self) -> &KeyedCall {
        &self.call
    }

    /// Declares that all further changes of the handler belong to one transaction, which is rolled
    /// back unless it is committed. If the handler panics before that, the key is free again.
    pub fn begins(&self) {
        self.set(Progress::InTransaction);
    }

    /// Reports the outcome of an earlier call. The caller gets it again.
    pub fn found(&self, outcome: KeptOutcome) {
        self.set(Progress::Found(outcome));
    }

    /// Reports that the same call is running elsewhere. The caller gets -32009.
    pub fn is_running_elsewhere(&self) {
        self.set(Progress::Rejected(crate::code::STILL_RUNNING));
    }

    /// Reports that the key was used for a call with another fingerprint. The caller gets -32010.
    pub fn is_used_otherwise(&self) {
        self.set(Progress::Rejected(crate::code::KEY_USED_OTHERWISE));
    }

    /// Reports that a transaction was committed that contains this outcome.
    pub fn committed(&self, outcome: KeptOutcome) {
        self.set(Progress::Committed(outcome));
    }

    /// Reports that it is unknown whether the transaction was committed, because the connection was
    /// lost meanwhile. The caller gets the outcome of the handler. Return an error with `retry = true`:
    /// the repeated call looks for the outcome again.
    pub fn is_in_doubt(&self) {
        self.set(Progress::InDoubt);
    }

    pub(crate) fn progress(&self) -> Progress {
        lock(&self.progress).clone()
    }

    fn set(&self, progress: Progress) {
        *lock(&self.progress) = progress;
    }
}

impl fmt::Debug for RunningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)
    }
}
