//! Internal errors: the caller gets an incident id, and the log has the cause next to it.

use std::collections::HashSet;

use docent::{CallInfo, Cx, Fault, Guard, Procedure, Rejection, Service, TokioRuntime};
use serde_json::Value;

use crate::log::{listening, logged};
use crate::{Server, handle};

/// Fails with a code that the procedure never declared.
struct Unsaid;

impl Guard for Unsaid {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(Rejection::forbidden().with_fault(Fault::new(4_711, "the guards own")))
    }

    fn covers(&self, procedure: &docent::describe::ProcedureDescription) -> bool {
        procedure.name == "guarded"
    }
}

/// The ways to an Internal error, and what the log says about the cause.
const CAUSES: &[(&str, &str)] = &[
    ("panics", "told to panic"),
    ("panics_blocking", "told to panic"),
    ("panics_later", "told to panic"),
    ("fails", "the disk is full"),
    ("undeclared", "code=4711 said=\"out of words\""),
    ("reserved", "code=-32602 said=\"bad params\""),
    ("infinite", "cannot be serialised"),
    ("guarded", "code=4711 said=\"the guards own\""),
];

async fn panics_later(_: Cx, (): ()) -> Result<(), Fault> {
    tokio::task::yield_now().await;
    panic!("told to panic")
}

fn service() -> Service {
    let failing = |name, fault: fn() -> Fault| {
        Procedure::sync(name, move |_: Cx, (): ()| Err::<(), _>(fault()))
    };
    let panics = |_: Cx, (): ()| -> Result<(), Fault> { panic!("told to panic") };
    let procedures = [
        Procedure::sync("panics", panics),
        Procedure::blocking("panics_blocking", panics),
        Procedure::new("panics_later", panics_later),
        failing("fails", || Fault::internal("the disk is full")),
        failing("undeclared", || Fault::new(4_711, "out of words")),
        failing("reserved", || Fault::new(-32_602, "bad params")).errors_open(),
        Procedure::sync("infinite", |_: Cx, (): ()| Ok::<_, Fault>(f64::INFINITY)),
        failing("guarded", || Fault::new(1, "never")),
    ];
    Service::builder("incidents", "urn:example:incidents")
        .procedures(procedures.into_iter().map(Procedure::idempotent))
        .protocols(|protocols| protocols.v1_0 = true)
        .guard(Unsaid)
        .build()
        .expect("a service")
}

/// Returns the incident id of an Internal error, and checks that nothing else is there.
#[track_caller]
fn incident(error: &Value) -> String {
    assert_eq!(error["code"], -32603, "{error}");
    let data = error["data"].as_object().expect("data");
    assert_eq!(data.len(), 1, "{error}");
    let incident = data["incident"].as_str().expect("an incident");
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    assert_eq!(incident.len(), 16, "{incident}");
    assert!(incident.bytes().all(is_digit), "{incident}");
    incident.to_owned()
}

/// Checks that the log line with the incident also has its cause and the procedure.
#[track_caller]
fn assert_logged(log: &str, incident: &str, procedure: &str, cause: &str) {
    let incident = format!("incident={incident}");
    let procedure = format!("procedure=\"{procedure}\"");
    let lines: Vec<_> = log
        .lines()
        .filter(|line| line.contains(&incident))
        .collect();
    assert_eq!(lines.len(), 1, "{procedure}: {log}");
    assert!(
        lines[0].contains(&procedure) && lines[0].contains(cause),
        "{log}"
    );
    assert!(lines[0].contains("ERROR"), "{log}");
}

#[test]
fn an_internal_error_carries_an_incident_that_stands_in_the_log_beside_the_cause() {
    let (mut seen, mut expected) = (HashSet::new(), 0);
    for service in [
        service(),
        service().with_runtime(std::sync::Arc::new(TokioRuntime)),
    ] {
        for (procedure, cause) in CAUSES {
            for (frame, rest) in [
                (r#""jsonrpc":"2.0""#, r#","id":1"#),
                (r#""version":"1.1""#, ""),
                (r#""_":0"#, r#","params":[],"id":1"#),
            ] {
                let body = format!(r#"{{{frame},"method":"{procedure}"{rest}}}"#);
                let (response, log) = logged(&service, &body);
                let response: Value =
                    serde_json::from_slice(&response.expect("a response")).expect("JSON");
                let error = match frame {
                    r#""version":"1.1""# => &response["error"]["error"],
                    _ => &response["error"],
                };
                let incident = incident(error);
                assert_logged(&log, &incident, procedure, cause);
                assert!(!response.to_string().contains(cause), "{response}");
                seen.insert(incident);
                expected += 1;
            }
        }
    }
    assert_eq!(seen.len(), expected, "no two incidents are the same");
}

#[test]
fn each_call_of_a_batch_has_an_incident_of_its_own() {
    let mut calls = Vec::new();
    for (procedure, _) in CAUSES {
        calls.push(format!(
            r#"{{"jsonrpc":"2.0","method":"{procedure}","id":"{procedure}"}}"#
        ));
    }
    let body = format!("[{}]", calls.join(","));
    let (response, log) = logged(&service(), &body);
    let responses: Vec<Value> =
        serde_json::from_slice(&response.expect("a response")).expect("JSON");
    for (response, (procedure, cause)) in responses.iter().zip(CAUSES) {
        assert_logged(&log, &incident(&response["error"]), procedure, cause);
    }
}

#[test]
fn a_notification_that_fails_is_logged_with_an_incident_too() {
    let body = r#"{"jsonrpc":"2.0","method":"fails"}"#;
    let (response, log) = logged(&service(), body);
    assert_eq!(response, None);
    assert!(
        log.contains("incident=") && log.contains("the disk is full"),
        "{log}"
    );
}

#[test]
fn get_tells_of_an_incident_and_a_service_does_not_repeat_itself() {
    let server = Server::start(service());
    let fail = || {
        let response = server.get("/rpc/fails");
        assert_eq!(response.status, 500);
        incident(&response.json()["error"])
    };
    assert_ne!(fail(), fail());
}

#[test]
fn a_call_that_succeeds_or_is_refused_has_no_incident() {
    let service = crate::service();
    let body = r#"[
        {"jsonrpc":"2.0","method":"sum","params":[1],"id":1},
        {"jsonrpc":"2.0","method":"fail","params":[7,"told to"],"id":2},
        {"jsonrpc":"2.0","method":"subtract","params":["x"],"id":3}
    ]"#;
    let (response, log) = listening(|| handle(&service, body.as_bytes()));
    let response = String::from_utf8(response.expect("a response")).expect("UTF-8");
    assert!(
        !response.contains("incident") && log.is_empty(),
        "{response} {log}"
    );
}
