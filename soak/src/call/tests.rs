//! Tests of the check of outcomes.

use std::time::Duration;

use serde_json::json;

use super::*;

fn write() -> ExpectedCall {
    let call = ExpectedCall::new("member.add", json!({"name": "Soak 1"}));
    call.writes(Kind::Member, "Soak 1".to_owned())
}

/// Returns how many findings a call reports if these outcomes arrive one after the other.
fn findings(call: &ExpectedCall, outcomes: impl IntoIterator<Item = Outcome>) -> u64 {
    let world = World::new(1, Duration::from_secs(18));
    call.note(&world);
    for outcome in outcomes {
        call.settle(&world, outcome);
    }
    world.findings()
}

fn member(name: &str, card: &str) -> Outcome {
    Outcome::Result(json!({"name": name, "card": card}))
}

#[test]
fn an_acknowledgement_names_the_write_that_was_sent_and_never_changes() {
    assert_eq!(findings(&write(), [member("Soak 1", "L1")]), 0);
    assert_eq!(findings(&write(), [member("Soak 2", "L1")]), 1);
    assert_eq!(findings(&write(), [Outcome::Result(json!(null))]), 1);
    let again = [member("Soak 1", "L1"), member("Soak 1", "L1")];
    assert_eq!(findings(&write(), again), 0);
    let twice = [member("Soak 1", "L1"), member("Soak 1", "L2")];
    assert_eq!(findings(&write(), twice), 1);
}

#[test]
fn an_unexpected_error_is_a_finding() {
    let busy = Outcome::Error(code::BUSY);
    assert_eq!(findings(&write(), [busy.clone()]), 0);
    assert_eq!(findings(&write(), [Outcome::Error(1404)]), 1);
    let failing = || ExpectedCall::new("book.get", json!({"book": 9})).fails(&[1404]);
    assert_eq!(findings(&failing(), [Outcome::Error(1404)]), 0);
    assert_eq!(findings(&failing(), [busy]), 0);
    assert_eq!(findings(&failing(), [Outcome::Result(json!({}))]), 1);
    let shows = ExpectedCall::new("book.get", json!([7])).shows("/book/id", 7);
    let book = |id| Outcome::Result(json!({"book": {"id": id}}));
    assert_eq!(findings(&shows, [book(7)]), 0);
    assert_eq!(findings(&shows, [book(8)]), 1);
}

#[test]
fn a_repetition_with_a_key_ends_as_the_call_did() {
    let again = |before, outcome| {
        let call = ExpectedCall::new("loan.end", json!([9])).fails(&[1407, 1412]);
        let (key, before) = (Some("k".to_owned()), Some(before));
        findings(
            &ExpectedCall {
                key,
                before,
                ..call
            },
            [outcome],
        )
    };
    let error = Outcome::Error;
    assert_eq!(again(error(1407), error(1407)), 0);
    assert_eq!(again(error(1407), error(code::STILL_RUNNING)), 0);
    assert_eq!(again(error(1407), error(1412)), 1);
    assert!(error(1407).is_kept() && !error(1409).is_kept() && !error(1503).is_kept());
}

#[test]
fn a_refused_write_may_not_succeed_later_unless_its_outcome_was_unknown() {
    let done = member("Soak 1", "L1");
    let after = |error, call: &ExpectedCall| findings(call, [Outcome::Error(error), done.clone()]);
    assert_eq!(after(code::BUSY, &write()), 1);
    assert_eq!(after(code::TIMED_OUT, &write()), 0);
    let keyed = ExpectedCall {
        key: Some("k".to_owned()),
        ..write()
    };
    assert_eq!(after(code::BUSY, &keyed), 0);
    assert_eq!(after(code::STILL_RUNNING, &keyed), 0);
    assert_eq!(findings(&write(), [Outcome::Error(code::STILL_RUNNING)]), 1);
}
