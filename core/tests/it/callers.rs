//! Identities of callers: found out once for a request, told to handlers, and held against what they ask.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::carrier::{Incoming, Reply};
use docent_core::{
    Authentication, Authenticator, CallRecord, Caller, Credentials, Cx, Ending, Extensions, Fault,
    Fields, Identity, Observer, Procedure, Rejection, Service, ServiceBuilder, procedure,
    procedures,
};
use futures_util::FutureExt;
use serde_json::Value;

use crate::{Tokio, assert_fine, assert_one, builder, plain};

#[test]
fn a_scope_without_a_name_is_a_mistake() {
    let service = || builder().authenticate(Names::new(Behaviour::AtOnce));
    assert_fine(service().procedure(plain("add").scope("clerk")));
    assert_one(
        service().procedure(plain("add").scope("")),
        Some("add"),
        &["a scope must not be empty", "take its caller"],
    );
}

#[derive(Debug)]
struct User {
    name: String,
    roles: &'static [&'static str],
}

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.name)
    }

    fn has_scope(&self, scope: &str) -> bool {
        self.roles.contains(&scope)
    }
}

/// The way in which an authenticator finds out who is calling.
#[derive(Clone, Copy, PartialEq)]
enum Behaviour {
    AtOnce,
    Later,
    Never,
    Fails,
    Busy,
    Panics,
    PanicsLater,
}

/// Takes the name in `X-User`, and counts how often it is asked. `eve` is rejected.
#[derive(Clone)]
struct Names {
    behaviour: Behaviour,
    asked: Arc<AtomicUsize>,
}

impl Names {
    fn new(behaviour: Behaviour) -> Self {
        Self {
            behaviour,
            asked: Arc::default(),
        }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

fn fault() -> Result<Option<User>, Fault> {
    Err(Fault::internal("no users"))
}

fn user(name: Option<String>) -> Result<Option<User>, Rejection> {
    match name.as_deref() {
        Some("eve") => Err(Rejection::unauthorized("Name error")),
        Some("clara") => Ok(name.map(|name| User {
            name,
            roles: &["clerk"],
        })),
        _ => Ok(name.map(|name| User { name, roles: &[] })),
    }
}

impl Authenticator for Names {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let name = credentials.only_field("x-user");
        let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
        match self.behaviour {
            Behaviour::AtOnce => Authentication::Ready(user(name)),
            Behaviour::Later => Authentication::pending(async {
                tokio::task::yield_now().await;
                user(name)
            }),
            Behaviour::Never => Authentication::pending(std::future::pending()),
            Behaviour::Fails => Authentication::pending(async { Ok(fault()?) }),
            Behaviour::Busy => {
                Authentication::rejected(Rejection::busy("no users now", Duration::from_millis(1)))
            }
            Behaviour::Panics => panic!("no users"),
            Behaviour::PanicsLater => Authentication::pending(async { panic!("no users") }),
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        Cow::from("Name")
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["X-User".to_owned()])
    }
}

struct Header(&'static str);

impl Fields for Header {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        let is_user = name.eq_ignore_ascii_case("x-user") && index == 0;
        is_user.then_some(self.0.as_bytes())
    }
}

fn from(name: Option<&'static str>) -> Arc<Extensions> {
    let mut extensions = Extensions::new();
    if let Some(name) = name {
        extensions.insert_fields(Header(name));
    }
    Arc::new(extensions)
}

fn greet() -> Procedure {
    Procedure::sync("greet", |cx: Cx<(), User>, (): ()| {
        Ok::<_, Fault>(cx.caller().name.clone())
    })
    .idempotent()
}

fn look() -> Procedure {
    Procedure::new("look", |cx: Cx<(), Option<User>>, (): ()| async move {
        Ok::<_, Fault>(cx.caller().map(|user| user.name.clone()))
    })
    .idempotent()
}

fn file() -> Procedure {
    plain("file").scope("clerk")
}

fn service(names: &Names) -> Service {
    let builder = builder()
        .authenticate(names.clone())
        .procedure(greet())
        .procedure(look())
        .procedure(file())
        .procedure(plain("open"));
    let service = builder.build().expect("a service");
    service.with_runtime(Arc::new(Tokio))
}

async fn reply(service: &Service, name: Option<&'static str>, body: &str) -> Reply {
    let incoming = Incoming::new(body.to_owned()).extensions(from(name));
    service.exchange(incoming).await
}

async fn ask(service: &Service, name: Option<&'static str>, procedure: &str) -> Value {
    let reply = reply(service, name, &crate::call(procedure)).await;
    json(&reply)
}

fn json(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body().expect("a body")).expect("JSON")
}

fn challenge(reply: &Reply) -> Option<&str> {
    reply.rejection()?.challenge()
}

#[tokio::test]
async fn a_handler_gets_its_caller_or_is_not_called() {
    for behaviour in [Behaviour::AtOnce, Behaviour::Later] {
        let service = service(&Names::new(behaviour));
        assert_eq!(ask(&service, Some("ann"), "greet").await["result"], "ann");
        assert_eq!(ask(&service, Some("ann"), "look").await["result"], "ann");
        assert_eq!(ask(&service, None, "look").await["result"], Value::Null);

        let body = crate::call("greet");
        let unknown = reply(&service, None, &body).await;
        assert_eq!(json(&unknown)["error"]["code"], -32007);
        assert_eq!(challenge(&unknown), Some("Name"));
        // Wrong credentials are worse than none, even where none are needed.
        for body in [body, crate::call("look")] {
            let wrong = reply(&service, Some("eve"), &body).await;
            assert_eq!(json(&wrong)["error"]["code"], -32007);
            assert_eq!(challenge(&wrong), Some("Name error"));
        }
        let query = service.query("greet", "", Some(from(Some("ann")))).await;
        assert_eq!(json(&query)["result"], "ann");
        assert!(query.is_personal());
        assert!(query.fields().eq(["X-User"]));
        let query = service.query("greet", "", Some(from(None))).await;
        assert_eq!(challenge(&query), Some("Name"));
    }
}

#[tokio::test]
async fn a_scope_is_required_of_known_callers() {
    for behaviour in [Behaviour::AtOnce, Behaviour::Later] {
        let service = service(&Names::new(behaviour));
        assert_eq!(
            ask(&service, Some("clara"), "file").await["result"],
            Value::Null
        );
        let body = crate::call("file");
        let ann = reply(&service, Some("ann"), &body).await;
        let error = &json(&ann)["error"];
        assert_eq!(error["code"], -32007);
        assert_eq!(
            error["data"]["reason"],
            "the call requires the scope \"clerk\""
        );
        assert!(ann.rejection().is_some() && challenge(&ann).is_none());
        let nobody = reply(&service, None, &body).await;
        assert_eq!(challenge(&nobody), Some("Name"));
    }
}

#[tokio::test]
async fn an_authenticator_is_asked_once_for_a_request_and_only_if_a_call_needs_it() {
    for behaviour in [Behaviour::AtOnce, Behaviour::Later] {
        let names = Names::new(behaviour);
        let service = service(&names);
        ask(&service, Some("ann"), "open").await;
        ask(&service, Some("ann"), "nothing").await;
        assert_eq!(names.asked(), 0);

        let entries = ["open", "greet", "look", "file", "greet"]
            .map(crate::call)
            .join(",");
        let responses = json(&reply(&service, Some("ann"), &format!("[{entries}]")).await);
        assert_eq!(names.asked(), 1);
        let results: Vec<_> = responses
            .as_array()
            .expect("responses")
            .iter()
            .map(|response| response["result"].to_string())
            .collect();
        assert_eq!(results, ["null", "\"ann\"", "\"ann\"", "null", "\"ann\""]);
        assert_eq!(responses[3]["error"]["code"], -32007);
    }
}

#[tokio::test]
async fn a_rule_sees_the_caller_and_the_procedure() {
    let forbid = |user: &User, call: &docent_core::CallInfo<'_>| {
        let both = format!("{} {}", user.name, call.procedure.name);
        match &*both {
            "ann greet" => Ok(()),
            _ => Err(Rejection::forbidden().with_fault(Fault::new(-32050, both))),
        }
    };
    let builder = builder()
        .authenticate(Names::new(Behaviour::Later))
        .authorize(forbid)
        .procedure(greet())
        .procedure(look());
    let service = builder.build().expect("a service");
    assert_eq!(ask(&service, Some("ann"), "greet").await["result"], "ann");
    let refused = ask(&service, Some("bob"), "greet").await;
    assert_eq!(refused["error"]["message"], "bob greet");
    assert_eq!(refused["error"]["code"], -32050);
    // Of an anonymous caller there is nothing to judge.
    assert_eq!(ask(&service, None, "look").await["result"], Value::Null);
}

#[tokio::test]
async fn the_time_of_authentication_counts_for_every_call_that_waits_for_it() {
    let names = Names::new(Behaviour::Never);
    let builder = builder()
        .authenticate(names.clone())
        .procedure(greet().timeout(Duration::from_millis(10)))
        .procedure(look().timeout(Duration::from_millis(20)))
        .procedure(plain("open"));
    let service = builder
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio));
    let body = ["greet", "look", "open"].map(crate::call).join(",");
    let answers = json(&reply(&service, Some("ann"), &format!("[{body}]")).await);
    for waiting in [&answers[0], &answers[1]] {
        assert_eq!(waiting["error"]["code"], -32001);
        assert_eq!(waiting["error"]["data"]["started"], false);
    }
    assert_eq!(answers[2]["result"], Value::Null);
    assert_eq!(names.asked(), 1);
    assert_eq!(service.running_calls(), 0);
}

#[tokio::test]
async fn calls_that_wait_to_know_their_caller_count_as_running() {
    let builder = builder()
        .authenticate(Names::new(Behaviour::Never))
        .limits(|limits| limits.max_concurrent_calls = 2);
    let service = builder.procedure(greet()).build().expect("a service");
    let body = crate::call("greet");
    let mut waiting: Vec<_> = (0..2)
        .map(|_| Box::pin(reply(&service, Some("ann"), &body)))
        .collect();
    for call in &mut waiting {
        assert!(call.as_mut().now_or_never().is_none());
    }
    assert_eq!(service.running_calls(), 2);
    assert_eq!(
        ask(&service, Some("ann"), "greet").await["error"]["code"],
        -32002
    );
    drop(waiting);
    assert_eq!(service.running_calls(), 0);
}

#[tokio::test]
async fn an_authenticator_that_fails_or_panics_fails_the_calls_that_need_it() {
    for behaviour in [Behaviour::Fails, Behaviour::Panics, Behaviour::PanicsLater] {
        let service = service(&Names::new(behaviour));
        let body = ["greet", "open", "file"].map(crate::call).join(",");
        let answers = json(&reply(&service, Some("ann"), &format!("[{body}]")).await);
        assert_eq!(answers[0]["error"]["code"], -32603);
        assert_eq!(answers[1]["result"], Value::Null);
        assert_eq!(answers[2]["error"]["code"], -32603);
        assert!(answers[0]["error"]["data"]["incident"].is_string());
        let refused = service
            .carrier()
            .admits("greet", Some(&from(Some("ann"))))
            .await;
        assert_eq!(refused.expect_err("an error").error_code(), Some(-32603));
    }
}

#[tokio::test]
async fn an_authenticator_that_cannot_check_now_says_when_to_repeat_the_call() {
    let service = service(&Names::new(Behaviour::Busy));
    let error = &ask(&service, Some("ann"), "greet").await["error"];
    assert_eq!(error["code"], -32002);
    let data = serde_json::json!({"reason": "no users now", "retryAfter": 1});
    assert_eq!(error["data"], data);
}

/// A call as an observer sees it.
#[derive(Debug, Clone, PartialEq)]
struct ObservedCall {
    caller: Option<String>,
    ending: Ending,
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        self.0.lock().expect("no panic").push(ObservedCall {
            caller: call.caller().map(Cow::into_owned),
            ending: call.ending,
        });
    }
}

impl Recorder {
    fn take(&self) -> Vec<ObservedCall> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }
}

#[tokio::test]
async fn observers_hear_who_called_and_of_callers_that_left_before_that_was_known() {
    let recorder = Recorder::default();
    for behaviour in [Behaviour::AtOnce, Behaviour::Later] {
        let service = service(&Names::new(behaviour)).with_observer(recorder.clone());
        ask(&service, Some("ann"), "greet").await;
        ask(&service, None, "greet").await;
        ask(&service, Some("ann"), "open").await;
        reply(&service, Some("bob"), &format!("[{}]", crate::call("look"))).await;
        service.query("greet", "", Some(from(Some("ann")))).await;
        let callers: Vec<_> = recorder
            .take()
            .into_iter()
            .map(|call| call.caller)
            .collect();
        let expected = [Some("ann"), None, None, Some("bob"), Some("ann")];
        assert_eq!(callers, expected.map(|name| name.map(str::to_owned)));
    }
    let service = service(&Names::new(Behaviour::Never)).with_observer(recorder.clone());
    let cancelled = ObservedCall {
        caller: None,
        ending: Ending::Cancelled,
    };
    let body = crate::call("greet");
    for body in [body.clone(), format!("[{body}]")] {
        assert!(reply(&service, Some("ann"), &body).now_or_never().is_none());
        assert_eq!(recorder.take(), std::slice::from_ref(&cancelled));
    }
    let query = service.query("greet", "", Some(from(Some("ann"))));
    assert!(query.now_or_never().is_none());
    assert_eq!(recorder.take(), [cancelled]);
}

#[tokio::test]
async fn a_caller_that_the_transport_knows_is_not_asked_for() {
    let names = Names::new(Behaviour::Never);
    let service = service(&names);
    let mut extensions = Extensions::new();
    extensions.set_caller(User {
        name: "ann".to_owned(),
        roles: &[],
    });
    let incoming = Incoming::new(crate::call("greet")).extensions(Arc::new(extensions));
    let answer = json(&service.exchange(incoming).await);
    assert_eq!((&answer["result"], names.asked()), (&Value::from("ann"), 0));
}

#[tokio::test]
async fn what_is_protected_is_described_as_guarded() {
    let builder = builder()
        .authenticate(Names::new(Behaviour::AtOnce))
        .procedure(plain("open"))
        .procedure(look())
        .procedure(plain("shut"))
        .protect(|procedure| matches!(&*procedure.name, "shut" | "rpc.describe"));
    let service = builder.build().expect("a service");
    let guarded = ["open", "look", "shut", "rpc.describe", "rpc.discover"]
        .map(|name| service.is_guarded(name));
    assert_eq!(guarded, [false, false, true, true, true]);
    for procedure in &service.description().procs {
        assert_eq!(procedure.guarded, procedure.name == "shut");
    }
    // Names do not leak where the description is protected.
    assert_eq!(ask(&service, None, "opem").await["error"].get("data"), None);
    let refused = service
        .carrier()
        .admits("rpc.describe", Some(&from(None)))
        .await;
    assert_eq!(challenge(&refused.expect_err("an error")), Some("Name"));
    let admitted = service
        .carrier()
        .admits("rpc.describe", Some(&from(Some("ann"))))
        .await;
    assert!(admitted.is_ok());
}

struct Robot;

impl Identity for Robot {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("robot")
    }
}

struct Robots;

impl Authenticator for Robots {
    type Identity = Robot;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<Robot> {
        Authentication::ready(Some(Robot))
    }

    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

fn with_names() -> ServiceBuilder {
    builder().authenticate(Names::new(Behaviour::AtOnce))
}

#[tokio::test]
async fn each_handler_gets_the_caller_from_the_authenticator_of_its_type() {
    let who = Procedure::sync("who", |cx: Cx<(), Robot>, (): ()| {
        Ok::<_, Fault>(cx.caller().id().into_owned())
    });
    let builder = with_names()
        .authenticate(Robots)
        .procedure(greet())
        .procedure(who);
    let service = builder.build().expect("a service");
    let body = ["greet", "who"].map(crate::call).join(",");
    let answers = json(&reply(&service, Some("ann"), &format!("[{body}]")).await);
    assert_eq!(answers[0]["result"], "ann");
    assert_eq!(answers[1]["result"], "robot");
}

#[test]
fn a_caller_that_nobody_gives_is_a_mistake() {
    assert_fine(with_names().procedure(greet()));
    let words = ["User`", "ServiceBuilder::authenticate"];
    assert_one(builder().procedure(greet()), Some("greet"), &words);
    assert_one(builder().procedure(look()), Some("look"), &words);
    assert_one(
        builder().authenticate(Robots).procedure(greet()),
        Some("greet"),
        &words,
    );
    assert_one(builder().procedure(file()), Some("file"), &["`scope`"]);
    let protected = builder().procedure(plain("open")).procedure(file());
    assert_one(
        protected.protect(|_| true),
        None,
        &[
            "`protect`",
            "no authenticator",
            "ServiceBuilder::authenticate",
        ],
    );
    let several = with_names().authenticate(Robots).procedure(greet());
    assert_one(
        several.protect(|_| true),
        None,
        &["`protect` selects the description", "`rpc.describe`"],
    );
    let several = with_names().authenticate(Robots).procedure(file());
    assert_one(
        several,
        Some("file"),
        &["several authenticators", "Cx<_, User>"],
    );
    let twice = with_names().authenticate(Names::new(Behaviour::Later));
    assert_one(
        twice.procedure(greet()),
        None,
        &["two authenticators", "User`"],
    );
    let rule = builder().authorize(|_: &User, _| Ok(()));
    assert_one(rule, None, &["`authorize`", "authenticate"]);
    let cached = with_names().procedure(greet().shared_cache());
    assert_one(cached, Some("greet"), &["shared_cache", "takes its caller"]);
}

#[tokio::test]
async fn a_test_says_who_is_calling() {
    let names = Names::new(Behaviour::Never);
    let ann = || User {
        name: "ann".to_owned(),
        roles: &[],
    };
    let service = service(&names);
    let greeted: String = service
        .request("greet", &())
        .caller(ann())
        .call()
        .await
        .expect("a greeting");
    assert_eq!((&*greeted, names.asked()), ("ann", 0));

    let name = |cx: Cx<(), User>| cx.caller().name.clone();
    let mut extensions = Extensions::new();
    extensions.set_caller(ann());
    assert_eq!(name(Cx::for_tests_with((), extensions)), "ann");
    let nobody = |cx: Cx<(), Option<User>>| cx.caller().is_none();
    assert!(nobody(Cx::for_tests(())));
}

#[test]
#[should_panic(expected = "set one with `Extensions::set_caller`")]
fn a_context_for_tests_needs_the_caller_that_its_handler_takes() {
    drop(Cx::<(), User>::for_tests(()));
}

struct Desk(&'static str);

#[procedures(prefix = "desk")]
impl Desk {
    #[procedure]
    fn greet(&self, user: Caller<User>, cx: Cx, again: Option<bool>) -> Result<String, Fault> {
        let again = again.unwrap_or_default();
        Ok(format!(
            "{} {} {} {again}",
            self.0,
            user.name,
            cx.procedure().name
        ))
    }

    #[procedure(scope = "clerk")]
    async fn look(&self, user: Option<Caller<User>>) -> Result<Option<String>, Fault> {
        tokio::task::yield_now().await;
        Ok(user.map(|user| user.name.clone()))
    }
}

#[procedure]
fn who(user: Option<Caller<User>>) -> Result<Option<String>, Fault> {
    Ok(user.map(|user| user.name.clone()))
}

#[procedure]
fn name_and_procedure(cx: Cx<()>, user: Caller<User>) -> Result<String, Fault> {
    Ok(format!("{} {}", user.name, cx.procedure().name))
}

#[tokio::test]
async fn a_function_under_the_attribute_takes_its_caller_as_an_argument() {
    let builder = builder().authenticate(Names::new(Behaviour::Later));
    let service = builder
        .procedures(Desk("Hello,").procedures())
        .procedure(who::procedure())
        .procedure(name_and_procedure::procedure())
        .build();
    let service = service.expect("a service").with_runtime(Arc::new(Tokio));
    let greeting = ask(&service, Some("anna"), "desk.greet").await;
    assert_eq!(greeting["result"], "Hello, anna desk.greet false");
    assert_eq!(
        ask(&service, None, "desk.greet").await["error"]["code"],
        -32007
    );
    assert_eq!(
        ask(&service, Some("anna"), "desk.look").await["error"]["code"],
        -32007
    );
    assert_eq!(
        ask(&service, Some("clara"), "desk.look").await["result"],
        "clara"
    );
    assert_eq!(ask(&service, Some("anna"), "who").await["result"], "anna");
    assert_eq!(ask(&service, None, "who").await["result"], Value::Null);
    assert_eq!(
        ask(&service, Some("anna"), "name_and_procedure").await["result"],
        "anna name_and_procedure"
    );
}
