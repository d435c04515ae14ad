//! Examples of calls that fail.

use docent_core::{Cx, Fault, Procedure, RpcError, Service};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{assert_one, builder};

#[derive(Debug, Serialize, JsonSchema)]
struct Due {
    #[schemars(length(equal = 10))]
    due: String,
}

#[derive(Debug, RpcError)]
enum LendError {
    #[rpc(code = 1409, message = "Already lent")]
    Lent(Due),
    #[rpc(code = 1404, message = "No such book")]
    Missing,
}

#[derive(Deserialize, JsonSchema)]
struct Lend {
    #[schemars(range(min = 1))]
    book: u32,
}

/// Rejects every loan, for a reason that depends on its number.
fn lend() -> Procedure {
    Procedure::sync("lend", |_: Cx, p: Lend| {
        Err::<(), Fault>(match p.book {
            1 => RpcError::into_fault(LendError::Lent(Due {
                due: "2030-05-01".into(),
            })),
            2 => Fault::invalid_params("book", "is being bound"),
            _ => RpcError::into_fault(LendError::Missing),
        })
    })
    .error_with_data::<Due>(1409, "Already lent")
    .error(1404, "No such book")
}

fn service(procedure: Procedure) -> Service {
    builder().procedure(procedure).build().expect("a service")
}

/// Returns the error of the first example in the description.
fn described(service: &Service) -> Value {
    let description: Value = serde_json::from_slice(&service.rendered_description()).expect("JSON");
    description["procs"][0]["examples"][0]["error"].clone()
}

#[test]
fn the_error_of_an_example_is_what_the_call_is_answered() {
    let examples: [(Value, i64, Value); 5] = [
        (json!([1]), 1409, json!({"due": "2030-05-01"})),
        (json!({"book": 7}), 1404, json!(null)),
        // Rejected by the handler, by a constraint, and by the type.
        (
            json!([2]),
            -32602,
            json!({"parameter": "book", "pointer": "", "reason": "is being bound"}),
        ),
        (json!([0]), -32602, json!(null)),
        (json!({"book": "one", "more": []}), -32602, json!(null)),
    ];
    for (params, code, data) in examples {
        let service = service(lend().example_error_with_summary("Fails", &params, code, data));
        let request = json!({"jsonrpc": "2.0", "method": "lend", "params": params, "id": 1});
        let response = service
            .handle(request.to_string())
            .now_or_never()
            .expect("done");
        let response: Value = serde_json::from_slice(&response.expect("an answer")).expect("JSON");
        assert_eq!(described(&service), response["error"], "{params}");
        assert_eq!(described(&service)["code"], code);
    }
}

#[test]
fn a_failing_example_that_does_not_hold_is_a_mistake() {
    let none = json!(null);
    for (params, code, data, words) in [
        (
            json!([1]),
            1410,
            none.clone(),
            "does not declare the error 1410",
        ),
        (
            json!([1]),
            -32603,
            none.clone(),
            "does not declare the error -32603",
        ),
        (json!([1]), 1404, json!(5), "1404 is declared without data"),
        (
            json!([1]),
            1409,
            none.clone(),
            "the data does not match the type that the error 1409 declares",
        ),
        (json!([1]), 1409, json!({"due": "soon"}), "/due"),
        (json!([0]), 1404, none.clone(), "the params do not decode"),
        (json!("x"), 1404, none.clone(), "array or an object"),
        (json!("x"), -32602, none.clone(), "array or an object"),
        (json!([1]), -32602, none.clone(), "the params decode"),
        (
            json!([1]),
            -32602,
            json!({"reason": "no"}),
            "the params decode",
        ),
        (
            json!([0]),
            -32602,
            json!({"reason": "no"}),
            "leave the data out",
        ),
    ] {
        let procedure = lend().example_error(&params, code, &data);
        assert_one(
            builder().procedure(procedure),
            Some("lend"),
            &["example 1", words],
        );
    }
}

#[test]
fn codes_that_are_open_are_shown_where_they_are_declared_too() {
    let open = || Procedure::sync("lend", |_: Cx, _: Lend| Ok::<_, Fault>(())).errors_open();
    let shown = service(open().error(7, "Seven").example_error([1], 7, ()));
    assert_eq!(described(&shown), json!({"code": 7, "message": "Seven"}));
    let unknown = builder().procedure(open().example_error([1], 7, ()));
    assert_one(unknown, Some("lend"), &["does not declare the error 7"]);
}

#[tokio::test]
async fn a_prepared_call_can_be_kept_longer_than_its_parameters() {
    let service = service(lend());
    let call = service.request("lend", &json!({"book": 3}));
    let refused = call.call::<()>().await;
    assert_eq!(refused.expect_err("an error").code(), Some(1404));
}
