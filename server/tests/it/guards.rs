//! Guards: before every handler, for every way of calling it, and for the description.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
#[cfg(feature = "docs")]
use actix_web::{
    App,
    test::{call_service, init_service, read_body},
};
#[cfg(feature = "docs")]
use docent_server::Docs;
use docent_server::describe::ProcedureDescription;
use docent_server::{
    Attempt, BearerToken, Cx, Fault, Finished, Guard, Headers, Observer, Procedure, Refused,
    Service, json,
};

use crate::{Answer, ask, get, post};

const ID: &str = "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c55";

/// Counts how often the handler behind it has run.
type Runs = Arc<AtomicUsize>;

fn procedures(runs: &Runs) -> [Procedure; 2] {
    let (read, write) = (Arc::clone(runs), Arc::clone(runs));
    [
        Procedure::sync("read", move |_: Cx, (): ()| {
            Ok::<_, Fault>(read.fetch_add(1, Ordering::SeqCst))
        })
        .idempotent(),
        Procedure::sync("write", move |_: Cx, (): ()| {
            Ok::<_, Fault>(write.fetch_add(1, Ordering::SeqCst))
        }),
    ]
}

fn guarded(runs: &Runs) -> Service {
    Service::builder("guarded", ID)
        .procedures(procedures(runs))
        .guard(BearerToken::new("shop", "s3cret", |procedure| {
            procedure.name == "write"
        }))
        .build()
        .expect("a service")
}

const WRITE: &str = r#"{"jsonrpc":"2.0","method":"write","id":1}"#;

#[actix_web::test]
async fn a_call_without_the_token_is_refused_with_a_challenge_and_does_not_run() {
    let runs = Runs::default();
    let service = guarded(&runs);
    for credential in [
        None,
        Some("Basic s3cret"),
        Some("Bearer wrong"),
        Some("Bearer s3cret2"),
    ] {
        let request = match credential {
            Some(credential) => post(WRITE).insert_header(("authorization", credential)),
            None => post(WRITE),
        };
        let answer = ask(&service, request).await;
        assert_eq!(answer.status, 401, "{credential:?}");
        let challenge = answer.header("www-authenticate").expect("a challenge");
        assert!(
            challenge.starts_with("Bearer realm=\"shop\""),
            "{challenge}"
        );
        assert_eq!(answer.json()["error"]["code"], -32007);
        assert_eq!(answer.json()["id"], 1);
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[actix_web::test]
async fn a_call_with_the_token_runs() {
    let runs = Runs::default();
    let service = guarded(&runs);
    for credential in ["Bearer s3cret", "bearer s3cret"] {
        let answer = ask(
            &service,
            post(WRITE).insert_header(("authorization", credential)),
        )
        .await;
        assert_eq!(answer.status, 200);
        assert!(answer.json()["error"].is_null());
    }
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

/// The answer to a write with these values of `Authorization`, for a service with this token.
async fn write_with(token: &str, credentials: &[&[u8]]) -> Answer {
    let service = Service::builder("guarded", ID)
        .procedures(procedures(&Runs::default()))
        .guard(BearerToken::new("shop", token, |_| true))
        .build()
        .expect("a service");
    let request = credentials.iter().fold(post(WRITE), |request, credential| {
        let value = HeaderValue::from_bytes(credential).expect("a header field's value");
        request.append_header(("authorization", value))
    });
    ask(&service, request).await
}

const UNKNOWN: &str = "Bearer realm=\"shop\"";
const WRONG: &str = "Bearer realm=\"shop\", error=\"invalid_token\"";

#[actix_web::test]
async fn only_one_whole_credential_with_the_right_token_gets_in() {
    let cases: [(&[&[u8]], Option<&str>); 20] = [
        (&[b"Bearer s3cret"], None),
        (&[b"bearer s3cret"], None),
        (&[b"BEARER s3cret"], None),
        (&[b"Bearer   s3cret  "], None),
        (&[], Some(UNKNOWN)),
        (&[b""], Some(UNKNOWN)),
        (&[b"Bearer"], Some(UNKNOWN)),
        (&[b"Bearer "], Some(WRONG)),
        (&[b"s3cret"], Some(UNKNOWN)),
        (&[b"Basic s3cret"], Some(UNKNOWN)),
        (&[b"Bearers3cret"], Some(UNKNOWN)),
        (&[b"Bearer\ts3cret"], Some(UNKNOWN)),
        (&[b"Bearer s3cre"], Some(WRONG)),
        (&[b"Bearer s3cret2"], Some(WRONG)),
        (&[b"Bearer S3CRET"], Some(WRONG)),
        (&[b"Bearer s3 cret"], Some(WRONG)),
        (&[b"Bearer s3cret, Bearer s3cret"], Some(WRONG)),
        (&[b"Bearer s3cret\xff"], Some(WRONG)),
        (&[b"Bearer s3cret", b"Bearer s3cret"], Some(UNKNOWN)),
        (&[b"Basic eDp5", b"Bearer s3cret"], Some(UNKNOWN)),
    ];
    for (credentials, challenge) in cases {
        let answer = write_with("s3cret", credentials).await;
        let shown = credentials.iter().map(|value| value.escape_ascii());
        let shown: Vec<_> = shown.map(|value| value.to_string()).collect();
        let status = if challenge.is_some() { 401 } else { 200 };
        assert_eq!(answer.status, status, "{shown:?}");
        assert_eq!(answer.header("www-authenticate"), challenge, "{shown:?}");
    }
}

#[actix_web::test]
async fn what_is_no_token_lets_nobody_in() {
    for token in [
        "",
        "=",
        "two words",
        " s3cret",
        "schlüssel",
        "s3cret\n",
        "a=b",
    ] {
        for given in [token, token.trim()] {
            let credential = format!("Bearer {given}");
            if HeaderValue::from_bytes(credential.as_bytes()).is_err() {
                continue;
            }
            let answer = write_with(token, &[credential.as_bytes()]).await;
            assert_eq!(answer.status, 401, "{token:?}");
        }
    }
    let answer = write_with("aZ0-._~+/==", &[b"Bearer aZ0-._~+/=="]).await;
    assert_eq!(answer.status, 200);
}

#[actix_web::test]
async fn a_realm_is_quoted_and_a_challenge_that_no_header_can_carry_is_left_out() {
    let realm = "a \"quoted\" \\ realm, zu Köln\r\nX-Evil: 1";
    let service = Service::builder("guarded", ID)
        .procedures(procedures(&Runs::default()))
        .guard(BearerToken::new(realm, "s3cret", |_| true))
        .build()
        .expect("a service");
    let answer = ask(&service, post(WRITE)).await;
    assert_eq!(
        answer.header("www-authenticate"),
        Some(r#"Bearer realm="a \"quoted\" \\ realm, zu KlnX-Evil: 1""#)
    );

    struct Broken;
    impl Guard for Broken {
        fn check(&self, _: &Attempt<'_>) -> Result<(), Refused> {
            Err(Refused::unauthorized("Bearer\r\nX-Evil: 1"))
        }
    }
    let service = Service::builder("guarded", ID)
        .procedures(procedures(&Runs::default()))
        .guard(Broken)
        .build()
        .expect("a service");
    let answer = ask(&service, post(WRITE)).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("x-evil")),
        (401, None)
    );
}

#[actix_web::test]
async fn an_entry_of_a_batch_is_refused_alone() {
    let runs = Runs::default();
    let batch = format!(r#"[{WRITE},{{"jsonrpc":"2.0","method":"read","id":2}}]"#);
    let answer = ask(&guarded(&runs), post(&batch)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()[0]["error"]["code"], -32007);
    assert_eq!(answer.json()[1]["result"], 0);
}

#[actix_web::test]
async fn a_refused_notification_does_not_run_and_gets_no_answer() {
    let runs = Runs::default();
    let answer = ask(
        &guarded(&runs),
        post(r#"{"jsonrpc":"2.0","method":"write"}"#),
    )
    .await;
    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (204, ""));
    assert_eq!(answer.header("www-authenticate"), None);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[actix_web::test]
async fn the_description_says_what_a_caller_must_bring() {
    let description = guarded(&Runs::default()).rendered_description();
    let description: serde_json::Value = serde_json::from_slice(&description).expect("JSON");
    assert_eq!(
        description["securitySchemes"],
        json!({"bearer": {"type": "http", "scheme": "bearer"}})
    );
    assert_eq!(description["procs"][0]["security"], json!(null));
    assert_eq!(description["procs"][1]["security"], json!(["bearer"]));
}

const DESCRIPTIONS: [&str; 6] = [
    "/rpc",
    "/rpc/rpc.describe",
    "/rpc/rpc.discover",
    "/rpc/system.describe",
    "/rpc/system.listMethods",
    "/rpc/system.about",
];

#[actix_web::test]
async fn a_guard_of_the_description_covers_every_rendering_of_it() {
    let service = Service::builder("private", ID)
        .procedures(procedures(&Runs::default()))
        .guard(BearerToken::new("shop", "s3cret", |procedure| {
            procedure.name == "rpc.describe"
        }))
        .build()
        .expect("a service");
    for target in DESCRIPTIONS {
        expect_private(&service, target).await;
    }
    assert_eq!(ask(&service, get("/rpc/read")).await.status, 200);
}

#[actix_web::test]
async fn a_guard_that_covers_everything_covers_get_and_the_description() {
    let service = Service::builder("private", ID)
        .procedures(procedures(&Runs::default()))
        .guard(BearerToken::new("shop", "s3cret", |_| true))
        .build()
        .expect("a service");
    for target in DESCRIPTIONS.into_iter().chain(["/rpc/read"]) {
        expect_private(&service, target).await;
    }
    // A caller without the token is not told what is wrong with a call.
    assert_eq!(ask(&service, get("/rpc/read?x=1")).await.status, 401);
}

/// No cache keeps a refusal, and none that others share keeps an answer.
async fn expect_private(service: &Service, target: &str) {
    for method in [Method::GET, Method::HEAD] {
        let refused = ask(service, get(target).method(method.clone())).await;
        assert_eq!(refused.status, 401, "{method} {target}");
        let control = refused.header("cache-control");
        assert_eq!(control, Some("no-store"), "{method} {target}");
        assert!(refused.header("www-authenticate").is_some(), "{target}");
        assert_eq!(refused.header("etag"), None, "{target}");

        let request = get(target)
            .method(method)
            .insert_header(("authorization", "Bearer s3cret"));
        let admitted = ask(service, request).await;
        assert_eq!(admitted.status, 200, "{target}");
        let control = admitted.header("cache-control");
        assert_eq!(control, Some("private, no-cache"), "{target}");
    }
    // Whoever knows what would be answered is not told that they are right.
    let request = get(target).insert_header(("if-none-match", "*"));
    assert_eq!(ask(service, request).await.status, 401, "{target}");
}

/// Asks for a member's card in a header field of its own: what is answered is private although no
/// cache could tell it from the request.
struct Card;

impl Guard for Card {
    fn check(&self, attempt: &Attempt<'_>) -> Result<(), Refused> {
        let headers = attempt.extension::<Headers>().expect("the transport's");
        let card = headers.0.get("x-card");
        card.map(drop).ok_or_else(Refused::forbidden)
    }

    fn covers(&self, _: &ProcedureDescription) -> bool {
        true
    }
}

#[cfg(feature = "docs")]
#[actix_web::test]
async fn whoever_may_not_see_the_description_does_not_see_the_site() {
    let service = Service::builder("private", ID)
        .procedures(procedures(&Runs::default()))
        .guard(Card)
        .build()
        .expect("a service");
    let docs = Docs::builder("/docs", "/rpc", &service).build();
    let app = init_service(App::new().service(docs.expect("a site"))).await;
    for target in [
        "/docs/",
        "/docs/read.html",
        "/docs/read.md",
        "/docs/description.json",
        "/docs/nothing",
    ] {
        let refused = call_service(&app, get(target).to_request()).await;
        assert_eq!(refused.status(), 403, "{target}");
        assert_eq!(refused.headers().get("cache-control").unwrap(), "no-store");
        let body = read_body(refused).await;
        assert!(!body.windows(4).any(|word| word == b"read"), "{target}");

        let card = ("x-card", "1");
        let admitted = call_service(&app, get(target).insert_header(card).to_request()).await;
        let status = if target == "/docs/nothing" { 404 } else { 200 };
        assert_eq!(admitted.status(), status, "{target}");
        let control = admitted.headers().get("cache-control").unwrap();
        assert_eq!(control, "private, no-cache", "{target}");
        if let Some(tag) = admitted.headers().get("etag") {
            let again = get(target)
                .insert_header(("if-none-match", tag))
                .insert_header(card);
            let again = call_service(&app, again.to_request()).await;
            assert_eq!(again.status(), 304);
            assert_eq!(again.headers().get("cache-control"), Some(control));
            let stolen = get(target).insert_header(("if-none-match", tag));
            assert_eq!(call_service(&app, stolen.to_request()).await.status(), 403);
        }
    }
}

/// Refuses with a code of its own, or panics.
struct Odd;

impl Guard for Odd {
    fn check(&self, attempt: &Attempt<'_>) -> Result<(), Refused> {
        assert_ne!(attempt.procedure.name, "write", "no guard for writing");
        Err(Refused::forbidden().with_fault(Fault::new(7, "Closed on Sundays")))
    }

    fn declare(&self, errors: &mut docent_server::ErrorList) {
        let _ = errors.add(7, "Closed on Sundays");
    }
}

#[actix_web::test]
async fn a_guard_may_choose_its_code_and_its_panic_is_a_fault_of_that_call_alone() {
    let runs = Runs::default();
    let service = Service::builder("odd", ID)
        .procedures(procedures(&runs))
        .guard(Odd)
        .build();
    let service = service.expect("a service");
    let refused = ask(&service, get("/rpc/read")).await;
    assert_eq!(refused.status, 403);
    assert_eq!(refused.json()["error"]["code"], 7);
    assert_eq!(service.description().procs[0].errors[0].code, 7);
    let panicked = ask(&service, post(WRITE)).await;
    assert_eq!(panicked.json()["error"]["code"], -32603);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

/// A procedure, the code it was answered with, and whether it was a notification.
type Heard = (String, Option<i64>, bool);

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Heard>>>);

impl Observer for Seen {
    fn finished(&self, call: &Finished<'_>) {
        assert!(call.duration.is_some(), "the transport brings a clock");
        let seen = (call.procedure.to_owned(), call.code, call.notification);
        self.0.lock().expect("no panic").push(seen);
    }
}

#[actix_web::test]
async fn an_observer_hears_of_every_call_by_registered_names_only() {
    let seen = Seen::default();
    let service = Service::builder("observed", ID)
        .procedures(procedures(&Runs::default()))
        .observer(seen.clone())
        .build()
        .expect("a service");
    let batch = r#"[{"jsonrpc":"2.0","method":"read","id":1},{"jsonrpc":"2.0","method":"<evil>","id":2},
        {"jsonrpc":"2.0","method":"write"},3]"#;
    ask(&service, post(batch)).await;
    ask(&service, get("/rpc/read?nothing=1")).await;
    let mut seen = seen.0.lock().expect("no panic").clone();
    seen.sort();
    let expected = [
        ("read", None, false),
        ("read", Some(-32602), false),
        ("unknown", Some(-32601), false),
        ("unknown", Some(-32600), false),
        ("write", None, true),
    ];
    let mut expected = expected.map(|(name, code, silent)| (name.to_owned(), code, silent));
    expected.sort();
    assert_eq!(seen, expected);
}
