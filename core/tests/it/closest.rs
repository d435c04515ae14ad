//! Unknown procedure names: which existing name was probably meant.

use docent_core::carrier::Incoming;
use docent_core::{CallInfo, Guard, Protocol, Rejection, Service};
use docent_describe::ProcedureDescription;
use serde_json::{Value, json};

use crate::{builder, plain};

fn service() -> Service {
    builder()
        .procedures(["book.get", "book.find", "book.add", "Loan_start", "x"].map(plain))
        .build()
        .expect("a service")
}

/// Returns the response to a body.
async fn answer(service: &Service, body: &Value) -> Value {
    let response = service.handle(body.to_string()).await.expect("an answer");
    serde_json::from_slice(&response).expect("JSON")
}

fn request(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "id": 1})
}

/// Returns the data of the error for an unknown name.
async fn data(service: &Service, method: &str) -> Value {
    let mut response = answer(service, &request(method)).await;
    assert_eq!(response["error"]["code"], -32601, "{method}");
    response["error"]
        .as_object_mut()
        .and_then(|error| error.remove("data"))
        .unwrap_or_default()
}

#[tokio::test]
async fn names_that_are_close_to_an_unknown_one_are_suggested() {
    let service = service();
    for (method, closest) in [
        ("book.gt", json!(["book.get"])),
        ("bok.dad", json!(["book.add"])),
        ("Book.Get", json!(["book.get"])),
        ("loanStart", json!(["Loan_start"])),
        ("X", json!(["x"])),
        ("rpc.descibe", json!(["rpc.describe"])),
        // Closer names come first, and equally close ones in alphabetical order.
        ("book.ged", json!(["book.get", "book.add", "book.find"])),
    ] {
        assert_eq!(
            data(&service, method).await,
            json!({"closest": closest}),
            "{method}"
        );
    }
    for method in ["foobar", "", "y", "\u{0}", "book"] {
        assert_eq!(data(&service, method).await, Value::Null, "{method}");
    }
}

#[tokio::test]
async fn no_more_than_three_are_suggested_and_none_for_a_long_name() {
    let names = ["abcdef1", "abcdef2", "abcdef3", "abcdef4"].map(plain);
    let long = ["n".repeat(40), "n".repeat(41)];
    let service = builder().procedures(names).procedure(plain(&long[0]));
    let service = service.build().expect("a service");
    let closest = json!({"closest": ["abcdef1", "abcdef2", "abcdef3"]});
    assert_eq!(data(&service, "abcdef").await, closest);
    assert_eq!(data(&service, &long[1]).await, Value::Null);
    let shorter = "n".repeat(39);
    assert_eq!(
        data(&service, &shorter).await,
        json!({"closest": [long[0]]})
    );
}

#[tokio::test]
async fn an_exchange_is_searched_for_one_name_only() {
    let service = service();
    let long = "book.get".repeat(20);
    let silent = json!({"jsonrpc": "2.0", "method": "book.fnd"});
    let batch = json!([
        silent,
        request(&long),
        request("book.gt"),
        request("book.gt")
    ]);
    let responses = answer(&service, &batch).await;
    let closest = |at: usize| responses[at]["error"]["data"]["closest"].clone();
    assert_eq!(closest(0), Value::Null);
    assert_eq!(closest(1), json!(["book.get"]));
    assert_eq!(closest(2), Value::Null);
}

#[tokio::test]
async fn every_version_and_get_suggest_them() {
    let body = json!({"version": "1.1", "method": "book.gt"});
    let of_1_1 = answer(&service(), &body).await;
    let closest = json!(["book.get"]);
    assert_eq!(of_1_1["error"]["error"]["data"]["closest"], closest);
    let service = builder()
        .procedure(plain("book.get"))
        .protocols(|protocols| protocols.v1_0 = true)
        .build()
        .expect("a service");
    let of_1_0 = answer(
        &service,
        &json!({"method": "book.gt", "params": [], "id": 1}),
    )
    .await;
    assert_eq!(of_1_0["error"]["data"]["closest"], closest);
    let by_get = service.query("book.gt", "", None).await;
    assert_eq!(by_get.protocol(), Protocol::V2_0);
    let by_get: Value = serde_json::from_slice(&by_get.body().unwrap_or_default()).expect("JSON");
    assert_eq!(by_get["error"]["data"]["closest"], closest);
    let address = Incoming::new(request("book.gt").to_string()).only("book.gt");
    let address: Value = serde_json::from_slice(
        &service
            .exchange(address)
            .await
            .into_body()
            .unwrap_or_default(),
    )
    .expect("JSON");
    assert_eq!(address["error"]["data"]["closest"], closest);
}

/// Guards what its name says, and accepts every call.
struct Before(&'static str);

impl Guard for Before {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        procedure.name.starts_with(self.0)
    }
}

#[tokio::test]
async fn none_are_suggested_if_the_description_is_guarded() {
    for (covered, suggests) in [("rpc.", false), ("book.", true)] {
        let service = builder()
            .procedure(plain("book.get"))
            .guard(Before(covered));
        let service = service.build().expect("a service");
        let data = data(&service, "book.gt").await;
        assert_eq!(data["closest"].is_array(), suggests, "{covered}");
    }
}
