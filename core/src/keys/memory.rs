//! A store in the memory of one process.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::room::KeyRoom;
use super::store::{Claim, KeyStore, KeyUsage};
use crate::code;
use crate::fault::Fault;
use crate::runtime::BoxFuture;

/// The maximum number of expired outcomes that one claim forgets, so that no claim takes long.
const FORGOTTEN_AT_ONCE: usize = 64;

/// The room that is set aside for the outcome of a running call, in bytes.
const SET_ASIDE: u64 = 16 * 1024;

/// The approximate memory that a key takes in addition to its texts, in bytes.
const OVERHEAD: usize = 320;

/// The time after which a call that found no room should be repeated, if a running call may free
/// some.
const SOON: Duration = Duration::from_secs(1);

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
/// 16 KiB and does not fit is replaced by an error (-32004) that says so: the call has been done, and its
/// first response was complete.
///
/// ```
/// use std::time::Duration;
///
/// use docent_core::{Cx, Fault, MemoryKeyStore, Procedure, Service};
///
/// let pay = Procedure::sync("pay", |_: Cx, p: Vec<u32>| Ok::<_, Fault>(p.len()));
/// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c31")
///     .procedure(pay.repeatable(Duration::from_secs(86_400)).keys_without_caller())
///     .key_store(MemoryKeyStore::new().max_keys(10_000).max_bytes(16 * 1024 * 1024))
///     .build()?;
/// # Ok::<(), docent_core::BuildError>(())
/// ```
pub struct MemoryKeyStore {
    limits: KeyRoom,
    keys_per_caller: Option<u64>,
    table: Arc<Mutex<Table>>,
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

    /// Sets the maximum number of keys of a known caller, which gets the same part of the bytes. The
    /// default is 1 % of all keys, but at least 100.
    pub fn max_keys_per_caller(mut self, keys: usize) -> Self {
        self.keys_per_caller = Some(keys as u64);
        self
    }

    /// Sets the maximum size of keys and outcomes, in bytes. Each running call takes 16 KiB of it.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.limits.bytes = bytes as u64;
        self
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing panics while the lock is held, so a table is never left half changed.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the limits for the keys of a caller.
    fn share_of(&self, caller: Option<&str>) -> KeyRoom {
        match (caller, self.keys_per_caller) {
            (Some(_), Some(keys)) => self.limits.share(keys),
            _ => self.limits.share_of(caller),
        }
    }

    fn claim_now(&self, call: &KeyedCall) -> Claim {
        let mut table = self.table();
        let now = call.now();
        if let Some(now) = now {
            table.forget_old(now, call);
        }
        let name = Name::of(call);
        if let Some(entry) = table.entries.get(&name) {
            let is_old = entry.is_old(now);
            if !is_old && entry.fingerprint != call.fingerprint {
                return Claim::UsedOtherwise;
            }
            match &entry.outcome {
                None => return Claim::Running,
                Some(outcome) if !is_old => return Claim::Kept(outcome.clone()),
                Some(_) => table.remove(&name),
            }
        }
        let bytes = texts(call) + SET_ASIDE;
        let share = table.share(call);
        if !share.has_room(bytes, self.share_of(call.caller())) {
            let retry_after = share.room_in(now);
            return Claim::ShareFull { retry_after };
        }
        if !table.all.has_room(bytes, self.limits) {
            let retry_after = table.all.room_in(now);
            return Claim::Full { retry_after };
        }
        let entry = Entry {
            fingerprint: call.fingerprint.clone(),
            outcome: None,
            until: None,
            bytes,
        };
        table.insert(name, entry);
        Claim::Granted
    }

    fn keep_now(&self, call: &KeyedCall, mut outcome: KeptOutcome) {
        let mut table = self.table();
        let name = Name::of(call);
        table.remove(&name);
        let texts = texts(call);
        let left =
            |held: &Held, limits: KeyRoom| limits.bytes.saturating_sub(held.room.bytes + texts);
        let in_share = left(table.share(call), self.share_of(call.caller()));
        let room = left(&table.all, self.limits).min(in_share);
        if outcome.json().len() as u64 > room.max(SET_ASIDE) {
            let reason = "the call has been done, but its result was too large to be kept";
            outcome = KeptOutcome::of_fault(&Fault::explained(code::RESPONSE_TOO_LARGE, reason));
        }
        let entry = Entry {
            fingerprint: call.fingerprint.clone(),
            until: call.now().and_then(|now| now.checked_add(call.keep_for)),
            bytes: texts + outcome.json().len() as u64,
            outcome: Some(outcome),
        };
        table.insert(name, entry);
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
        self.table().remove(&Name::of(call));
        Box::pin(std::future::ready(()))
    }

    fn usage(&self) -> Option<KeyUsage> {
        let (held, limits) = (self.table().all.room, self.limits);
        Some(KeyUsage { held, limits })
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
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name(Arc<(Option<String>, String)>);

impl Name {
    fn of(call: &KeyedCall) -> Self {
        Self(Arc::new((call.caller.clone(), call.key.clone())))
    }
}

/// Returns the memory that a call takes in addition to its outcome, in bytes.
fn texts(call: &KeyedCall) -> u64 {
    let caller = call.caller().unwrap_or_default();
    (caller.len() + call.key.len() + call.fingerprint.len() + OVERHEAD) as u64
}

/// The state of a key.
struct Entry {
    fingerprint: String,
    /// `None` while the call is running.
    outcome: Option<KeptOutcome>,
    /// `None` while the call is running, and without a clock.
    until: Option<Instant>,
    bytes: u64,
}

impl Entry {
    fn is_old(&self, now: Option<Instant>) -> bool {
        now.zip(self.until).is_some_and(|(now, until)| until <= now)
    }
}

/// The keys and outcomes in the store, of all callers or of one.
#[derive(Default)]
struct Held {
    room: KeyRoom,
    /// The outcomes, by the time at which they are forgotten.
    order: BTreeSet<(Instant, Name)>,
}

impl Held {
    /// Returns whether one more key, with `bytes`, fits within `limits`.
    fn has_room(&self, bytes: u64, limits: KeyRoom) -> bool {
        let keys = self.room.keys + 1;
        let bytes = self.room.bytes + bytes;
        KeyRoom { keys, bytes }.fits(limits)
    }

    /// Returns the time until there may be room: a short time if a call is running, or else the time
    /// until the oldest outcome is forgotten.
    fn room_in(&self, now: Option<Instant>) -> Duration {
        let is_running = (self.order.len() as u64) < self.room.keys;
        match (now, self.order.first()) {
            (Some(now), Some((until, _))) if !is_running => until.saturating_duration_since(now),
            _ => SOON,
        }
    }

    fn add(&mut self, name: &Name, entry: &Entry) {
        self.room.keys += 1;
        self.room.bytes += entry.bytes;
        self.order
            .extend(entry.until.map(|until| (until, name.clone())));
    }

    fn remove(&mut self, name: &Name, entry: &Entry) {
        self.room.keys -= 1;
        self.room.bytes -= entry.bytes;
        if let Some(until) = entry.until {
            self.order.remove(&(until, name.clone()));
        }
    }

    fn oldest(&self, now: Instant) -> Option<Name> {
        let (until, name) = self.order.first()?;
        (*until <= now).then(|| name.clone())
    }
}

/// Keys with their outcomes. The hashes of the tables are seeded at random, because callers choose
/// the keys.
#[derive(Default)]
struct Table {
    entries: HashMap<Name, Entry>,
    all: Held,
    /// The callers that have keys in the store.
    callers: HashMap<Option<String>, Held>,
    /// The empty share of all other callers.
    nothing: Held,
}

impl Table {
    fn share(&self, call: &KeyedCall) -> &Held {
        self.callers.get(&call.caller).unwrap_or(&self.nothing)
    }

    fn insert(&mut self, name: Name, entry: Entry) {
        self.all.add(&name, &entry);
        let share = self.callers.entry(name.0.0.clone()).or_default();
        share.add(&name, &entry);
        self.entries.insert(name, entry);
    }

    fn remove(&mut self, name: &Name) {
        let Some(entry) = self.entries.remove(name) else {
            return;
        };
        self.all.remove(name, &entry);
        if let Some(share) = self.callers.get_mut(&name.0.0) {
            share.remove(name, &entry);
            if share.room.keys == 0 {
                self.callers.remove(&name.0.0);
            }
        }
    }

    /// Forgets expired outcomes, those of the caller first.
    fn forget_old(&mut self, now: Instant, call: &KeyedCall) {
        for _ in 0..FORGOTTEN_AT_ONCE {
            let oldest = self.share(call).oldest(now);
            let Some(name) = oldest.or_else(|| self.all.oldest(now)) else {
                return;
            };
            self.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::runtime::Runtime;

    /// A clock that is set by hand.
    struct Clock(Instant, Mutex<Duration>);

    impl Runtime for Clock {
        fn spawn(&self, _: BoxFuture<()>) {}

        fn spawn_blocking(&self, _: Box<dyn FnOnce() + Send>) {}

        fn sleep(&self, _: Duration) -> BoxFuture<()> {
            Box::pin(std::future::pending())
        }

        fn now(&self) -> Instant {
            self.0 + *self.1.lock().expect("no panic")
        }
    }

    struct Bench {
        store: MemoryKeyStore,
        clock: Arc<Clock>,
    }

    impl Bench {
        fn new(store: MemoryKeyStore) -> Self {
            let clock = Arc::new(Clock(Instant::now(), Mutex::default()));
            Self { store, clock }
        }

        fn call(&self, key: &str, fingerprint: &str) -> KeyedCall {
            KeyedCall {
                caller: None,
                key: key.to_owned(),
                procedure: "pay".to_owned(),
                fingerprint: fingerprint.to_owned(),
                keep_for: Duration::from_secs(60),
                runtime: Some(Arc::clone(&self.clock) as Arc<dyn Runtime>),
            }
        }

        fn claim(&self, key: &str) -> Claim {
            self.store.claim_now(&self.call(key, "f"))
        }

        fn keep(&self, key: &str, json: &str) {
            let outcome = KeptOutcome::result(json);
            self.store.keep_now(&self.call(key, "f"), outcome);
        }

        fn pass(&self, seconds: u64) {
            *self.clock.1.lock().expect("no panic") += Duration::from_secs(seconds);
        }
    }

    #[test]
    fn a_key_is_running_then_kept_and_then_forgotten() {
        let bench = Bench::new(MemoryKeyStore::new());
        assert_eq!(bench.claim("a"), Claim::Granted);
        bench.pass(3_600);
        assert_eq!(bench.claim("a"), Claim::Running);
        bench.keep("a", "1");
        let kept = Claim::Kept(KeptOutcome::result("1"));
        assert_eq!(bench.claim("a"), kept);
        bench.pass(59);
        assert_eq!(bench.claim("a"), kept);
        bench.pass(1);
        assert_eq!(bench.claim("a"), Claim::Granted);
    }

    #[test]
    fn callers_have_keys_of_their_own_and_each_key_one_call() {
        let bench = Bench::new(MemoryKeyStore::new());
        let of = |caller: Option<&str>, fingerprint| KeyedCall {
            caller: caller.map(str::to_owned),
            ..bench.call("k", fingerprint)
        };
        for caller in [None, Some(""), Some("ada"), Some("bob")] {
            assert_eq!(bench.store.claim_now(&of(caller, "f")), Claim::Granted);
            assert_eq!(bench.store.claim_now(&of(caller, "f")), Claim::Running);
            let other = bench.store.claim_now(&of(caller, "g"));
            assert_eq!(other, Claim::UsedOtherwise);
            let outcome = KeptOutcome::result("1");
            bench.store.keep_now(&of(caller, "f"), outcome);
            let other = bench.store.claim_now(&of(caller, "g"));
            assert_eq!(other, Claim::UsedOtherwise);
        }
        bench.pass(60);
        let other = bench.store.claim_now(&of(Some("ada"), "g"));
        assert_eq!(other, Claim::Granted);
    }

    #[test]
    fn a_full_store_refuses_new_keys_and_drops_none_before_its_time() {
        // Half of it is for calls without a known caller.
        let bench = Bench::new(MemoryKeyStore::new().max_keys(4));
        for key in ["a", "b"] {
            assert_eq!(bench.claim(key), Claim::Granted);
            bench.keep(key, "1");
        }
        bench.pass(1);
        let retry_after = Duration::from_secs(59);
        assert_eq!(bench.claim("c"), Claim::ShareFull { retry_after });
        assert_eq!(bench.claim("a"), Claim::Kept(KeptOutcome::result("1")));
        bench.pass(60);
        assert_eq!(bench.claim("c"), Claim::Granted);
        assert_eq!(bench.claim("d"), Claim::Granted);
        let retry_after = SOON;
        assert_eq!(bench.claim("e"), Claim::ShareFull { retry_after });
        let call = bench.call("d", "f");
        bench.store.table().remove(&Name::of(&call));
        assert_eq!(bench.claim("e"), Claim::Granted);
    }

    #[test]
    fn what_is_kept_never_takes_more_than_its_room() {
        const ROOM: u64 = 130_000;
        let bench = Bench::new(MemoryKeyStore::new().max_bytes(260_000));
        let large = format!("\"{}\"", "x".repeat(100_000));
        let mut granted = 0;
        for key in 0..100 {
            let key = key.to_string();
            if bench.claim(&key) == Claim::Granted {
                granted += 1;
                bench.keep(&key, &large);
            }
            assert!(bench.store.table().all.room.bytes <= ROOM);
        }
        assert!((2..100).contains(&granted), "{granted}");
        assert_eq!(bench.claim("0"), Claim::Kept(KeptOutcome::result(large)));
        let Claim::Kept(second) = bench.claim("1") else {
            panic!("it is kept");
        };
        let fault = second.fault().expect("an error");
        assert_eq!(fault.code(), code::RESPONSE_TOO_LARGE);
        bench.pass(60);
        assert_eq!(bench.claim("new"), Claim::Granted);
        let table = bench.store.table();
        assert_eq!((table.entries.len(), table.all.order.len()), (1, 0));
    }

    #[test]
    fn old_keys_are_forgotten_a_few_at_a_time() {
        let bench = Bench::new(MemoryKeyStore::new());
        for key in 0..1_000 {
            let key = key.to_string();
            assert_eq!(bench.claim(&key), Claim::Granted);
            bench.keep(&key, "1");
        }
        bench.pass(60);
        assert_eq!(bench.claim("999"), Claim::Granted);
        assert_eq!(bench.store.table().entries.len(), 1_000 - FORGOTTEN_AT_ONCE);
        for key in 1_000..1_100 {
            assert_eq!(bench.claim(&key.to_string()), Claim::Granted);
        }
        let table = bench.store.table();
        assert_eq!((table.entries.len(), table.all.order.len()), (101, 0));
    }

    #[test]
    fn a_caller_with_large_outcomes_takes_no_more_bytes_than_its_share() {
        const STORE: usize = 100 * 1024 * 1024;
        let bench = Bench::new(MemoryKeyStore::new().max_keys(2_000).max_bytes(STORE));
        let large = format!("\"{}\"", "x".repeat(2_000_000));
        let of = |caller: &str, key: usize| KeyedCall {
            caller: Some(caller.to_owned()),
            ..bench.call(&key.to_string(), "f")
        };
        let mut granted = 0;
        for key in 0..200 {
            let call = of("ada", key);
            if bench.store.claim_now(&call) == Claim::Granted {
                granted += 1;
                let outcome = KeptOutcome::result(&*large);
                bench.store.keep_now(&call, outcome);
            }
        }
        assert!((3..=100).contains(&granted), "{granted}");
        let share = (STORE / 20) as u64;
        assert!(bench.store.table().all.room.bytes <= share);
        // Its first outcomes are whole, and another caller has a share of its own.
        for (caller, key) in [("ada", 0), ("bob", 0)] {
            let call = of(caller, key);
            if caller == "bob" {
                assert_eq!(bench.store.claim_now(&call), Claim::Granted);
                bench.store.keep_now(&call, KeptOutcome::result(&*large));
            }
            let kept = Claim::Kept(KeptOutcome::result(&*large));
            assert_eq!(bench.store.claim_now(&call), kept);
        }
    }

    #[test]
    fn a_caller_whose_outcomes_are_too_old_has_its_share_again_whatever_others_have_left() {
        let bench = Bench::new(MemoryKeyStore::new());
        let of = |caller: &str, key: usize| KeyedCall {
            caller: Some(caller.to_owned()),
            ..bench.call(&key.to_string(), "f")
        };
        for caller in ["ada", "bob"] {
            for key in 0..1_000 {
                let call = of(caller, key);
                assert_eq!(bench.store.claim_now(&call), Claim::Granted);
                bench.store.keep_now(&call, KeptOutcome::result("1"));
            }
        }
        let retry_after = Duration::from_secs(60);
        let full = bench.store.claim_now(&of("bob", 1_000));
        assert_eq!(full, Claim::ShareFull { retry_after });
        bench.pass(60);
        let again = bench.store.claim_now(&of("bob", 1_000));
        assert_eq!(again, Claim::Granted);
    }
}
