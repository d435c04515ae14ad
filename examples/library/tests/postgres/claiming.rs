//! A running call holds its key against every instance.

use std::time::{Duration, Instant};

use crate::instances::{Instances, is_running, outcome, send};

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
fn a_claim_ends_with_its_owner() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    assert_eq!(send(one, "slow", "k").error().0, -32001);
    assert!(is_running(&send(two, "slow", "k")));
    // All that the server notices of an instance that is killed.
    assert!(instances.library.database.cut_connections() > 0);
    instances.shared.open();
    let end = Instant::now() + Duration::from_secs(20);
    let mut answer = send(two, "slow", "k");
    while is_running(&answer) && Instant::now() < end {
        answer = send(two, "slow", "k");
    }
    assert!(answer.json()["result"].is_u64(), "{answer:?}");
}
