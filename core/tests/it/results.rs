//! Results and the data of errors, checked against the published schemas.

use std::collections::HashMap;

use docent_core::carrier::Incoming;
use docent_core::{CheckResults, Cx, Fault, Procedure, RpcError, Service};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::builder;

/// A reading that claims to be from 0 to 10.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Reading {
    #[schemars(range(min = 0, max = 10))]
    value: i32,
}

#[derive(Deserialize, JsonSchema)]
struct Read {
    value: i32,
}

impl From<Read> for Reading {
    fn from(read: Read) -> Self {
        Self { value: read.value }
    }
}

#[derive(Debug, RpcError)]
enum Failed {
    #[rpc(code = 1001, message = "Beyond")]
    Beyond(Reading),
    #[rpc(code = 1002, message = "Plain")]
    #[expect(dead_code, reason = "no handler returns it")]
    Plain,
}

fn service(check: Option<CheckResults>) -> Service {
    let builder = builder()
        .procedure(
            Procedure::new("async", |_: Cx, p: Read| async move {
                Ok::<_, Fault>(Reading::from(p))
            })
            .idempotent(),
        )
        .procedure(Procedure::sync("sync", |_: Cx, p: Read| {
            Ok::<_, Fault>(vec![Reading::from(p)])
        }))
        .procedure(Procedure::blocking("blocking", |_: Cx, p: Read| {
            Ok::<_, Fault>(Some(Reading::from(p)))
        }))
        .procedure(Procedure::sync("fails", |_: Cx, p: Read| {
            Err::<(), _>(Failed::Beyond(p.into()))
        }));
    match check {
        Some(check) => builder.check_results(check),
        None => builder,
    }
    .build()
    .expect("a service")
}

fn ask(service: &Service, body: &Value) -> Value {
    let response = service
        .handle(body.to_string())
        .now_or_never()
        .expect("done");
    serde_json::from_slice(&response.expect("an answer")).expect("JSON")
}

fn call(service: &Service, method: &str, value: i32) -> Value {
    let params = json!({ "value": value });
    ask(
        service,
        &json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}),
    )
}

const ALL: [&str; 3] = ["async", "sync", "blocking"];

#[test]
fn a_result_that_breaks_what_is_published_is_refused_where_that_was_asked_for() {
    let service = service(Some(CheckResults::Refuse));
    for method in ALL {
        assert!(
            call(&service, method, 10).get("error").is_none(),
            "{method}"
        );
        let error = &call(&service, method, 11)["error"];
        assert_eq!(error["code"], -32603, "{method}");
        // The place and the reason are only for the log.
        assert_eq!(error["message"], "Internal error", "{method}");
        assert_eq!(
            error["data"].as_object().expect("an incident").len(),
            1,
            "{error}"
        );
    }
}

#[test]
fn it_is_refused_in_a_batch_by_get_and_in_1_1_alike() {
    let service = service(Some(CheckResults::Refuse));
    let entry =
        |id, value| json!({"jsonrpc": "2.0", "method": "async", "params": [value], "id": id});
    let batch = ask(&service, &json!([entry(1, 3), entry(2, -1), entry(3, 4)]));
    let codes: Vec<_> = (0..3)
        .map(|at| batch[at]["error"]["code"].clone())
        .collect();
    assert_eq!(codes, [Value::Null, json!(-32603), Value::Null]);

    let get = |query| {
        let reply = service
            .query("async", query, None)
            .now_or_never()
            .expect("done");
        serde_json::from_slice::<Value>(&reply.into_body().expect("a body")).expect("JSON")
    };
    assert_eq!(get("value=11")["error"]["code"], -32603);
    assert_eq!(get("value=7")["result"]["value"], 7);

    let old = |value| {
        ask(
            &service,
            &json!({"version": "1.1", "method": "sync", "params": [value]}),
        )
    };
    assert_eq!(old(11)["error"]["error"]["code"], -32603);
    assert_eq!(old(9)["result"], json!([{"value": 9}]));
}

#[test]
fn a_notification_has_no_result_to_look_at() {
    let service = service(Some(CheckResults::Refuse));
    let body = r#"{"jsonrpc":"2.0","method":"sync","params":[11]}"#;
    let reply = service
        .exchange(Incoming::new(body))
        .now_or_never()
        .expect("done");
    assert_eq!(reply.into_body(), None);
}

#[test]
fn a_mismatch_is_sent_if_it_is_only_logged_or_not_checked() {
    for check in [CheckResults::Off, CheckResults::Log] {
        let service = service(Some(check));
        for method in ALL {
            let response = call(&service, method, 11);
            assert!(
                response["result"].to_string().contains("11"),
                "{check:?} {method}"
            );
        }
        assert_eq!(call(&service, "fails", 11)["error"]["code"], 1001);
    }
}

#[test]
fn by_default_all_are_refused_with_debug_assertions_and_reads_without() {
    let refused = |method| call(&service(None), method, 11).get("error").is_some();
    assert!(refused("async"));
    assert_eq!(refused("sync"), cfg!(debug_assertions));
}

#[test]
fn a_service_for_tests_refuses_whatever_it_was_built_with() {
    for check in [CheckResults::Off, CheckResults::Log, CheckResults::Refuse] {
        let service = service(Some(check)).for_tests();
        let refused = service.call::<Vec<Reading>>("sync", &[11]).now_or_never();
        assert_eq!(
            refused.expect("done").err().and_then(|error| error.code()),
            Some(-32603)
        );
        let read = service.call::<Vec<Reading>>("sync", &[5]).now_or_never();
        assert_eq!(read.expect("done").expect("a result")[0].value, 5);
    }
}

#[test]
fn the_data_of_an_error_is_held_to_its_type_too() {
    let refusing = service(Some(CheckResults::Refuse));
    let response = call(&refusing, "fails", 3);
    assert_eq!(response["error"]["data"], json!({"value": 3}));
    assert_eq!(call(&refusing, "fails", 11)["error"]["code"], -32603);
}

/// Returns the code of the response of a procedure that declares three errors and returns this one.
fn code_of(fault: fn() -> Fault) -> i64 {
    let fails = Procedure::sync("fails", move |_: Cx, (): ()| Err::<(), _>(fault()))
        .error(1, "Without data")
        .error_with_data::<u8>(2, "With a number")
        .error_with_data::<Option<u8>>(3, "With a number or null");
    let service = builder()
        .procedure(fails)
        .check_results(CheckResults::Refuse)
        .build()
        .expect("a service");
    let response = ask(
        &service,
        &json!({"jsonrpc": "2.0", "method": "fails", "id": 1}),
    );
    response["error"]["code"].as_i64().expect("a code")
}

#[test]
fn data_is_there_where_it_is_declared_and_nowhere_else() {
    assert_eq!(code_of(|| Fault::new(1, "")), 1);
    assert_eq!(code_of(|| Fault::new(1, "").with_data(&5)), -32603);
    assert_eq!(code_of(|| Fault::new(2, "").with_data(&5)), 2);
    assert_eq!(code_of(|| Fault::new(2, "").with_data(&256)), -32603);
    assert_eq!(code_of(|| Fault::new(2, "").with_data("5")), -32603);
    assert_eq!(code_of(|| Fault::new(2, "")), -32603);
    assert_eq!(code_of(|| Fault::new(3, "")), 3);
    assert_eq!(code_of(|| Fault::new(3, "").with_data(&None::<u8>)), 3);
    assert_eq!(code_of(|| Fault::invalid_params("a", "b")), -32602);
}

/// A promise without enforcement.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("minProperties" = 3))]
struct Unenforced {
    value: u8,
}

#[test]
fn a_promise_that_cannot_be_checked_draws_a_warning_where_somebody_looks() {
    let warnings = |check| {
        let sent = |_: Cx, (): ()| Ok::<_, Fault>(Unenforced { value: 1 });
        let builder = builder().procedure(Procedure::sync("told", sent));
        let service = builder.check_results(check).build().expect("a service");
        let response = ask(
            &service,
            &json!({"jsonrpc": "2.0", "method": "told", "id": 1}),
        );
        assert_eq!(response["result"]["value"], 1);
        service.warnings().to_vec()
    };
    let [warning] = &*warnings(CheckResults::Refuse) else {
        panic!("one warning");
    };
    assert!(
        warning.contains(r#""told": the result is not checked: `minProperties`"#),
        "{warning}"
    );
    assert!(warnings(CheckResults::Off).is_empty());
}

/// A shelf whose labels may have any name, even that of its own field.
#[derive(Serialize, JsonSchema)]
struct Shelf {
    number: u8,
    #[serde(flatten)]
    labels: HashMap<String, u8>,
}

fn shelf(label: &str) -> Shelf {
    Shelf {
        number: 1,
        labels: HashMap::from([(label.to_owned(), 2)]),
    }
}

#[test]
fn a_member_twice_never_reaches_the_wire_whatever_is_checked() {
    for check in [CheckResults::Off, CheckResults::Log, CheckResults::Refuse] {
        let sent = |_: Cx, p: Label| Ok::<_, Fault>(vec![shelf(&p.label)]);
        let fails =
            |_: Cx, p: Label| Err::<(), _>(Fault::new(7, "Seven").with_data(&shelf(&p.label)));
        let service = builder()
            .procedure(Procedure::sync("told", sent))
            .procedure(Procedure::sync("fails", fails).error_with_data::<Shelf>(7, "Seven"))
            .check_results(check)
            .build()
            .expect("a service");
        let ask = |method, label| {
            let body = json!({"jsonrpc": "2.0", "method": method, "params": [label], "id": 1});
            ask(&service, &body)
        };
        assert_eq!(
            ask("told", "poems")["result"],
            json!([{"number": 1, "poems": 2}])
        );
        assert_eq!(ask("told", "number")["error"]["code"], -32603);
        assert_eq!(ask("fails", "poems")["error"]["code"], 7);
        assert_eq!(ask("fails", "number")["error"]["code"], -32603);
    }
}

#[derive(Deserialize, JsonSchema)]
struct Label {
    label: String,
}
