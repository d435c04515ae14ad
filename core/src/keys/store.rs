//! Where outcomes are kept.

use std::sync::Arc;
use std::time::Duration;

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::room::KeyRoom;
use crate::fault::Fault;
use crate::runtime::BoxFuture;

/// Keeps the outcomes of calls with keys, so that a call can be repeated without being done twice.
///
/// A service asks its store to [`claim`](Self::claim) the key of each call, before its handler
/// starts. Whoever has claimed a key runs the handler and then either keeps the outcome or releases
/// the key. Until then, nobody else may get the same claim.
///
/// A call is identified by its [caller](KeyedCall::caller) and its [key](KeyedCall::key) together,
/// and asks for the same as another if their [fingerprints](KeyedCall::fingerprint) are equal.
///
/// [`MemoryKeyStore`](crate::MemoryKeyStore) serves a single process. Several instances of a service
/// need a store that they share, in which a claim ends with its owner: an instance that is killed
/// releases nothing. A lease does that, and so does a lock that a database holds for a connection. They
/// share the store's clock: whether an outcome is too old is for the database to say, not for an instance.
///
/// A store keeps each caller within its [share](KeyRoom::share_of), so that none takes the room of the
/// others. A share belongs to an [id](crate::Identity::id): it holds as long as callers cannot make up
/// identities.
///
/// A future may be dropped before it is ready. A claim that is granted to a future that was dropped
/// must end by itself, too.
pub trait KeyStore: Send + Sync + 'static {
    /// Claims the key of a call, unless it has been used.
    ///
    /// # Errors
    /// The error that the caller gets if the store fails. The handler does not run.
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>>;

    /// Keeps the outcome of a call that has ended, for [as long](KeyedCall::keep_for) as its
    /// procedure says, and ends its claim.
    ///
    /// If a transaction of the handler has kept it already ([`RunningKey`](crate::RunningKey)), it
    /// stays as it is.
    ///
    /// # Errors
    /// Why it could not be kept. This is logged, and the caller gets its response all the same. The
    /// claim should last until it is certain that nobody repeats the call.
    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>>;

    /// Ends the claim of a call that may be repeated as if it had never been made. An outcome that was
    /// kept stays.
    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()>;

    /// Returns how full the store is, for [`Service::key_usage`](crate::Service::key_usage) and metrics;
    /// `None` if that is unknown. It must not block.
    fn usage(&self) -> Option<KeyUsage> {
        None
    }
}

/// How full a [`KeyStore`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUsage {
    /// What is taken, by running calls too.
    pub held: KeyRoom,
    /// The limits of the store.
    pub limits: KeyRoom,
}

/// What a store knows about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// Nobody has used the key: the handler runs.
    Granted,
    /// The first call with this key has not ended (-32009).
    Running,
    /// The first call with this key has ended like this. The caller gets the same again.
    Kept(KeptOutcome),
    /// The key was used for a call with another fingerprint, which may still be running (-32010).
    UsedOtherwise,
    /// The store has no room for another key (-32002).
    Full {
        /// When there may be room: when the oldest outcome is forgotten, or soon if a running call takes
        /// the room.
        retry_after: Duration,
    },
    /// The caller's [share](KeyRoom::share_of) has no room for another key (-32002).
    ShareFull {
        /// When there may be room in the share, as for [`Full`](Self::Full).
        retry_after: Duration,
    },
}

impl<K: KeyStore> KeyStore for Arc<K> {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        (**self).claim(call)
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        (**self).keep(call, outcome)
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        (**self).release(call)
    }

    fn usage(&self) -> Option<KeyUsage> {
        (**self).usage()
    }
}
