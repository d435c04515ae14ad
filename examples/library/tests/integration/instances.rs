//! Calls that are repeated with their keys at other instances, which share a database.
//!
//! The service here also has what the library lacks: two callers, and procedures that change nothing in
//! the database but their outcome.

use std::borrow::Cow;
use std::cell::Cell;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use docent::{Bearer, Cx, Fault, Identity, Once, Procedure, RpcError, Service};
use library::model::{AddMember, EndLoan, GetStats};
use library::store::{Error, Store};
use serde_json::{Value, json};

use crate::http::{Client, Response, TOKEN, serve};
use crate::keyed::keyed;
use crate::started::Started;
use crate::support::Library;

/// The time for which outcomes are kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The timeout of a slow call. A busy machine has to claim its key before.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);

struct Person(String);

impl Identity for Person {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

#[derive(Debug, RpcError)]
enum Refused {
    /// An error that stays.
    #[rpc(code = 1, message = "Never", retry = false)]
    Never(u64),
    /// An error that may pass.
    #[rpc(code = 2, message = "Not now", retry = true)]
    NotNow(u64),
}

/// The state that the instances of a test share beside the database.
#[derive(Default)]
pub(crate) struct Shared {
    /// The number of handlers that have started.
    pub(crate) runs: AtomicU64,
    /// True if slow handlers may end.
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Shared {
    /// Lets the slow ones end.
    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn run(&self) -> u64 {
        self.runs.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn wait(&self) {
        let is_open = self.is_open.lock().unwrap();
        let changed = self
            .changed
            .wait_timeout_while(is_open, PATIENCE, |is_open| !*is_open);
        drop(changed.unwrap());
    }
}

struct State {
    store: Store,
    shared: Arc<Shared>,
}

fn service(store: Store, shared: &Arc<Shared>) -> Service {
    type Here = Cx<State, Person>;
    let people = Bearer::new("desk", |token| async move {
        Ok::<_, Fault>(Some(Person(token)))
    });
    let count = |cx: Here, (): ()| {
        let State { store, shared } = cx.state();
        let run = store.once(&cx, |_| Ok(shared.run()));
        run.map_err(|_| Refused::NotNow(0))
    };
    let never = |cx: Here, (): ()| {
        let State { store, shared } = cx.state();
        let run = Cell::new(0);
        let refused = store.once(&cx, |_| {
            run.set(shared.run());
            Err::<u64, _>(Error::Broken("refused".into()))
        });
        refused.map_err(|_| Refused::Never(run.get()))
    };
    let not_now = |cx: Here, (): ()| Err::<Once<u64>, _>(Refused::NotNow(cx.state().shared.run()));
    let slow = |cx: Here, (): ()| {
        let State { store, shared } = cx.state();
        let run = store.once(&cx, |_| {
            let run = shared.run();
            shared.wait();
            Ok(run)
        });
        run.map_err(|_| Refused::NotNow(0))
    };
    let admit = |cx: Here, p: AddMember| {
        let member = cx.state().store.once(&cx, |write| write.add_member(&p));
        member.map_err(|_| Refused::NotNow(0))
    };
    let give_back = |cx: Here, p: EndLoan| {
        let loan = cx.state().store.once(&cx, |write| write.end_loan(&p));
        loan.map_err(|_| Refused::Never(0))
    };
    Service::builder("desk", "urn:uuid:5470194d-e6ff-42a3-8602-04378c086fd2")
        .authenticate(people)
        .key_store(store.keys())
        .state(State {
            store,
            shared: Arc::clone(shared),
        })
        .procedures(
            [
                Procedure::blocking("count", count),
                Procedure::blocking("never", never),
                Procedure::blocking("not_now", not_now),
                Procedure::blocking("slow", slow).timeout(TIMEOUT),
                Procedure::blocking("admit", admit),
                Procedure::blocking("give_back", give_back),
            ]
            .map(|procedure| procedure.repeatable(KEPT)),
        )
        .build()
        .unwrap()
}

/// Instances of the service on one database.
pub(crate) struct Instances {
    pub(crate) library: Library,
    pub(crate) shared: Arc<Shared>,
}

impl Instances {
    pub(crate) fn new() -> Self {
        Self {
            library: Library::new(),
            shared: Arc::default(),
        }
    }

    pub(crate) fn start(&self) -> SocketAddr {
        self.start_on(self.library.again())
    }

    fn start_on(&self, store: Store) -> SocketAddr {
        serve(service(store, &self.shared))
    }

    pub(crate) fn runs(&self) -> u64 {
        self.shared.runs.load(Ordering::SeqCst)
    }
}

pub(crate) fn send(instance: SocketAddr, procedure: &str, key: &str) -> Response {
    send_as("Bearer anna", instance, procedure, &json!([]), key)
}

pub(crate) fn send_as(
    person: &str,
    instance: SocketAddr,
    procedure: &str,
    params: &Value,
    key: &str,
) -> Response {
    let client = Client::new(instance).bringing(Some(person));
    client.send("POST", "/rpc", &keyed(procedure, params, key))
}

fn is_replayed(response: &Response) -> bool {
    response.has("idempotent-replayed: true")
}

pub(crate) fn is_running(response: &Response) -> bool {
    response.json()["error"]["code"] == -32009
}

/// Sends a call until it is no longer running.
pub(crate) fn outcome(instance: SocketAddr, procedure: &str, key: &str) -> Response {
    until_other(-32009, || send(instance, procedure, key))
}

/// Sends a call until it no longer fails with this code.
fn until_other(code: i64, send: impl Fn() -> Response) -> Response {
    let end = Instant::now() + PATIENCE;
    loop {
        let response = send();
        if response.json()["error"]["code"] != code || Instant::now() > end {
            return response;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn every_instance_gives_the_first_outcome_again_and_so_does_one_that_starts_later() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    for procedure in ["count", "never"] {
        let first = send(one, procedure, procedure);
        assert!(!is_replayed(&first), "{procedure}: {first:?}");
        for other in [two, instances.start(), one] {
            let again = send(other, procedure, procedure);
            assert_eq!(again.body, first.body);
            assert!(is_replayed(&again), "{procedure}: {again:?}");
        }
    }
    let other = send(two, "count", "never");
    assert_eq!(other.error().0, -32010);
}

#[test]
fn results_and_errors_outlive_a_process_that_is_killed() {
    let library = Library::new();
    let start = || Started::new(&library.database.place(), &["--token", TOKEN]);
    let calls = [
        ("member.add", json!(["Tove Berg"])),
        ("loan.end", json!([4_000_000])),
        ("loan.start", json!([4_000_000, "L000001"])),
    ];
    let responses = |started: &Started| {
        let client = Client::new(started.address);
        calls
            .iter()
            .map(|(procedure, params)| {
                client.send("POST", "/rpc", &keyed(procedure, params, procedure))
            })
            .collect::<Vec<_>>()
    };
    let mut started = start();
    let first = responses(&started);
    assert!(first[0].json()["result"]["card"].is_string());
    assert_eq!((first[1].error().0, first[2].error().0), (1407, 1404));
    for _ in 0..2 {
        started.child.kill().unwrap();
        started.child.wait().unwrap();
        started = start();
        for (again, first) in responses(&started).iter().zip(&first) {
            assert_eq!(again.body, first.body);
            assert!(is_replayed(again), "{again:?}");
        }
    }
}

#[test]
fn an_error_that_says_that_repeating_helps_is_not_kept() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    for (n, instance) in [one, two, one].into_iter().enumerate() {
        let response = send(instance, "not_now", "k");
        assert_eq!(response.error(), (2, json!(n + 1)));
        assert!(!is_replayed(&response));
    }
}

#[test]
fn two_callers_may_use_the_same_key() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    let count = |person, instance| {
        let response = send_as(person, instance, "count", &json!([]), "k");
        (response.json()["result"].clone(), is_replayed(&response))
    };
    assert_eq!(count("Bearer anna", one), (json!(1), false));
    assert_eq!(count("Bearer bo", one), (json!(2), false));
    assert_eq!(count("Bearer anna", two), (json!(1), true));
    assert_eq!(count("Bearer bo", two), (json!(2), true));
    // A token has no space, so no caller can take the place of another.
    let (other, replayed) = count("Bearer =anna", two);
    assert!(other.as_u64() > Some(2) && !replayed, "{other}");
}

/// Sends forty equal calls to two instances at the same moment. Returns the result that all of them get.
fn forty_times(
    places: [SocketAddr; 2],
    procedure: &'static str,
    params: &Value,
    key: &str,
) -> Value {
    const CALLS: usize = 40;
    let start = Barrier::new(CALLS);
    let responses: Vec<Value> = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLS)
            .map(|n| {
                let start = &start;
                let place = places[n % places.len()];
                scope.spawn(move || {
                    start.wait();
                    let send = || send_as("Bearer anna", place, procedure, params, key);
                    until_other(-32009, send).json()["result"].clone()
                })
            })
            .collect();
        callers
            .into_iter()
            .map(|caller| caller.join().unwrap())
            .collect()
    });
    assert!(responses[0].is_object(), "{}", responses[0]);
    assert!(
        responses.iter().all(|response| *response == responses[0]),
        "{responses:?}"
    );
    responses[0].clone()
}

#[test]
fn forty_equal_calls_at_two_instances_at_the_same_moment_have_one_effect() {
    let instances = Instances::new();
    let places = [instances.start(), instances.start()];
    let members = || {
        let store = instances.library.again();
        store.stats(&GetStats::default()).unwrap().members
    };
    let before = members();
    for round in 0..3 {
        let params = json!(["Tove Berg"]);
        let member = forty_times(places, "admit", &params, &format!("round-{round}"));
        assert!(member["card"].is_string(), "{member}");
        assert_eq!(members() - before, round + 1);
    }
}

#[test]
fn none_of_forty_equal_calls_is_refused_because_of_what_another_has_done() {
    let instances = Instances::new();
    let places = [instances.start(), instances.start()];
    let library = &instances.library;
    for round in 0..3 {
        let loan = library.lend(library.book(1), &library.member()).unwrap().id;
        let key = format!("round-{round}");
        let ended = forty_times(places, "give_back", &json!([loan]), &key);
        assert_eq!(ended["id"], json!(loan));
        // Without the key, it is.
        let again = send_as(
            "Bearer anna",
            places[0],
            "give_back",
            &json!([loan]),
            &format!("new-{round}"),
        );
        assert_eq!(again.error(), (1, json!(0)));
    }
}

#[test]
fn a_call_that_has_timed_out_goes_on_and_every_instance_gives_its_true_outcome() {
    let instances = Instances::new();
    let (one, two) = (instances.start(), instances.start());
    assert_eq!(send(one, "slow", "k").error().0, -32001);
    assert!(is_running(&send(one, "slow", "k")));
    instances.shared.open();
    let ended = outcome(one, "slow", "k");
    assert_eq!(ended.json()["result"], 1);
    for instance in [one, two] {
        let again = send(instance, "slow", "k");
        assert!(is_replayed(&again) && again.body == ended.body, "{again:?}");
    }
}

#[test]
fn a_full_store_refuses_new_keys_and_drops_none_before_its_time() {
    let instances = Instances::new();
    let small = |instances: &Instances| {
        instances.start_on(instances.library.again().with_room_for(3, 1 << 20))
    };
    let one = small(&instances);
    for key in ["a", "b", "c"] {
        assert_eq!(send(one, "count", key).status, 200);
    }
    assert_eq!(send(one, "count", "d").error().0, -32002);
    // An instance that starts sees at once what others have kept, and one that runs soon.
    let two = small(&instances);
    let refused = send(two, "count", "d");
    assert_eq!(refused.error().0, -32002, "{refused:?}");
    assert_eq!(instances.runs(), 3);
    for (n, key) in ["a", "b", "c"].into_iter().enumerate() {
        for instance in [one, two] {
            assert_eq!(send(instance, "count", key).json()["result"], n + 1);
        }
    }
    let data = refused.error().1;
    assert_eq!(data["reason"], "the store of keys is full");
    let seconds = data["retryAfter"].as_u64().unwrap();
    assert!((86_000..=86_401).contains(&seconds), "{data}");
    // The clock is that of the database: an instance whose calendar is years ahead forgets nothing.
    instances.library.set_today("2034-03-01");
    assert_eq!(send(two, "count", "d").error().0, -32002);
    assert!(is_replayed(&send(two, "count", "a")));
    pass(&instances, 86_000);
    assert!(is_replayed(&send(two, "count", "a")));
    assert_eq!(send(two, "count", "d").error().0, -32002);
    pass(&instances, 400);
    let ended = until_other(-32002, || send(two, "count", "d"));
    assert!(!is_replayed(&ended) && ended.status == 200, "{ended:?}");
    // The key of an outcome that is too old is free again.
    let again = until_other(-32002, || send(one, "count", "a"));
    assert!(!is_replayed(&again) && again.status == 200, "{again:?}");
}

/// Sends calls with new keys until one of them is refused. Returns all answers.
fn until_refused(instance: SocketAddr, name: &str) -> Vec<Response> {
    let mut responses = Vec::new();
    loop {
        let response = send(instance, "count", &format!("{name}.{}", responses.len()));
        let is_refused = response.json().get("error").is_some();
        responses.push(response);
        if is_refused {
            return responses;
        }
    }
}

/// Makes all outcomes older.
fn pass(instances: &Instances, seconds: u32) {
    let database = &instances.library.database;
    database.execute(&format!("UPDATE docent_keys SET until = until - {seconds}"));
}

#[test]
fn a_caller_gets_its_share_at_all_instances_together_and_leaves_the_rest_to_others() {
    const THREADS: usize = 8;
    let instances = Instances::new();
    let start = || instances.start_on(instances.library.again().with_room_for(2_000, 1 << 30));
    let places = [start(), start()];
    let responses: Vec<Response> = thread::scope(|scope| {
        let callers: Vec<_> = (0..THREADS)
            .map(|caller| {
                scope.spawn(move || until_refused(places[caller % 2], &caller.to_string()))
            })
            .collect();
        callers
            .into_iter()
            .flat_map(|caller| caller.join().unwrap())
            .collect()
    });
    let (granted, refused): (Vec<_>, Vec<_>) = responses
        .iter()
        .partition(|response| response.json()["result"].is_u64());
    // It may be exceeded by the calls that are running, and by what the other instance keeps before this one looks.
    assert!((100..300).contains(&granted.len()), "{}", granted.len());
    assert_eq!(instances.runs(), granted.len() as u64);
    for response in refused {
        let (code, data) = response.error();
        assert_eq!(code, -32002, "{response:?}");
        let reason = "this caller's share of the store of keys is full";
        assert_eq!(data["reason"], reason);
        let seconds = data["retryAfter"].as_u64().unwrap();
        // The end of an outcome is a whole second, after its time.
        assert!((1..=86_401).contains(&seconds), "{data}");
    }
    for place in [places[0], places[1], start()] {
        until_refused(place, &format!("late.{place}"));
        let other = send_as("Bearer bo", place, "count", &json!([]), "fresh");
        assert!(other.json()["result"].is_u64(), "{other:?}");
    }
    // An outcome that is forgotten makes room for another.
    instances.library.database.execute(
        "UPDATE docent_keys SET until = 1 WHERE key IN ('0.0', '1.0', '2.0', '3.0', '4.0', '5.0', '6.0', '7.0')",
    );
    let late = until_other(-32002, || send(places[0], "count", "last"));
    assert!(late.json()["result"].is_u64(), "{late:?}");
}
