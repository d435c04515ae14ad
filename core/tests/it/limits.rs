//! The limits that procedures set for themselves.

use std::sync::Arc;
use std::time::Duration;

use docent_core::{Cx, Fault, Limits, Procedure, Service, code};
use docent_describe::json::Json;
use tokio::sync::Notify;

use crate::{Tokio, assert_fine, assert_one, builder, call, plain};

/// Waits until it is told to go on.
fn slow(gate: &Arc<Notify>) -> Procedure {
    let gate = Arc::clone(gate);
    Procedure::new("slow", move |_: Cx, (): ()| {
        let gate = Arc::clone(&gate);
        async move {
            gate.notified().await;
            Ok::<_, Fault>(())
        }
    })
    .idempotent()
}

fn running(service: &Service) -> Service {
    service.with_runtime(Arc::new(Tokio))
}

async fn code_of(service: &Service, procedure: &str) -> Option<i64> {
    let called = service.call::<()>(procedure, &()).await;
    called.err().and_then(|error| error.code())
}

#[tokio::test]
async fn as_many_calls_of_a_procedure_run_as_it_allows_and_others_are_not_held_up() {
    let gate = Arc::new(Notify::new());
    let procedure = slow(&gate).max_concurrent(2);
    let service = builder().procedure(procedure).procedure(plain("other"));
    let service = running(&service.build().expect("a service"));
    let spawn = || {
        let service = service.clone();
        tokio::spawn(async move { code_of(&service, "slow").await })
    };
    let first = spawn();
    let second = spawn();
    while service.running_calls() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(code_of(&service, "slow").await, Some(code::BUSY));
    assert_eq!(service.running_calls(), 2);
    assert_eq!(code_of(&service, "other").await, None);

    // A caller that hangs up gives its place back.
    first.abort();
    let _ = first.await;
    let third = spawn();
    while service.running_calls() < 2 {
        tokio::task::yield_now().await;
    }
    gate.notify_waiters();
    gate.notify_one();
    gate.notify_one();
    assert_eq!(
        (
            second.await.expect("it is there"),
            third.await.expect("it is there")
        ),
        (None, None)
    );
    gate.notify_one();
    assert_eq!(code_of(&service, "slow").await, None);
}

#[tokio::test]
async fn an_entry_of_a_batch_above_a_limit_is_busy_and_the_others_run() {
    let yields = Procedure::new("slow", |_: Cx, (): ()| async {
        tokio::task::yield_now().await;
        Ok::<_, Fault>(())
    });
    let service = builder().procedure(yields.max_concurrent(1));
    let service = running(&service.build().expect("a service"));
    let batch = format!("[{},{}]", call("slow"), call("slow"));
    let answered: serde_json::Value =
        serde_json::from_slice(&service.handle(batch).await.expect("it is there"))
            .expect("it is there");
    assert_eq!(answered[0]["result"], serde_json::Value::Null);
    assert_eq!(answered[1]["error"]["code"], code::BUSY);
    assert_eq!(answered[1]["id"], 1);
}

#[tokio::test]
async fn a_call_that_fails_or_panics_gives_its_place_back() {
    let fails = Procedure::sync("fails", |_: Cx, panics: Vec<bool>| {
        assert!(!panics[0], "as asked");
        Err::<(), _>(Fault::internal("as asked"))
    });
    let service = builder().procedure(fails.max_concurrent(1)).build();
    let service = running(&service.expect("a service"));
    for _ in 0..3 {
        for params in [[true], [false]] {
            let error = service
                .call::<()>("fails", &params)
                .await
                .expect_err("an error");
            assert_eq!(error.code(), Some(code::INTERNAL_ERROR));
        }
        let error = service.call::<()>("fails", &["no Boolean"]).await;
        assert_eq!(
            error.expect_err("an error").code(),
            Some(code::INVALID_PARAMS)
        );
    }
}

#[test]
fn a_limit_that_lets_nothing_through_is_a_mistake() {
    let allowing = |calls| builder().procedure(plain("p").max_concurrent(calls));
    assert_one(allowing(0), Some("p"), &["max_concurrent(0)"]);
    assert_fine(allowing(1));
}

#[test]
fn limits_are_described() {
    let builder = builder().procedure(plain("p").max_concurrent(8));
    let service = builder
        .procedure(plain("free"))
        .build()
        .expect("it is there");
    let described: Json = std::str::from_utf8(&service.rendered_description())
        .expect("it is there")
        .parse()
        .expect("it is there");
    let procs = described
        .get("procs")
        .and_then(Json::as_array)
        .expect("it is there");
    let limits = procs[0].get("limits").map(ToString::to_string);
    assert_eq!(limits.as_deref(), Some(r#"{"concurrent":8}"#));
    assert_eq!(procs[1].get("limits"), None);
    let openrpc = String::from_utf8(service.rendered_openrpc(None).to_vec()).expect("it is there");
    assert!(
        openrpc.contains(r#""x-limits":{"concurrent":8}"#),
        "{openrpc}"
    );
}

mod rates {
    use std::borrow::Cow;
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    use docent_core::carrier::{Incoming, Reply};
    use docent_core::{
        Authentication, Authenticator, BoxFuture, CallInfo, Credentials, Extensions, Guard,
        Identity, Rejection, Runtime,
    };

    use super::*;

    /// A clock that is set by hand.
    #[derive(Clone)]
    struct Clock(Arc<Mutex<Instant>>);

    impl Clock {
        fn new() -> Self {
            Self(Arc::new(Mutex::new(Instant::now())))
        }

        fn pass(&self, time: Duration) {
            *self.0.lock().expect("it is there") += time;
        }
    }

    impl Runtime for Clock {
        fn spawn(&self, task: BoxFuture<()>) {
            Tokio.spawn(task);
        }

        fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
            Tokio.spawn_blocking(work);
        }

        fn sleep(&self, _: Duration) -> BoxFuture<()> {
            Box::pin(std::future::pending())
        }

        fn now(&self) -> Instant {
            *self.0.lock().expect("it is there")
        }
    }

    struct User(&'static str);

    impl Identity for User {
        fn id(&self) -> Cow<'_, str> {
            Cow::from(self.0)
        }
    }

    /// Knows callers only where the transport does.
    struct Nobody;

    impl Authenticator for Nobody {
        type Identity = User;

        fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
            Authentication::ready(None)
        }
    }

    struct Strict;

    impl Guard for Strict {
        fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
            match attempt.extension::<&str>() {
                Some(&"sesame") => Ok(()),
                _ => Err(Rejection::forbidden()),
            }
        }
    }

    fn from(user: Option<&'static str>, address: Option<&str>) -> Extensions {
        let mut extensions = Extensions::new();
        if let Some(user) = user {
            extensions.set_caller(User(user));
        }
        if let Some(address) = address {
            extensions.set_client_address(address.parse().expect("it is there"));
        }
        extensions
    }

    async fn post(service: &Service, body: &str, extensions: Extensions) -> Reply {
        let incoming = Incoming::new(body.to_owned()).extensions(Arc::new(extensions));
        service.exchange(incoming).await
    }

    async fn allowed(service: &Service, procedure: &str, extensions: Extensions) -> bool {
        let reply = post(service, &call(procedure), extensions).await;
        match reply.error_code() {
            None => true,
            Some(code::TOO_MANY_REQUESTS) => false,
            code => panic!("{code:?}"),
        }
    }

    fn limited() -> Procedure {
        plain("p").rate(2, Duration::from_secs(3)).idempotent()
    }

    fn open(clock: &Clock) -> Service {
        let service = builder().procedure(limited()).build().expect("a service");
        service.with_runtime(Arc::new(clock.clone()))
    }

    #[tokio::test]
    async fn a_call_above_a_rate_gets_the_time_to_wait_and_is_then_accepted() {
        let clock = Clock::new();
        let service = open(&clock);
        let body = call("p");
        let ask = || post(&service, &body, from(None, Some("192.0.2.1")));
        assert_eq!(ask().await.error_code(), None);
        assert_eq!(ask().await.error_code(), None);
        let refused = ask().await;
        // A call is due each 1.5 seconds.
        assert_eq!(
            std::str::from_utf8(&refused.body().expect("it is there")).expect("it is there"),
            r#"{"jsonrpc":"2.0","error":{"code":-32008,"message":"Too many requests","data":{"retryAfter":2}},"id":1}"#
        );
        assert_eq!(refused.retry_after(), Some(Duration::from_secs(2)));
        clock.pass(Duration::from_millis(1_499));
        assert_eq!(ask().await.retry_after(), Some(Duration::from_secs(1)));
        clock.pass(Duration::from_millis(1));
        assert_eq!(ask().await.error_code(), None);
        assert_eq!(ask().await.error_code(), Some(code::TOO_MANY_REQUESTS));
        let old = r#"{"version":"1.1","method":"p","id":1}"#;
        let old = post(&service, old, from(None, Some("192.0.2.1"))).await;
        assert_eq!(
            std::str::from_utf8(&old.body().expect("it is there")).expect("it is there"),
            r#"{"version":"1.1","error":{"name":"JSONRPCError","code":503,"message":"Too many requests","error":{"code":-32008,"message":"Too many requests","data":{"retryAfter":2}}},"id":1}"#
        );
    }

    #[tokio::test]
    async fn queries_notifications_and_entries_of_batches_count_alike() {
        let service = open(&Clock::new());
        let entry = call("p");
        let silent = r#"{"jsonrpc":"2.0","method":"p"}"#;
        assert_eq!(post(&service, silent, from(None, None)).await.body(), None);
        let reply = post(
            &service,
            &format!("[{entry},{silent},{entry}]"),
            from(None, None),
        )
        .await;
        let responses: serde_json::Value =
            serde_json::from_slice(&reply.body().expect("it is there")).expect("it is there");
        assert_eq!(responses[0]["result"], serde_json::Value::Null);
        assert_eq!(responses[1]["error"]["data"]["retryAfter"], 2);
        assert_eq!(responses.as_array().expect("it is there").len(), 2);
        let query = service.query("p", "", None).await;
        assert_eq!(query.error_code(), Some(code::TOO_MANY_REQUESTS));
        assert_eq!(query.retry_after(), Some(Duration::from_secs(2)));
    }

    #[tokio::test]
    async fn an_address_counts_where_nobody_knows_the_caller() {
        let service = open(&Clock::new());
        let mut calls = Vec::new();
        for (address, others) in [
            ("192.0.2.1", "::ffff:192.0.2.1"),
            ("192.0.2.2", "192.0.2.2"),
            ("2001:db8::1", "2001:db8::ffff:1"),
            ("2001:db8:0:1::1", "2001:db8:0:1:8000::"),
        ] {
            for address in [address, others, address] {
                calls.push(allowed(&service, "p", from(None, Some(address))).await);
            }
        }
        assert_eq!(calls, [true, true, false].repeat(4));
        // Those without one count together.
        for expected in [true, true, false] {
            assert_eq!(allowed(&service, "p", from(None, None)).await, expected);
        }
        // A caller that is known to nobody does not have a limit of its own.
        assert!(!allowed(&service, "p", from(Some("ann"), None)).await);
    }

    #[tokio::test]
    async fn a_known_caller_counts_by_its_id_from_wherever_it_calls() {
        let known = Procedure::sync(
            "known",
            |_: Cx<(), Option<User>>, (): ()| Ok::<_, Fault>(()),
        );
        let service = builder()
            .authenticate(Nobody)
            .procedure(known.rate(2, Duration::from_secs(3)));
        let service = service.build().expect("a service");
        let rate = service.description().procs[0]
            .limits
            .clone()
            .expect("it is there")
            .rate;
        assert_eq!(rate.expect("it is there").by.as_str(), "caller");
        let service = service.with_runtime(Arc::new(Clock::new()));
        for (address, expected) in [("192.0.2.1", true), ("192.0.2.2", true), ("::1", false)] {
            let ann = from(Some("ann"), Some(address));
            assert_eq!(allowed(&service, "known", ann).await, expected);
        }
        // Nobody else has used anything up: not a caller at the same address, not the address, and
        // not a caller whose id looks like one.
        for name in [Some("bob"), None, Some("192.0.2.1")] {
            let other = || from(name, Some("192.0.2.1"));
            for expected in [true, true, false] {
                assert_eq!(allowed(&service, "known", other()).await, expected);
            }
        }
    }

    #[tokio::test]
    async fn calls_that_are_rejected_before_do_not_count() {
        let service = builder()
            .guard(Strict)
            .procedure(limited().max_concurrent(1));
        let service = service
            .build()
            .expect("a service")
            .with_runtime(Arc::new(Clock::new()));
        for _ in 0..5 {
            let reply = post(&service, &call("p"), Extensions::new()).await;
            assert_eq!(reply.error_code(), Some(code::REFUSED));
        }
        let mut sesame = Vec::new();
        for _ in 0..3 {
            let mut extensions = Extensions::new();
            extensions.insert("sesame");
            sesame.push(allowed(&service, "p", extensions).await);
        }
        assert_eq!(sesame, [true, true, false]);
    }

    #[tokio::test]
    async fn parameters_do_not_matter_and_each_procedure_counts_for_itself() {
        let builder = builder().procedure(limited());
        let other = plain("q").rate(1, Duration::from_secs(1));
        let service = builder
            .procedure(other)
            .build()
            .expect("a service")
            .with_runtime(Arc::new(Clock::new()));
        let wrong = r#"{"jsonrpc":"2.0","method":"p","params":[1],"id":1}"#;
        for expected in [
            code::INVALID_PARAMS,
            code::INVALID_PARAMS,
            code::TOO_MANY_REQUESTS,
        ] {
            let reply = post(&service, wrong, from(None, None)).await;
            assert_eq!(reply.error_code(), Some(expected));
        }
        assert!(allowed(&service, "q", from(None, None)).await);
        assert!(!allowed(&service, "q", from(None, None)).await);
    }

    #[tokio::test]
    async fn without_a_clock_nothing_is_too_often() {
        let service = builder().procedure(limited()).build().expect("a service");
        for _ in 0..10 {
            assert!(allowed(&service, "p", from(None, None)).await);
        }
    }

    #[test]
    fn a_rate_that_lets_nothing_through_is_a_mistake() {
        let limited = |calls, per| builder().procedure(plain("p").rate(calls, per));
        let second = Duration::from_secs(1);
        assert_one(limited(0, second), Some("p"), &["rate(0, …)"]);
        assert_one(limited(1, Duration::ZERO), Some("p"), &["longer than zero"]);
        assert_fine(limited(1, second));
        assert_fine(limited(u32::MAX, Duration::MAX));
    }

    #[docent_core::procedure(max_concurrent = 8, rate(1 + 1, per = "3s"))]
    fn limited_by_attribute() -> Result<(), Fault> {
        Ok(())
    }

    #[test]
    fn an_attribute_says_the_same() {
        let by_hand = limited().max_concurrent(8);
        let described = |procedure| {
            let service = builder().procedure(procedure).build().expect("a service");
            service.description().procs[0].limits.clone()
        };
        let limits = described(limited_by_attribute::procedure());
        assert!(limits.is_some());
        assert_eq!(limits, described(by_hand));
    }

    #[test]
    fn a_rate_is_described() {
        let service = builder()
            .procedure(limited().max_concurrent(8))
            .build()
            .expect("it is there");
        let rendered = service.rendered_description();
        let described = std::str::from_utf8(&rendered).expect("it is there");
        let limits = r#""limits":{"concurrent":8,"rate":{"calls":2,"per":3,"by":"peer"}}"#;
        assert!(described.contains(limits), "{described}");
    }
}

#[test]
fn limits_that_reject_every_call_draw_a_warning() {
    let warnings = |change: fn(&mut Limits)| {
        let service = builder().limits(change).procedure(plain("find")).build();
        service.expect("a service").warnings().to_vec()
    };
    assert!(warnings(|limits| limits.max_batch_entries = 0).is_empty());
    assert_eq!(
        warnings(|limits| {
            limits.max_body_bytes = 0;
            limits.max_concurrent_calls = 0;
        }),
        [
            "the limit `max_body_bytes` is zero, so every call is rejected; leave it out for the default",
            "the limit `max_concurrent_calls` is zero, so every call is rejected; leave it out for the \
             default",
        ]
    );
    assert_eq!(warnings(|limits| limits.timeout = Duration::ZERO).len(), 1);
}

#[test]
fn a_procedure_is_in_a_group_once() {
    let service = builder()
        .procedure(plain("find").tag("books").tag("new").tag("books"))
        .build()
        .expect("a service");
    assert_eq!(service.description().procs[0].tags, ["books", "new"]);
}
