//! Limits on wrong credentials: what counts, for whom, and what is not looked at any more.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use docent_core::carrier::{Incoming, Reply};
use docent_core::{
    Authentication, Authenticator, BoxFuture, CallInfo, Credentials, Cx, Extensions, Fault, Fields,
    Guard, Identity, Procedure, Rejection, Runtime, Service, ServiceBuilder, code,
};

use crate::{assert_fine, assert_one, builder, call};

const MINUTE: Duration = Duration::from_secs(60);

/// A clock that is set by hand.
#[derive(Clone)]
struct Clock(Arc<Mutex<Instant>>);

impl Runtime for Clock {
    fn spawn(&self, task: BoxFuture<()>) {
        tokio::spawn(task);
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn now(&self) -> Instant {
        *self.0.lock().expect("it is there")
    }
}

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("ann")
    }
}

/// Knows one token, and counts how often it is asked.
#[derive(Clone, Default)]
struct Token {
    asked: Arc<AtomicUsize>,
    /// True if it waits before it answers.
    waits: bool,
}

impl Authenticator for Token {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let found = match credentials.only_field("token") {
            None => Ok(None),
            Some(b"right") => Ok(Some(User)),
            Some(b"broken") => Err(Rejection::internal("no database")),
            Some(b"busy") => Err(Rejection::busy("no database", MINUTE)),
            Some(_) => Err(Rejection::unauthorized("Token")),
        };
        if !self.waits {
            return Authentication::Ready(found);
        }
        Authentication::pending(async {
            tokio::task::yield_now().await;
            found
        })
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Token".to_owned()])
    }
}

impl Guard for Token {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match attempt.field("token").next() {
            Some(b"right") => Ok(()),
            Some(b"guest") => Err(Rejection::forbidden()),
            _ => Err(Rejection::unauthorized("Token")),
        }
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Token".to_owned()])
    }
}

struct Head(&'static str);

impl Fields for Head {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        let is_it = name.eq_ignore_ascii_case("token") && index == 0 && !self.0.is_empty();
        is_it.then_some(self.0.as_bytes())
    }
}

struct LimitedService {
    service: Service,
    clock: Clock,
    asked: Arc<AtomicUsize>,
}

impl LimitedService {
    fn new(builder: ServiceBuilder, token: &Token) -> Self {
        let clock = Clock(Arc::new(Mutex::new(Instant::now())));
        let service = builder.build().expect("no mistakes");
        Self {
            service: service.with_runtime(Arc::new(clock.clone())),
            clock,
            asked: Arc::clone(&token.asked),
        }
    }

    /// A service whose authenticator lets two wrong tokens a minute pass.
    fn authenticated(waits: bool) -> Self {
        let token = Token {
            waits,
            ..Token::default()
        };
        let who = |_: Cx<(), User>, (): ()| Ok::<_, Fault>(());
        let maybe = |_: Cx<(), Option<User>>, (): ()| Ok::<_, Fault>(());
        let builder = builder()
            .authenticate(token.clone())
            .procedure(Procedure::sync("who", who).idempotent())
            .procedure(Procedure::sync("maybe", maybe));
        Self::new(builder.failed_logins(2, MINUTE), &token)
    }

    /// The same with a guard.
    fn guarded() -> Self {
        let token = Token::default();
        let who = Procedure::sync("who", |_: Cx, (): ()| Ok::<_, Fault>(())).idempotent();
        let builder = builder().guard(token.clone()).procedure(who);
        Self::new(builder.failed_logins(2, MINUTE), &token)
    }

    async fn post(&self, body: &str, token: &'static str, extensions: Extensions) -> Reply {
        let mut extensions = extensions;
        extensions.insert_fields(Head(token));
        let incoming = Incoming::new(body.to_owned()).extensions(Arc::new(extensions));
        self.service.exchange(incoming).await
    }

    async fn code(&self, token: &'static str, address: &str) -> Option<i64> {
        let reply = self.post(&call("who"), token, from(address)).await;
        reply.error_code()
    }

    fn pass(&self, time: Duration) {
        *self.clock.0.lock().expect("it is there") += time;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

fn from(address: &str) -> Extensions {
    let mut extensions = Extensions::new();
    match address {
        "" => {}
        "unix:" => extensions.set_client_local(),
        address => extensions.set_client_address(address.parse().expect("an address")),
    }
    extensions
}

const REFUSED: Option<i64> = Some(code::REFUSED);
const TOO_MANY: Option<i64> = Some(code::TOO_MANY_REQUESTS);

#[tokio::test]
async fn after_wrong_credentials_a_client_has_to_wait_and_nobody_looks_at_more() {
    for limited in [
        LimitedService::authenticated(false),
        LimitedService::authenticated(true),
        LimitedService::guarded(),
    ] {
        let here = "192.0.2.1";
        assert_eq!(limited.code("a", here).await, REFUSED);
        assert_eq!(limited.code("right", here).await, None);
        assert_eq!(limited.code("b", here).await, REFUSED);
        let asked = limited.asked();
        let reply = limited.post(&call("who"), "c", from(here)).await;
        assert_eq!(reply.retry_after(), Some(Duration::from_secs(30)));
        assert_eq!(
            std::str::from_utf8(&reply.body().expect("it is there")).expect("it is UTF-8"),
            r#"{"jsonrpc":"2.0","error":{"code":-32008,"message":"Too many requests","data":{"retryAfter":30}},"id":1}"#
        );
        // Not even the right one.
        assert_eq!(limited.code("right", here).await, TOO_MANY);
        assert_eq!(limited.asked(), asked);
        // Others go on, and those without credentials are still asked for some.
        assert_eq!(limited.code("right", "192.0.2.2").await, None);
        assert_eq!(limited.code("", here).await, REFUSED);
        limited.pass(Duration::from_secs(30));
        assert_eq!(limited.code("right", here).await, None);
        assert_eq!(limited.code("d", here).await, REFUSED);
        assert_eq!(limited.code("e", here).await, TOO_MANY);
    }
}

#[tokio::test]
async fn only_wrong_credentials_count() {
    for (limited, others) in [
        (
            LimitedService::authenticated(false),
            vec!["", "right", "broken", "busy"],
        ),
        (
            LimitedService::authenticated(true),
            vec!["", "right", "broken", "busy"],
        ),
        (LimitedService::guarded(), vec!["", "right", "guest"]),
    ] {
        for token in others.repeat(4) {
            assert_ne!(limited.code(token, "192.0.2.1").await, TOO_MANY, "{token}");
        }
    }
}

#[tokio::test]
async fn a_request_counts_once_however_many_calls_it_has() {
    for limited in [
        LimitedService::authenticated(false),
        LimitedService::authenticated(true),
        LimitedService::guarded(),
    ] {
        let batch = format!("[{0},{0},{0},{0}]", call("who"));
        for _ in 0..2 {
            let reply = limited.post(&batch, "a", from("192.0.2.1")).await;
            let body = reply.into_body().expect("a response");
            let text = String::from_utf8(body).expect("it is UTF-8");
            assert_eq!(text.matches("-32007").count(), 4, "{text}");
        }
        let reply = limited.post(&batch, "a", from("192.0.2.1")).await;
        let body = reply.into_body().expect("a response");
        let text = String::from_utf8(body).expect("it is UTF-8");
        assert_eq!(text.matches("-32008").count(), 4, "{text}");
    }
}

#[tokio::test]
async fn clients_are_networks_and_those_without_an_address_on_this_machine_count_together() {
    for limited in [
        LimitedService::authenticated(false),
        LimitedService::guarded(),
    ] {
        for (first, second) in [
            ("192.0.2.1", "::ffff:192.0.2.1"),
            ("2001:db8::1", "2001:db8::ffff:1"),
            ("2001:db8:0:1::1", "2001:db8:0:1:8000::"),
            ("unix:", "unix:"),
        ] {
            assert_eq!(limited.code("a", first).await, REFUSED);
            assert_eq!(limited.code("a", second).await, REFUSED);
            assert_eq!(limited.code("right", first).await, TOO_MANY);
        }
        // In process, nobody is on the way.
        for _ in 0..5 {
            assert_eq!(limited.code("a", "").await, REFUSED);
        }
    }
}

#[tokio::test]
async fn whom_the_transport_knows_and_who_shows_nothing_is_not_held_up() {
    let limited = LimitedService::authenticated(true);
    let here = "192.0.2.1";
    for _ in 0..2 {
        assert_eq!(limited.code("a", here).await, REFUSED);
    }
    let mut known = from(here);
    known.set_caller(User);
    let reply = limited.post(&call("who"), "a", known).await;
    assert_eq!(reply.error_code(), None);
    let reply = limited.post(&call("maybe"), "", from(here)).await;
    assert_eq!(reply.error_code(), None);
    let reply = limited.post(&call("maybe"), "right", from(here)).await;
    assert_eq!(reply.error_code(), TOO_MANY);
}

#[tokio::test]
async fn queries_and_what_is_served_beside_calls_are_limited_too() {
    for limited in [
        LimitedService::authenticated(true),
        LimitedService::guarded(),
    ] {
        let extensions = |token| {
            let mut extensions = from("192.0.2.1");
            extensions.insert_fields(Head(token));
            Arc::new(extensions)
        };
        let query = limited
            .service
            .query("who", "", Some(extensions("a")))
            .await;
        assert_eq!(query.error_code(), REFUSED);
        let shown = extensions("a");
        let refused = limited.service.carrier().admits("who", Some(&shown)).await;
        assert_eq!(refused.expect_err("it is wrong").error_code(), REFUSED);
        let refused = limited
            .service
            .carrier()
            .admits("who", Some(&extensions("right")))
            .await
            .expect_err("it is too late");
        assert_eq!(refused.error_code(), TOO_MANY);
        assert_eq!(refused.retry_after(), Some(Duration::from_secs(30)));
        let query = limited
            .service
            .query("who", "", Some(extensions("right")))
            .await;
        assert_eq!(query.error_code(), TOO_MANY);
    }
}

#[tokio::test]
async fn versions_of_a_service_count_together() {
    let v1 = LimitedService::guarded();
    let v2 = v1
        .service
        .extend()
        .version("2.0")
        .build()
        .expect("no mistakes");
    let v2 = LimitedService {
        service: v2.with_runtime(Arc::new(v1.clock.clone())),
        clock: v1.clock.clone(),
        asked: Arc::clone(&v1.asked),
    };
    assert_eq!(v1.code("a", "192.0.2.1").await, REFUSED);
    assert_eq!(v2.code("b", "192.0.2.1").await, REFUSED);
    assert_eq!(v1.code("right", "192.0.2.1").await, TOO_MANY);
    assert_eq!(v2.code("right", "192.0.2.1").await, TOO_MANY);
}

#[test]
fn a_limit_that_accepts_no_credentials_is_a_mistake_and_one_without_any_draws_a_warning() {
    let who = || Procedure::sync("who", |_: Cx, (): ()| Ok::<_, Fault>(()));
    let guarded = || builder().guard(Token::default()).procedure(who());
    assert_one(
        guarded().failed_logins(0, MINUTE),
        None,
        &["failed_logins(0, …)"],
    );
    let zero = guarded().failed_logins(1, Duration::ZERO);
    assert_one(zero, None, &["longer than zero"]);
    assert_fine(guarded().failed_logins(1, MINUTE));
    let open = builder()
        .procedure(who())
        .failed_logins(1, MINUTE)
        .build()
        .expect("no mistakes");
    let warnings = open.warnings().join("\n");
    assert!(
        warnings.contains("failed_logins limits nothing"),
        "{warnings}"
    );
}
