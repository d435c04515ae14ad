//! Calls the hostile servers that all clients meet with the typed client: see `raw_http::hostile`.

use std::net::SocketAddr;
use std::time::Duration;

use docent::client::{Client, ClientError, Http, Received, Transport, TransportError};
use docent::{BoxFuture, Fault};
use raw_http::hostile;
use serde_json::{Value, json};

type Outcome = Result<Value, ClientError<Fault>>;

/// A client of the case at this position. Only where time runs out, there is little of it.
fn client(address: SocketAddr, position: usize, case: &Value) -> Client {
    let http = Http::new(format!("http://{address}/{position}"));
    let is_late = case["outcome"].to_string().contains("timed out");
    Client::from(if is_late {
        http.timeout(Duration::from_secs(1))
    } else {
        http.timeout(Duration::from_secs(300))
    })
}

fn named(outcome: &Outcome) -> &'static str {
    match outcome {
        Ok(_) => "result",
        Err(ClientError::Fault(_)) => "error",
        Err(ClientError::Malformed(response)) if response.received.location.is_some() => {
            "refused redirect"
        }
        // A number that no double holds is text until its type is known.
        Err(ClientError::Malformed(_) | ClientError::Result(_)) => "malformed",
        Err(ClientError::Transport(TransportError::TooLarge(_))) => "too large",
        Err(ClientError::Transport(TransportError::TimedOut(_))) => "timed out",
        Err(ClientError::Transport(TransportError::Interrupted(_))) => "lost",
        Err(_) => "anything else",
    }
}

#[actix_web::test]
async fn a_hostile_server_gets_an_error_of_the_client_in_bounded_time_and_memory() {
    let address = hostile::start();
    let cases: Vec<Value> = serde_json::from_str(hostile::CASES).expect("a table");
    for (position, case) in cases.iter().enumerate() {
        let client = client(address, position, case);
        let outcomes = if case["batch"] == true {
            let (first, second) = client
                .batch(async |client: Client| {
                    tokio::join!(client.call("count", &()), client.call("count", &()))
                })
                .await;
            if let (Ok(first), Ok(second)) = (&first, &second) {
                assert_eq!((first, second), (&json!(1), &json!(2)), "{case}");
            }
            vec![first, second]
        } else {
            let outcome: Outcome = client.call("count", &()).await;
            if let Ok(Value::Object(found)) = &outcome {
                assert_eq!(found["number"], 9_007_199_254_740_993_u64);
            }
            vec![outcome]
        };
        let expected = match &case["outcome"] {
            Value::Array(each) => each.clone(),
            one => vec![one.clone()],
        };
        for (outcome, expected) in outcomes.iter().zip(&expected) {
            let named = named(outcome);
            let expected = expected.as_str().expect("a text");
            assert!(
                expected.split(" or ").any(|allowed| allowed == named),
                "{}: {named} instead of {expected}: {outcome:.200?}",
                case["name"]
            );
        }
    }
}

#[actix_web::test]
async fn a_refused_redirect_names_both_origins() {
    let address = hostile::start();
    let cases: Vec<Value> = serde_json::from_str(hostile::CASES).expect("a table");
    let redirect = |case: &Value| case["name"] == "307 to another origin";
    let position = cases.iter().position(redirect).expect("a case");
    let outcome: Outcome = client(address, position, &cases[position])
        .call("count", &())
        .await;
    let text = outcome.expect_err("a redirect").to_string();
    let port = address.port();
    assert!(
        text.contains(&format!(
            "a redirect from http://{address} to \"http://localhost:{port}/elsewhere\", which is not followed"
        )),
        "{text}"
    );
}

/// Answers every request with the same.
struct Same(Vec<u8>);

impl Transport for Same {
    fn send(&self, _: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let received = Received::new(self.0.clone());
        Box::pin(async move { Ok(received) })
    }
}

/// The outcomes of 200 calls in one batch.
async fn batch(answer: Vec<u8>) -> Vec<Outcome> {
    Client::new(Same(answer))
        .batch(async |client: Client| {
            let calls = (0..200).map(|_| client.call("count", &()));
            futures_util::future::join_all(calls).await
        })
        .await
}

#[actix_web::test]
async fn each_call_of_a_large_batch_gets_its_own_answer() {
    let responses: Value = (1..=200_u64)
        .rev()
        .map(|id| json!({"jsonrpc": "2.0", "id": id, "result": id * id}))
        .collect();
    let outcomes = batch(responses.to_string().into_bytes()).await;
    for (outcome, id) in outcomes.iter().zip(1_u64..) {
        assert_eq!(outcome.as_ref().expect("a result"), &json!(id * id));
    }
}

/// A test that takes minutes if each call searches all answers.
#[actix_web::test]
async fn many_calls_and_many_responses_to_no_call_are_read_once() {
    let zeros = format!("[0{}]", ",0".repeat(15_000_000));
    let pairs = "{\"id\":1},".repeat(3_000_000);
    let other_ids = format!("[{pairs}0]");
    let long = json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "m", "data": "x".repeat(16_000_000)}});
    for answer in [zeros, other_ids, long.to_string()] {
        let outcomes = batch(answer.into_bytes()).await;
        assert!(outcomes.iter().all(|outcome| named(outcome) == "malformed"));
    }
}
