//! The hosts that a server accepts requests for.

use docent_server::{Cx, Fault, HttpOptions, Procedure, Service};

use crate::{ask_with, get};

#[actix_web::test]
async fn a_request_for_a_host_that_is_not_served_is_misdirected() {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let service = Service::builder("hosts", "urn:uuid:6f1b5a3c-2d4e-4f60-8a7b-9c0d1e2f3a4b")
        .procedure(hello.idempotent())
        .build()
        .expect("a service");
    let mut options = HttpOptions::default();
    options.allowed_hosts = Some(vec!["api.example".to_owned(), "[::1]".to_owned()]);
    for (host, status) in [
        ("api.example", 200),
        ("API.example:8080", 200),
        ("[::1]:8080", 200),
        ("[::1]", 200),
        ("evil.example", 421),
        ("api.example.evil", 421),
        ("", 421),
    ] {
        let request = get("/rpc/hello").insert_header(("host", host));
        let answer = ask_with(&service, options.clone(), request).await;
        assert_eq!(answer.status, status, "{host:?}");
    }
}
