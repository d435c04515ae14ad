//! Validators of results that depend on the caller: no caller gets a 304 for what another one got.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, to_bytes};
use docent::{
    Authentication, Authenticator, Bearer, CallInfo, Credentials, Cx, Fault, Guard, Identity,
    Procedure, Rejection, ResultExt as _, Service,
};
use docent_tower::RpcService;
use futures_util::future::join_all;
use tower::ServiceExt as _;

use crate::{Response, ask, get};

/// A caller with a token.
struct User(String);

/// A caller with a session.
struct Member(String);

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

impl Identity for Member {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

/// Finds the owner of a token such as `ann.2`, whose last part changes when it is renewed.
async fn owner(token: String) -> Result<Option<User>, String> {
    tokio::task::yield_now().await;
    let name = token.split_once('.').map(|(name, _)| User(name.to_owned()));
    Ok(name)
}

/// Finds the owner of a session such as `session=ann.2`.
struct Sessions {
    reads: Option<Vec<String>>,
}

impl Authenticator for Sessions {
    type Identity = Member;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<Member> {
        let cookie = credentials.only_field("cookie");
        let text = cookie.and_then(|cookie| str::from_utf8(cookie).ok());
        let session = text.and_then(|text| text.strip_prefix("session="));
        let name = session.and_then(|session| session.split_once('.'));
        Authentication::ready(name.map(|(name, _)| Member(name.to_owned())))
    }

    fn reads(&self) -> Option<Vec<String>> {
        self.reads.clone()
    }
}

/// Accepts calls that name a tenant.
struct Tenants;

impl Guard for Tenants {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        attempt
            .field("x-tenant")
            .next()
            .map(drop)
            .ok_or_else(Rejection::forbidden)
    }

    fn covers(&self, procedure: &docent::describe::ProcedureDescription) -> bool {
        ["tenant", "shared"].contains(&procedure.name.trim_start_matches("plain."))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["X-Tenant".to_owned()])
    }
}

/// Returns the values of a field of the request, so that its number of values shows.
fn values(cx: &Cx, name: &str) -> String {
    let values: Vec<_> = cx.field(name).map(String::from_utf8_lossy).collect();
    format!("{values:?}")
}

/// Returns a procedure for each kind of caller that a result can depend on.
fn procedures() -> [Procedure; 6] {
    [
        Procedure::sync("required", |cx: Cx<(), User>, (): ()| {
            Ok::<_, Fault>(format!("secret of {}", cx.caller().0))
        }),
        Procedure::sync("optional", |cx: Cx<(), Option<User>>, (): ()| {
            Ok::<_, Fault>(cx.caller().map(|user| user.0.clone()))
        }),
        Procedure::sync("session", |cx: Cx<(), Option<Member>>, (): ()| {
            Ok::<_, Fault>(cx.caller().map(|member| member.0.clone()))
        }),
        Procedure::sync("tenant", |cx: Cx, (): ()| {
            Ok::<_, Fault>(values(&cx, "x-tenant"))
        }),
        Procedure::sync("cookie", |cx: Cx, (): ()| {
            Ok::<_, Fault>(values(&cx, "cookie"))
        }),
        Procedure::sync("token", |cx: Cx, (): ()| {
            Ok::<_, Fault>(values(&cx, "authorization"))
        }),
    ]
}

/// Returns a service whose results all have the same version, or none.
fn service(reads: Option<&str>, has_versions: bool) -> Service {
    let shared = Procedure::sync("shared", |_: Cx, (): ()| Ok::<_, Fault>("news"));
    let procedures = procedures()
        .into_iter()
        .chain([shared.shared_cache()])
        .map(|procedure| {
            let procedure = procedure.idempotent();
            if has_versions {
                procedure.etag_by(|_: Cx, (): ()| 1)
            } else {
                procedure
            }
        });
    let reads = reads.map(|name| vec![name.to_owned()]);
    Service::builder("tags", "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c57")
        .authenticate(Bearer::new("tags", owner))
        .authenticate(Sessions { reads })
        .guard(Tenants)
        .procedures(procedures.collect::<Vec<_>>())
        .build()
        .expect("a service")
}

type Fields = [(&'static str, &'static str)];

/// Two services that were built alike, each on another host.
struct Hosts {
    actix: Service,
    tower: RpcService,
}

impl Hosts {
    fn new(reads: Option<&str>, has_versions: bool) -> Self {
        let tower = RpcService::new(service(reads, has_versions));
        Self {
            actix: service(reads, has_versions),
            tower: tower.expect("all addresses can be reached"),
        }
    }

    /// Sends a GET to both, and returns their answer, which is the same.
    async fn fetch(&self, name: &str, fields: &Fields, known: &str) -> Response {
        let target = format!("/rpc/{name}");
        let mut request = get(&target).insert_header(("if-none-match", known));
        let mut on_tower = http::Request::get(&target).header("if-none-match", known);
        for (name, value) in fields {
            request = request.append_header((*name, *value));
            on_tower = on_tower.header(*name, *value);
        }
        let answer = ask(&self.actix, request).await;
        let on_tower = on_tower.body(Body::empty()).expect("a request");
        let response = self.tower.clone().oneshot(on_tower).await;
        let (head, body) = response.expect("never an error").into_parts();
        let body = to_bytes(Body::new(body), usize::MAX).await.expect("a body");
        assert_eq!(head.status.as_u16(), answer.status.as_u16(), "{name}");
        assert_eq!(body, answer.body, "{name}");
        for field in ["etag", "vary", "cache-control"] {
            let value = head.headers.get(field);
            let value = value.map(|value| value.to_str().expect("a text"));
            assert_eq!(value, answer.header(field), "{name}");
        }
        answer
    }

    async fn tag(&self, name: &str, fields: &Fields) -> String {
        let answer = self.fetch(name, fields, "").await;
        answer.header("etag").expect("a validator").to_owned()
    }
}

/// Requests by different callers, and by callers who try to look like others.
const CALLERS: [&Fields; 18] = [
    &[],
    &[("authorization", "Bearer ann.1")],
    &[("authorization", "Bearer ann.2")],
    &[("authorization", "Bearer bob.1")],
    &[("authorization", "Basic YW5u")],
    &[("cookie", "session=ann.1")],
    &[("cookie", "session=ann.2")],
    &[("cookie", "session=bob.1")],
    &[("cookie", "theme=dark")],
    &[
        ("authorization", "Bearer ann.1"),
        ("cookie", "session=bob.1"),
    ],
    &[
        ("authorization", "Bearer bob.1"),
        ("cookie", "session=ann.1"),
    ],
    &[("x-tenant", "a")],
    &[("x-tenant", "b")],
    &[("x-tenant", "")],
    &[("x-tenant", "a"), ("x-tenant", "b")],
    &[("x-tenant", "ab")],
    &[("x-tenant", "a5:field8:X-Tenant1:b")],
    &[("x-tenant", "a"), ("authorization", "Bearer ann.1")],
];

const PROCEDURES: [&str; 7] = [
    "required", "optional", "session", "tenant", "cookie", "token", "shared",
];

/// Asserts that callers with different results have different validators, and that none gets a 304 for what
/// another one got.
async fn assert_told_apart(hosts: &Hosts, name: &str) {
    let responses = join_all(CALLERS.map(|fields| hosts.fetch(name, fields, ""))).await;
    let mut served: Vec<_> = CALLERS.iter().zip(&responses).collect();
    served.retain(|(_, answer)| answer.status == 200);
    assert!(served.len() > 1, "{name} serves two callers");
    let again = join_all(served.iter().map(async |(fields, answer)| {
        let tag = answer.header("etag").expect("a validator");
        let tags_of_others: Vec<_> = served
            .iter()
            .filter(|(_, other)| other.body != answer.body)
            .filter_map(|(_, other)| other.header("etag"))
            .collect();
        assert!(!tags_of_others.contains(&tag), "{name}: {fields:?}");
        let known = hosts.fetch(name, fields, tag).await;
        assert_eq!(kept(&known), (304, Some(tag), ""), "{name}: {fields:?}");
        let known_to_others = hosts.fetch(name, fields, &tags_of_others.join(", ")).await;
        let whole = (200, Some(tag), &*answer.body);
        assert_eq!(kept(&known_to_others), whole, "{name}: {fields:?}");
    }));
    again.await;
}

fn kept(answer: &Response) -> (u16, Option<&str>, &str) {
    (answer.status.as_u16(), answer.header("etag"), &answer.body)
}

#[actix_web::test]
async fn callers_with_different_results_have_different_validators_on_every_host() {
    for (reads, has_versions) in [(None, true), (Some("Cookie"), true), (None, false)] {
        let hosts = Hosts::new(reads, has_versions);
        for name in PROCEDURES {
            assert_told_apart(&hosts, name).await;
        }
    }
}

#[actix_web::test]
async fn a_renewed_credential_keeps_its_validator_if_the_authenticator_names_what_it_reads() {
    let [ann, renewed] = [1, 2].map(|place| CALLERS[place]);
    let [session, new_session] = [5, 6].map(|place| CALLERS[place]);
    for (reads, name, one, other, status) in [
        (None, "required", ann, renewed, 304),
        (None, "optional", ann, renewed, 304),
        (None, "session", session, new_session, 200),
        (Some("cookie"), "session", session, new_session, 304),
        // Nothing is known of what a handler without a caller reads.
        (None, "token", ann, renewed, 200),
    ] {
        let hosts = Hosts::new(reads, true);
        let tag = hosts.tag(name, one).await;
        let again = hosts.fetch(name, other, &tag).await;
        assert_eq!(again.status, status, "{name} {reads:?}");
    }
}

#[actix_web::test]
async fn a_shared_result_has_one_validator_for_all_callers() {
    let hosts = Hosts::new(None, true);
    let first = hosts.fetch("shared", CALLERS[11], "").await;
    let tag = first.header("etag").expect("a validator");
    for fields in &CALLERS[11..] {
        assert_eq!(
            kept(&hosts.fetch("shared", fields, "").await),
            kept(&first),
            "{fields:?}"
        );
        assert_eq!(hosts.fetch("shared", fields, tag).await.status, 304);
    }
}

#[actix_web::test]
async fn no_value_of_a_request_can_be_read_from_a_validator() {
    let hosts = Hosts::new(None, true);
    for fields in &CALLERS[..11] {
        let tag = hosts.tag("optional", fields).await;
        assert!(
            tag.len() == 34
                && tag
                    .trim_matches('"')
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit()),
            "{tag}"
        );
    }
}

/// Returns a service that counts the runs of a handler, which adds a field to every second response.
fn counting() -> (Arc<AtomicUsize>, Service) {
    let runs = Arc::<AtomicUsize>::default();
    let visit = Procedure::sync("visit", |cx: Cx<AtomicUsize>, (): ()| {
        if cx.state().fetch_add(1, Ordering::SeqCst) % 2 == 1 {
            cx.add_field("Set-Cookie", "seen=1").internal()?;
        }
        Ok::<_, Fault>("welcome")
    });
    let service = Service::builder("visits", "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c58")
        .shared_state(Arc::clone(&runs))
        .procedure(visit.idempotent().etag_by(|_: Cx<AtomicUsize>, (): ()| 1))
        .build()
        .expect("a service");
    (runs, service)
}

#[actix_web::test]
async fn no_304_stands_for_fields_that_a_handler_adds() {
    let (runs, service) = counting();
    let plain = ask(&service, get("/rpc/visit")).await;
    let tag = plain.header("etag").expect("a validator");
    let with_field = ask(&service, get("/rpc/visit")).await;
    assert_eq!(with_field.header("set-cookie"), Some("seen=1"));
    assert_eq!(
        (with_field.status.as_u16(), with_field.header("etag")),
        (200, None)
    );
    // A validator of a result without fields still holds.
    let known = get("/rpc/visit").insert_header(("if-none-match", tag));
    assert_eq!(ask(&service, known).await.status, 304);
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[actix_web::test]
async fn a_caller_that_has_any_result_gets_what_a_200_would_say_after_the_handler_has_run() {
    let (runs, service) = counting();
    for (run, control) in ["no-cache", "private, no-cache"].into_iter().enumerate() {
        let whole = ask(&service, get("/rpc/visit")).await;
        runs.store(run, Ordering::SeqCst);
        let any = get("/rpc/visit").insert_header(("if-none-match", "*"));
        let answer = ask(&service, any).await;
        assert_eq!((answer.status.as_u16(), &*answer.body), (304, ""));
        assert_eq!(answer.header("set-cookie"), None);
        assert_eq!(answer.header("cache-control"), Some(control));
        for name in ["etag", "vary", "cache-control"] {
            assert_eq!(answer.header(name), whole.header(name), "{name}");
        }
        assert_eq!(runs.load(Ordering::SeqCst), run + 1);
    }
}
