//! Described once: how often descriptions are rendered and sites planned.

use actix_web::App;
use actix_web::test::{call_service, init_service, read_body};
use docent::describe::render::OpenRpcVersion;
use docent::{
    AppPage, CallRecord, Cx, Docs, Fault, Mount, Observer, Procedure, Routes, Server, Service,
};

use crate::traces::{Notebook, listen};
use crate::{get, post};

struct Silent;

impl Observer for Silent {
    fn finished(&self, _: &CallRecord<'_>) {}
}

fn service() -> Service {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    Service::builder("greeter", "urn:uuid:1f0e2d3c-4b5a-4697-8877-665544332211")
        .public_url("https://api.example/rpc")
        .procedure(hello.idempotent())
        .build()
        .expect("a service")
}

impl Notebook {
    /// Returns how many events contain all of these words.
    fn count(&self, words: &[&str]) -> usize {
        self.read(|written| {
            let events = written.events.iter().map(|(event, _)| event);
            let has_all = |event: &&String| words.iter().all(|word| event.contains(word));
            events.filter(has_all).count()
        })
    }

    fn rendered(&self) -> usize {
        self.count(&["rendered the description"])
    }
}

#[actix_web::test]
async fn a_server_plans_its_site_once_and_renders_nothing_twice_to_start() {
    let notebook = Notebook::default();
    let _listening = listen(&notebook);
    let server = Server::new(Routes::new(service()).mount("/other", service()))
        .bind("127.0.0.1:0")
        .expect("a free port");
    // Each mount has the result of `rpc.describe` ready, with its validator.
    assert_eq!(
        notebook.count(&["rendered the description", "rpc.describe"]),
        2
    );
    assert_eq!(notebook.rendered(), 2);
    assert_eq!(notebook.count(&["planned the reference site"]), 1);
    drop(server);
}

/// Procedures, the site and in-process callers share one rendering in each format, whatever the
/// service is given after it was built.
#[actix_web::test]
async fn each_rendering_is_made_once_however_it_is_asked_for() {
    let notebook = Notebook::default();
    let _listening = listen(&notebook);
    let service = service().with_observer(Silent);
    let docs = Docs::builder("/docs", "/rpc", &service)
        .build()
        .expect("a site");
    let observed = service.with_observer(Silent).for_tests();
    let app = App::new()
        .service(AppPage(docs))
        .service(Mount::new(&observed).expect("a mount"));
    let app = init_service(app).await;
    for _ in 0..2 {
        for target in [
            "/rpc/rpc.describe",
            "/docs/description.json",
            "/rpc/rpc.discover",
            "/docs/openrpc.json",
            "/rpc/rpc.openapi",
            "/docs/openapi.json",
            "/rpc/rpc.discover?version=1.3.2",
            "/rpc/system.describe",
        ] {
            let response = call_service(&app, get(target).to_request()).await;
            assert!(
                response.status().is_success(),
                "{target}: {}",
                response.status()
            );
        }
    }
    assert_eq!(
        service.rendered_description(),
        observed.rendered_description()
    );
    let configured = observed.rendered_openrpc(None);
    assert_eq!(
        configured,
        service.rendered_openrpc(Some(OpenRpcVersion::V1_3_2))
    );
    for procedure in [
        "rpc.describe",
        "rpc.discover",
        "rpc.openapi",
        "system.describe",
    ] {
        let times = notebook.count(&["rendered the description", procedure]);
        assert_eq!(times, 1, "{procedure}");
    }
    let newer = r#"{"jsonrpc":"2.0","method":"rpc.discover","params":{"version":"1.4.1"},"id":1}"#;
    for _ in 0..2 {
        let response = read_body(call_service(&app, post(newer).to_request()).await).await;
        assert!(response.starts_with(br#"{"jsonrpc":"2.0","result":{"openrpc":"1.4.1""#));
    }
    assert_eq!(notebook.rendered(), 5);
}

#[actix_web::test]
async fn a_version_of_open_rpc_that_there_is_none_of_is_refused() {
    for version in [r#""1.3""#, r#""2.0.0""#, "1.3", r#""""#] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","method":"rpc.discover","params":{{"version":{version}}},"id":1}}"#
        );
        let response = crate::ask(&service(), post(&body)).await.json();
        assert_eq!(response["error"]["code"], -32602, "{response}");
        assert_eq!(
            response["error"]["data"]["parameter"], "version",
            "{response}"
        );
    }
    for params in [
        "[]",
        "{}",
        "[null]",
        r#"["1.2.6"]"#,
        r#"{"version":"1.2.6"}"#,
    ] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","method":"rpc.discover","params":{params},"id":1}}"#);
        let response = crate::ask(&service(), post(&body)).await.json();
        assert_eq!(response["error"], serde_json::Value::Null, "{response}");
    }
}
