//! Writers that repeat their calls with keys while the process is killed.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::http::{Client, TOKEN};
use crate::keyed::keyed;
use crate::started::Started;

/// The keyed calls that have been done, by key: the card that each has given.
type Ledger = Mutex<HashMap<String, String>>;

/// Admits members until it is told to stop, and repeats each call until it gets a result.
fn admit(address: &Mutex<std::net::SocketAddr>, over: &AtomicBool, name: &str, ledger: &Ledger) {
    for n in 0.. {
        let key = format!("{name}-{n}");
        let body = keyed("member.add", &json!([key]), &key);
        loop {
            let client = Client::new(*address.lock().unwrap());
            if let Some(response) = client.try_send("POST", "/rpc", &body) {
                let response = response.json();
                if let Some(card) = response["result"]["card"].as_str() {
                    ledger.lock().unwrap().insert(key, card.to_owned());
                    break;
                }
                let code = response["error"]["code"].as_i64();
                assert!(matches!(code, Some(-32009 | -32002 | 1503)), "{response}");
            }
            thread::sleep(Duration::from_millis(2));
        }
        if over.load(Ordering::Relaxed) {
            return;
        }
    }
}

#[test]
fn writers_that_repeat_with_keys_have_one_effect_per_key_whenever_the_process_is_killed() {
    const WRITERS: usize = 4;
    const KILLS: usize = 6;
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let start = || Started::new(&database, &["--token", TOKEN]);
    let mut started = start();
    let members = |started: &Started| {
        let stats = Client::new(started.address).call("stats", &json!({}));
        stats["members"].as_u64().unwrap()
    };
    let before = members(&started);
    let address = Mutex::new(started.address);
    let (over, ledger) = (AtomicBool::new(false), Ledger::default());
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (address, over, ledger) = (&address, &over, &ledger);
            scope.spawn(move || admit(address, over, &format!("writer-{writer}"), ledger));
        }
        for _ in 0..KILLS {
            let done = ledger.lock().unwrap().len();
            let deadline = Instant::now() + Duration::from_secs(20);
            while ledger.lock().unwrap().len() < done + 20 && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(1));
            }
            started.child.kill().unwrap();
            started.child.wait().unwrap();
            started = start();
            *address.lock().unwrap() = started.address;
        }
        over.store(true, Ordering::Relaxed);
    });
    let ledger = ledger.into_inner().unwrap();
    assert!(ledger.len() > WRITERS * KILLS, "{}", ledger.len());
    let cards: std::collections::HashSet<_> = ledger.values().collect();
    assert_eq!(cards.len(), ledger.len());
    let effects = members(&started) - before;
    assert_eq!(effects, ledger.len() as u64);
}
