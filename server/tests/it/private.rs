//! Descriptions that are not for everybody: whoever is not let in sees none of it, and no cache that
//! others share keeps any of it.

use actix_web::http::Method;
#[cfg(feature = "docs")]
use actix_web::{
    App,
    test::{call_service, init_service, read_body},
};
#[cfg(feature = "docs")]
use docent_server::Docs;
use docent_server::describe::ProcedureDescription;
use docent_server::{Attempt, BearerToken, Guard, Headers, Refused, Service};

use crate::guards::{ID, Runs, procedures};
use crate::{ask, get};

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
        let control = refused.headers().get("cache-control");
        assert_eq!(control.expect("a rule"), "no-store");
        let body = read_body(refused).await;
        assert!(!body.windows(4).any(|word| word == b"read"), "{target}");

        let card = ("x-card", "1");
        let admitted = call_service(&app, get(target).insert_header(card).to_request()).await;
        let status = if target == "/docs/nothing" { 404 } else { 200 };
        assert_eq!(admitted.status(), status, "{target}");
        let control = admitted.headers().get("cache-control").expect("a rule");
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
