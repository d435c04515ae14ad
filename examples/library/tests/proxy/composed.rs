//! Starts what the compose file starts, in its order and with its commands, without containers: the addresses
//! are others, and the database is a file.

use std::process::Command;

use serde_json::json;

use crate::client::Client;
use crate::compose::{Compose, INSTANCES};
use crate::setup::{Nginx, TOKEN};
use crate::started::Started;

#[test]
fn what_the_compose_file_starts_serves_calls_and_repeats_them() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let compose = Compose::read();
    let mut instances = Vec::new();
    let mut proxy = None;
    for name in compose.order() {
        match name {
            "database" => {}
            "proxy" => {
                let addresses: Vec<_> = instances
                    .iter()
                    .map(|started: &Started| started.address)
                    .collect();
                proxy = Some(Nginx::composed(&compose, &addresses));
            }
            instance => {
                // The first four words are the address and the database.
                let words = compose.words(instance, "/command");
                let (places, others) = words.split_at(4);
                assert_eq!((places[0], places[2]), ("--listen", "--database"));
                let started = Started::new(&database, &[&["--token", TOKEN], others].concat());
                assert!(is_healthy(&compose, instance, &started), "{instance}");
                instances.push(started);
            }
        }
    }
    assert_eq!(instances.len(), INSTANCES.len());
    let proxy = proxy.expect("a proxy");
    let client = proxy.client();
    let members = || {
        let stats = Client::of(instances[0].address).call("stats", &json!({}));
        stats.json()["result"]["members"].as_u64().unwrap()
    };
    let before = members();
    let admitted = client.keyed("member.add", &json!(["Reader"]), "k");
    for _ in 0..6 {
        let again = client.keyed("member.add", &json!(["Reader"]), "k");
        assert_eq!(again.body, admitted.body);
        assert_eq!(again.header("idempotent-replayed"), "true");
    }
    assert_eq!(members(), before + 1);
    instances.remove(1);
    for n in 0..6 {
        client.write("member.add", &json!([format!("Reader {n}")]));
    }
}

/// Runs the health check of an instance.
fn is_healthy(compose: &Compose, instance: &str, started: &Started) -> bool {
    let test = compose.words(instance, "/healthcheck/test");
    let ["CMD", program, arguments @ ..] = &*test else {
        panic!("{test:?}");
    };
    let port = started.address.port().to_string();
    let arguments = arguments.iter().map(|text| text.replace("8080", &port));
    let status = Command::new(program).args(arguments).status();
    status.unwrap().success()
}
