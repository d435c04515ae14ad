//! Writes that are repeated with a key: each is done once.

use std::sync::Arc;

use docent::carrier::Incoming;
use docent::{Service, TokioRuntime};
use library::api;
use library::clock::FixedClock;
use library::store::Store;
use serde_json::{Value, json};

use crate::database::Database;
use crate::http::{Client, EXAMPLES_DAY, Response, Served, TOKEN, call, token};
use crate::support::day;

/// Returns a call with a key.
pub(crate) fn keyed(procedure: &str, params: &Value, key: &str) -> String {
    let mut call = call(procedure, params, 1);
    call["x-idempotency-key"] = json!(key);
    call.to_string()
}

fn send(client: Client<'_>, procedure: &str, params: &Value, key: &str) -> Response {
    client.send("POST", "/rpc", &keyed(procedure, params, key))
}

#[test]
fn every_write_can_be_repeated() {
    let served = Served::new();
    let client = served.client();
    let description = client.call("rpc.describe", &json!({}));
    for procedure in description["procs"].as_array().unwrap() {
        let is_repeatable = procedure["repeatable"] == json!({"for": 86_400});
        assert_ne!(
            is_repeatable,
            procedure["idempotent"] == true,
            "{procedure}"
        );
    }
    let member = send(client, "member.add", &json!(["Tove Berg"]), "m").json();
    let card = &member["result"]["card"];
    let book = json!({"title": "Twice Asked", "language": "en", "copies": 3});
    let book = send(client, "book.add", &book, "b").json()["result"]["id"].clone();
    let start = json!({"book": book, "member": card});
    let loan = send(client, "loan.start", &start, "s").json()["result"]["id"].clone();
    for (procedure, params, key) in [
        ("member.add", json!({"name": "Tove Berg"}), "m"),
        ("loan.start", json!([book, card]), "s"),
        ("loan.end", json!([loan]), "e"),
        ("loan.end", json!({"loan": loan}), "e"),
    ] {
        let response = send(client, procedure, &params, key);
        assert!(
            response.json()["result"].is_object(),
            "{procedure}: {response:?}"
        );
        let again = send(client, procedure, &params, key);
        assert_eq!(again.body, response.body);
        assert!(again.has("idempotent-replayed: true"));
    }
    let other = send(client, "member.add", &json!(["Tove Borg"]), "m");
    assert_eq!(other.error().0, -32010);
    assert_eq!(
        client.call("loan.list", &json!({"book": book}))["page"]["total"],
        1
    );
}

#[test]
fn a_refusal_that_may_pass_is_not_kept_and_one_that_stays_is() {
    let served = Served::new();
    let client = served.client();
    let card = client.call("member.add", &json!(["Tove Berg"]))["card"].clone();
    let book = json!({"title": "Wanted", "language": "en", "copies": 1});
    let book = client.call("book.add", &book)["id"].clone();
    let loan = client.call("loan.start", &json!([book, card]))["id"].clone();
    let start = json!([book, card]);
    assert_eq!(
        send(client, "loan.start", &start, "patient").error().0,
        1409
    );
    client.call("loan.end", &json!([loan]));
    let lent = send(client, "loan.start", &start, "patient");
    assert!(lent.json()["result"].is_object() && !lent.has("idempotent-replayed: true"));
    for _ in 0..2 {
        assert_eq!(
            send(client, "loan.end", &json!([loan]), "late").error().0,
            1412
        );
    }
    assert!(send(client, "loan.end", &json!([loan]), "late").has("idempotent-replayed: true"));
}

/// Returns one of several services on the same file, as after a restart.
fn service(store: Store) -> Service {
    let service = api::service(store, &token(), None).unwrap();
    service.with_runtime(Arc::new(TokioRuntime))
}

fn exchange(service: &Service, body: &str) -> (Value, bool) {
    let fields = docent::Headers::from_iter([("Authorization", format!("Bearer {TOKEN}"))]);
    let mut extensions = docent::Extensions::new();
    extensions.insert_fields(fields);
    let incoming = Incoming::new(body.to_owned()).extensions(Arc::new(extensions));
    // A store of PostgreSQL is neither opened nor closed on a thread that must not block.
    let reply = actix_web::rt::System::new().block_on(service.exchange(incoming));
    let body = serde_json::from_slice(&reply.body().unwrap()).unwrap();
    (body, reply.is_replayed())
}

#[test]
fn a_result_is_in_the_database_and_outlives_the_process() {
    let database = Database::new();
    let open = || service(database.open(Arc::new(FixedClock(day(EXAMPLES_DAY)))));
    let first = open();
    let body = keyed("member.add", &json!(["Tove Berg"]), "k");
    let (admitted, replayed) = exchange(&first, &body);
    assert!(
        admitted["result"]["card"].is_string() && !replayed,
        "{admitted}"
    );
    for restarted in [open(), open(), first] {
        assert_eq!(exchange(&restarted, &body), (admitted.clone(), true));
        let other = keyed("member.add", &json!(["Tove Borg"]), "k");
        assert_eq!(exchange(&restarted, &other).0["error"]["code"], -32010);
    }
}

#[test]
fn calls_with_the_desks_token_alone_fill_half_of_the_store() {
    let database = Database::new();
    let store = database.open(Arc::new(FixedClock(day(EXAMPLES_DAY))));
    let desk = service(store.with_room_for(6, 1 << 20));
    let add = |key: &str| exchange(&desk, &keyed("member.add", &json!([key]), key)).0;
    for key in ["a", "b", "c"] {
        assert!(add(key)["result"]["card"].is_string());
    }
    let refused = add("d");
    assert_eq!(refused["error"]["code"], -32002, "{refused}");
    let reason = "the share of unknown callers in the store of keys is full";
    assert_eq!(refused["error"]["data"]["reason"], reason);
    assert!(add("a")["result"]["card"].is_string());
    let usage = desk.key_usage().unwrap();
    assert_eq!((usage.held.keys, usage.limits.keys), (3, 6));
}
