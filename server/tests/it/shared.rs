//! Shared caches in front of guards: what a guard reads decides who gets a stored response.

use std::time::Duration;

use docent::{
    BearerToken, CallInfo, Cx, Fault, Guard, Headers, Peer, Procedure, Rejection, Service,
    ServiceBuilder, TraceParent,
};

use crate::{Response, ask, get, post};

const ID: &str = "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c56";

/// Admits callers whose fields with these names all have the value `open`.
struct Keys(&'static [&'static str]);

impl Guard for Keys {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        for name in self.0 {
            if !attempt.field(name).eq([b"open"]) {
                return Err(Rejection::forbidden());
            }
        }
        Ok(())
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(self.0.iter().map(|&name| name.to_owned()).collect())
    }
}

fn stats() -> Procedure {
    let text = |_: Cx, (): ()| Ok::<_, Fault>("books ".repeat(100));
    Procedure::sync("stats", text)
        .idempotent()
        .shared_cache()
        .cache_for(Duration::from_secs(60))
}

fn builder() -> ServiceBuilder {
    Service::builder("shared", ID)
}

fn kept(response: &Response) -> (u16, Option<&str>, Option<&str>) {
    let header = |name| response.header(name);
    (
        response.status.as_u16(),
        header("cache-control"),
        header("vary"),
    )
}

const PUBLIC: Option<&str> = Some("public, max-age=60");
const PRIVATE: Option<&str> = Some("private, max-age=60");

#[actix_web::test]
async fn what_all_with_the_key_get_is_public_and_varies_by_the_key() {
    let service = builder()
        .procedure(stats())
        .guard(Keys(&["X-Key"]))
        .build()
        .expect("a service");
    let vary = Some("Accept-Encoding, Cookie, X-Key");
    let with_key = || get("/rpc/stats").insert_header(("x-key", "open"));
    let refused = ask(&service, get("/rpc/stats")).await;
    // Errors are alike for all procedures.
    let of_errors = Some("Accept-Encoding, Authorization, Cookie, X-Key");
    assert_eq!(kept(&refused), (403, Some("no-store"), of_errors));
    let admitted = ask(&service, with_key()).await;
    assert_eq!(kept(&admitted), (200, PUBLIC, vary));
    let tag = admitted.header("etag").expect("a validator");
    let known = ask(&service, with_key().insert_header(("if-none-match", tag))).await;
    assert_eq!(kept(&known), (304, PUBLIC, vary));
    let stolen = get("/rpc/stats").insert_header(("if-none-match", tag));
    assert_eq!(kept(&ask(&service, stolen).await).0, 403);

    // The key takes precedence over `Authorization`, which no guard reads. Cookies still make a
    // response private.
    let credentials = with_key().insert_header(("authorization", "Basic eDp5"));
    assert_eq!(kept(&ask(&service, credentials).await), (200, PUBLIC, vary));
    let cookie = with_key().insert_header(("cookie", "a=b"));
    assert_eq!(kept(&ask(&service, cookie).await), (200, PRIVATE, vary));
}

#[actix_web::test]
async fn what_all_with_the_token_get_is_public_and_varies_by_authorization() {
    let service = builder()
        .procedure(stats())
        .procedure(
            Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(1))
                .idempotent()
                .shared_cache(),
        )
        .guard(BearerToken::new("library", "s3cret", |_| true))
        .build()
        .expect("a service");
    let vary = Some("Accept-Encoding, Cookie, Authorization");
    let with_token = |target| get(target).insert_header(("authorization", "Bearer s3cret"));
    let refused = ask(&service, get("/rpc/stats")).await;
    let of_errors = Some("Accept-Encoding, Authorization, Cookie");
    assert_eq!(kept(&refused), (401, Some("no-store"), of_errors));
    let admitted = ask(&service, with_token("/rpc/stats")).await;
    assert_eq!(kept(&admitted), (200, PUBLIC, vary));
    let now = ask(&service, with_token("/rpc/now")).await;
    assert_eq!(kept(&now), (200, Some("public, no-cache"), vary));
    // The description must not be in a shared cache, and depends on the token too.
    for (target, vary) in [
        ("/rpc", "Accept, Authorization"),
        (
            "/rpc/rpc.describe",
            "Accept-Encoding, Authorization, Cookie",
        ),
    ] {
        let described = ask(&service, with_token(target)).await;
        assert_eq!(
            kept(&described),
            (200, Some("private, no-cache"), Some(vary))
        );
    }
    let refused = ask(&service, get("/rpc")).await;
    assert_eq!(
        kept(&refused),
        (401, Some("no-store"), Some("Authorization"))
    );
}

#[actix_web::test]
async fn the_fields_of_all_guards_are_in_vary_each_once() {
    let service = builder()
        .procedure(stats())
        .guard(Keys(&["X-Key", "cookie"]))
        .guard(Keys(&["x-key", "Accept-Encoding", "X-Two"]))
        .build()
        .expect("a service");
    let vary = Some("Accept-Encoding, Cookie, X-Key, X-Two");
    let names = ["x-key", "cookie", "accept-encoding", "x-two"];
    let request = names.iter().fold(get("/rpc/stats"), |request, name| {
        request.insert_header((*name, "open"))
    });
    // If a guard reads a cookie, all admitted callers send the same one.
    assert_eq!(kept(&ask(&service, request).await), (200, PUBLIC, vary));
}

#[actix_web::test]
async fn a_guard_that_does_not_say_what_it_reads_leaves_answers_private() {
    let own = Procedure::sync("own", |_: Cx, (): ()| Ok::<_, Fault>(1)).idempotent();
    let service = builder()
        .procedure(own.cache_for(Duration::from_secs(60)))
        .guard(Keys(&["X-Key"]))
        .build()
        .expect("a service");
    let response = ask(&service, get("/rpc/own").insert_header(("x-key", "open"))).await;
    let vary = Some("Accept-Encoding, Authorization, Cookie, X-Key");
    assert_eq!(kept(&response), (200, PRIVATE, vary));
}

/// Declares one field and tries to read all others.
struct Curious;

impl Guard for Curious {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        let values: Vec<_> = attempt.field("X-KEY").collect();
        let sees = [
            attempt.field("x-other").next().is_some(),
            attempt.extension::<Headers>().is_some(),
            attempt.extension::<Peer>().is_some(),
            attempt.credentials.extension::<Peer>().is_some(),
        ];
        if values == [&b"one"[..], b"two"] && sees == [false; 4] {
            Ok(())
        } else {
            Err(Rejection::forbidden())
        }
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["X-Key".to_owned()])
    }
}

/// Declares no fields and reads one anyway.
struct Open;

impl Guard for Open {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        let headers = attempt.extension::<Headers>().is_some();
        let found = headers && attempt.field("X-Other").eq([b"1"]);
        found.then_some(()).ok_or_else(Rejection::forbidden)
    }
}

#[actix_web::test]
async fn a_guard_gets_the_fields_that_it_says_and_no_others() {
    let read = || Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(1)).idempotent();
    let request = |request: actix_web::test::TestRequest| {
        request
            .append_header(("x-key", "one"))
            .append_header(("X-Key", "two"))
            .insert_header(("x-other", "1"))
            .peer_addr(([127, 0, 0, 1], 9).into())
    };
    let call = r#"{"jsonrpc":"2.0","method":"read","id":1}"#;
    let both = builder()
        .procedure(read())
        .guard(Curious)
        .guard(Open)
        .build()
        .expect("a service");
    for attempt in [get("/rpc/read"), post(call)] {
        assert_eq!(ask(&both, request(attempt)).await.status, 200);
    }
}

#[actix_web::test]
async fn the_handler_of_a_shared_answer_does_not_see_who_asks() {
    let look = |cx: Cx, (): ()| {
        Ok::<_, Fault>((
            cx.extension::<Headers>().is_some(),
            cx.extension::<Peer>().is_some(),
            cx.extension::<TraceParent>().is_some(),
        ))
    };
    let shared = Procedure::sync("shared", look).idempotent().shared_cache();
    let service = builder()
        .procedure(shared)
        .procedure(Procedure::sync("own", look).idempotent())
        .build()
        .expect("a service");
    for (name, sees) in [("shared", false), ("own", true)] {
        let call = format!(r#"{{"jsonrpc":"2.0","method":"{name}","id":1}}"#);
        for request in [get(&format!("/rpc/{name}")), post(&call)] {
            let request = request
                .peer_addr(([127, 0, 0, 1], 9).into())
                .insert_header((
                    "traceparent",
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                ));
            let response = ask(&service, request).await;
            assert_eq!(
                response.json()["result"],
                serde_json::json!([sees, sees, true]),
                "{name}"
            );
        }
    }
}
