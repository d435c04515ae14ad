//! GET as HTTP's caches see it.

use std::time::Duration;

use actix_web::http::Method;
use docent_server::{Cx, Fault, Procedure, Service};

use crate::{Answer, ask, get};

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
    let answer = ask(service, get(target)).await;
    answer.header("etag").expect("a validator").to_owned()
}

fn kept(answer: &Answer) -> [Option<&str>; 3] {
    ["cache-control", "etag", "vary"].map(|name| answer.header(name))
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
async fn a_caller_who_has_the_answer_is_told_so() {
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
        let answer = ask(&service, request).await;
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_str()),
            (304, ""),
            "{condition}"
        );
        assert_eq!(kept(&answer), kept(&whole), "{condition}");
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
        let answer = ask(&service(), request).await;
        assert_eq!(answer.status, status, "{target}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{target}");
        assert_eq!(answer.header("etag"), None, "{target}");
    }
}

#[actix_web::test]
async fn head_says_what_get_says() {
    let service = service();
    let (whole, head) = (
        ask(&service, get("/rpc/day")).await,
        ask(&service, get("/rpc/day").method(Method::HEAD)).await,
    );
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
