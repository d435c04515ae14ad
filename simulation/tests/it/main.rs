//! A fixed number of seeds, and faults that they must find.

use simulation::{Planted, run};

/// The number of seeds of a plain run of the tests.
const SEEDS: u64 = 100;

/// The number of seeds within which each planted fault is found.
const MAX_SEEDS_TO_FIND: u64 = 300;

#[test]
fn the_promises_hold_for_many_callers_in_any_order() {
    for seed in 0..SEEDS {
        if let Err(finding) = run(seed, None) {
            panic!("{finding}");
        }
    }
}

/// Returns the events of a run, whether or not a promise is broken.
fn events(seed: u64) -> Vec<String> {
    run(seed, None).unwrap_or_else(|finding| finding.events)
}

#[test]
fn a_seed_is_the_same_run_each_time() {
    for seed in 0..20 {
        assert_eq!(events(seed), events(seed), "seed {seed}");
    }
}

#[test]
fn every_planted_fault_is_found() {
    for (planted, broken) in [
        (Planted::KeysWithoutShares, "the store has no room for"),
        (Planted::KeysGrantedTwice, "has two effects"),
        (
            Planted::KeysBeyondTheRoom,
            "keys are held, where there is room for",
        ),
        (Planted::MoreLogins, "wrong credentials are allowed"),
        (Planted::LoginsTogether, "-32008"),
        (Planted::CheckDropped, "the check of"),
        (Planted::CallUnobserved, "observers were told of"),
        (Planted::PermitLost, "that nobody runs"),
        (Planted::MorePermits, "calls are running, at most"),
        (
            Planted::MorePermitsOfOne,
            "calls of `few` are running, at most",
        ),
        (Planted::MoreOften, "too often"),
        (Planted::WriteDropped, "was dropped before its end"),
        (Planted::ResultsMixedUp, "the result of another call"),
        (Planted::AnswerLost, "is not answered"),
        (Planted::AnswerTwice, "was not asked for"),
        (Planted::AnswerLate, "before its answer"),
        (Planted::ItemLost, "items are lost untold"),
        (Planted::LossUnreported, "items are lost untold"),
        (Planted::EndLost, "has no end"),
        (Planted::UnsubscribeIgnored, "that is over"),
        (Planted::AccountForgotten, "bytes wait"),
        (Planted::MoreConnectionCalls, "calls run over connection"),
        (Planted::MoreOfConnection, "of a connection are open"),
        (Planted::MoreOfService, "of the service are open"),
        (Planted::SourceKept, "sources are left"),
    ] {
        let is_found = (0..MAX_SEEDS_TO_FIND)
            .filter_map(|seed| run(seed, Some(planted)).err())
            .any(|finding| finding.broken.contains(broken));
        assert!(is_found, "{planted:?} is not found");
    }
}
