//! A running call holds its key against every instance.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::instances::{Instances, is_running, outcome, send, send_as};

#[test]
fn while_a_call_runs_at_one_instance_another_says_so() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    assert_eq!(send(one, "slow", "k").error().0, -32001);
    for instance in [two, one, instances.start()] {
        assert!(is_running(&send(instance, "slow", "k")));
    }
    assert_eq!(send(two, "count", "k").error().0, -32009);
    instances.shared.open();
    let ended = outcome(two, "slow", "k");
    assert_eq!(ended.json()["result"], 1);
    assert_eq!(instances.runs(), 1);
}

#[test]
fn a_claim_outlives_a_connection_that_breaks_and_its_outcome_is_kept() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    assert_eq!(send(one, "slow", "k").error().0, -32001);
    assert!(instances.library.database.cut_connections() > 0);
    // Any call with a key opens the connection again, and takes the lock that it had.
    assert_eq!(send(one, "count", "other").status, 200);
    assert!(is_running(&send(two, "slow", "k")));
    instances.shared.open();
    assert_eq!(outcome(two, "slow", "k").json()["result"], 1);
    assert_eq!(instances.runs(), 2);
}

#[test]
fn a_claim_outlives_calls_that_end_while_their_connection_is_broken() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    thread::scope(|scope| {
        for key in ["a", "b"] {
            scope.spawn(move || assert_eq!(send(one, "slow", key).error().0, -32001));
        }
    });
    assert_eq!(send(one, "slow", "k").error().0, -32001);
    assert!(instances.library.database.cut_connections() > 0);
    instances.shared.open_first(2);
    // Asked before, another instance could claim the keys, because nothing holds them while the
    // connection is broken.
    let end = Instant::now() + Duration::from_secs(20);
    while instances.library.database.outcomes() < 2 {
        assert!(Instant::now() < end, "the outcomes are not kept");
        thread::sleep(Duration::from_millis(10));
    }
    for key in ["a", "b"] {
        let answer = outcome(two, "slow", key);
        assert!(answer.json()["result"].is_u64(), "{answer:?}");
    }
    assert_eq!(send(one, "count", "other").status, 200);
    assert!(is_running(&send(two, "slow", "k")));
    instances.shared.open();
    assert_eq!(outcome(two, "slow", "k").json()["result"], 3);
}

#[test]
fn a_claim_ends_with_its_owner() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    assert_eq!(send(one, "slow", "k").error().0, -32001);
    assert!(is_running(&send(two, "slow", "k")));
    // All that the server notices of an instance that is killed.
    assert!(instances.library.database.cut_connections() > 0);
    instances.shared.open();
    let answer = outcome(two, "slow", "k");
    assert!(answer.json()["result"].is_u64(), "{answer:?}");
}

#[test]
fn writes_with_different_keys_at_the_same_time_never_have_to_be_repeated() {
    let instances = Instances::new();
    let places = [instances.start(), instances.start()];
    let mut client = instances.library.database.client();
    let mut ended = || {
        let ended = "SELECT xact_commit, xact_rollback FROM pg_stat_database \
                     WHERE datname = current_database()";
        let row = client.query_one(ended, &[]).unwrap();
        (row.get::<_, i64>(0), row.get::<_, i64>(1))
    };
    let (committed, _) = ended();
    thread::scope(|scope| {
        for caller in 0..8 {
            scope.spawn(move || {
                for number in 0..30 {
                    let (params, key) = (json!(["Tove Berg"]), format!("{number}.{caller}"));
                    let place = places[caller % 2];
                    let answer = send_as("Bearer anna", place, "admit", &params, &key);
                    assert!(answer.json()["result"].is_object(), "{answer:?}");
                }
            });
        }
    });
    // Each call looks for its key and then writes. The server counts what has ended a little later.
    let end = Instant::now() + Duration::from_secs(20);
    while ended().0 < committed + 480 && Instant::now() < end {
        thread::sleep(Duration::from_millis(100));
    }
    assert!(ended().0 >= committed + 480);
    // The three stores have each looked at the schema, and rolled back.
    assert!(ended().1 <= 3, "{:?}", ended());
}
