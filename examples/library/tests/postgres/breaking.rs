//! Connections break while callers write.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use library::model::{AddMember, GetStats};
use serde_json::json;

use crate::instances::{Instances, send_as};
use crate::support::{Library, Writes};

/// The number of callers that write at the same time.
const CALLERS: u32 = 6;

/// The number of members that each of them adds.
const EACH: u32 = 30;

fn members(library: &Library) -> u32 {
    library.store.stats(&GetStats::default()).unwrap().members
}

/// Runs `write` for each caller and number, while every connection is ended again and again. Returns
/// how many connections were ended.
fn while_connections_break(library: &Library, write: impl Fn(u32, u32) + Sync) -> i64 {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let breaker = scope.spawn(|| {
            let mut cut = 0;
            while !done.load(Ordering::Relaxed) {
                cut += library.database.cut_connections();
                thread::sleep(Duration::from_millis(20));
            }
            cut
        });
        let callers: Vec<_> = (0..CALLERS)
            .map(|caller| {
                let write = &write;
                scope.spawn(move || (0..EACH).for_each(|number| write(caller, number)))
            })
            .collect();
        for caller in callers {
            caller.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
        breaker.join().unwrap()
    })
}

#[test]
fn a_member_is_added_while_another_transaction_has_added_one_and_is_open() {
    let library = Library::new();
    let mut client = library.database.client();
    let mut other = client.transaction().unwrap();
    let insert = "INSERT INTO members (card, name, joined) VALUES ('-', 'Slow', '2024-01-01')";
    other.batch_execute(insert).unwrap();
    // It would wait for the other transaction, and give up, if both had taken the same number.
    library.member();
    other.rollback().unwrap();
    library.member();
}

#[test]
fn a_write_with_a_key_is_done_once_whatever_breaks() {
    let instances = Instances::new();
    let instance = instances.start();
    let before = members(&instances.library);
    let cut = while_connections_break(&instances.library, |caller, number| {
        let key = format!("{caller}.{number}");
        // The store repeats it once, and the caller until it is done.
        loop {
            let params = json!(["Patient"]);
            let response = send_as("Bearer anna", instance, "admit", &params, &key);
            if response.json()["result"].is_object() {
                break;
            }
        }
    });
    assert!(cut > 0, "no connection was ended");
    assert_eq!(members(&instances.library) - before, CALLERS * EACH);
}

#[test]
fn a_write_without_a_key_is_done_once_at_most_and_if_it_says_so() {
    let library = Library::new();
    let before = members(&library);
    let (acknowledged, unknown) = (
        std::sync::atomic::AtomicU32::new(0),
        std::sync::atomic::AtomicU32::new(0),
    );
    let cut = while_connections_break(&library, |_, _| {
        let request = AddMember {
            name: "Hasty".to_owned(),
        };
        match library.store.add_member(&request) {
            Ok(_) => acknowledged.fetch_add(1, Ordering::Relaxed),
            Err(library::store::Error::Unknown(_)) => unknown.fetch_add(1, Ordering::Relaxed),
            // Nothing was changed.
            Err(_) => 0,
        };
    });
    assert!(cut > 0, "no connection was ended");
    let added = members(&library) - before;
    let (acknowledged, unknown) = (acknowledged.into_inner(), unknown.into_inner());
    assert!(
        (acknowledged..=acknowledged + unknown).contains(&added),
        "{added} added, {acknowledged} acknowledged, {unknown} unknown"
    );
}
