//! The store that keeps the outcomes of calls.
//!
//! The trait is all that the service asks of a store. Several instances need one that they share;
//! `docent-keys` has one for SQLite and PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::room::KeyRoom;
use crate::fault::Fault;
use crate::runtime::BoxFuture;

/// Keeps the outcomes of calls with keys, so that a repeated call does not run twice.
///
/// A service [claims](Self::claim) the key of each call before the handler starts. The owner of a
/// claim runs the handler and then either keeps the outcome or releases the key. Until then, the
/// store must not grant the key again.
///
/// A call is identified by its [caller](KeyedCall::caller) and its [key](KeyedCall::key) together.
/// Two calls have the same procedure and parameters if their [fingerprints](KeyedCall::fingerprint)
/// are equal.
///
/// [`MemoryKeyStore`](crate::MemoryKeyStore) serves a single process. Several instances of a service need
/// a store that they share. There, a claim must end with its owner, because a killed instance releases
/// nothing: use a lease, or a lock that a database holds for a connection. Let the store's own clock decide
/// whether an outcome has expired, not the clock of an instance.
///
/// A store keeps each caller within its [share](KeyRoom::share_of), so that none takes the room of the
/// others. A share belongs to an [id](crate::Identity::id), so it works only if callers cannot invent
/// identities.
///
/// A future may be dropped before it is ready. If it was granted a claim, that claim must also end by
/// itself.
///
/// A store for one process, which never forgets:
///
/// ```
/// use std::collections::HashMap;
/// use std::future::ready;
/// use std::sync::{Arc, Mutex};
///
/// use docent::{BoxFuture, Claim, Fault, KeptOutcome, KeyStore, KeyedCall};
///
/// struct Record {
///     fingerprint: String,
///     /// `None` while the call runs.
///     outcome: Option<KeptOutcome>,
/// }
///
/// #[derive(Default)]
/// struct Records(Mutex<HashMap<String, Record>>);
///
/// /// Two callers may use the same key.
/// fn name(call: &KeyedCall) -> String {
///     format!("{:?} {}", call.caller(), call.key())
/// }
///
/// impl KeyStore for Records {
///     fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
///         let mut records = self.0.lock().unwrap();
///         let claim = match records.get(&name(call)) {
///             None => {
///                 let fingerprint = call.fingerprint().to_owned();
///                 records.insert(name(call), Record { fingerprint, outcome: None });
///                 Claim::Granted
///             }
///             Some(record) if record.fingerprint != call.fingerprint() => Claim::UsedOtherwise,
///             Some(Record { outcome: Some(outcome), .. }) => Claim::Kept(outcome.clone()),
///             Some(_) => Claim::Running,
///         };
///         Box::pin(ready(Ok(claim)))
///     }
///
///     fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
///         if let Some(record) = self.0.lock().unwrap().get_mut(&name(call)) {
///             record.outcome.get_or_insert(outcome);
///         }
///         Box::pin(ready(Ok(())))
///     }
///
///     fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
///         let name = name(call);
///         let mut records = self.0.lock().unwrap();
///         records.retain(|other, record| *other != name || record.outcome.is_some());
///         Box::pin(ready(()))
///     }
/// }
///
/// # use std::sync::atomic::{AtomicU32, Ordering};
/// # use std::time::Duration;
/// # use docent::{Cx, Procedure, Service};
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let receipts = AtomicU32::new(1);
/// # let pay = Procedure::sync("pay", move |_: Cx, _: Vec<u32>| Ok::<_, Fault>(receipts.fetch_add(1, Ordering::Relaxed)));
/// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c41")
///     .procedure(pay.repeatable(Duration::from_secs(86_400)).keys_without_caller())
///     .key_store(Records::default())
///     .build()?;
/// let call = r#"{"jsonrpc": "2.0", "method": "pay", "params": [7], "x-idempotency-key": "k1", "id": 1}"#;
/// let first = service.handle(call).await;
/// assert_eq!(first.as_deref(), Some(br#"{"jsonrpc":"2.0","result":1,"id":1}"#.as_slice()));
/// assert_eq!(service.handle(call).await, first);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "keys")]
pub trait KeyStore: Send + Sync + 'static {
    /// Claims the key of a call, unless it has been used.
    ///
    /// # Errors
    /// Returns the error for the caller if the store fails. The handler does not run.
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>>;

    /// Keeps the outcome of a call that has ended, for the time that its procedure
    /// [sets](KeyedCall::keep_for), and ends its claim.
    ///
    /// An outcome that a transaction of the handler has already kept
    /// ([`RunningKey`](crate::RunningKey)) stays as it is.
    ///
    /// # Errors
    /// Returns the reason if the outcome could not be kept. It is logged, and the caller still gets its
    /// response. The claim should last until the call will certainly not be repeated.
    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>>;

    /// Ends the claim of a call that may be repeated as if it had never been made. A kept outcome
    /// stays.
    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()>;

    /// Returns whether outcomes are kept in the transactions of handlers, so that every repeatable procedure must return a
    /// [`Once`](crate::Once). The claims of such a store only say what is running in this process, and what a transaction
    /// has committed is not [kept](Self::keep) again. `build()` refuses other procedures.
    fn requires_once(&self) -> bool {
        false
    }

    /// Returns the usage of the store, for [`Service::key_usage`](crate::Service::key_usage) and
    /// metrics; `None` if it is unknown. It must not block.
    fn usage(&self) -> Option<KeyUsage> {
        None
    }
}

/// The usage of a [`KeyStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(feature = "keys")]
pub struct KeyUsage {
    /// The room in use, including that of running calls.
    pub held: KeyRoom,
    /// The limits of the store.
    pub limits: KeyRoom,
}

/// The answer of a store to the claim of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[cfg(feature = "keys")]
pub enum Claim {
    /// The key is new: the handler runs.
    Granted,
    /// The first call with this key has not ended (-32009).
    Running,
    /// The outcome of the first call with this key. The caller gets it again.
    Kept(KeptOutcome),
    /// The key was used for a call with another fingerprint, which may still be running (-32010).
    UsedOtherwise,
    /// The store has no room for another key (-32002).
    Full {
        /// The time until there may be room: until the oldest outcome is forgotten, or a short time if a
        /// running call takes the room.
        retry_after: Duration,
    },
    /// The caller's [share](KeyRoom::share_of) has no room for another key (-32002).
    ShareFull {
        /// The time until there may be room in the share, as for [`Full`](Self::Full).
        retry_after: Duration,
    },
}

impl<K: KeyStore + ?Sized> KeyStore for Arc<K> {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        (**self).claim(call)
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        (**self).keep(call, outcome)
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        (**self).release(call)
    }

    fn requires_once(&self) -> bool {
        (**self).requires_once()
    }

    fn usage(&self) -> Option<KeyUsage> {
        (**self).usage()
    }
}
