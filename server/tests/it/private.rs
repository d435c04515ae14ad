//! Private descriptions: a rejected caller sees nothing of them, and no shared cache stores any of
//! them.

use actix_web::http::Method;
use docent_server::{BearerToken, Service};

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
