//! Private descriptions: a rejected caller sees nothing of them, and no shared cache stores any of
//! them.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::http::Method;
use docent::{
    Bearer, BearerToken, CallRecord, Cx, Fault, Identity, Observer, Procedure, Service,
    ServiceBuilder,
};

use crate::guards::{ID, Runs, procedures};
use crate::{Response, ask, get, post};

const DESCRIPTIONS: [&str; 7] = [
    "/rpc",
    "/rpc/rpc.describe",
    "/rpc/rpc.discover",
    "/rpc/rpc.openapi",
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
    // A caller without the token does not learn what is wrong with a call.
    assert_eq!(ask(&service, get("/rpc/read?x=1")).await.status, 401);
}

/// Checks that no cache stores a rejection, and that no shared cache stores a response.
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
    // A caller that guesses the validator does not learn that the guess is right.
    let request = get(target).insert_header(("if-none-match", "*"));
    assert_eq!(ask(service, request).await.status, 401, "{target}");
}

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("clara")
    }
}

/// Records the procedures of the calls that have ended.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        self.0
            .lock()
            .expect("no panic")
            .push(call.procedure.to_owned());
    }
}

/// A service whose names are private, in two ways.
fn private() -> [(Service, Recorder); 2] {
    let builder = || -> ServiceBuilder {
        let keyed = |_: Cx, (): ()| Ok::<_, Fault>(());
        Service::builder("private", ID)
            .procedures(procedures(&Runs::default()))
            .procedure(
                Procedure::sync("keyed", keyed)
                    .repeatable(Duration::from_secs(60))
                    .keys_without_caller(),
            )
            .limits(|limits| limits.max_body_bytes = 400)
    };
    let cached = |_: Cx, (): ()| Ok::<_, Fault>(());
    let cached = Procedure::sync("cached", cached)
        .idempotent()
        .shared_cache();
    let token = BearerToken::new("shop", "s3cret", |_| true);
    let bearer = Bearer::new("shop", |token: String| async move {
        tokio::task::yield_now().await;
        Ok::<_, Fault>((token == "s3cret").then_some(User))
    });
    [
        builder().procedure(cached).guard(token),
        builder().authenticate(bearer).protect(|_| true),
    ]
    .map(|builder| {
        let recorder = Recorder::default();
        let service = builder.observer(recorder.clone()).build();
        (service.expect("a service"), recorder)
    })
}

/// Everything that a caller sees of an answer.
fn seen(response: &Response) -> (u16, Vec<String>, String) {
    let mut fields: Vec<_> = response
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id")
        .map(|field| format!("{field:?}"))
        .collect();
    fields.sort();
    (response.status.as_u16(), fields, response.body.clone())
}

/// The messages that can be sent about a name.
const BODIES: [&str; 8] = [
    r#"{"jsonrpc":"2.0","method":"NAME","id":1}"#,
    r#"{"jsonrpc":"2.0","method":"NAME","params":[1],"id":"a"}"#,
    r#"{"jsonrpc":"2.0","method":"NAME"}"#,
    r#"{"jsonrpc":"2.0","method":"NAME","id":1,"x-idempotency-key":"k"}"#,
    r#"{"version":"1.1","method":"NAME","id":1}"#,
    r#"{"version":"1.1","method":"NAME","params":{"0":1,"y":2}}"#,
    r#"[{"jsonrpc":"2.0","method":"NAME","id":1},{"jsonrpc":"2.0","method":"NAME","id":2}]"#,
    r#"{"jsonrpc":"2.0","method":"NAME","params":7,"id":1}"#,
];

#[actix_web::test]
async fn a_caller_who_may_not_see_the_description_cannot_tell_known_names_from_others() {
    let long = format!("/rpc/NAME?x={}", "x".repeat(500));
    let targets = ["/rpc/NAME", "/rpc/NAME?x=1", &long];
    for (service, recorder) in private() {
        for credential in [None, Some("Bearer wrong"), Some("Basic eDp5")] {
            let about = async |name: &str| {
                let mut responses = Vec::new();
                let mut requests = Vec::new();
                for body in BODIES {
                    let body = body.replace("NAME", name);
                    requests.push(post(&body));
                    requests.push(post(&body).uri(&format!("/rpc/{name}")));
                }
                for target in targets {
                    let target = target.replace("NAME", name);
                    for method in ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"] {
                        let method = Method::from_bytes(method.as_bytes()).expect("a method");
                        requests.push(get(&target).method(method));
                    }
                }
                for request in requests {
                    let request = credential.into_iter().fold(request, |request, credential| {
                        request.insert_header(("authorization", credential))
                    });
                    responses.push(seen(&ask(&service, request).await));
                }
                responses
            };
            let nothing = about("nothing").await;
            for procedure in &*recorder.0.lock().expect("no panic") {
                assert_eq!(procedure, "unknown");
            }
            for name in [
                "read",
                "write",
                "keyed",
                "cached",
                "rpc.describe",
                "nothing.else",
            ] {
                assert_eq!(about(name).await, nothing, "{name} {credential:?}");
            }
            assert_eq!(nothing[0].0, 401);
            recorder.0.lock().expect("no panic").clear();
        }
    }
}

#[actix_web::test]
async fn a_caller_who_may_see_the_description_learns_which_names_are_known() {
    for (service, _) in private() {
        let send = async |request: actix_web::test::TestRequest| {
            ask(
                &service,
                request.insert_header(("authorization", "Bearer s3cret")),
            )
            .await
        };
        assert_eq!(send(get("/rpc/read")).await.status, 200);
        assert_eq!(send(get("/rpc/write")).await.status, 405);
        let nothing = send(get("/rpc/nothing?1=2")).await;
        assert_eq!(
            (
                nothing.status.as_u16(),
                nothing.json()["error"]["code"].as_i64()
            ),
            (404, Some(-32601))
        );
        for body in &BODIES[..5] {
            let response = send(post(&body.replace("NAME", "nothing"))).await;
            if response.status == 204 {
                continue;
            }
            let error = &response.json()["error"];
            let code = error["error"]["code"].as_i64().or(error["code"].as_i64());
            assert!(matches!(code, Some(-32601)), "{}", response.body);
        }
    }
}
