//! Keys over HTTP: a call that is repeated with the same key runs once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::App;
use actix_web::test::{call_service, init_service, read_body};
use docent::{
    AccessLog, Cx, Fault, MemoryKeyStore, Metrics, Mount, Procedure, Routes, Service, TokioRuntime,
};

use crate::access_log::Paper;
use crate::exposition::Exposition;
use crate::{Response, ask, get, post};

const KEY: &str = "Idempotency-Key";

/// Returns a service whose payments say how many there were before.
fn bank() -> Service {
    let count = Arc::new(AtomicUsize::new(0));
    let pay = move |_: Cx, to: Vec<String>| {
        let before = count.fetch_add(1, Ordering::SeqCst);
        match &*to.concat() {
            "nobody" => Err(Fault::new(1404, "Nobody")),
            to => Ok(format!("{to} {before}")),
        }
    };
    let pay = Procedure::sync("pay", pay).error(1404, "Nobody");
    Service::builder("bank", "urn:example:bank")
        .procedure(
            pay.repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .procedure(Procedure::sync("once", |_: Cx, (): ()| Ok::<_, Fault>(())))
        .procedure(Procedure::sync("look", |_: Cx, (): ()| Ok::<_, Fault>(1)).idempotent())
        .build()
        .expect("no mistakes")
        .with_runtime(Arc::new(TokioRuntime))
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":{id}}}"#)
}

async fn send(service: &Service, body: &str, key: &str) -> Response {
    ask(service, post(body).insert_header((KEY, key))).await
}

#[actix_web::test]
async fn a_repetition_gets_the_first_outcome_and_a_field_that_says_so() {
    let bank = bank();
    for (to, outcome) in [
        ("ada", r#""result":"ada 0""#),
        ("nobody", r#""error":{"code":1404,"message":"Nobody"}"#),
    ] {
        for (id, replayed) in [(1, None), (2, Some("true")), (3, Some("true"))] {
            let body = request(id, "pay", &format!("[\"{to}\"]"));
            let response = send(&bank, &body, &format!("key of {to}").replace(' ', "-")).await;
            assert_eq!(response.status, 200);
            let expected = format!(r#"{{"jsonrpc":"2.0",{outcome},"id":{id}}}"#);
            assert_eq!(response.body, expected);
            assert_eq!(response.header("idempotent-replayed"), replayed);
        }
    }
    let body = request(1, "pay", "[\"bob\"]").replace('}', r#","x-idempotency-key":"b"}"#);
    for replayed in [None, Some("true")] {
        let response = ask(&bank, post(&body)).await;
        assert!(response.body.contains("bob 2"), "{}", response.body);
        assert_eq!(response.header("idempotent-replayed"), replayed);
    }
    // A batch has no field of its own for each of its calls.
    let response = ask(&bank, post(&format!("[{body}]"))).await;
    assert!(response.body.contains("bob 2"), "{}", response.body);
    assert_eq!(response.header("idempotent-replayed"), None);
}

#[actix_web::test]
async fn a_repetition_is_marked_in_the_access_log_and_in_metrics() {
    let paper = Paper::default();
    let metrics = Metrics::new();
    let bank = bank()
        .extend()
        .version("2")
        .observer(AccessLog::json(paper.clone()))
        .build()
        .expect("no mistakes");
    let mount = Mount::new(Routes::from(&bank).count_in(&metrics)).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    let body = request(1, "pay", "[\"ada\"]");
    for _ in 0..3 {
        let request = post(&body).insert_header((KEY, "k"));
        read_body(call_service(&app, request.to_request()).await).await;
    }
    paper.wait_for(3);
    let replayed = paper.text().matches("\"replayed\":true").count();
    assert_eq!(replayed, 2, "{}", paper.text());
    let labels = [("mount", "/rpc"), ("procedure", "pay")];
    let reported = Exposition::read(&metrics.text());
    assert_eq!(reported.get("docent_replays_total", &labels), Some(2.0));
}

#[actix_web::test]
async fn a_quoted_key_is_the_same_key_as_without_quotation_marks() {
    let bank = bank();
    let pay = request(1, "pay", "[\"ada\"]");
    let with_member = pay.replace('}', r#","x-idempotency-key":"k"}"#);
    for (body, key, replayed) in [
        (&pay, "\"k\"", None),
        (&pay, "k", Some("true")),
        (&with_member, "\"k\"", Some("true")),
    ] {
        let response = send(&bank, body, key).await;
        assert!(response.body.contains("ada 0"), "{key} {}", response.body);
        assert_eq!(response.header("idempotent-replayed"), replayed, "{key}");
    }
    for key in ["\"", "\"\"", "\"k", "\"k\"l\"", "\"k\";p=1"] {
        let response = send(&bank, &pay, key).await;
        assert_eq!(response.json()["error"]["code"], -32600, "{key}");
    }
}

#[actix_web::test]
async fn a_key_that_cannot_be_used_is_refused_before_anything_runs() {
    let bank = bank();
    let pay = request(1, "pay", "[\"ada\"]");
    let with_member = pay.replace('}', r#","x-idempotency-key":"m"}"#);
    for (body, key) in [
        (&*pay, ""),
        (&pay, "a b"),
        (&pay, &"k".repeat(256)),
        (&with_member, "k"),
        (&request(1, "once", "[]"), "k"),
    ] {
        let response = send(&bank, body, key).await;
        assert_eq!(response.status, 200);
        assert_eq!(
            response.json()["error"]["code"],
            -32600,
            "{}",
            response.body
        );
        assert!(response.json()["error"]["data"]["reason"].is_string());
        assert_eq!(response.json()["id"], 1);
    }
    let response = send(&bank, &format!("[{pay}]"), "k").await;
    assert_eq!(
        response.json()["error"]["code"],
        -32600,
        "{}",
        response.body
    );
    assert!(response.json()["id"].is_null());
    let twice = post(&pay)
        .append_header((KEY, "k"))
        .append_header((KEY, "k"));
    assert_eq!(ask(&bank, twice).await.json()["error"]["code"], -32600);
    let bytes = post(&pay).insert_header((KEY, &b"\xff"[..]));
    assert_eq!(ask(&bank, bytes).await.json()["error"]["code"], -32600);
    assert!(send(&bank, &pay, "k").await.body.contains("ada 0"));
}

#[actix_web::test]
async fn what_only_reads_ignores_keys() {
    let bank = bank();
    for _ in 0..2 {
        let response = send(&bank, &request(1, "look", "[]"), "").await;
        assert_eq!(response.body, r#"{"jsonrpc":"2.0","result":1,"id":1}"#);
        assert_eq!(response.header("idempotent-replayed"), None);
        let response = ask(&bank, get("/rpc/look").insert_header((KEY, "k"))).await;
        assert_eq!(response.status, 200);
    }
}

#[actix_web::test]
async fn a_call_with_other_parameters_gets_an_error_and_the_first_outcome_stays() {
    let bank = bank();
    send(&bank, &request(1, "pay", "[\"ada\"]"), "k").await;
    let other = send(&bank, &request(2, "pay", "[\"bob\"]"), "k").await;
    assert_eq!(
        (other.status.as_u16(), &other.json()["error"]["code"]),
        (200, &(-32010).into())
    );
    let old = r#"{"version":"1.1","method":"pay","params":["bob"],"id":3}"#;
    let other = send(&bank, old, "k").await;
    assert_eq!(other.status, 500);
    assert_eq!(other.json()["error"]["code"], 422);
    let again = send(&bank, &request(4, "pay", "[\"ada\"]"), "k").await;
    assert!(again.body.contains("ada 0"), "{}", again.body);
}

/// Returns a service that keeps one outcome.
fn full() -> Service {
    let pay = Procedure::sync("pay", |_: Cx, _: Vec<String>| Ok::<_, Fault>("paid"));
    Service::builder("bank", "urn:example:bank")
        .procedure(
            pay.repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .key_store(MemoryKeyStore::new().max_keys(2))
        .build()
        .expect("no mistakes")
        .with_runtime(Arc::new(TokioRuntime))
}

#[actix_web::test]
async fn a_key_without_room_gets_the_reason_and_the_time_to_wait_in_2_0_and_1_1() {
    const REASON: &str = "the share of unknown callers in the store of keys is full";
    let bank = full();
    let first = send(&bank, &request(1, "pay", "[]"), "k").await;
    assert!(first.body.contains("paid"), "{}", first.body);
    let is_told = |data: &serde_json::Value| {
        assert_eq!(data["reason"], REASON, "{data}");
        let seconds = data["retryAfter"].as_u64().expect("whole seconds");
        assert!((50..=60).contains(&seconds), "{data}");
    };
    let response = send(&bank, &request(1, "pay", "[]"), "l").await;
    assert_eq!(response.status, 200);
    assert_eq!(response.json()["error"]["code"], -32002);
    is_told(&response.json()["error"]["data"]);
    let old = r#"{"version":"1.1","method":"pay","params":[],"id":3}"#;
    let response = send(&bank, old, "l").await;
    assert_eq!(response.status, 500);
    is_told(&response.json()["error"]["error"]["data"]);
}
