//! A service with guarded reads, behind the library's cache.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use docent::{BearerToken, CallInfo, Cx, Fault, Guard, Procedure, Rejection, Server, Service};

use crate::client::Client;
use crate::setup::{Nginx, TOKEN};

/// Admits callers that send the key.
struct Key;

impl Guard for Key {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        let has_key = attempt.field("x-key").eq([b"the key"]);
        has_key.then_some(()).ok_or_else(Rejection::forbidden)
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["X-Key".to_owned()])
    }
}

/// Starts a service on a free port whose results all admitted callers may share. It runs until the
/// process ends.
fn start(guard: impl Guard) -> SocketAddr {
    let report = Procedure::sync("report", |_: Cx, (): ()| Ok::<_, Fault>("a secret"))
        .idempotent()
        .shared_cache()
        .cache_for(Duration::from_secs(60));
    let service = Service::builder("reports", "urn:uuid:8a2d6f0e-3b57-4a1c-9c7e-5d0b1f2e3a47")
        .procedure(report)
        .guard(guard)
        .build()
        .unwrap();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = Server::new(service).workers(1).bind("127.0.0.1:0").unwrap();
            sender.send(server.addresses()[0]).unwrap();
            server.run().await
        })
    });
    receiver.recv().unwrap()
}

fn behind_nginx(guard: impl Guard) -> Nginx {
    let address = start(guard);
    Nginx::before([address; 2], tempfile::tempdir().unwrap())
}

/// Returns a response's status and whether it came from the cache.
fn asked(client: &Client, fields: &[(&str, &str)]) -> (u16, String) {
    let response = client.get_with("report", fields);
    (response.status, response.cache().to_owned())
}

fn came(status: u16, from: &str) -> (u16, String) {
    (status, from.to_owned())
}

#[test]
fn what_a_guard_lets_one_see_the_cache_gives_to_nobody_else() {
    let nginx = behind_nginx(Key);
    let client = nginx.client();
    let key = [("x-key", "the key")];
    assert_eq!(asked(&client, &[]), came(403, "MISS"));
    assert_eq!(asked(&client, &key), came(200, "MISS"));
    assert_eq!(asked(&client, &key), came(200, "HIT"));
    assert_eq!(asked(&client, &[]), came(403, "MISS"));
    assert_eq!(asked(&client, &[("x-key", "a key")]), came(403, "MISS"));
    assert_eq!(asked(&client, &key), came(200, "HIT"));
    // The guard ignores everything else that a caller sends.
    let other = [key[0], ("x-other", "1"), ("authorization", "Basic eDp5")];
    assert_eq!(asked(&client, &other), came(200, "HIT"));
    let cookie = [key[0], ("cookie", "a=b")];
    assert_eq!(asked(&client, &cookie), came(200, "MISS"));
    assert_eq!(asked(&client, &cookie), came(200, "MISS"));
}

#[test]
fn the_cache_keeps_an_answer_for_each_token_that_gets_in() {
    let nginx = behind_nginx(BearerToken::new("reports", TOKEN, |_| true));
    let client = nginx.client();
    let token = format!("Bearer {TOKEN}");
    let token = [("authorization", &*token)];
    assert_eq!(asked(&client, &[]), came(401, "MISS"));
    assert_eq!(asked(&client, &token), came(200, "MISS"));
    assert_eq!(asked(&client, &token), came(200, "HIT"));
    assert_eq!(asked(&client, &[]), came(401, "MISS"));
    let wrong = [("authorization", "Bearer wrong")];
    assert_eq!(asked(&client, &wrong), came(401, "MISS"));
}
