//! Tests of the store in memory.

use std::time::Duration;

use super::*;
use crate::runtime::Runtime;

/// A clock that is set by hand.
struct Clock {
    begun: Instant,
    passed: Mutex<Duration>,
}

impl Runtime for Clock {
    fn spawn(&self, _: BoxFuture<()>) {}

    fn spawn_blocking(&self, _: Box<dyn FnOnce() + Send>) {}

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn now(&self) -> Instant {
        self.begun + *self.passed.lock().expect("no panic")
    }
}

/// A store, with the clock of the calls that use it.
struct TimedStore {
    store: MemoryKeyStore,
    clock: Arc<Clock>,
}

impl TimedStore {
    fn new(store: MemoryKeyStore) -> Self {
        let clock = Clock {
            begun: Instant::now(),
            passed: Mutex::default(),
        };
        Self {
            store,
            clock: Arc::new(clock),
        }
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

    fn call_of(&self, caller: Option<&str>, key: &str, fingerprint: &str) -> KeyedCall {
        KeyedCall {
            caller: caller.map(str::to_owned),
            ..self.call(key, fingerprint)
        }
    }

    fn claim(&self, key: &str) -> Claim {
        self.store.claim_now(&self.call(key, "f"))
    }

    fn keep(&self, key: &str, json: &str) {
        self.store
            .keep_now(&self.call(key, "f"), KeptOutcome::result(json));
    }

    fn pass(&self, seconds: u64) {
        *self.clock.passed.lock().expect("no panic") += Duration::from_secs(seconds);
    }
}

#[test]
fn a_key_is_running_then_kept_and_then_forgotten() {
    let timed = TimedStore::new(MemoryKeyStore::new());
    assert_eq!(timed.claim("a"), Claim::Granted);
    timed.pass(3_600);
    assert_eq!(timed.claim("a"), Claim::Running);
    timed.keep("a", "1");
    let kept = Claim::Kept(KeptOutcome::result("1"));
    assert_eq!(timed.claim("a"), kept);
    timed.pass(59);
    assert_eq!(timed.claim("a"), kept);
    timed.pass(1);
    assert_eq!(timed.claim("a"), Claim::Granted);
}

#[test]
fn callers_have_keys_of_their_own_and_each_key_one_call() {
    let timed = TimedStore::new(MemoryKeyStore::new());
    for caller in [None, Some(""), Some("ada"), Some("bob")] {
        let call = timed.call_of(caller, "k", "f");
        let other = timed.call_of(caller, "k", "g");
        assert_eq!(timed.store.claim_now(&call), Claim::Granted);
        assert_eq!(timed.store.claim_now(&call), Claim::Running);
        assert_eq!(timed.store.claim_now(&other), Claim::UsedOtherwise);
        timed.store.keep_now(&call, KeptOutcome::result("1"));
        assert_eq!(timed.store.claim_now(&other), Claim::UsedOtherwise);
    }
    timed.pass(60);
    assert_eq!(
        timed.store.claim_now(&timed.call_of(Some("ada"), "k", "g")),
        Claim::Granted
    );
}

#[test]
fn a_full_store_refuses_new_keys_and_drops_none_before_its_time() {
    // Half of it is for calls without a known caller.
    let timed = TimedStore::new(MemoryKeyStore::new().max_keys(4));
    for key in ["a", "b"] {
        assert_eq!(timed.claim(key), Claim::Granted);
        timed.keep(key, "1");
    }
    timed.pass(1);
    let retry_after = Duration::from_secs(59);
    assert_eq!(timed.claim("c"), Claim::ShareFull { retry_after });
    assert_eq!(timed.claim("a"), Claim::Kept(KeptOutcome::result("1")));
    timed.pass(60);
    assert_eq!(timed.claim("c"), Claim::Granted);
    assert_eq!(timed.claim("d"), Claim::Granted);
    let retry_after = RETRY_DELAY;
    assert_eq!(timed.claim("e"), Claim::ShareFull { retry_after });
    lock(&timed.store.table).remove(&name(&timed.call("d", "f")));
    assert_eq!(timed.claim("e"), Claim::Granted);
}

#[test]
fn what_is_kept_never_takes_more_than_its_room() {
    const ROOM: u64 = 130_000;
    let timed = TimedStore::new(MemoryKeyStore::new().max_bytes(260_000));
    let large = format!("\"{}\"", "x".repeat(100_000));
    let mut granted = 0;
    for key in 0..100 {
        let key = key.to_string();
        if timed.claim(&key) == Claim::Granted {
            granted += 1;
            timed.keep(&key, &large);
        }
        assert!(lock(&timed.store.table).all.room.bytes <= ROOM);
    }
    assert!((2..100).contains(&granted), "{granted}");
    assert_eq!(timed.claim("0"), Claim::Kept(KeptOutcome::result(large)));
    let Claim::Kept(second) = timed.claim("1") else {
        panic!("it is kept");
    };
    let fault = second.fault().expect("an error");
    assert_eq!(fault.code(), code::RESPONSE_TOO_LARGE);
    timed.pass(60);
    assert_eq!(timed.claim("new"), Claim::Granted);
    let table = lock(&timed.store.table);
    assert_eq!((table.keys.len(), table.all.order.len()), (1, 0));
}

#[test]
fn old_keys_are_forgotten_a_few_at_a_time() {
    let timed = TimedStore::new(MemoryKeyStore::new());
    for key in 0..1_000 {
        let key = key.to_string();
        assert_eq!(timed.claim(&key), Claim::Granted);
        timed.keep(&key, "1");
    }
    timed.pass(60);
    assert_eq!(timed.claim("999"), Claim::Granted);
    assert_eq!(
        lock(&timed.store.table).keys.len(),
        1_000 - MAX_FORGOTTEN_AT_ONCE
    );
    for key in 1_000..1_100 {
        assert_eq!(timed.claim(&key.to_string()), Claim::Granted);
    }
    let table = lock(&timed.store.table);
    assert_eq!((table.keys.len(), table.all.order.len()), (101, 0));
}

#[test]
fn a_caller_with_large_outcomes_takes_no_more_bytes_than_its_share() {
    const STORE: usize = 100 * 1024 * 1024;
    let timed = TimedStore::new(MemoryKeyStore::new().max_keys(2_000).max_bytes(STORE));
    let large = format!("\"{}\"", "x".repeat(2_000_000));
    let mut granted = 0;
    for key in 0..200 {
        let call = timed.call_of(Some("ada"), &key.to_string(), "f");
        if timed.store.claim_now(&call) == Claim::Granted {
            granted += 1;
            timed.store.keep_now(&call, KeptOutcome::result(&*large));
        }
    }
    assert!((3..=100).contains(&granted), "{granted}");
    let share = (STORE / 20) as u64;
    assert!(lock(&timed.store.table).all.room.bytes <= share);
    // Its first outcomes are whole, and another caller has a share of its own.
    let kept = Claim::Kept(KeptOutcome::result(&*large));
    let first = timed.call_of(Some("ada"), "0", "f");
    assert_eq!(timed.store.claim_now(&first), kept);
    let of_bob = timed.call_of(Some("bob"), "0", "f");
    assert_eq!(timed.store.claim_now(&of_bob), Claim::Granted);
    timed.store.keep_now(&of_bob, KeptOutcome::result(&*large));
    assert_eq!(timed.store.claim_now(&of_bob), kept);
}

#[test]
fn a_caller_whose_outcomes_are_too_old_has_its_share_again_whatever_others_have_left() {
    let timed = TimedStore::new(MemoryKeyStore::new());
    for caller in ["ada", "bob"] {
        for key in 0..1_000 {
            let call = timed.call_of(Some(caller), &key.to_string(), "f");
            assert_eq!(timed.store.claim_now(&call), Claim::Granted);
            timed.store.keep_now(&call, KeptOutcome::result("1"));
        }
    }
    let retry_after = Duration::from_secs(60);
    let one_more = timed.call_of(Some("bob"), "1000", "f");
    assert_eq!(
        timed.store.claim_now(&one_more),
        Claim::ShareFull { retry_after }
    );
    timed.pass(60);
    assert_eq!(timed.store.claim_now(&one_more), Claim::Granted);
}
