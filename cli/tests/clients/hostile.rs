//! Calls hostile servers with a generated client: hostile URL. `raw-http/hostile.json` has the cases.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use library_client::{Batch, Call, Client, Error, NoErrors, Request, Response, Transport};
use serde_json::{Value, json};

type Outcome = Result<Value, Error<NoErrors>>;

fn named(outcome: &Outcome) -> &str {
    let error = match outcome {
        Ok(_) => return "result",
        Err(Error::Rpc(_)) => return "error",
        // A number that no double holds is text until its type is known.
        Err(Error::Result(_)) => return "malformed",
        Err(Error::Transport(error)) => &*error.message,
        Err(_) => return "anything else",
    };
    let names = [
        ("is larger than 33554432 bytes", "too large"),
        ("no complete response within 1s", "timed out"),
        ("which is not followed", "refused redirect"),
        ("the call got no answer", "lost"),
        ("not a JSON-RPC 2.0 response", "malformed"),
        ("is not available", "malformed"),
    ];
    let known = names.iter().find(|(words, _)| error.contains(words));
    known.map_or(error, |(_, name)| name)
}

fn count() -> Call<Value, NoErrors> {
    Call::new("count")
}

async fn batch(client: &Client) -> Vec<Outcome> {
    let mut batch = Batch::new();
    let places = [batch.add(&count()), batch.add(&count())];
    match client.batch(batch).await {
        Ok(answers) => places.iter().map(|place| answers.get(place)).collect(),
        Err(Error::Rpc(error)) => vec![Err(Error::Rpc(error.clone())), Err(Error::Rpc(error))],
        Err(Error::Transport(error)) => {
            vec![
                Err(Error::Transport(error.clone())),
                Err(Error::Transport(error)),
            ]
        }
        Err(other) => panic!("{other}"),
    }
}

/// Loses every request.
struct Lossy(AtomicU32);

impl Transport for &Lossy {
    async fn send(&self, _: Request) -> Result<Response, String> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err("lost".to_owned())
    }

    async fn pause(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).unwrap_or_default();
    let cases = reqwest::get(format!("{url}/cases")).await?.bytes().await?;
    let cases: Vec<Value> = serde_json::from_slice(&cases)?;
    for (position, case) in cases.iter().enumerate() {
        let is_late = case["outcome"].to_string().contains("timed out");
        let timeout = Duration::from_secs(if is_late { 1 } else { 300 });
        let client = Client::new(format!("{url}/{position}"))?.timeout(timeout);
        let outcomes = if case["batch"] == true {
            batch(&client).await
        } else {
            vec![client.send(count()).await]
        };
        let expected = case["outcome"].as_array().cloned();
        let expected = expected.unwrap_or_else(|| vec![case["outcome"].clone()]);
        for (outcome, expected) in outcomes.iter().zip(&expected) {
            let mut allowed = expected.as_str().unwrap_or_default().split(" or ");
            let named = named(outcome);
            assert!(
                allowed.any(|it| it == named),
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
    let lossy = Lossy(AtomicU32::new(0));
    let client = Client::with_transport(url.clone(), &lossy).repeats(1_000_000);
    let client = client.timeout(Duration::from_secs(1));
    assert!(client.send(count().idempotent()).await.is_err());
    assert!((2..10).contains(&lossy.0.load(Ordering::SeqCst)));
    let small = Client::new(url)?.max_response_bytes(10);
    let outcome: Outcome = small.send(count()).await;
    assert!(
        matches!(outcome, Err(Error::Transport(error)) if error.message.contains("than 10 bytes"))
    );
    Ok(())
}
