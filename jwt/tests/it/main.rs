//! Tests of the authenticator, with an issuer that runs in the test.

mod callers;
mod description;
mod fetching;
mod hosts;
mod issuer;
mod keys;
mod refusals;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use docent::{Caller, Fault, Service, code, procedure};
use docent_jwt::{Claims, Jwt};
use serde_json::{Value, json};
use tracing::subscriber::DefaultGuard;

const AUDIENCE: &str = "library";

const HOUR: u64 = 3600;

/// Returns the ID of the caller.
#[procedure(idempotent)]
fn whoami(user: Caller<Claims>) -> Result<String, Fault> {
    Ok(user.sub.clone())
}

fn service(jwt: Jwt) -> Service {
    Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534672")
        .authenticate(jwt)
        .procedure(whoami::procedure())
        .build()
        .expect("a service")
}

/// Returns the claims of a good token.
fn claims(issuer: &str) -> Value {
    json!({"iss": issuer, "aud": AUDIENCE, "sub": "clara", "exp": now() + HOUR})
}

fn now() -> u64 {
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("a time after 1970");
    now.as_secs()
}

/// Calls with a token, and returns the caller's ID or the code of the error.
async fn call(service: &Service, token: &str) -> Result<String, i64> {
    let prepared = service
        .request("whoami", &())
        .field("Authorization", format!("Bearer {token}"));
    prepared
        .call()
        .await
        .map_err(|error| error.code().expect("an error of the call"))
}

const REFUSED: Result<String, i64> = Err(code::REFUSED);

/// The keys cannot be fetched.
const BUSY: Result<String, i64> = Err(code::BUSY);

#[expect(
    clippy::unnecessary_wraps,
    reason = "it is compared with the result of a call"
)]
fn accepted() -> Result<String, i64> {
    Ok("clara".to_owned())
}

/// Moves the clock of fetches. That of tokens stays.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// The log of this thread while this lives.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn start() -> (Self, DefaultGuard) {
        // Without a subscriber for all threads, a test that does not listen could switch off an event for those that do.
        // The first test sets it. For the others it is already set.
        let attentive = tracing_subscriber::fmt().with_writer(io::sink);
        let _ = tracing::subscriber::set_global_default(attentive.finish());
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || writer.clone());
        (log, tracing::subscriber::set_default(subscriber.finish()))
    }

    /// Returns what was logged since the last time.
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("no panic"));
        String::from_utf8(bytes).expect("a text")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
