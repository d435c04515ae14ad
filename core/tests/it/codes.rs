//! The error codes that a call may return, and the replacement of all others.

use docent_core::{CallInfo, Cx, Fault, Guard, Procedure, Rejection, RejectionKind, Service, code};
use futures_util::FutureExt;
use serde_json::{Value, json};

use crate::builder;

/// Rejects every call with the code in its state.
struct Refusing(i64);

impl Guard for Refusing {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(Rejection::forbidden().with_fault(Fault::new(self.0, "Not you")))
    }
}

/// Codes that JSON-RPC 2.0 leaves to servers and Docent does not use.
const LEFT: [i64; 5] = [-32000, -32032, -32033, -32098, -32099];

/// Codes outside of the range that the protocol reserves.
const FREE: [i64; 7] = [-31999, -32769, 0, 1, 417, i64::MIN, i64::MAX];

/// Codes of the protocol and of Docent, and codes reserved for the future.
const TAKEN: [i64; 15] = [
    -32768, -32700, -32603, -32602, -32601, -32600, -32599, -32100, -32031, -32030, -32010, -32009,
    -32007, -32002, -32001,
];

fn failing(code: i64) -> Procedure {
    Procedure::sync("fail", move |_: Cx, (): ()| {
        Err::<(), _>(Fault::new(code, "Told to").with_data(&["a", "b"]))
    })
}

/// Returns the error of a call in a protocol version.
#[track_caller]
fn error(service: &Service, version: &str) -> Value {
    let body = format!(r#"{{{version},"method":"fail","params":[],"id":1}}"#);
    let response = service.handle(body).now_or_never().expect("an answer");
    let response: Value = serde_json::from_slice(&response.expect("an answer")).expect("JSON");
    response["error"].clone()
}

const V2_0: &str = r#""jsonrpc":"2.0""#;
const V1_1: &str = r#""version":"1.1""#;

#[test]
fn open_codes_are_free_ones_and_those_left_to_servers() {
    for code in LEFT.into_iter().chain(FREE) {
        let service = builder().procedure(failing(code).errors_open());
        let service = service.build().expect("a service");
        let expected = json!({"code": code, "message": "Told to", "data": ["a", "b"]});
        assert_eq!(error(&service, V2_0), expected);
        assert_eq!(error(&service, V1_1)["error"], expected);
    }
}

#[test]
fn a_reserved_code_becomes_an_internal_error_even_where_codes_are_open() {
    for code in TAKEN {
        for procedure in [failing(code).errors_open(), failing(code)] {
            let service = builder().procedure(procedure).build().expect("a service");
            for error in [
                error(&service, V2_0),
                error(&service, V1_1)["error"].clone(),
            ] {
                assert_eq!(error["code"], code::INTERNAL_ERROR, "{code}");
                assert_eq!(error["message"], "Internal error", "{code}");
                assert!(!error.to_string().contains("\"a\""), "{code}: {error}");
            }
        }
    }
}

#[test]
fn codes_left_to_servers_are_not_for_procedures_with_a_list_of_their_own() {
    for code in LEFT.into_iter().chain(FREE) {
        let service = builder().procedure(failing(code).error(5, "Another"));
        let service = service.build().expect("a service");
        assert_eq!(
            error(&service, V2_0)["code"],
            code::INTERNAL_ERROR,
            "{code}"
        );
    }
}

#[test]
fn a_guard_may_answer_with_codes_left_to_servers_before_any_procedure() {
    let guarded = |code| {
        let service = builder().procedure(failing(5)).guard(Refusing(code));
        service.build().expect("a service")
    };
    for code in LEFT {
        let expected = json!({"code": code, "message": "Not you"});
        assert_eq!(error(&guarded(code), V2_0), expected);
    }
    for code in TAKEN.into_iter().chain(FREE) {
        assert_eq!(
            error(&guarded(code), V2_0)["code"],
            code::INTERNAL_ERROR,
            "{code}"
        );
    }
}

#[test]
fn a_refusal_of_parameters_keeps_its_own_data() {
    let refusing = |fault: fn() -> Fault| {
        let procedure = Procedure::sync("fail", move |_: Cx, (): ()| Err::<(), _>(fault()));
        let service = builder().procedure(procedure.errors_open()).build();
        error(&service.expect("a service"), V2_0)
    };
    let plain = refusing(|| Fault::invalid_params("due", "has passed"));
    let data = json!({"parameter": "due", "pointer": "", "reason": "has passed"});
    assert_eq!((&plain["code"], &plain["data"]), (&json!(-32602), &data));
    let other = refusing(|| Fault::invalid_params("due", "has passed").with_data(&7));
    assert_eq!(other["code"], code::INTERNAL_ERROR);
}

#[test]
fn no_code_of_the_protocols_own_is_left_to_servers() {
    for code in code::PROTOCOL_ERRORS.iter().map(|error| error.code) {
        assert!(code::RESERVED.contains(&code), "{code}");
        assert!(!code::is_implementation_defined(code), "{code}");
    }
}

/// Rejects calls with a long message.
struct Wordy;

impl Guard for Wordy {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        let words = "no".repeat(500);
        Err(Rejection::forbidden().with_fault(Fault::new(-32_000, words).with_data(&"never")))
    }
}

#[tokio::test]
async fn the_words_of_a_guard_count_for_the_response_limit() {
    let service = |limit| {
        let builder = builder()
            .procedure(failing(5))
            .guard(Wordy)
            .limits(|limits| limits.max_response_bytes = limit);
        builder.build().expect("a service")
    };
    for (limit, code) in [(1_200, -32_000), (1_000, code::RESPONSE_TOO_LARGE)] {
        assert_eq!(error(&service(limit), V2_0)["code"], code);
        let refused = service(limit)
            .carrier()
            .admits("fail", None)
            .await
            .expect_err("an error");
        assert_eq!(refused.error_code(), Some(code));
        assert!(refused.body().is_some_and(|body| body.len() <= limit));
        assert_eq!(refused.rejection(), Some(&RejectionKind::Forbidden));
    }
    for (limit, here) in [(2_400, 500), (2_000, 507)] {
        assert_eq!(error(&service(limit), V1_1)["code"], here);
    }
}
