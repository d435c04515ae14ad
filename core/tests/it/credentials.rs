//! Credentials as guards and authenticators get them: decided once, in the same way for each reader.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use docent_core::carrier::{Incoming, Reply};
use docent_core::{
    Authentication, Authenticator, BoxFuture, CallInfo, Credentials, Cx, ErrorList, Extensions,
    Fault, Fields, Guard, Identity, Procedure, Rejection, RejectionKind, Runtime, Service,
    ServiceBuilder, code, either,
};
use docent_describe::json::{Json, Object};
use docent_describe::{Credential, Requirement};
use futures_util::FutureExt;

use crate::{assert_one, builder, call, mistakes, plain};

/// The clock of a service whose limits count, at a standstill.
struct Standstill(Instant);

impl Runtime for Standstill {
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
        self.0
    }
}

pub(crate) struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("ann")
    }
}

pub(crate) fn scheme(members: &[(&str, &str)]) -> Json {
    let mut definition = Object::new();
    for (name, value) in members {
        definition.insert(*name, Json::from(*value));
    }
    Json::Object(definition)
}

/// The way in which a reader names what it reads.
#[derive(Clone, Copy, PartialEq)]
enum Naming {
    Reads,
    Scheme,
    Both,
    Nothing,
}

/// Accepts `right` in a field, or after `Bearer` in `Authorization`, and counts what it looks at.
#[derive(Clone)]
struct Reader {
    field: &'static str,
    naming: Naming,
    challenge: &'static str,
    is_late: bool,
    looked_at: Arc<AtomicUsize>,
}

impl Reader {
    fn new(field: &'static str, naming: Naming, challenge: &'static str) -> Self {
        Self {
            field,
            naming,
            challenge,
            is_late: false,
            looked_at: Arc::default(),
        }
    }

    fn late(self) -> Self {
        Self {
            is_late: true,
            ..self
        }
    }

    fn looked_at(&self) -> usize {
        self.looked_at.load(Ordering::Relaxed)
    }

    fn find(&self, credentials: Credentials<'_>) -> Result<Option<User>, Rejection> {
        let shown = match self.field {
            "Authorization" => credentials.of_scheme("bearer"),
            // The first of several: what counts must have been decided before.
            field => credentials.field(field).next(),
        };
        let Some(shown) = shown else {
            return Ok(None);
        };
        self.looked_at.fetch_add(1, Ordering::Relaxed);
        match shown {
            b"right" => Ok(Some(User)),
            _ => Err(Rejection::unauthorized(self.challenge)),
        }
    }

    fn declared_reads(&self) -> Option<Vec<String>> {
        matches!(self.naming, Naming::Reads | Naming::Both).then(|| vec![self.field.to_owned()])
    }

    fn declared_scheme(&self) -> Option<(String, Json)> {
        if !matches!(self.naming, Naming::Scheme | Naming::Both) {
            return None;
        }
        if self.field == "Authorization" {
            let definition = scheme(&[("type", "http"), ("scheme", "bearer")]);
            return Some(("bearer".to_owned(), definition));
        }
        let definition = scheme(&[("type", "apiKey"), ("in", "header"), ("name", self.field)]);
        Some(("key".to_owned(), definition))
    }
}

impl Authenticator for Reader {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        let found = self.find(credentials);
        if !self.is_late {
            return Authentication::Ready(found);
        }
        Authentication::pending(async {
            tokio::task::yield_now().await;
            found
        })
    }

    fn challenge(&self) -> Cow<'static, str> {
        self.challenge.into()
    }

    fn scheme(&self) -> Option<(String, Json)> {
        self.declared_scheme()
    }

    fn reads(&self) -> Option<Vec<String>> {
        self.declared_reads()
    }
}

impl Guard for Reader {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        match self.find(attempt.credentials)? {
            Some(_) => Ok(()),
            None if self.challenge.is_empty() => Err(Rejection::forbidden()),
            None => Err(Rejection::unauthorized(self.challenge)),
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        self.challenge.into()
    }

    fn scheme(&self) -> Option<(String, Json)> {
        self.declared_scheme()
    }

    fn reads(&self) -> Option<Vec<String>> {
        self.declared_reads()
    }
}

pub(crate) struct Head(pub(crate) Vec<(&'static str, &'static str)>);

impl Fields for Head {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        self.0
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_bytes())
            .nth(index)
    }
}

pub(crate) fn required() -> Procedure {
    Procedure::sync("required", |_: Cx<(), User>, (): ()| Ok::<_, Fault>("ann"))
}

pub(crate) fn optional() -> Procedure {
    Procedure::sync("optional", |cx: Cx<(), Option<User>>, (): ()| {
        Ok::<_, Fault>(cx.caller().map_or("anonymous", |_| "ann"))
    })
}

pub(crate) fn open() -> Procedure {
    Procedure::sync("open", |_: Cx, (): ()| Ok::<_, Fault>("open"))
}

/// A service that allows one wrong credential in an hour.
pub(crate) fn counting(builder: ServiceBuilder) -> Service {
    let clock = Arc::new(Standstill(Instant::now()));
    builder
        .failed_logins(1, Duration::from_secs(3_600))
        .build()
        .expect("no mistakes")
        .with_runtime(clock)
}

async fn reply(service: &Service, body: &str, fields: &[(&'static str, &'static str)]) -> Reply {
    let mut extensions = Extensions::new();
    extensions.set_client_address("192.0.2.1".parse().expect("an address"));
    extensions.insert_fields(Head(fields.to_vec()));
    let incoming = Incoming::new(body.to_owned()).extensions(Arc::new(extensions));
    service.exchange(incoming).await
}

/// Returns the result, the challenge, `forbidden`, or the code of an error.
pub(crate) async fn outcome(
    service: &Service,
    procedure: &str,
    fields: &[(&'static str, &'static str)],
) -> String {
    let reply = reply(service, &call(procedure), fields).await;
    match (reply.rejection(), reply.error_code()) {
        (Some(RejectionKind::Unauthorized { challenge }), _) => challenge.to_string(),
        (Some(_), _) => "forbidden".to_owned(),
        (None, Some(code)) => code.to_string(),
        (None, None) => {
            let body: serde_json::Value =
                serde_json::from_slice(&reply.into_body().expect("a response")).expect("JSON");
            body["result"].as_str().expect("a text").to_owned()
        }
    }
}

pub(crate) const TOO_MANY: &str = "-32008";

#[tokio::test]
async fn a_credential_that_is_there_twice_is_wrong_before_anything_looks_at_it() {
    let namings = [Naming::Reads, Naming::Scheme, Naming::Both];
    for (field, right) in [("Authorization", "Bearer right"), ("X-Key", "right")] {
        for naming in namings {
            let reader = Reader::new(field, naming, "Who");
            let mut builders = vec![
                builder()
                    .authenticate(reader.clone())
                    .procedures([required(), optional()]),
                builder()
                    .authenticate(reader.clone().late())
                    .procedures([required(), optional()]),
            ];
            // A field that only a guard declares need not be a credential.
            if field == "Authorization" || naming != Naming::Reads {
                let procedures = [plain("required"), plain("optional")];
                builders.push(builder().guard(reader.clone()).procedures(procedures));
            }
            for builder in builders {
                let service = builder.build().expect("a service");
                for procedure in ["required", "optional"] {
                    for second in [right, "", "Basic Og==", "wrong"] {
                        for values in [[right, second], [second, right], [second, second]] {
                            let fields = values.map(|value| (field, value));
                            let result = outcome(&service, procedure, &fields).await;
                            assert_eq!(result, "Who", "{fields:?}");
                        }
                    }
                }
            }
            assert_eq!(reader.looked_at(), 0, "{field}");
        }
    }
}

#[tokio::test]
async fn a_credential_that_is_there_twice_counts_as_a_failed_login_once_for_a_request() {
    let naming = Naming::Reads;
    let guard = Reader::new("Authorization", Naming::Nothing, "");
    for builder in [
        builder().authenticate(Reader::new("Authorization", naming, "Who")),
        builder()
            .authenticate(Reader::new("X-Key", naming, "Who"))
            .guard(guard.clone()),
    ] {
        let service = counting(builder.procedures([required(), optional()]));
        let twice = [("authorization", "Bearer right"); 2];
        let batch = format!("[{0},{1},{0}]", call("required"), call("optional"));
        let body = reply(&service, &batch, &twice).await.into_body();
        let text = String::from_utf8(body.expect("a response")).expect("UTF-8");
        assert_eq!(text.matches(r#""code":-32007"#).count(), 3, "{text}");
        assert_eq!(outcome(&service, "optional", &twice).await, TOO_MANY);
    }
    assert_eq!(guard.looked_at(), 0);
}

#[tokio::test]
async fn a_repeated_credential_gets_the_challenge_of_the_authenticator_or_else_of_a_guard() {
    let twice = [("authorization", "Bearer right"); 2];
    let silent = || Reader::new("Authorization", Naming::Nothing, "");
    let guard = || Reader::new("Authorization", Naming::Reads, "Guard");
    let authenticator = |challenge| Reader::new("Authorization", Naming::Reads, challenge);
    for (builder, result) in [
        (
            builder().authenticate(authenticator("Who")).guard(guard()),
            "Who",
        ),
        (
            builder().authenticate(authenticator("")).guard(guard()),
            "Guard",
        ),
        (
            builder().authenticate(authenticator("Who")).guard(silent()),
            "Who",
        ),
        (
            builder()
                .authenticate(Reader::new("X-Key", Naming::Reads, "Who"))
                .guard(silent())
                .guard(guard()),
            "Guard",
        ),
        (
            builder()
                .authenticate(Reader::new("X-Key", Naming::Reads, "Who"))
                .guard(silent()),
            "forbidden",
        ),
        // Neither reads it.
        (
            builder().authenticate(Reader::new("X-Key", Naming::Reads, "Who")),
            "anonymous",
        ),
    ] {
        let service = builder.procedure(optional()).build().expect("a service");
        assert_eq!(outcome(&service, "optional", &twice).await, result);
    }
}

#[tokio::test]
async fn a_field_that_may_be_repeated_is_left_to_its_reader() {
    for field in ["Cookie", "x-forwarded-for"] {
        let reader = Reader::new(field, Naming::Both, "Who");
        let service = builder().authenticate(reader).procedure(required());
        let service = service.build().expect("a service");
        let fields = [(field, "right"), (field, "other")];
        assert_eq!(outcome(&service, "required", &fields).await, "ann");
    }
}

#[tokio::test]
async fn credentials_of_another_scheme_are_absent_and_never_count_as_a_failed_login() {
    let reader = Reader::new("Authorization", Naming::Both, "Who");
    let with_guard = builder().guard(reader.clone()).procedure(open());
    let with_guard = counting(with_guard);
    let with_caller = builder().authenticate(reader);
    let with_caller = counting(with_caller.procedures([required(), optional()]));
    for other in ["Basic right", "right", "Bearerright", "", "Bear er right"] {
        let fields = [("Authorization", other)];
        assert_eq!(outcome(&with_guard, "open", &fields).await, "Who");
        assert_eq!(outcome(&with_caller, "required", &fields).await, "Who");
        let result = outcome(&with_caller, "optional", &fields).await;
        assert_eq!(result, "anonymous", "{other:?}");
    }
    for (service, procedure) in [(with_guard, "open"), (with_caller, "optional")] {
        assert_eq!(
            outcome(&service, procedure, &[("Authorization", "bEARER")]).await,
            "Who"
        );
        let right = [("Authorization", "Bearer right")];
        assert_eq!(outcome(&service, procedure, &right).await, TOO_MANY);
        let result = outcome(&service, procedure, &[("Authorization", "Basic x")]).await;
        assert_ne!(result, TOO_MANY);
    }
}

#[test]
fn credentials_follow_the_name_of_their_scheme_and_spaces() {
    #[derive(Clone, Default)]
    struct Shown(Arc<Mutex<Vec<Option<Vec<u8>>>>>);

    impl Guard for Shown {
        fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
            let shown = attempt.credentials.of_scheme("Bearer");
            let mut all = self.0.lock().expect("no panic");
            all.push(shown.map(<[u8]>::to_vec));
            Ok(())
        }
    }

    let shown = Shown::default();
    let service = builder().guard(shown.clone()).procedure(open());
    let service = service.build().expect("a service");
    for (sent, expected) in [
        ("Bearer a", Some("a")),
        ("bearer   a b ", Some("a b")),
        ("Bearer", Some("")),
        ("BEARER ", Some("")),
        ("Bearer\ta", Some("\ta")),
        ("Bearer \ta", Some("\ta")),
        ("Bearera", None),
        ("Bear a", None),
        (" Bearer a", None),
        ("", None),
    ] {
        let outcome = outcome(&service, "open", &[("authorization", sent)]).now_or_never();
        assert_eq!(outcome.as_deref(), Some("open"));
        let presented = shown.0.lock().expect("no panic").pop().flatten();
        assert_eq!(
            presented.as_deref(),
            expected.map(str::as_bytes),
            "{sent:?}"
        );
    }
}

#[tokio::test]
async fn of_two_ways_only_the_first_credentials_that_are_there_are_looked_up() {
    for (first_is_late, second_is_late) in
        [(false, false), (false, true), (true, false), (true, true)]
    {
        let mut first = Reader::new("Authorization", Naming::Both, "First");
        let mut second = Reader::new("X-Key", Naming::Both, "Second");
        (first.is_late, second.is_late) = (first_is_late, second_is_late);
        let service = builder()
            .authenticate(either(first.clone(), second.clone()))
            .procedures([required(), optional()])
            .build()
            .expect("a service");
        let looked_at = || (first.looked_at(), second.looked_at());
        let wrong = ("Authorization", "Bearer wrong");
        for (fields, result, expected) in [
            (&[][..], "anonymous", (0, 0)),
            (&[("Authorization", "Basic x")], "anonymous", (0, 0)),
            (&[("Authorization", "Bearer right")], "ann", (1, 0)),
            (&[wrong, ("X-Key", "right")], "First, Second", (2, 0)),
            (&[wrong, ("X-Key", "wrong")], "First, Second", (3, 0)),
            (
                &[("Authorization", "Basic x"), ("X-Key", "right")],
                "ann",
                (3, 1),
            ),
            (&[("X-Key", "wrong")], "Second, First", (3, 2)),
            (
                &[("X-Key", "right"), ("X-Key", "right")],
                "First, Second",
                (3, 2),
            ),
        ] {
            assert_eq!(outcome(&service, "optional", fields).await, result);
            assert_eq!(looked_at(), expected, "{fields:?}");
        }
    }
}

#[tokio::test]
async fn callers_at_once_have_no_more_looked_up_in_two_ways_than_may_be_wrong() {
    let first = Reader::new("Authorization", Naming::Both, "First").late();
    let second = Reader::new("X-Key", Naming::Both, "Second").late();
    let service = builder().authenticate(either(first.clone(), second.clone()));
    let service = counting(service.procedure(required()));
    let wrong = [("Authorization", "Bearer wrong"), ("X-Key", "wrong")];
    let calls = (0..50).map(|_| outcome(&service, "required", &wrong));
    let result = futures_util::future::join_all(calls).await;
    let refused = result.iter().filter(|result| *result == TOO_MANY).count();
    assert_eq!(refused, 49, "{result:?}");
    assert_eq!((first.looked_at(), second.looked_at()), (1, 0));
}

/// Says the same about itself each time.
#[derive(Clone, Default)]
struct DeclaringAuthenticator {
    reads: Option<&'static str>,
    scheme: Option<(&'static str, &'static [(&'static str, &'static str)])>,
    code: i64,
    problem: Option<&'static str>,
}

impl Authenticator for DeclaringAuthenticator {
    type Identity = User;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
        Authentication::ready(None)
    }

    fn scheme(&self) -> Option<(String, Json)> {
        let (name, members) = self.scheme?;
        Some((name.to_owned(), scheme(members)))
    }

    fn reads(&self) -> Option<Vec<String>> {
        self.reads.map(|field| vec![field.to_owned()])
    }

    fn declare(&self, errors: &mut ErrorList) {
        if self.code != 0 {
            let _ = errors.add(self.code, "Not now");
        }
    }

    fn problems(&self) -> Vec<String> {
        self.problem.map(str::to_owned).into_iter().collect()
    }
}

#[tokio::test]
async fn two_ways_read_the_fields_of_both_or_everything() {
    let reads = |field| DeclaringAuthenticator {
        reads: Some(field),
        ..DeclaringAuthenticator::default()
    };
    let unknown = DeclaringAuthenticator::default;
    for (caller, fields) in [
        (either(reads("X-A"), reads("X-B")), &["X-A", "X-B"][..]),
        (either(reads("X-A"), unknown()), &[]),
        (either(unknown(), reads("X-B")), &[]),
    ] {
        let service = builder()
            .authenticate(caller)
            .procedure(optional().idempotent());
        let service = service.build().expect("a service");
        let reply = service.query("optional", "", None).await;
        assert!(reply.fields().eq(fields.iter().copied()), "{fields:?}");
    }
    // A field that neither reads may be repeated; one that both may read may not.
    let twice = [("X-Other", "a"), ("X-Other", "b")];
    let service = builder().authenticate(either(reads("X-A"), reads("X-B")));
    let service = service.procedure(optional()).build().expect("a service");
    assert_eq!(outcome(&service, "optional", &twice).await, "anonymous");
    assert_eq!(
        outcome(&service, "optional", &[("X-B", "a"), ("X-B", "b")]).await,
        "forbidden"
    );
}

#[test]
fn two_ways_declare_the_errors_and_the_problems_of_both() {
    let declaring = |code, problem| DeclaringAuthenticator {
        code,
        problem,
        ..DeclaringAuthenticator::default()
    };
    let service = builder()
        .authenticate(either(declaring(1401, None), declaring(1402, None)))
        .procedure(required())
        .build()
        .expect("a service");
    let errors = &service.description().procs[0].errors;
    let codes: Vec<_> = errors.iter().map(|error| error.code).collect();
    assert_eq!(codes, [1401, 1402]);

    let broken = |one, other| {
        builder()
            .authenticate(either(declaring(0, one), declaring(0, other)))
            .procedure(required())
    };
    assert_one(broken(Some("no key"), None), None, &["no key"]);
    assert_one(broken(None, Some("no list")), None, &["no list"]);
    assert_eq!(mistakes(broken(Some("no key"), Some("no list"))).len(), 2);
}

#[test]
fn schemes_that_callers_present_differently_have_names_of_their_own() {
    let way = |name, members| DeclaringAuthenticator {
        scheme: Some((name, members)),
        ..DeclaringAuthenticator::default()
    };
    let a = way(
        "key",
        &[("type", "apiKey"), ("in", "header"), ("name", "A")],
    );
    let described = way(
        "key",
        &[
            ("type", "apiKey"),
            ("in", "header"),
            ("name", "A"),
            ("description", "Ask Ann."),
        ],
    );
    let b = way(
        "key",
        &[("type", "apiKey"), ("in", "header"), ("name", "B")],
    );
    let cookie = way(
        "key",
        &[("type", "apiKey"), ("in", "cookie"), ("name", "A")],
    );
    let basic = way("http", &[("type", "http"), ("scheme", "basic")]);
    let bearer = way("http", &[("type", "http"), ("scheme", "bearer")]);
    let taken = way("http2", &[("type", "oauth2")]);
    let other = way("http2", &[("type", "openIdConnect")]);
    let keys = either(either(either(a, described), b), cookie);
    let all = either(either(either(either(keys, taken), other), basic), bearer);
    let service = builder().authenticate(all).procedure(required());
    let service = service.build().expect("a service");
    let description = service.description();
    let names: Vec<_> = description.procs[0]
        .credentials()
        .map(|credential| &*credential.scheme)
        .collect();
    let expected = ["key", "key2", "key3", "http2", "http22", "http", "http3"];
    assert_eq!(names, expected);
    let member = |scheme: &str, name: &str| {
        let definition = description.security_schemes.get(scheme)?;
        definition.get(name)?.as_str().map(str::to_owned)
    };
    for (scheme, name, expected) in [
        ("key", "in", "header"),
        ("key", "name", "A"),
        ("key2", "in", "header"),
        ("key2", "name", "B"),
        ("key3", "in", "cookie"),
        ("key3", "name", "A"),
        ("http2", "type", "oauth2"),
        ("http22", "type", "openIdConnect"),
        ("http", "scheme", "basic"),
        ("http3", "scheme", "bearer"),
    ] {
        assert_eq!(member(scheme, name).as_deref(), Some(expected), "{scheme}");
    }
    assert_eq!(description.security_schemes.len(), names.len());
    assert_eq!(member("key", "description"), None);
}

#[tokio::test]
async fn a_known_caller_without_credentials_that_are_read_is_refused_as_forbidden() {
    let reader = Reader::new("X-Key", Naming::Nothing, "");
    let service = builder().authenticate(reader).procedure(required());
    let service = service.build().expect("a service");
    let reply = reply(&service, &call("required"), &[]).await;
    assert_eq!(reply.error_code(), Some(code::REFUSED));
    assert_eq!(reply.rejection(), Some(&RejectionKind::Forbidden));
}

#[test]
fn the_description_says_what_an_optional_caller_may_bring() {
    let reader = |field| Reader::new(field, Naming::Both, "Who");
    let described = |builder: ServiceBuilder| {
        let service = builder.procedure(optional()).build().expect("a service");
        let procedure = &service.description().procs[0];
        (procedure.security.clone(), procedure.guarded)
    };
    let key = || Credential::new("key");
    let bearer = || Credential::new("bearer");
    for (builder, security, is_guarded) in [
        (
            builder().authenticate(reader("X-Key")),
            vec![Requirement::optional(vec![key()])],
            false,
        ),
        (
            builder().authenticate(either(reader("Authorization"), reader("X-Key"))),
            vec![Requirement::optional(vec![bearer(), key()])],
            false,
        ),
        (
            builder()
                .authenticate(reader("X-Key"))
                .guard(reader("Authorization")),
            vec![bearer().into(), Requirement::optional(vec![key()])],
            true,
        ),
        // The guard requires it.
        (
            builder()
                .authenticate(reader("X-Key"))
                .guard(reader("X-Key")),
            vec![key().into()],
            true,
        ),
        (
            builder().authenticate(reader("X-Key")).protect_own(),
            vec![key().into()],
            true,
        ),
        (
            builder().authenticate(Reader::new("X-Key", Naming::Reads, "Who")),
            Vec::new(),
            false,
        ),
    ] {
        assert_eq!(described(builder), (security, is_guarded));
    }
}
