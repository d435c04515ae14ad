//! Tests of the store in memory.

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
    let retry_after = RETRY_DELAY;
    assert_eq!(bench.claim("e"), Claim::ShareFull { retry_after });
    let call = bench.call("d", "f");
    lock(&bench.store.table).remove(&name(&call));
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
        assert!(lock(&bench.store.table).all.room.bytes <= ROOM);
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
    let table = lock(&bench.store.table);
    assert_eq!((table.keys.len(), table.all.order.len()), (1, 0));
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
    assert_eq!(
        lock(&bench.store.table).keys.len(),
        1_000 - MAX_FORGOTTEN_AT_ONCE
    );
    for key in 1_000..1_100 {
        assert_eq!(bench.claim(&key.to_string()), Claim::Granted);
    }
    let table = lock(&bench.store.table);
    assert_eq!((table.keys.len(), table.all.order.len()), (101, 0));
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
    assert!(lock(&bench.store.table).all.room.bytes <= share);
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
