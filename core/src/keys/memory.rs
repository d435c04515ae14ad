//! A store in the memory of one process.
//!
//! It is for services with a single instance, because other processes do not see its keys. It needs
//! no I/O, so all of its answers are ready at once.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::room::KeyRoom;
use super::store::{Claim, KeyStore, KeyUsage};
use crate::code;
use crate::fault::Fault;
use crate::panic::lock;
use crate::runtime::BoxFuture;

/// The limit on expired outcomes that one claim forgets, so that every claim is short.
const MAX_FORGOTTEN_AT_ONCE: usize = 64;

/// The room that is set aside for the outcome of a running call, in bytes. An outcome of this size always fits.
const MIN_OUTCOME_ROOM: u64 = 16 * 1024;

/// The approximate memory that a key takes in addition to its texts, in bytes.
const KEY_OVERHEAD: usize = 320;

/// The time after which a call that found no room should be repeated, if a running call may free
/// some.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Keeps outcomes in the memory of one process.
///
/// The outcomes do not survive the process: after a restart or a crash, a repeated call runs again.
/// Other processes do not see them, so a service with several instances behind one address needs a
/// store that they share.
///
/// The store is bounded in number and in size, as a whole and for each caller: a known caller has a
/// [share](KeyRoom::share_of) of 1 %, but at least 100 keys, and calls without a known caller share half.
/// When the store or the share is full, calls with new keys do not run and get -32002 (Busy) with a
/// reason and `data.retryAfter`. The store never drops an outcome early. An outcome that is larger than
/// 16 KiB and does not fit is replaced by an error (-32004), for repetitions only: the first response was
/// complete.
///
/// ```
/// use std::time::Duration;
///
/// use docent::{Cx, Fault, MemoryKeyStore, Procedure, Service};
///
/// let pay = Procedure::sync("pay", |_: Cx, p: Vec<u32>| Ok::<_, Fault>(p.len()));
/// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c31")
///     .procedure(pay.repeatable(Duration::from_secs(86_400)).keys_without_caller())
///     .key_store(MemoryKeyStore::new().max_keys(10_000).max_bytes(16 * 1024 * 1024))
///     .build()?;
/// # Ok::<(), docent::BuildError>(())
/// ```
#[cfg(feature = "keys")]
pub struct MemoryKeyStore {
    limits: KeyRoom,
    keys_per_caller: Option<u64>,
    /// The keys. Nothing panics while the lock is held, so the table is never left half changed.
    table: Arc<Mutex<KeyTable>>,
}

impl Default for MemoryKeyStore {
    fn default() -> Self {
        Self {
            limits: KeyRoom {
                keys: 100_000,
                bytes: 256 * 1024 * 1024,
            },
            keys_per_caller: None,
            table: Arc::default(),
        }
    }
}

impl MemoryKeyStore {
    /// Creates a store with room for 100,000 keys and 256 MiB.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of keys.
    pub fn max_keys(mut self, keys: usize) -> Self {
        self.limits.keys = keys as u64;
        self
    }

    /// Sets the maximum number of keys of a known caller, which gets the same part of the bytes.
    /// Default: 1 % of all keys, but at least 100.
    pub fn max_keys_per_caller(mut self, keys: usize) -> Self {
        self.keys_per_caller = Some(keys as u64);
        self
    }

    /// Sets the maximum size of keys and outcomes, in bytes. Each running call takes 16 KiB of it.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.limits.bytes = bytes as u64;
        self
    }

    /// Returns the limits for the keys of a caller.
    fn limits_of(&self, caller: Option<&str>) -> KeyRoom {
        match (caller, self.keys_per_caller) {
            (Some(_), Some(keys)) => self.limits.share(keys),
            _ => self.limits.share_of(caller),
        }
    }

    fn claim_now(&self, call: &KeyedCall) -> Claim {
        let mut table = lock(&self.table);
        let now = call.now();
        if let Some(now) = now {
            table.forget_old(now, call);
        }
        let name = name(call);
        if table.keys.get(&name).is_some_and(|key| key.is_old(now)) {
            table.remove(&name);
        }
        if let Some(key) = table.keys.get(&name) {
            return match &key.outcome {
                _ if key.fingerprint != call.fingerprint => Claim::UsedOtherwise,
                None => Claim::Running,
                Some(outcome) => Claim::Kept(outcome.clone()),
            };
        }
        let bytes = texts(call) + MIN_OUTCOME_ROOM;
        let own = table.keys_of_caller(call);
        if !own.has_room(bytes, self.limits_of(call.caller())) {
            let retry_after = own.time_to_room(now);
            return Claim::ShareFull { retry_after };
        }
        if !table.all.has_room(bytes, self.limits) {
            let retry_after = table.all.time_to_room(now);
            return Claim::Full { retry_after };
        }
        let key = KeyState {
            fingerprint: call.fingerprint.clone(),
            outcome: None,
            until: None,
            bytes,
        };
        table.insert(name, key);
        Claim::Granted
    }

    fn keep_now(&self, call: &KeyedCall, mut outcome: KeptOutcome) {
        let mut table = lock(&self.table);
        let name = name(call);
        table.remove(&name);
        let texts = texts(call);
        let limits = self.limits_of(call.caller());
        let left_to_caller = table.keys_of_caller(call).bytes_left(limits);
        let left_in_store = table.all.bytes_left(self.limits);
        let room = left_to_caller.min(left_in_store).saturating_sub(texts);
        if outcome.json().len() as u64 > room.max(MIN_OUTCOME_ROOM) {
            let reason = "the call has been done, but its result was too large to be kept";
            outcome = KeptOutcome::of_fault(&Fault::explained(code::RESPONSE_TOO_LARGE, reason));
        }
        let key = KeyState {
            fingerprint: call.fingerprint.clone(),
            until: call.now().and_then(|now| now.checked_add(call.keep_for)),
            bytes: texts + outcome.json().len() as u64,
            outcome: Some(outcome),
        };
        table.insert(name, key);
    }
}

impl KeyStore for MemoryKeyStore {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let claim = self.claim_now(call);
        Box::pin(std::future::ready(Ok(claim)))
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        self.keep_now(call, outcome);
        Box::pin(std::future::ready(Ok(())))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        lock(&self.table).remove(&name(call));
        Box::pin(std::future::ready(()))
    }

    fn usage(&self) -> Option<KeyUsage> {
        Some(KeyUsage {
            held: lock(&self.table).all.room,
            limits: self.limits,
        })
    }
}

impl fmt::Debug for MemoryKeyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryKeyStore")
            .field("usage", &self.usage())
            .finish_non_exhaustive()
    }
}

/// The caller and the key of a call.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct KeyName {
    caller: Option<String>,
    key: String,
}

fn name(call: &KeyedCall) -> Arc<KeyName> {
    Arc::new(KeyName {
        caller: call.caller.clone(),
        key: call.key.clone(),
    })
}

/// Returns the memory that a call takes in addition to its outcome, in bytes.
fn texts(call: &KeyedCall) -> u64 {
    let caller = call.caller().unwrap_or_default();
    (caller.len() + call.key.len() + call.fingerprint.len() + KEY_OVERHEAD) as u64
}

/// The state of a key.
struct KeyState {
    fingerprint: String,
    /// `None` while the call is running.
    outcome: Option<KeptOutcome>,
    /// `None` while the call is running, and without a clock.
    until: Option<Instant>,
    bytes: u64,
}

impl KeyState {
    fn is_old(&self, now: Option<Instant>) -> bool {
        now.zip(self.until).is_some_and(|(now, until)| until <= now)
    }
}

/// The keys and outcomes in the store, of all callers or of one.
#[derive(Default)]
struct StoredKeys {
    room: KeyRoom,
    /// The outcomes, by the time at which they are forgotten.
    order: BTreeSet<(Instant, Arc<KeyName>)>,
}

impl StoredKeys {
    /// Returns whether one more key, with `bytes`, fits within `limits`.
    fn has_room(&self, bytes: u64, limits: KeyRoom) -> bool {
        let keys = self.room.keys + 1;
        let bytes = self.room.bytes + bytes;
        KeyRoom { keys, bytes }.fits(limits)
    }

    /// Returns the number of bytes that are left within `limits`.
    fn bytes_left(&self, limits: KeyRoom) -> u64 {
        limits.bytes.saturating_sub(self.room.bytes)
    }

    /// Returns the time until there may be room: a short time if a call is running, or else the time
    /// until the oldest outcome is forgotten.
    fn time_to_room(&self, now: Option<Instant>) -> Duration {
        let is_running = (self.order.len() as u64) < self.room.keys;
        match (now, self.order.first()) {
            (Some(now), Some((until, _))) if !is_running => until.saturating_duration_since(now),
            _ => RETRY_DELAY,
        }
    }

    fn add(&mut self, name: &Arc<KeyName>, key: &KeyState) {
        self.room.keys += 1;
        self.room.bytes += key.bytes;
        self.order
            .extend(key.until.map(|until| (until, name.clone())));
    }

    fn remove(&mut self, name: &Arc<KeyName>, key: &KeyState) {
        self.room.keys -= 1;
        self.room.bytes -= key.bytes;
        if let Some(until) = key.until {
            self.order.remove(&(until, name.clone()));
        }
    }

    fn oldest(&self, now: Instant) -> Option<Arc<KeyName>> {
        let (until, name) = self.order.first()?;
        (*until <= now).then(|| name.clone())
    }
}

/// Keys with their outcomes. The hashes of the tables are seeded at random, because callers choose
/// the keys.
#[derive(Default)]
struct KeyTable {
    keys: HashMap<Arc<KeyName>, KeyState>,
    all: StoredKeys,
    /// The callers that have keys in the store.
    callers: HashMap<Option<String>, StoredKeys>,
    /// The keys of all other callers: none.
    no_keys: StoredKeys,
}

impl KeyTable {
    fn keys_of_caller(&self, call: &KeyedCall) -> &StoredKeys {
        self.callers.get(&call.caller).unwrap_or(&self.no_keys)
    }

    fn insert(&mut self, name: Arc<KeyName>, key: KeyState) {
        self.all.add(&name, &key);
        let own = self.callers.entry(name.caller.clone()).or_default();
        own.add(&name, &key);
        self.keys.insert(name, key);
    }

    fn remove(&mut self, name: &Arc<KeyName>) {
        let Some(key) = self.keys.remove(name) else {
            return;
        };
        self.all.remove(name, &key);
        if let Some(own) = self.callers.get_mut(&name.caller) {
            own.remove(name, &key);
            if own.room.keys == 0 {
                self.callers.remove(&name.caller);
            }
        }
    }

    /// Forgets expired outcomes, those of the caller first.
    fn forget_old(&mut self, now: Instant, call: &KeyedCall) {
        for _ in 0..MAX_FORGOTTEN_AT_ONCE {
            let oldest = self.keys_of_caller(call).oldest(now);
            let Some(name) = oldest.or_else(|| self.all.oldest(now)) else {
                return;
            };
            self.remove(&name);
        }
    }
}
