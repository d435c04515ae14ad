//! Wrong credentials that come all at once: how many are looked at, and who waits for what.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use docent_core::carrier::{Incoming, Reply};
use docent_core::{
    Authentication, Authenticator, BoxFuture, CallInfo, Credentials, Cx, Extensions, Fault, Fields,
    Guard, Identity, Procedure, Rejection, Runtime, Service, code,
};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::{builder, call};

/// A clock that is set by hand, and counts how often it is read.
#[derive(Clone)]
struct Clock {
    state: Arc<Mutex<ClockState>>,
    /// The number of times that the clock was read.
    read: Arc<AtomicUsize>,
}

struct ClockState {
    now: Instant,
    sleepers: Vec<Waker>,
}

impl Clock {
    fn pass(&self, time: Duration) {
        let sleepers = {
            let mut state = self.state.lock().expect("it is there");
            state.now += time;
            std::mem::take(&mut state.sleepers)
        };
        sleepers.into_iter().for_each(Waker::wake);
    }
}

impl Runtime for Clock {
    fn spawn(&self, task: BoxFuture<()>) {
        tokio::spawn(task);
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        let clock = self.clone();
        let due = clock.state.lock().expect("it is there").now + time;
        Box::pin(std::future::poll_fn(move |cx| {
            let mut state = clock.state.lock().expect("it is there");
            if state.now >= due {
                return Poll::Ready(());
            }
            state.sleepers.push(cx.waker().clone());
            Poll::Pending
        }))
    }

    fn now(&self) -> Instant {
        self.read.fetch_add(1, Ordering::Relaxed);
        self.state.lock().expect("it is there").now
    }
}

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("ann")
    }
}

/// Checks tokens, and waits for a permit of its gate before each answer.
#[derive(Clone)]
struct Token {
    asked: Arc<AtomicUsize>,
    gate: Arc<Semaphore>,
}

impl Authenticator for Token {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        let Some(token) = credentials.only_field("token") else {
            return Authentication::ready(None);
        };
        self.asked.fetch_add(1, Ordering::Relaxed);
        let token = token.to_vec();
        let gate = Arc::clone(&self.gate);
        Authentication::pending(async move {
            gate.acquire().await.expect("a gate").forget();
            match &*token {
                b"right" => Ok(Some(User)),
                b"broken" => Err(Rejection::internal("no database")),
                b"panic" => panic!("no database"),
                _ => Err(Rejection::unauthorized("Token")),
            }
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
            _ => Err(Rejection::unauthorized("Token")),
        }
    }

    fn covers(&self, procedure: &docent_describe::ProcedureDescription) -> bool {
        procedure.name == "guarded"
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Token".to_owned()])
    }
}

struct Head(&'static str);

impl Fields for Head {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        let is_token = name.eq_ignore_ascii_case("token") && index == 0;
        is_token.then_some(self.0.as_bytes())
    }
}

const PERIOD: Duration = Duration::from_secs(60);

/// The timeout of each call.
const TIMEOUT: Duration = Duration::from_secs(300);

/// A service with a limit on wrong tokens, whose checks wait until the test lets them end.
struct LimitedService {
    service: Service,
    clock: Clock,
    token: Token,
}

impl LimitedService {
    /// Creates a service that checks this number of wrong tokens a minute.
    fn new(max_wrong: u32) -> Self {
        let clock = Clock {
            state: Arc::new(Mutex::new(ClockState {
                now: Instant::now(),
                sleepers: Vec::new(),
            })),
            read: Arc::default(),
        };
        let token = Token {
            asked: Arc::default(),
            gate: Arc::new(Semaphore::new(0)),
        };
        let who = |_: Cx<(), User>, (): ()| Ok::<_, Fault>(());
        let guarded = |_: Cx, (): ()| Ok::<_, Fault>(());
        let service = builder()
            .authenticate(token.clone())
            .guard(token.clone())
            .failed_logins(max_wrong, PERIOD)
            .procedure(Procedure::sync("who", who).idempotent().timeout(TIMEOUT))
            .procedure(Procedure::sync("patient", who).timeout(2 * TIMEOUT))
            .procedure(Procedure::sync("guarded", guarded).timeout(TIMEOUT))
            .build()
            .expect("no mistakes");
        Self {
            service: service.with_runtime(Arc::new(clock.clone())),
            clock,
            token,
        }
    }

    fn send(&self, body: &str, token: &'static str) -> JoinHandle<Reply> {
        tokio::spawn(self.service.exchange(incoming(body, token)))
    }

    /// Starts a call, and returns when its check is under way.
    async fn start(&self, token: &'static str) -> JoinHandle<Reply> {
        let call = self.send(&call("who"), token);
        settle().await;
        call
    }

    /// Lets this number of checks end.
    fn open(&self, permits: usize) {
        self.token.gate.add_permits(permits);
    }

    fn asked(&self) -> usize {
        self.token.asked.load(Ordering::Relaxed)
    }
}

fn from_here(token: &'static str) -> Arc<Extensions> {
    let mut extensions = Extensions::new();
    extensions.set_client_address("192.0.2.1".parse().expect("an address"));
    extensions.insert_fields(Head(token));
    Arc::new(extensions)
}

fn incoming(body: &str, token: &'static str) -> Incoming {
    Incoming::new(body.to_owned()).extensions(from_here(token))
}

/// Lets every call run until it has to wait.
async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

async fn ended(call: JoinHandle<Reply>) -> Reply {
    call.await.expect("no panic")
}

async fn code_of(call: JoinHandle<Reply>) -> Option<i64> {
    ended(call).await.error_code()
}

fn text(reply: Reply) -> String {
    String::from_utf8(reply.into_body().expect("a response")).expect("it is UTF-8")
}

const REFUSED: Option<i64> = Some(code::REFUSED);
const TOO_MANY: Option<i64> = Some(code::TOO_MANY_REQUESTS);
const INTERNAL: Option<i64> = Some(code::INTERNAL_ERROR);

#[tokio::test]
async fn of_a_burst_of_wrong_credentials_no_more_are_looked_at_than_may_be_wrong() {
    let limited = LimitedService::new(5);
    let calls: Vec<_> = (0..400).map(|_| limited.send(&call("who"), "a")).collect();
    settle().await;
    assert_eq!(limited.asked(), 5);
    limited.open(400);
    let mut codes = Vec::new();
    for call in calls {
        codes.push(code_of(call).await);
    }
    let count = |code| codes.iter().filter(|found| **found == code).count();
    assert_eq!((count(REFUSED), count(TOO_MANY)), (5, 395));
    assert_eq!(limited.asked(), 5);
    // An honest caller waits for one place, and not for 400.
    let refused = ended(limited.start("right").await).await;
    let wait = refused.retry_after().expect("it is refused");
    assert_eq!(wait, PERIOD / 5);
    limited.clock.pass(wait);
    assert_eq!(code_of(limited.start("right").await).await, None);
}

#[tokio::test]
async fn a_place_is_given_back_unless_the_credentials_were_wrong() {
    for (token, code) in [("right", None), ("broken", INTERNAL), ("panic", INTERNAL)] {
        let limited = LimitedService::new(1);
        let first = limited.start(token).await;
        let second = limited.start("right").await;
        assert_eq!(limited.asked(), 1, "{token}");
        limited.open(1);
        assert_eq!(code_of(first).await, code, "{token}");
        settle().await;
        assert_eq!(limited.asked(), 2, "{token}");
        limited.open(1);
        assert_eq!(code_of(second).await, None, "{token}");
    }
    let limited = LimitedService::new(1);
    let first = limited.start("a").await;
    let second = limited.start("right").await;
    limited.open(1);
    assert_eq!(code_of(first).await, REFUSED);
    assert_eq!(code_of(second).await, TOO_MANY);
    assert_eq!(limited.asked(), 1);
}

/// A way in for a call, which is dropped when its caller leaves.
type WayIn = fn(&LimitedService) -> JoinHandle<()>;

const WAYS_IN: [(&str, WayIn); 4] = [
    ("a call", |limited| {
        let call = limited.service.exchange(incoming(&call("who"), "a"));
        tokio::spawn(async move { drop(call.await) })
    }),
    ("a batch", |limited| {
        let entries = vec![call("who"); 20].join(",");
        let batch = incoming(&format!("[{entries}]"), "a");
        let batch = limited.service.exchange(batch);
        tokio::spawn(async move { drop(batch.await) })
    }),
    ("a query", |limited| {
        let service = limited.service.clone();
        tokio::spawn(async move { drop(service.query("who", "", Some(from_here("a"))).await) })
    }),
    ("a page", |limited| {
        let service = limited.service.clone();
        tokio::spawn(
            async move { drop(service.carrier().admits("who", Some(&from_here("a"))).await) },
        )
    }),
];

#[tokio::test]
async fn callers_that_hang_up_have_no_more_credentials_looked_at_than_those_that_stay() {
    for (way, enter) in WAYS_IN {
        let limited = LimitedService::new(5);
        for _ in 0..30 {
            let calls: Vec<_> = (0..5).map(|_| enter(&limited)).collect();
            settle().await;
            for call in calls {
                call.abort();
            }
            settle().await;
        }
        assert_eq!(limited.asked(), 5, "{way}");
        // An honest caller waits for the checks, which go on, and is told how long to wait then.
        let honest = limited.start("right").await;
        assert!(!honest.is_finished(), "{way}");
        limited.open(5);
        let refused = ended(honest).await;
        assert_eq!(refused.retry_after(), Some(PERIOD / 5), "{way}");
        assert_eq!(limited.asked(), 5, "{way}");
        settle().await;
        assert_eq!(limited.service.running_calls(), 0, "{way}");
        limited.clock.pass(PERIOD / 5);
        limited.open(1);
        assert_eq!(code_of(limited.start("right").await).await, None, "{way}");
    }
}

#[tokio::test]
async fn a_check_goes_on_after_its_call_and_returns_its_permit_unless_the_credentials_were_wrong() {
    for (token, code) in [
        ("a", TOO_MANY),
        ("right", None),
        ("broken", None),
        ("panic", None),
    ] {
        let limited = LimitedService::new(1);
        let call = limited.start(token).await;
        limited.clock.pass(TIMEOUT);
        assert_eq!(code_of(call).await, Some(code::TIMED_OUT), "{token}");
        // The check keeps the place of its call, too.
        assert_eq!(limited.service.running_calls(), 1, "{token}");
        let honest = limited.start("right").await;
        assert_eq!(limited.asked(), 1, "{token}");
        limited.open(2);
        assert_eq!(code_of(honest).await, code, "{token}");
        settle().await;
        assert_eq!(limited.service.running_calls(), 0, "{token}");
    }
}

#[tokio::test]
async fn callers_that_hang_up_while_they_wait_leave_the_line() {
    let limited = LimitedService::new(5);
    let looked_at: Vec<_> = (0..5)
        .map(|_| limited.send(&call("who"), "broken"))
        .collect();
    settle().await;
    let mut in_line: Vec<_> = (0..1_000)
        .map(|_| limited.send(&call("who"), "a"))
        .collect();
    settle().await;
    let honest = limited.start("right").await;
    let read = limited.clock.read.load(Ordering::Relaxed);
    // From the middle outwards.
    in_line.rotate_left(500);
    for call in in_line.into_iter().chain(looked_at) {
        call.abort();
    }
    settle().await;
    // No task was woken for nothing.
    let read = limited.clock.read.load(Ordering::Relaxed) - read;
    assert!(read < 10_000, "{read}");
    limited.open(6);
    assert_eq!(code_of(honest).await, None);
    assert_eq!(limited.asked(), 6);
    // Nothing of them counts.
    for _ in 0..10 {
        limited.open(1);
        assert_eq!(code_of(limited.start("right").await).await, None);
    }
}

#[tokio::test]
async fn a_wait_for_a_permit_counts_in_the_time_of_the_call() {
    let limited = LimitedService::new(1);
    let first = limited.send(&call("patient"), "a");
    let single = limited.start("right").await;
    let batch = format!("[{0},{1}]", call("who"), call("guarded"));
    let batch = limited.send(&batch, "right");
    let service = limited.service.clone();
    let query =
        tokio::spawn(async move { service.query("who", "", Some(from_here("right"))).await });
    let service = limited.service.clone();
    let door = tokio::spawn(async move {
        let refused = service
            .carrier()
            .admits("guarded", Some(&from_here("right")))
            .await;
        *refused.expect_err("it is too late")
    });
    settle().await;
    limited.clock.pass(TIMEOUT);
    for reply in [single, batch, query, door] {
        let text = text(ended(reply).await);
        let times = text.matches(r#""code":-32001"#).count();
        assert_eq!(
            text.matches(r#"{"started":false}"#).count(),
            times,
            "{text}"
        );
        assert!(times >= 1 && !text.contains("result"), "{text}");
    }
    assert_eq!(limited.asked(), 1);
    limited.open(1);
    assert_eq!(code_of(first).await, REFUSED);
}

#[tokio::test]
async fn calls_batches_queries_and_the_front_door_get_the_places_that_come_back() {
    let limited = LimitedService::new(1);
    let first = limited.start("broken").await;
    let guarded = limited.send(&call("guarded"), "right");
    let batch = format!("[{0},{1},{0},{1}]", call("who"), call("guarded"));
    let batch = limited.send(&batch, "right");
    let service = limited.service.clone();
    let query =
        tokio::spawn(async move { service.query("who", "", Some(from_here("right"))).await });
    let service = limited.service.clone();
    let door = tokio::spawn(async move {
        let extensions = from_here("right");
        service
            .carrier()
            .admits("guarded", Some(&extensions))
            .await
            .is_ok()
    });
    settle().await;
    assert_eq!(limited.asked(), 1);
    limited.open(10);
    assert_eq!(code_of(first).await, INTERNAL);
    assert_eq!(code_of(guarded).await, None);
    let batch = text(ended(batch).await);
    assert_eq!(batch.matches(r#""result":null"#).count(), 4, "{batch}");
    assert_eq!(code_of(query).await, None);
    assert!(door.await.expect("no panic"));
}

#[tokio::test]
async fn who_is_first_in_line_gets_a_place_that_is_free_again_in_time() {
    let limited = LimitedService::new(2);
    let hanging = limited.start("right").await;
    let wrong = limited.start("a").await;
    // The gate lets the first through, so another hangs in its place.
    limited.open(2);
    assert_eq!(
        (code_of(hanging).await, code_of(wrong).await),
        (None, REFUSED)
    );
    let hanging = limited.start("right").await;
    let waiting = [limited.start("right").await, limited.start("right").await];
    assert_eq!(limited.asked(), 3);
    limited.clock.pass(PERIOD / 2);
    settle().await;
    assert_eq!(limited.asked(), 4);
    limited.open(3);
    assert_eq!(code_of(hanging).await, None);
    for waiting in waiting {
        assert_eq!(code_of(waiting).await, None);
    }
}

#[test]
fn guards_on_many_threads_look_at_no_more_wrong_credentials_than_there_may_be() {
    let limited = LimitedService::new(5);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                runtime.expect("a runtime").block_on(async {
                    for _ in 0..50 {
                        let wrong = code_of(limited.send(&call("guarded"), "a")).await;
                        assert!(wrong == REFUSED || wrong == TOO_MANY, "{wrong:?}");
                    }
                });
            });
        }
    });
    assert_eq!(limited.asked(), 5);
}
