//! A store in the memory of one process.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::store::{Claim, KeyStore};
use crate::code;
use crate::fault::Fault;
use crate::runtime::BoxFuture;

/// How many outcomes that are too old a claim forgets, so that no claim takes long.
const FORGOTTEN_AT_ONCE: usize = 64;

/// The room that is set aside for the outcome of a running call.
const SET_ASIDE: usize = 16 * 1024;

/// What a key takes beside its texts, roughly.
const OVERHEAD: usize = 320;

/// Keeps outcomes in the memory of one process.
///
/// It does not survive the process: after a restart or a crash, a repeated call runs again. Other
/// processes do not see it, so a service with several instances behind one address needs a store
/// that they share.
///
/// It is bounded in number and in size. When it is full, calls with new keys get -32002 (Busy), and
/// are not run. It never drops an outcome before its time. An outcome that is larger than 16 KiB and
/// finds no room is replaced by an error (-32004) that says so: the call has been done, and its first
/// response was complete.
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
    max_keys: usize,
    max_bytes: usize,
    table: Arc<Mutex<Table>>,
}

impl Default for MemoryKeyStore {
    fn default() -> Self {
        Self {
            max_keys: 100_000,
            max_bytes: 256 * 1024 * 1024,
            table: Arc::default(),
        }
    }
}

impl MemoryKeyStore {
    /// Creates a store with room for 100,000 keys and 256 MiB.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many keys there is room for.
    pub fn max_keys(mut self, keys: usize) -> Self {
        self.max_keys = keys;
        self
    }

    /// Sets how much memory keys and outcomes may take, in bytes. Each running call takes 16 KiB of
    /// it.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // A table is never left half changed: nothing that happens under the lock panics.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn claim_now(&self, call: &KeyedCall) -> Claim {
        let mut table = self.table();
        let now = call.now();
        if let Some(now) = now {
            table.forget_old(now);
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
        let bytes = name.size() + call.fingerprint.len() + OVERHEAD + SET_ASIDE;
        if table.entries.len() >= self.max_keys || table.bytes + bytes > self.max_bytes {
            return Claim::Full;
        }
        table.bytes += bytes;
        let entry = Entry {
            fingerprint: call.fingerprint.clone(),
            outcome: None,
            until: None,
            bytes,
        };
        table.entries.insert(name, entry);
        Claim::Granted
    }

    fn keep_now(&self, call: &KeyedCall, mut outcome: KeptOutcome) {
        let mut table = self.table();
        let name = Name::of(call);
        table.remove(&name);
        let texts = name.size() + call.fingerprint.len() + OVERHEAD;
        let room = self.max_bytes.saturating_sub(table.bytes + texts);
        if outcome.json().len() > room.max(SET_ASIDE) {
            let reason = "the call has been done, but its result was too large to be kept";
            outcome = KeptOutcome::of_fault(&Fault::explained(code::RESPONSE_TOO_LARGE, reason));
        }
        let until = call.now().and_then(|now| now.checked_add(call.keep_for));
        if let Some(until) = until {
            table.order.insert((until, name.clone()));
        }
        let bytes = texts + outcome.json().len();
        table.bytes += bytes;
        let entry = Entry {
            fingerprint: call.fingerprint.clone(),
            outcome: Some(outcome),
            until,
            bytes,
        };
        table.entries.insert(name, entry);
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
}

impl fmt::Debug for MemoryKeyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryKeyStore")
            .field("keys", &self.table().entries.len())
            .field("max_keys", &self.max_keys)
            .field("max_bytes", &self.max_bytes)
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

    fn size(&self) -> usize {
        self.0.0.as_ref().map_or(0, String::len) + self.0.1.len()
    }
}

/// What is known of a key.
struct Entry {
    fingerprint: String,
    /// `None` while the call is running.
    outcome: Option<KeptOutcome>,
    /// `None` while the call is running, and without a clock.
    until: Option<Instant>,
    bytes: usize,
}

impl Entry {
    fn is_old(&self, now: Option<Instant>) -> bool {
        now.zip(self.until).is_some_and(|(now, until)| until <= now)
    }
}

/// Keys, and when they are forgotten. The hash of the table is keyed, because callers choose what is
/// put into it.
#[derive(Default)]
struct Table {
    entries: HashMap<Name, Entry>,
    order: BTreeSet<(Instant, Name)>,
    bytes: usize,
}

impl Table {
    fn remove(&mut self, name: &Name) {
        if let Some(entry) = self.entries.remove(name) {
            self.bytes -= entry.bytes;
            if let Some(until) = entry.until {
                self.order.remove(&(until, name.clone()));
            }
        }
    }

    fn forget_old(&mut self, now: Instant) {
        for _ in 0..FORGOTTEN_AT_ONCE {
            let Some((_, name)) = self.order.first().filter(|(until, _)| *until <= now) else {
                return;
            };
            let name = name.clone();
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
        let bench = Bench::new(MemoryKeyStore::new().max_keys(2));
        for key in ["a", "b"] {
            assert_eq!(bench.claim(key), Claim::Granted);
            bench.keep(key, "1");
        }
        assert_eq!(bench.claim("c"), Claim::Full);
        assert_eq!(bench.claim("a"), Claim::Kept(KeptOutcome::result("1")));
        bench.pass(60);
        assert_eq!(bench.claim("c"), Claim::Granted);
        assert_eq!(bench.claim("d"), Claim::Granted);
        assert_eq!(bench.claim("e"), Claim::Full);
        let call = bench.call("d", "f");
        bench.store.table().remove(&Name::of(&call));
        assert_eq!(bench.claim("e"), Claim::Granted);
    }

    #[test]
    fn what_is_kept_never_takes_more_than_its_room() {
        const ROOM: usize = 130_000;
        let bench = Bench::new(MemoryKeyStore::new().max_bytes(ROOM));
        let large = format!("\"{}\"", "x".repeat(100_000));
        let mut granted = 0;
        for key in 0..100 {
            let key = key.to_string();
            if bench.claim(&key) == Claim::Granted {
                granted += 1;
                bench.keep(&key, &large);
            }
            assert!(bench.store.table().bytes <= ROOM);
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
        assert_eq!((table.entries.len(), table.order.len()), (1, 0));
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
        assert_eq!((table.entries.len(), table.order.len()), (101, 0));
    }
}
