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
    assert_eq!(instances.library.database.outcomes(), 1);
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
    let response = outcome(two, "slow", "k");
    assert!(response.json()["result"].is_u64(), "{response:?}");
    // What the first owner has done was rolled back, so the key has one effect and one outcome.
    assert_eq!(outcome(one, "slow", "k").body, response.body);
    assert_eq!(instances.library.database.outcomes(), 1);
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
                    let response = send_as("Bearer anna", place, "admit", &params, &key);
                    assert!(response.json()["result"].is_object(), "{response:?}");
                }
            });
        }
    });
    // The server counts what has ended a little later.
    let end = Instant::now() + Duration::from_secs(20);
    while ended().0 < committed + 240 && Instant::now() < end {
        thread::sleep(Duration::from_millis(100));
    }
    assert!(ended().0 >= committed + 240);
    assert_eq!(ended().1, 0, "{:?}", ended());
}
