//! A call with a key, as its handler sees it.
//!
//! A handler may take over the keeping of its outcome. This is how it reports to the service what has
//! become of the key.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::store::Claim;
use crate::panic::lock;

/// The key of a running call, for handlers that keep its outcome in a transaction of their own,
/// together with what they change. [`Cx::once`](crate::Cx::once) does that for stores that implement
/// [`TransactionStore`](crate::TransactionStore); this type is for all others.
///
/// In one transaction, look for the [fingerprint](KeyedCall::fingerprint) and the outcome under the
/// caller and the key. If they are there, roll back and call [`found`](Self::found). Otherwise make
/// the changes, write the outcome, commit, and call [`committed`](Self::committed). The caller then
/// gets that outcome, whatever the handler returns.
///
/// Here the tables are in memory, and a transaction is a copy that replaces them:
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
///
/// use docent::{Cx, Fault, KeptOutcome, KeyedCall, ResultExt};
///
/// #[derive(Clone, Default)]
/// struct Tables {
///     payments: Vec<u32>,
///     outcomes: HashMap<String, Record>,
/// }
///
/// #[derive(Clone)]
/// struct Record {
///     fingerprint: String,
///     outcome: KeptOutcome,
/// }
///
/// /// Two callers may use the same key.
/// fn name(call: &KeyedCall) -> String {
///     format!("{:?} {}", call.caller(), call.key())
/// }
///
/// fn pay(cx: Cx<Mutex<Tables>>, invoices: Vec<u32>) -> Result<usize, Fault> {
///     let mut committed = cx.state().lock().unwrap();
///     let mut changed = committed.clone();
///     changed.payments.extend(invoices);
///     let receipt = changed.payments.len();
///     let Some(key) = cx.running_key() else {
///         *committed = changed;
///         return Ok(receipt);
///     };
///     match changed.outcomes.get(&name(key.call())) {
///         Some(record) if record.fingerprint != key.call().fingerprint() => key.is_used_otherwise(),
///         Some(record) => key.found(record.outcome.clone()),
///         None => {
///             let fingerprint = key.call().fingerprint().to_owned();
///             let outcome = KeptOutcome::from_result(&receipt).internal()?;
///             let record = Record { fingerprint, outcome: outcome.clone() };
///             changed.outcomes.insert(name(key.call()), record);
///             *committed = changed;
///             key.committed(outcome);
///         }
///     }
///     Ok(receipt)
/// }
/// # use docent::{Procedure, Service};
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let day = std::time::Duration::from_secs(86_400);
/// # let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c43")
/// #     .state(Mutex::new(Tables::default()))
/// #     .procedure(Procedure::sync("pay", pay).repeatable(day).keys_without_caller())
/// #     .build()?;
/// # let call = r#"{"jsonrpc": "2.0", "method": "pay", "params": [7], "x-idempotency-key": "k1", "id": 1}"#;
/// # let first = service.handle(call).await;
/// # assert_eq!(first.as_deref(), Some(br#"{"jsonrpc":"2.0","result":1,"id":1}"#.as_slice()));
/// # assert_eq!(service.handle(call).await, first);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "keys")]
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
    /// The handler has changed nothing, because its transaction did not get the key.
    Refused(Claim),
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
        self.refuse(Claim::Running);
    }

    /// Reports that the key was used for a call with another fingerprint. The caller gets -32010.
    pub fn is_used_otherwise(&self) {
        self.refuse(Claim::UsedOtherwise);
    }

    /// Reports why the handler's transaction did not get the key.
    pub(super) fn refuse(&self, reason: Claim) {
        self.set(Progress::Refused(reason));
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
