//! Responses that follow the contract, and responses that violate it.

use serde_json::json;

use super::*;
use crate::http::Response;

/// Returns a call with this id.
fn call(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"stats","id":{id}}}"#)
}

/// Returns a response as the service would send it.
fn answer(status: u16, more: &[(&str, &str)], body: &str) -> Response {
    let mut headers = vec![
        ("content-type", "application/json"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
    ];
    headers.extend_from_slice(more);
    let headers = headers.into_iter();
    Response {
        status,
        headers: headers.map(|(n, v)| (n.to_owned(), v.to_owned())).collect(),
        body: body.into(),
    }
}

const RESULT: &str = r#"{"jsonrpc":"2.0","result":7,"id":"a"}"#;
const BUSY: &str = r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy"},"id":null}"#;
const DENIED: &str = r#"{"jsonrpc":"2.0","error":{"code":-32007,"message":"Refused"},"id":1}"#;

#[test]
fn a_response_has_the_callers_id_its_status_and_its_header_fields() {
    let check = |response: &Response| posted(response, call(r#""a""#).as_bytes());
    let right = answer(200, &[], RESULT);
    assert_eq!(check(&right), Ok(vec![Outcome::Result(json!(7))]));
    assert!(posted(&right, call(r#""\u0061""#).as_bytes()).is_err());
    assert!(check(&answer(500, &[], RESULT)).is_err());
    for missing in 0..right.headers.len() {
        let mut wrong = right.clone();
        wrong.headers.remove(missing);
        assert!(check(&wrong).is_err(), "{:?}", wrong.headers);
    }
}

#[test]
fn a_guards_rejection_has_its_status_and_its_challenge() {
    let challenge = ("www-authenticate", "Bearer realm=\"library\"");
    let check = |response: &Response| posted(response, call("1").as_bytes());
    let right = answer(401, &[challenge], DENIED);
    assert_eq!(check(&right), Ok(vec![Outcome::Error(code::REFUSED)]));
    assert_eq!(is_error(&right, 401, code::REFUSED, "1"), Ok(()));
    assert!(check(&answer(401, &[], DENIED)).is_err());
    assert!(check(&answer(200, &[challenge], DENIED)).is_err());
}

#[test]
fn a_batch_response_is_complete_and_in_order() {
    let text = |ids: &[&str]| {
        let responses: Vec<_> = ids
            .iter()
            .map(|id| format!(r#"{{"jsonrpc":"2.0","result":1,"id":{id}}}"#))
            .collect();
        answer(200, &[], &format!("[{}]", responses.join(",")))
    };
    let calls = ["1", "1.0", "null"].map(call).join(",");
    let calls = format!("[{calls}]").into_bytes();
    assert_eq!(
        posted(&text(&["1", "1.0", "null"]), &calls).map(|outcomes| outcomes.len()),
        Ok(3)
    );
    for wrong in [
        &["1.0", "1", "null"][..],
        &["1", "1.0"],
        &["1", "1.0", "null", "null"],
        &[],
    ] {
        assert!(posted(&text(wrong), &calls).is_err(), "{wrong:?}");
    }
    assert!(posted(&answer(200, &[], RESULT), &calls).is_err());
}

#[test]
fn a_rejection_has_its_status_its_code_and_its_header_fields() {
    assert!(busy(&answer(503, &[("retry-after", "1")], BUSY)).is_ok());
    assert!(busy(&answer(503, &[], BUSY)).is_err());
    assert!(busy(&answer(200, &[("retry-after", "1")], BUSY)).is_err());
    assert!(busy(&answer(503, &[("retry-after", "1")], RESULT)).is_err());
    let invalid =
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}"#;
    let check = |response: &Response| is_error(response, 415, code::INVALID_REQUEST, "null");
    assert!(
        check(&answer(
            415,
            &[("accept-post", "application/json")],
            invalid
        ))
        .is_ok()
    );
    assert!(check(&answer(415, &[], invalid)).is_err());
    assert!(no_answer(&answer(204, &[], "")).is_ok());
    assert!(no_answer(&answer(200, &[], "")).is_err());
    assert!(not_done(&answer(400, &[], "")).is_ok());
    assert!(not_done(&answer(200, &[], RESULT)).is_err());
}

fn v2(text: &str) -> Result<Vec<Outcome>, Breach> {
    posted(&answer(200, &[], text), call("1.0").as_bytes())
}

/// Reads a response to a 1.1 call without an id.
fn v1_1(text: &str) -> Result<Vec<Outcome>, Breach> {
    let status = if text.contains("error") { 500 } else { 200 };
    let call = br#"{"version":"1.1","method":"stats"}"#;
    posted(&answer(status, &[], text), call)
}

#[test]
fn responses_that_follow_the_contract_pass() {
    let result = v2(r#"{"jsonrpc":"2.0","result":null,"id":1.0}"#);
    assert_eq!(result, Ok(vec![Outcome::Result(Value::Null)]));
    let error = v2(r#"{"id":1.0,"error":{"code":-32002,"message":"Busy"},"jsonrpc":"2.0"}"#);
    assert_eq!(error, Ok(vec![Outcome::Error(-32002)]));
    let odd = r#"{"version":"1.1","error":{"name":"JSONRPCError","code":503,"message":"Busy","error":{"code":-32002,"message":"Busy"}},"id":"\ud800"}"#;
    let call = br#"{"version":"1.1","method":"stats","id":"\ud800"}"#;
    assert_eq!(
        posted(&answer(500, &[], odd), call),
        Ok(vec![Outcome::Error(-32002)])
    );
    let old = r#"{"version":"1.1","error":{"name":"JSONRPCError","code":406,"message":"Invalid params","error":{"code":-32602,"message":"Invalid params","data":{"reason":"no"}}}}"#;
    assert_eq!(v1_1(old), Ok(vec![Outcome::Error(-32602)]));
}

#[test]
fn responses_that_violate_the_contract_fail() {
    for broken in [
        r#"{"jsonrpc":"2.0","result":1,"id":1}"#,
        r#"{"jsonrpc":"2.0","result":1,"id":null}"#,
        r#"{"jsonrpc":"2.0","result":1}"#,
        r#"{"jsonrpc":"2.0","result":1,"id":1.0,"id":1.0}"#,
        r#"{"jsonrpc":"2.0","id":1.0}"#,
        r#"{"jsonrpc":"2.0","result":1,"error":{"code":-32002,"message":"Busy"},"id":1.0}"#,
        r#"{"jsonrpc":"2.0","result":1,"id":1.0,"more":1}"#,
        r#"{"jsonrpc":"2","result":1,"id":1.0}"#,
        r#"{"result":1,"id":1.0}"#,
        r#"{"jsonrpc":"2.0","result":1,"id":1.0} {}"#,
        r#"{"jsonrpc":"2.0","result":1,"id":1.0"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":1.0}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"busy"},"id":1.0}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32002},"id":1.0}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy","cause":1},"id":1.0}"#,
        r#"{"jsonrpc":"2.0","error":{"code":7,"message":"?"},"id":1.0}"#,
        "[]",
        "",
    ] {
        assert!(v2(broken).is_err(), "{broken}");
    }
    for broken in [
        r#"{"version":"1.1","result":1,"id":null}"#,
        r#"{"version":"1.1","error":{"name":"JSONRPCError","code":404,"message":"Busy","error":{"code":-32002,"message":"Busy"}}}"#,
        r#"{"version":"1.1","error":{"code":503,"message":"Busy","error":{"code":-32002,"message":"Busy"}}}"#,
        r#"{"version":"1.1","error":{"name":"JSONRPCError","code":503,"message":"Busy"}}"#,
    ] {
        assert!(v1_1(broken).is_err(), "{broken}");
    }
}
