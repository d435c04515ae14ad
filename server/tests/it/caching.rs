//! GET as HTTP's caches see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::http::Method;
use docent::{Cx, Fault, Procedure, Service, procedure, procedures};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Response, ask, get, post};

fn service() -> Service {
    let day = Procedure::sync("day", |_: Cx, (): ()| Ok::<_, Fault>("Friday"));
    let now = Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(42));
    let fail = Procedure::sync("fail", |_: Cx, (): ()| Err::<(), _>(Fault::new(5, "No")));
    Service::builder("calendar", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c3d")
        .procedure(day.idempotent().cache_for(Duration::from_secs(60)))
        .procedure(now.idempotent())
        .procedure(fail.idempotent().error(5, "No"))
        .build()
        .expect("a service")
}

async fn tag(service: &Service, target: &str) -> String {
    let response = ask(service, get(target)).await;
    response.header("etag").expect("a validator").to_owned()
}

fn kept(response: &Response) -> [Option<&str>; 3] {
    ["cache-control", "etag", "vary"].map(|name| response.header(name))
}

#[actix_web::test]
async fn a_result_has_a_strong_validator_and_the_age_that_the_procedure_declares() {
    let service = service();
    let day = ask(&service, get("/rpc/day")).await;
    assert_eq!(day.status, 200);
    assert_eq!(day.header("cache-control"), Some("public, max-age=60"));
    let tag = day.header("etag").expect("a validator");
    assert!(
        tag.starts_with('"') && tag.ends_with('"'),
        "{tag} is not strong"
    );
    assert_eq!(
        ask(&service, get("/rpc/now")).await.header("cache-control"),
        Some("no-cache")
    );
}

#[actix_web::test]
async fn what_is_asked_for_with_credentials_is_private() {
    for (name, value) in [("authorization", "Bearer x"), ("cookie", "a=b")] {
        let day = ask(&service(), get("/rpc/day").insert_header((name, value))).await;
        assert_eq!(day.header("cache-control"), Some("private, max-age=60"));
        let now = ask(&service(), get("/rpc/now").insert_header((name, value))).await;
        assert_eq!(now.header("cache-control"), Some("private, no-cache"));
        assert_eq!(
            now.header("vary"),
            Some("Accept-Encoding, Authorization, Cookie")
        );
    }
}

#[actix_web::test]
async fn a_caller_who_has_the_response_gets_not_modified() {
    let service = service();
    let tag = tag(&service, "/rpc/day").await;
    let whole = ask(&service, get("/rpc/day")).await;
    for condition in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let request = get("/rpc/day").insert_header(("if-none-match", condition.clone()));
        let response = ask(&service, request).await;
        assert_eq!(
            (response.status.as_u16(), response.body.as_str()),
            (304, ""),
            "{condition}"
        );
        assert_eq!(kept(&response), kept(&whole), "{condition}");
    }
    for condition in ["\"x\"", "W/\"x\", \"y\"", ""] {
        let request = get("/rpc/day").insert_header(("if-none-match", condition));
        assert_eq!(ask(&service, request).await.status, 200, "{condition:?}");
    }
}

#[actix_web::test]
async fn different_answers_have_different_validators() {
    let service = service();
    assert_ne!(
        tag(&service, "/rpc/day").await,
        tag(&service, "/rpc/now").await
    );
    assert_eq!(
        tag(&service, "/rpc/day").await,
        tag(&service, "/rpc/day").await
    );
}

#[actix_web::test]
async fn an_error_is_kept_by_nobody_and_never_not_modified() {
    for (target, status) in [
        ("/rpc/fail", 500),
        ("/rpc/nothing", 404),
        ("/rpc/day?x=1", 400),
        ("/rpc/a/b", 404),
    ] {
        let request = get(target).insert_header(("if-none-match", "*"));
        let response = ask(&service(), request).await;
        assert_eq!(response.status, status, "{target}");
        assert_eq!(
            response.header("cache-control"),
            Some("no-store"),
            "{target}"
        );
        assert_eq!(response.header("etag"), None, "{target}");
    }
}

#[actix_web::test]
async fn head_says_what_get_says() {
    let service = service();
    let whole = ask(&service, get("/rpc/day")).await;
    let head = ask(&service, get("/rpc/day").method(Method::HEAD)).await;
    assert_eq!(head.status, whole.status);
    assert_eq!(kept(&head), kept(&whole));
}

#[actix_web::test]
async fn an_age_is_for_idempotent_procedures() {
    let write = Procedure::sync("write", |_: Cx, (): ()| Ok::<_, Fault>(()));
    let error = Service::builder("calendar", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c3d")
        .procedure(write.cache_for(Duration::from_secs(1)))
        .build()
        .expect_err("a mistake");
    assert_eq!(error.mistakes()[0].procedure(), Some("write"));
}

/// The state of a procedure with versions.
#[derive(Default)]
struct Shelf {
    revision: AtomicUsize,
    asked: AtomicUsize,
    runs: AtomicUsize,
}

#[derive(Deserialize, JsonSchema)]
struct Row {
    row: u8,
}

fn revision(cx: &Cx<Shelf>, row: u8) -> String {
    cx.state().asked.fetch_add(1, Ordering::SeqCst);
    format!("{}-{row}", cx.state().revision.load(Ordering::SeqCst))
}

/// Returns a procedure that counts its runs.
fn books() -> Procedure<Shelf> {
    Procedure::sync("books", |cx: Cx<Shelf>, p: Row| {
        cx.state().runs.fetch_add(1, Ordering::SeqCst);
        Ok::<_, Fault>(format!("{} {}", p.row, "books ".repeat(100)))
    })
}

fn shelf() -> (Arc<Shelf>, Service) {
    let shelf = Arc::<Shelf>::default();
    let books = books().etag_by(|cx: Cx<Shelf>, p: Row| revision(&cx, p.row));
    let service = Service::builder("shelf", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c42")
        .shared_state(Arc::clone(&shelf))
        .procedure(books.idempotent())
        .build()
        .expect("a service");
    (shelf, service)
}

#[actix_web::test]
async fn a_known_version_is_answered_without_running_the_handler() {
    let (shelf, service) = shelf();
    let counts = || [&shelf.asked, &shelf.runs].map(|count| count.load(Ordering::SeqCst));
    let known = |row: u8, tag: &str| {
        get(&format!("/rpc/books?row={row}")).insert_header(("if-none-match", tag.to_owned()))
    };
    let first = ask(&service, get("/rpc/books?row=1")).await;
    assert_eq!((first.status.as_u16(), counts()), (200, [1, 1]));
    let tag = first.header("etag").expect("a validator");
    // A compressed representation has the tag of its own.
    let compressed = format!("{}-gzip\"", tag.trim_end_matches('"'));
    for tag in [tag, &*compressed] {
        let [asked, runs] = counts();
        let again = ask(&service, known(1, tag)).await;
        assert_eq!((again.status.as_u16(), &*again.body), (304, ""));
        assert_eq!(again.header("etag"), Some(tag));
        for name in ["cache-control", "vary"] {
            assert_eq!(again.header(name), first.header(name));
        }
        assert_eq!(counts(), [asked + 1, runs]);
    }
    // Another row, or another version, is another result.
    assert_eq!(ask(&service, known(2, tag)).await.status, 200);
    shelf.revision.fetch_add(1, Ordering::SeqCst);
    let changed = ask(&service, known(1, tag)).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(tag));
    assert_eq!(counts()[1], 3);
}

#[actix_web::test]
async fn only_queries_ask_for_versions_and_wrong_parameters_stay_wrong() {
    let (shelf, service) = shelf();
    let wrong = get("/rpc/books?row=x").insert_header(("if-none-match", "*"));
    assert_eq!(ask(&service, wrong).await.status, 400);
    let body = r#"{"jsonrpc": "2.0", "method": "books", "params": [1], "id": 1}"#;
    let request = post(body).insert_header(("if-none-match", "*"));
    assert!(ask(&service, request).await.body.contains("books books"));
    assert_eq!(shelf.asked.load(Ordering::SeqCst), 0);
    let any = get("/rpc/books?row=3").insert_header(("if-none-match", "*"));
    assert_eq!(ask(&service, any).await.status, 304);
    assert_eq!(shelf.runs.load(Ordering::SeqCst), 2);
}

/// A shelf whose procedures are methods.
struct Titles {
    revision: u8,
}

#[procedures]
impl Titles {
    #[procedure(idempotent, etag_by = title_version)]
    async fn title(&self, row: u8, room: Option<String>) -> Result<String, Fault> {
        Ok(format!("{row} {room:?}"))
    }

    #[procedure(idempotent, etag_by = revision())]
    fn length(&self, cx: Cx, row: u8) -> Result<usize, Fault> {
        let _ = cx;
        Ok(row.into())
    }

    fn revision(&self) -> u8 {
        self.revision
    }

    fn title_version(&self, row: u8, room: Option<String>) -> String {
        format!("{}-{}-{row}", self.revision, room.unwrap_or_default())
    }
}

/// Says the day, which is its own version.
#[procedure(idempotent, etag_by = day_version)]
fn day(number: u32) -> Result<u32, Fault> {
    Ok(number)
}

fn day_version(number: u32) -> u32 {
    number
}

#[actix_web::test]
async fn a_version_of_the_state_holds_for_all_parameters() {
    let service = Service::builder("shelf", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c44")
        .procedures(Titles { revision: 7 }.procedures())
        .build()
        .expect("a service");
    let first = ask(&service, get("/rpc/length?row=1")).await;
    let tag = first.header("etag").expect("a validator").to_owned();
    let again = get("/rpc/length?row=2").insert_header(("if-none-match", tag));
    assert_eq!(ask(&service, again).await.status, 304);
}

#[actix_web::test]
async fn an_attribute_names_the_function_that_knows_the_version() {
    let service = Service::builder("shelf", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c43")
        .procedures(Titles { revision: 7 }.procedures())
        .procedure(day::procedure())
        .build()
        .expect("a service");
    for (path, other) in [
        ("/rpc/title?row=1&room=a", "/rpc/title?row=1&room=b"),
        ("/rpc/day?number=1", "/rpc/day?number=2"),
    ] {
        let first = ask(&service, get(path)).await;
        let tag = first.header("etag").expect("a validator").to_owned();
        let known = |path: &str| get(path).insert_header(("if-none-match", tag.clone()));
        assert_eq!(ask(&service, known(path)).await.status, 304, "{path}");
        assert_eq!(ask(&service, known(other)).await.status, 200, "{other}");
    }
}

#[test]
fn a_version_takes_what_the_handler_takes_and_needs_get() {
    let strange = books().etag_by(|_: Cx<Shelf>, (): ()| 1);
    let refused = Service::builder("shelf", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c42")
        .state(Shelf::default())
        .procedure(strange)
        .build()
        .expect_err("mistakes")
        .to_string();
    for mistake in [
        "the same type of parameters as the handler",
        "etag_by works only with GET",
    ] {
        assert!(refused.contains(mistake), "{refused}");
    }
}
