//! Callers of connections, and the end of their credentials.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use docent_core::carrier::{Connection, Reply};
use docent_core::{
    Authentication, Authenticator, Credentials, Cx, Extensions, Fault, Fields, Identity, Procedure,
    Rejection,
};
use serde_json::json;

use super::{Peer, Stage, code, reported, result};
use crate::builder;

#[tokio::test]
async fn subscriptions_end_with_the_credentials_of_their_caller() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    peer.connection.end_credentials();
    let error = json!({"code": -32007, "message": "Refused"});
    let end = |id: &str| reported(json!({"subscription": id, "error": error}));
    assert_eq!(peer.ready(), [end("s1")]);
    assert_eq!(
        peer.call("watch", json!([]), 2),
        [result("s2", 2), end("s2")]
    );
    assert_eq!(peer.call("now", json!([]), 3), [result(12, 3)]);
}

/// Knows a caller who shows a token. Counts how often it is asked.
struct Tokens(Arc<AtomicUsize>);

impl Authenticator for Tokens {
    type Identity = Guest;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<Guest> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now();
        let guest = |valid_until| Authentication::ready(Some(Guest { valid_until }));
        match credentials.of_scheme("Bearer") {
            None => Authentication::ready(None),
            Some(b"right") => guest(None),
            Some(b"ended") => guest(Some(now)),
            Some(b"ends") => guest(now.checked_add(Duration::from_secs(60))),
            Some(_) => Authentication::rejected(Rejection::unauthorized("Bearer")),
        }
    }
}

struct Guest {
    valid_until: Option<SystemTime>,
}

impl Identity for Guest {
    fn id(&self) -> Cow<'_, str> {
        "guest".into()
    }

    fn valid_until(&self) -> Option<SystemTime> {
        self.valid_until
    }
}

/// The header fields of a peer with a token.
struct Token(&'static str);

impl Fields for Token {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        let is_token = name.eq_ignore_ascii_case("authorization") && index == 0;
        is_token.then_some(self.0.as_bytes())
    }
}

/// Returns a peer with this token, and how often its authenticator was asked.
async fn authenticated(token: &'static str) -> (Result<Peer, Box<Reply>>, Arc<AtomicUsize>) {
    let asked = Arc::<AtomicUsize>::default();
    let guest = |_: Cx<(), Guest>, (): ()| Ok::<_, Fault>("welcome");
    let service = builder()
        .authenticate(Tokens(Arc::clone(&asked)))
        .procedure(Procedure::sync("guest", guest))
        .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(12)))
        .build()
        .expect("a service");
    let mut extensions = Extensions::new();
    extensions.insert_fields(Token(token));
    let mut peer = Peer::new(&service);
    peer.connection = Connection::new(service, extensions);
    match peer.connection.authenticate().await {
        Ok(()) => (Ok(peer), asked),
        Err(rejected) => (Err(rejected), asked),
    }
}

#[tokio::test]
async fn a_connection_finds_out_its_caller_once_for_all_calls() {
    let (peer, asked) = authenticated("Bearer right").await;
    let mut peer = peer.expect("a caller");
    for id in 1..4 {
        assert_eq!(peer.call("guest", json!([]), id), [result("welcome", id)]);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let (peer, _) = authenticated("Bearer wrong").await;
    let refused = peer.err().expect("an error");
    assert_eq!(refused.error_code(), Some(-32007));
    assert!(
        refused
            .rejection()
            .is_some_and(|kind| kind.challenge().is_some())
    );
    // No credentials are not wrong ones.
    let (peer, _) = authenticated("Other").await;
    let mut peer = peer.expect("a stranger");
    assert_eq!(peer.call("now", json!([]), 1), [result(12, 1)]);
    assert_eq!(code(&peer.call("guest", json!([]), 2)[0]), -32007);
}

#[tokio::test]
async fn calls_are_refused_once_the_credentials_of_their_connection_have_ended() {
    let (peer, _) = authenticated("Bearer ends").await;
    let peer = peer.expect("a caller");
    assert!(peer.connection.valid_until().is_some());
    let (peer, _) = authenticated("Bearer ended").await;
    let mut peer = peer.expect("a caller");
    assert_eq!(code(&peer.call("guest", json!([]), 1)[0]), -32007);
    assert_eq!(peer.call("now", json!([]), 2), [result(12, 2)]);
}
