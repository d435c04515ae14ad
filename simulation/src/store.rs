//! The key stores: one that delays and fails around another, and one like a database.
//!
//! The ledger learns of each claim at the moment at which the store decides, before the service does, so
//! that an answer which is lost on its way is noticed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::{BoxFuture, Claim, Fault, KeptOutcome, KeyStore, KeyedCall, MemoryKeyStore};

use crate::executor::lock;
use crate::keys::{CallerKey, ClaimAnswer, caller_key};
use crate::settings::{KEEP_TIME, Planted};
use crate::world::World;

/// A store that is sometimes slow or fails, around one that never is.
pub(crate) struct UnreliableStore {
    world: World,
    inner: Arc<dyn KeyStore>,
}

impl UnreliableStore {
    pub(crate) fn new(world: &World, inner: impl KeyStore) -> Self {
        Self {
            world: world.clone(),
            inner: Arc::new(inner),
        }
    }

    /// Returns an operation on the key of a call, which may outlive the borrowed store.
    fn operation(&self, call: &Arc<KeyedCall>) -> Operation {
        Operation {
            world: self.world.clone(),
            inner: Arc::clone(&self.inner),
            call: Arc::clone(call),
        }
    }
}

/// The parameters of an operation on the key of a call.
struct Operation {
    world: World,
    inner: Arc<dyn KeyStore>,
    call: Arc<KeyedCall>,
}

impl Operation {
    async fn claim(self) -> Result<Claim, Fault> {
        let world = self.world.clone();
        world.wait_if_store_is_slow().await;
        let name = caller_key(&self.call);
        if world.store_fails() {
            world.note(format_args!("the store fails {name:?}"));
            world.ledger().keys.record_answer(name, ClaimAnswer::Failed);
            return Err(Fault::internal("no connection"));
        }
        let claim = self.inner.claim(&self.call).await?;
        world.check_running_calls();
        world.note(format_args!("claim {name:?}: {claim:?}"));
        let checked = world
            .ledger()
            .keys
            .claimed(name, &claim, world.settings(), world.now());
        world.record_check(checked);
        // If the call is cancelled while the answer is on its way, the claim is released.
        let mut undelivered = UndeliveredClaim(None);
        if claim == Claim::Granted {
            undelivered.0 = Some(self);
        }
        world.wait_if_store_is_slow().await;
        undelivered.0 = None;
        Ok(claim)
    }

    async fn keep(self, outcome: KeptOutcome) -> Result<(), Fault> {
        let Self { world, inner, call } = self;
        world.wait_if_store_is_slow().await;
        if world.store_fails() {
            // The claim stays, so that the call never runs again.
            world.ledger().keys.kept(caller_key(&call), Duration::MAX);
            return Err(Fault::internal("no connection"));
        }
        inner.keep(&call, outcome).await?;
        world.note(format_args!("kept {:?}", caller_key(&call)));
        let until = world.now() + KEEP_TIME;
        world.ledger().keys.kept(caller_key(&call), until);
        Ok(())
    }

    /// Releases a claim in the store and in the ledger at once.
    fn release(&self) {
        let name = caller_key(&self.call);
        drop(self.inner.release(&self.call));
        self.world.note(format_args!("released {name:?}"));
        self.world.ledger().keys.released(&name);
    }
}

impl World {
    /// Waits, if the store is slow this time.
    async fn wait_if_store_is_slow(&self) {
        if self.chance(self.settings().store_waits) {
            let time = self.drawn(|rng| rng.u64(1..4_000));
            self.executor().after(Duration::from_millis(time)).await;
        }
    }

    fn store_fails(&self) -> bool {
        self.chance(self.settings().store_fails)
    }
}

impl KeyStore for UnreliableStore {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        Box::pin(self.operation(call).claim())
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        Box::pin(self.operation(call).keep(outcome))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        let operation = self.operation(call);
        Box::pin(async move {
            operation.world.wait_if_store_is_slow().await;
            operation.release();
        })
    }
}

/// A granted claim that the service has not received yet. Dropping it releases the claim.
struct UndeliveredClaim(Option<Operation>);

impl Drop for UndeliveredClaim {
    fn drop(&mut self) {
        if let Some(operation) = &self.0 {
            operation.release();
        }
    }
}

/// A store that reads first and writes later, so that other calls can come in between.
pub(crate) struct Database {
    world: World,
    rows: Arc<Mutex<BTreeMap<CallerKey, Row>>>,
}

/// A key in the database.
struct Row {
    fingerprint: String,
    /// The outcome and the time until which it is kept, or `None` while the call is running.
    outcome: Option<(KeptOutcome, Duration)>,
}

impl Database {
    pub(crate) fn new(world: &World) -> Self {
        Self {
            world: world.clone(),
            rows: Arc::default(),
        }
    }
}

/// Returns the claim that an earlier call with the key leads to, or `None` if the key is new.
fn earlier_claim(
    rows: &mut BTreeMap<CallerKey, Row>,
    world: &World,
    call: &KeyedCall,
) -> Option<Claim> {
    let now = world.now();
    rows.retain(|_, row| row.outcome.as_ref().is_none_or(|(_, until)| *until > now));
    let row = rows.get(&caller_key(call))?;
    if world.settings().is(Planted::KeysGrantedTwice) && world.chance(20) {
        return None;
    }
    Some(match &row.outcome {
        _ if row.fingerprint != call.fingerprint() => Claim::UsedOtherwise,
        Some((outcome, _)) => Claim::Kept(outcome.clone()),
        None => Claim::Running,
    })
}

/// Returns whether there is room for a key, in the store and in its caller's share.
fn has_room(rows: &BTreeMap<CallerKey, Row>, world: &World, call: &KeyedCall) -> bool {
    let settings = world.settings();
    let keys_of_caller = rows
        .keys()
        .filter(|(caller, _)| caller.as_deref() == call.caller())
        .count();
    let is_in_share = keys_of_caller < settings.share(call.caller());
    // The planted fault takes twice as many keys as there is room for.
    let room = settings.room << u32::from(settings.is(Planted::KeysBeyondTheRoom));
    rows.len() < room && (is_in_share || settings.is(Planted::KeysWithoutShares))
}

impl KeyStore for Database {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let world = self.world.clone();
        let rows = Arc::clone(&self.rows);
        let call = Arc::clone(call);
        Box::pin(async move {
            if let Some(claim) = earlier_claim(&mut lock(&rows), &world, &call) {
                return Ok(claim);
            }
            if !has_room(&lock(&rows), &world, &call) {
                // Answer like a store that has no room.
                return MemoryKeyStore::new().max_keys(0).claim(&call).await;
            }
            world.wait_if_store_is_slow().await;
            let mut rows = lock(&rows);
            let grants_twice = world.settings().is(Planted::KeysGrantedTwice);
            if rows.contains_key(&caller_key(&call)) && !grants_twice {
                return Ok(Claim::Running);
            }
            let row = Row {
                fingerprint: call.fingerprint().to_owned(),
                outcome: None,
            };
            rows.insert(caller_key(&call), row);
            Ok(Claim::Granted)
        })
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        let until = self.world.executor().clock() + call.keep_for();
        if let Some(row) = lock(&self.rows).get_mut(&caller_key(call)) {
            row.outcome = Some((outcome, until));
        }
        Box::pin(std::future::ready(Ok(())))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        lock(&self.rows).remove(&caller_key(call));
        Box::pin(std::future::ready(()))
    }
}
