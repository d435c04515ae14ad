//! Calls hostile servers with a generated client: hostile URL. `raw-http/hostile.json` has the cases.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use library_client::docent_client::{
    self, BoxFuture, ClientError, Fault, Received, Transport, TransportError,
};
use library_client::{Client, Http};
use serde_json::{Value, json};

type Outcome = Result<Value, ClientError<Fault>>;

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

async fn batch(client: &Client) -> Vec<Outcome> {
    let count = async |client: docent_client::Client| {
        tokio::join!(client.call("count", &()), client.call("count", &()))
    };
    let (first, second) = client.0.batch(count).await;
    vec![first, second]
}

/// Loses every request.
struct Lossy(Arc<AtomicU32>);

impl Transport for Lossy {
    fn send(&self, _: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Err(TransportError::Interrupted("lost".into())) })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).unwrap_or_default();
    let cases = reqwest::get(format!("{url}/cases")).await?.bytes().await?;
    let cases: Vec<Value> = serde_json::from_slice(&cases)?;
    for (position, case) in cases.iter().enumerate() {
        let is_late = case["outcome"].to_string().contains("timed out");
        let time = Duration::from_secs(if is_late { 1 } else { 300 });
        let client = Client::new(Http::new(format!("{url}/{position}")).timeout(time));
        let client = Client(client.0.repeats(2, time));
        let outcomes = if case["batch"] == true {
            batch(&client).await
        } else {
            vec![client.0.call("count", &()).await]
        };
        let expected = case["outcome"].as_array().cloned();
        let expected = expected.unwrap_or_else(|| vec![case["outcome"].clone()]);
        for (outcome, expected) in outcomes.iter().zip(&expected) {
            let mut allowed = expected.as_str().unwrap_or_default().split(" or ");
            let named = named(outcome);
            assert!(
                allowed.any(|name| name == named),
                "{}: {named} instead of {expected}: {outcome:.200?}",
                case["name"]
            );
        }
        if let [Ok(first), Ok(second)] = &outcomes[..] {
            assert_eq!((first, second), (&json!(1), &json!(2)));
        }
        if let [Ok(Value::Object(found))] = &outcomes[..] {
            assert_eq!(found["number"], 9_007_199_254_740_993_u64);
        }
    }

    // The time is that of the whole call: what was lost is not repeated when it is over.
    let lost = Arc::new(AtomicU32::new(0));
    let client = docent_client::Client::new(Lossy(Arc::clone(&lost)));
    let client = client.repeats(1_000_000, Duration::from_secs(1));
    let outcome: Outcome = client.call_idempotent("count", &()).await;
    assert!(outcome.is_err());
    assert!((2..10).contains(&lost.load(Ordering::SeqCst)));
    let small = Client::new(Http::new(url).max_response_bytes(10));
    let outcome: Outcome = small.0.call("count", &()).await;
    assert!(matches!(
        outcome,
        Err(ClientError::Transport(TransportError::TooLarge(10)))
    ));
    Ok(())
}
