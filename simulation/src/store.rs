//! The key stores: one that delays and fails around another, and one like a database.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::{BoxFuture, Claim, Fault, KeptOutcome, KeyStore, KeyedCall, MemoryKeyStore};

use crate::executor::lock;
use crate::keys::{Name, Said, name};
use crate::settings::{KEPT, Planted};
use crate::world::World;

/// A store that is sometimes slow or fails, around one that never is.
pub(crate) struct Store {
    world: World,
    inner: Arc<dyn KeyStore>,
}

impl Store {
    pub(crate) fn new(world: &World, inner: impl KeyStore) -> Self {
        Self {
            world: world.clone(),
            inner: Arc::new(inner),
        }
    }

    fn parts(&self, call: &Arc<KeyedCall>) -> (World, Arc<dyn KeyStore>, Arc<KeyedCall>) {
        (
            self.world.clone(),
            Arc::clone(&self.inner),
            Arc::clone(call),
        )
    }
}

impl World {
    /// Waits, if the store is slow this time.
    async fn waits(&self) {
        if self.chance(self.settings().store_waits) {
            let time = self.drawn(|rng| rng.u64(1..4_000));
            self.executor().after(Duration::from_millis(time)).await;
        }
    }

    fn store_fails(&self) -> bool {
        self.chance(self.settings().store_fails)
    }
}

impl KeyStore for Store {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let (world, inner, call) = self.parts(call);
        Box::pin(async move {
            world.waits().await;
            let name = name(&call);
            if world.store_fails() {
                world.note(format_args!("the store fails {name:?}"));
                world.ledger().keys.note(name, Said::Failed);
                return Err(Fault::internal("no connection"));
            }
            let claim = inner.claim(&call).await?;
            world.sample();
            world.note(format_args!("claim {name:?}: {claim:?}"));
            let checked = world
                .ledger()
                .keys
                .claimed(name, &claim, world.settings(), world.now());
            world.hold(checked);
            let granted = claim == Claim::Granted;
            let mut unheard = Unheard(granted.then(|| (world.clone(), inner, call)));
            world.waits().await;
            unheard.0 = None;
            Ok(claim)
        })
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        let (world, inner, call) = self.parts(call);
        Box::pin(async move {
            world.waits().await;
            if world.store_fails() {
                // The claim stays, so that the call never runs again.
                world.ledger().keys.kept(name(&call), Duration::MAX);
                return Err(Fault::internal("no connection"));
            }
            inner.keep(&call, outcome).await?;
            world.note(format_args!("kept {:?}", name(&call)));
            world.ledger().keys.kept(name(&call), world.now() + KEPT);
            Ok(())
        })
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        let (world, inner, call) = self.parts(call);
        Box::pin(async move {
            world.waits().await;
            release(&world, &*inner, &call);
        })
    }
}

/// Releases a claim in the store and in the ledger at once.
fn release(world: &World, inner: &dyn KeyStore, call: &Arc<KeyedCall>) {
    drop(inner.release(call));
    world.note(format_args!("released {:?}", name(call)));
    world.ledger().keys.released(&name(call));
}

/// A granted claim that the service has not received yet. Dropping it releases the claim.
struct Unheard(Option<(World, Arc<dyn KeyStore>, Arc<KeyedCall>)>);

impl Drop for Unheard {
    fn drop(&mut self) {
        if let Some((world, inner, call)) = &self.0 {
            release(world, &**inner, call);
        }
    }
}

/// A store that reads first and writes later, so that other calls can come in between.
pub(crate) struct Database {
    world: World,
    rows: Arc<Mutex<BTreeMap<Name, Row>>>,
}

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

/// Returns the claim that the rows lead to, or `None` if the key is new.
fn look(rows: &mut BTreeMap<Name, Row>, world: &World, call: &KeyedCall) -> Option<Claim> {
    let (now, settings) = (world.executor().clock(), world.settings());
    rows.retain(|_, row| row.outcome.as_ref().is_none_or(|(_, until)| *until > now));
    if let Some(row) = rows.get(&name(call)) {
        if settings.is(Planted::KeysGrantedTwice) && world.chance(20) {
            return None;
        }
        return Some(match &row.outcome {
            _ if row.fingerprint != call.fingerprint() => Claim::UsedOtherwise,
            Some((outcome, _)) => Claim::Kept(outcome.clone()),
            None => Claim::Running,
        });
    }
    None
}

/// Returns whether there is room for a key, in the store and in its caller's share.
fn has_room(rows: &BTreeMap<Name, Row>, world: &World, call: &KeyedCall) -> bool {
    let settings = world.settings();
    let own = rows
        .keys()
        .filter(|(caller, _)| caller.as_deref() == call.caller());
    let is_in_share = own.count() < settings.share(call.caller());
    let room = settings.room << u32::from(settings.is(Planted::KeysBeyondTheRoom));
    rows.len() < room && (is_in_share || settings.is(Planted::KeysWithoutShares))
}

impl KeyStore for Database {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let (world, rows, call) = (self.world.clone(), Arc::clone(&self.rows), Arc::clone(call));
        Box::pin(async move {
            let found = look(&mut lock(&rows), &world, &call);
            if let Some(claim) = found {
                return Ok(claim);
            }
            if !has_room(&lock(&rows), &world, &call) {
                // Answer like a store that has no room.
                return MemoryKeyStore::new().max_keys(0).claim(&call).await;
            }
            world.waits().await;
            let mut rows = lock(&rows);
            let is_twice = world.settings().is(Planted::KeysGrantedTwice);
            if rows.contains_key(&name(&call)) && !is_twice {
                return Ok(Claim::Running);
            }
            let row = Row {
                fingerprint: call.fingerprint().to_owned(),
                outcome: None,
            };
            rows.insert(name(&call), row);
            Ok(Claim::Granted)
        })
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        let until = self.world.executor().clock() + call.keep_for();
        if let Some(row) = lock(&self.rows).get_mut(&name(call)) {
            row.outcome = Some((outcome, until));
        }
        Box::pin(std::future::ready(Ok(())))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        lock(&self.rows).remove(&name(call));
        Box::pin(std::future::ready(()))
    }
}
