//! Tests of `build()`, one for each kind of mistake, and of in-process calls.
//!
//! The wire and dispatch are tested from outside, in process and over HTTP, by
//! `examples/conformance/tests/it`: versions of the protocol (`versions`, `protocol`, `section7`),
//! requests and ids (`requests`, `ids`, `encoding`, `nesting`), batches (`batch`, `batch_time`),
//! queries (`get_query`, `get_idempotent`), and the outcome of calls (`concurrency`,
//! `interruption`, `panics`, `limits`, `blocking`). `fuzz/` searches for responses that differ from
//! the predicted ones.
//!
//! There is one binary, because linking takes longer than testing.

mod aliases;
mod arguments;
mod attempts;
mod attribute;
mod batches;
mod callers;
mod causes;
mod closest;
mod codes;
mod connections;
mod constraints;
mod credentials;
mod derived;
mod descriptions;
mod endings;
mod examples;
mod failures;
mod features;
mod formats;
mod future;
mod generics;
mod guards;
mod identity;
mod idle;
mod imports;
mod keys;
mod limits;
mod logins;
mod mcp_connections;
mod mismatches;
mod moments;
mod names;
mod observing;
mod once;
mod order;
mod pages;
mod patterns;
mod private_names;
mod problems;
mod promises;
mod queue;
mod reads;
mod reasons;
mod recursion;
mod results;
mod subscription_attribute;
mod subscriptions;
mod time;
mod together;
mod topic;
mod types;
mod unknown;
mod useless;
mod versions;
mod withdrawn;
mod wrong_values;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use docent_core::testing::assert_description_holds;
use docent_core::{
    Authentication, Authenticator, BoxFuture, Credentials, Cx, Fault, Identity, Mistake, Procedure,
    Runtime, Service, ServiceBuilder,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

const ID: &str = "urn:example:tested";

fn builder() -> ServiceBuilder {
    Service::builder("tested", ID)
}

/// Returns a procedure with these parameters that does nothing.
fn taking<P: DeserializeOwned + JsonSchema + 'static>(name: &str) -> Procedure {
    Procedure::sync(name, |_: Cx, _: P| Ok::<_, Fault>(()))
}

/// Returns a procedure without parameters that does nothing.
fn plain(name: &str) -> Procedure {
    taking::<()>(name)
}

/// The only user.
struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("otto")
    }
}

/// Finds the same user behind every call.
struct Always;

impl Authenticator for Always {
    type Identity = User;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
        Authentication::ready(Some(User))
    }
}

/// Tokio, as a transport provides it.
struct Tokio;

impl Runtime for Tokio {
    fn spawn(&self, task: BoxFuture<()>) {
        drop(tokio::spawn(task));
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        drop(tokio::task::spawn_blocking(work));
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Returns a call without parameters, with the id 1.
fn call(procedure: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#)
}

/// Returns the response to a body, as text.
fn text(response: Option<Vec<u8>>) -> String {
    String::from_utf8(response.unwrap_or_default()).expect("UTF-8")
}

/// Returns the mistakes that `build()` finds in a service.
#[track_caller]
fn mistakes(builder: ServiceBuilder) -> Vec<Mistake> {
    match builder.build() {
        Ok(_) => Vec::new(),
        Err(error) => {
            let text = error.to_string();
            for mistake in error.mistakes() {
                assert!(text.contains(mistake.text()), "{text}");
                if let Some(procedure) = mistake.procedure() {
                    assert!(text.contains(&format!("{procedure:?}")), "{text}");
                }
            }
            error.mistakes().to_vec()
        }
    }
}

/// Checks that a service has exactly one mistake, with this procedure and these words.
#[track_caller]
fn assert_one(builder: ServiceBuilder, procedure: Option<&str>, words: &[&str]) {
    let found = mistakes(builder);
    let [mistake] = &*found else {
        panic!("{} mistakes: {found:#?}", found.len());
    };
    assert_eq!(mistake.procedure(), procedure, "{mistake}");
    for word in words {
        assert!(
            mistake.text().contains(word),
            "{word:?} is not in: {mistake}"
        );
    }
}

/// Checks that a service builds, and that `assert_description_holds` fails with a message that contains these words.
#[track_caller]
fn assert_untrue(builder: ServiceBuilder, words: &[&str]) {
    let service = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let outcome = catch_unwind(AssertUnwindSafe(|| assert_description_holds(&service)));
    let panic = outcome.expect_err("a refused value");
    let message = panic.downcast_ref::<String>().expect("a message");
    for word in words {
        assert!(message.contains(word), "{word:?} is not in: {message}");
    }
}

/// Checks that a service has no mistakes.
#[track_caller]
fn assert_fine(builder: ServiceBuilder) {
    let found = mistakes(builder);
    assert!(found.is_empty(), "{found:#?}");
}
