//! Metrics: what is counted, under which names, and who can read it.

use std::time::Duration;

use actix_web::App;
use actix_web::http::Method;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use docent::{
    AppPage, CheckResults, Cx, Fault, MemoryKeyStore, Metrics, Mount, Procedure, Routes, Service,
};
use serde_json::json;

use crate::exposition::Exposition;
use crate::{get, post};

fn service() -> Service {
    Service::builder("counted", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f")
        .procedure(
            Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>("x".repeat(300))).idempotent(),
        )
        .procedure(
            Procedure::sync("fail", |_: Cx, code: Vec<i64>| {
                Err::<(), _>(Fault::new(code[0], "As told"))
            })
            .error(7, "Declared")
            .errors_open(),
        )
        .procedure(Procedure::sync("a \"quoted\\name\"", |_: Cx, (): ()| {
            Ok::<_, Fault>(1)
        }))
        .build()
        .expect("a service")
}

/// Returns the metrics after these requests.
async fn after(service: &Service, requests: Vec<TestRequest>) -> Exposition {
    let metrics = Metrics::new();
    let mount = Mount::new(Routes::from(service).count_in(&metrics)).expect("a mount");
    let app = init_service(App::new().service(AppPage(metrics.clone())).service(mount)).await;
    for request in requests {
        let response = call_service(&app, request.to_request()).await;
        read_body(response).await;
    }
    let response = call_service(&app, get("/metrics").to_request()).await;
    let text = read_body(response).await;
    assert_eq!(text, metrics.text());
    Exposition::read(std::str::from_utf8(&text).expect("UTF-8"))
}

fn call(method: &str, params: &serde_json::Value) -> TestRequest {
    post(&json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}).to_string())
}

fn count(reported: &Exposition, procedure: &str, protocol: &str, code: &str) -> Option<f64> {
    reported.get(
        "docent_calls_total",
        &[
            ("mount", "/rpc"),
            ("procedure", procedure),
            ("protocol", protocol),
            ("code", code),
        ],
    )
}

#[actix_web::test]
async fn calls_are_counted_by_procedure_protocol_and_code_however_they_come() {
    let batch = r#"[{"jsonrpc":"2.0","method":"read","id":1},{"jsonrpc":"2.0","method":"read"},
        {"jsonrpc":"2.0","method":"fail","params":[7],"id":2},5]"#;
    let reported = after(
        &service(),
        vec![
            post(batch),
            get("/rpc/read"),
            get("/rpc/read?nothing=1"),
            get("/rpc/fail?values=7"),
            get("/rpc/nothing"),
            post(r#"{"version":"1.1","method":"read"}"#),
            post("{"),
            call("rpc.describe", &json!([])),
        ],
    )
    .await;
    for (procedure, protocol, code, expected) in [
        ("read", "2.0", "ok", 3.0),
        ("read", "1.1", "ok", 1.0),
        ("read", "2.0", "-32602", 1.0),
        ("fail", "2.0", "7", 1.0),
        ("fail", "2.0", "-32006", 1.0),
        ("unknown", "2.0", "-32600", 1.0),
        ("unknown", "2.0", "-32601", 1.0),
        ("unknown", "2.0", "-32700", 1.0),
        ("rpc.describe", "2.0", "ok", 1.0),
    ] {
        let counted = count(&reported, procedure, protocol, code);
        assert_eq!(counted, Some(expected), "{procedure} {protocol} {code}");
    }
}

#[actix_web::test]
async fn durations_are_in_seconds_and_sizes_in_bytes() {
    let reported = after(
        &service(),
        vec![call("read", &json!([])), call("read", &json!({}))],
    )
    .await;
    let place = [("mount", "/rpc"), ("procedure", "read")];
    for (name, sum) in [("request", 4.0), ("response", 2.0 * 336.0)] {
        let name = format!("docent_call_{name}_bytes");
        assert_eq!(reported.get(&format!("{name}_count"), &place), Some(2.0));
        assert_eq!(
            reported.get(&format!("{name}_sum"), &place),
            Some(sum),
            "{name}"
        );
    }
    let name = "docent_call_duration_seconds";
    assert_eq!(reported.get(&format!("{name}_count"), &place), Some(2.0));
    let slowest = [place[0], place[1], ("le", "30.0")];
    assert_eq!(reported.get(&format!("{name}_bucket"), &slowest), Some(2.0));
}

#[actix_web::test]
async fn nothing_that_a_caller_writes_becomes_a_label() {
    let requests = |range: std::ops::Range<i64>| {
        range
            .flat_map(|n| {
                let name = format!("evil{n}\"}} 1\n# EOF\n");
                [
                    call(&name, &json!([])),
                    call("fail", &json!([1000 + n])),
                    get(&format!("/rpc/evil{n}%22")),
                    post(&format!(r#"{{"jsonrpc":"{n}","method":"read","id":1}}"#)),
                ]
            })
            .collect()
    };
    let few = after(&service(), requests(0..2)).await;
    let many = after(&service(), requests(0..200)).await;
    assert_eq!(few.len(), many.len());
    let procedures = ["fail", "unknown"];
    assert!(many.values("procedure").into_iter().eq(procedures));
    let codes = ["-32600", "-32601", "other"];
    assert!(many.values("code").into_iter().eq(codes));
    assert_eq!(count(&many, "fail", "2.0", "other"), Some(200.0));
}

#[actix_web::test]
async fn a_result_that_breaks_the_description_and_is_sent_is_counted_by_its_procedure() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Reading {
        #[schemars(range(max = 10))]
        value: i64,
    }
    let reading = |_: Cx, value: Vec<i64>| Ok::<_, Fault>(Reading { value: value[0] });
    let service = Service::builder("counted", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e61")
        .procedure(Procedure::sync("write", reading))
        .procedure(Procedure::sync("read", reading).idempotent())
        .check_results(CheckResults::RefuseIdempotent)
        .build()
        .expect("a service");
    let mut requests = vec![get("/rpc/read?0=11")];
    for value in [11, 7, 12, 13] {
        requests.push(call("write", &json!([value])));
    }
    let reported = after(&service, requests).await;
    let mismatches = |procedure| {
        let labels = [("mount", "/rpc"), ("procedure", procedure)];
        reported.get("docent_mismatches_total", &labels)
    };
    assert_eq!(mismatches("write"), Some(3.0));
    assert_eq!(mismatches("read"), None);
    assert_eq!(count(&reported, "write", "2.0", "ok"), Some(4.0));
    assert_eq!(count(&reported, "read", "2.0", "-32603"), Some(1.0));
}

#[actix_web::test]
async fn a_name_that_needs_escapes_has_them() {
    let name = "a \"quoted\\name\"";
    let reported = after(&service(), vec![call(name, &json!([]))]).await;
    assert_eq!(count(&reported, name, "2.0", "ok"), Some(1.0));
}

#[actix_web::test]
async fn what_is_refused_unread_is_counted_as_shed_and_as_busy() {
    let service = Service::builder("full", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e60")
        .procedure(Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(1)).idempotent())
        .limits(|limits| limits.max_concurrent_calls = 0)
        .build()
        .expect("a service");
    let reported = after(&service, vec![call("read", &json!([])), get("/rpc/read")]).await;
    let mount = [("mount", "/rpc")];
    assert_eq!(reported.get("docent_shed_total", &mount), Some(2.0));
    assert_eq!(count(&reported, "unknown", "2.0", "-32002"), Some(2.0));
    assert!(reported.values("procedure").into_iter().eq(["unknown"]));
    let reported = after(&self::service(), vec![call("read", &json!([]))]).await;
    assert_eq!(reported.get("docent_shed_total", &mount), Some(0.0));
}

#[actix_web::test]
async fn running_calls_are_counted_for_each_mount() {
    let metrics = Metrics::new();
    let inside = metrics.clone();
    let service = Service::builder("inside", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e61")
        .procedure(Procedure::sync("look", move |_: Cx, (): ()| {
            Ok::<_, Fault>(inside.text())
        }))
        .build()
        .expect("a service");
    let routes = Routes::new(service).mount("", self::service());
    let mount = Mount::new(routes.count_in(&metrics)).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    let response = call_service(&app, call("look", &json!([])).to_request()).await;
    let response: serde_json::Value =
        serde_json::from_slice(&read_body(response).await).expect("JSON");
    let during = Exposition::read(response["result"].as_str().expect("a text"));
    let after = Exposition::read(&metrics.text());
    for (reported, mount, running) in [
        (&during, "/rpc", 1.0),
        (&during, "/", 0.0),
        (&after, "/rpc", 0.0),
    ] {
        let reported = reported.get("docent_running_calls", &[("mount", mount)]);
        assert_eq!(reported, Some(running), "{mount}");
    }
}

#[actix_web::test]
async fn two_versions_of_a_service_are_counted_by_themselves_and_named_with_their_versions() {
    let read = || Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(1));
    let v1 = Service::builder("counted", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e62")
        .version("1.0")
        .procedure(read())
        .build()
        .expect("a service");
    let v2 = v1
        .extend()
        .version("2.0")
        .replace(read())
        .build()
        .expect("a service");
    let metrics = Metrics::new();
    let routes = Routes::at("/rpc/v1", v1).mount("/rpc/v2", v2);
    let mount = Mount::new(routes.count_in(&metrics)).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    for mount in ["/rpc/v1", "/rpc/v2", "/rpc/v2"] {
        call_service(&app, call("read", &json!([])).uri(mount).to_request()).await;
    }
    let reported = Exposition::read(&metrics.text());
    for (mount, version, calls) in [("/rpc/v1", "1.0", 1.0), ("/rpc/v2", "2.0", 2.0)] {
        let place = [("mount", mount), ("procedure", "read")];
        let counted = reported.get("docent_call_duration_seconds_count", &place);
        assert_eq!(counted, Some(calls), "{mount}");
        let service = [
            ("mount", mount),
            ("service", "counted"),
            ("version", version),
        ];
        assert_eq!(
            reported.get("docent_service_info", &service),
            Some(1.0),
            "{mount}"
        );
    }
}

#[actix_web::test]
async fn only_get_and_head_get_the_counts_and_no_cache_keeps_them() {
    let metrics = Metrics::new();
    let app = init_service(App::new().service(AppPage(metrics))).await;
    for method in [Method::GET, Method::HEAD] {
        let response = call_service(&app, get("/metrics").method(method).to_request()).await;
        assert_eq!(response.status(), 200);
        let header = |name| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        assert_eq!(
            header("content-type"),
            Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
        );
        assert_eq!(header("cache-control"), Some("no-store"));
        assert_eq!(header("x-content-type-options"), Some("nosniff"));
    }
    for method in [Method::POST, Method::DELETE, Method::OPTIONS] {
        let response = call_service(&app, get("/metrics").method(method).to_request()).await;
        assert_eq!(response.status(), 405);
        assert_eq!(
            response.headers().get("allow").expect("what is"),
            "GET, HEAD"
        );
    }
}

#[actix_web::test]
async fn who_is_calling_never_becomes_a_label() {
    use std::borrow::Cow;

    use docent::{Bearer, Identity};

    struct User(String);

    impl Identity for User {
        fn id(&self) -> Cow<'_, str> {
            Cow::from(&self.0)
        }
    }

    let find = |secret: String| async move { Ok::<_, String>(Some(User(secret))) };
    let mine = |_: Cx<(), User>, (): ()| Ok::<_, Fault>(());
    let service = Service::builder("counted", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e60")
        .authenticate(Bearer::new("counted", find))
        .procedure(Procedure::sync("mine", mine))
        .build()
        .expect("a service");
    let metrics = Metrics::new();
    let mount = Mount::new(Routes::new(service).count_in(&metrics)).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    for caller in ["clara", "otto", "clara"] {
        let request = call("mine", &json!([]))
            .insert_header(("authorization", format!("Bearer {caller}")))
            .insert_header(("x-request-id", format!("of-{caller}")));
        call_service(&app, request.to_request()).await;
    }
    let text = metrics.text();
    assert!(!text.contains("clara") && !text.contains("otto"), "{text}");
    assert_eq!(
        count(&Exposition::read(&text), "mine", "2.0", "ok"),
        Some(3.0)
    );
}

#[actix_web::test]
async fn the_room_of_the_key_store_is_reported_for_each_mount_without_its_callers() {
    let keep = Procedure::sync("keep", |_: Cx, (): ()| Ok::<_, Fault>("x".repeat(1_000)));
    let service = Service::builder("keeper", "urn:uuid:3c1d2e4f-5a6b-4c7d-8e9f-0a1b2c3d4e63")
        .procedure(
            keep.repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .key_store(MemoryKeyStore::new().max_keys(50).max_bytes(1_000_000))
        .build()
        .expect("a service");
    let keyed = |key: &str| call("keep", &json!([])).insert_header(("Idempotency-Key", key));
    let reported = after(&service, vec![keyed("a"), keyed("b"), keyed("a")]).await;
    let mount = [("mount", "/rpc")];
    assert_eq!(reported.get("docent_keys", &mount), Some(2.0));
    assert_eq!(reported.get("docent_keys_limit", &mount), Some(50.0));
    assert_eq!(reported.get("docent_keys_limit_bytes", &mount), Some(1e6));
    let bytes = reported.get("docent_keys_bytes", &mount);
    assert!(bytes.is_some_and(|bytes| (2_000.0..4_000.0).contains(&bytes)));
    // A service without such calls has none.
    let reported = after(&self::service(), vec![]).await;
    assert_eq!(reported.get("docent_keys", &mount), None);
}
