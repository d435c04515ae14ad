//! Results and error data that break the description, as a release build treats them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::{CallRecord, CheckResults, Cx, Fault, Observer, Procedure, Service};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::{Tokio, builder};

/// A count and an amount, of which the author promises more than the types do.
#[derive(Serialize, JsonSchema)]
struct Sum {
    #[serde(serialize_with = "written")]
    count: u32,
    #[schemars(regex(pattern = r"^-?[0-9]+(\.[0-9]+)?$"))]
    amount: String,
}

/// Writes an integer, and one that is odd as text.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn written<S: Serializer>(count: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    if count.is_multiple_of(2) {
        serializer.serialize_u32(*count)
    } else {
        serializer.collect_str(count)
    }
}

#[derive(Deserialize, JsonSchema)]
struct Asked {
    count: u32,
    amount: String,
}

impl Asked {
    fn sum(self) -> Sum {
        Sum {
            count: self.count,
            amount: self.amount,
        }
    }
}

/// A call as an observer sees it.
#[derive(Debug, PartialEq)]
struct ObservedCall {
    procedure: String,
    is_mismatch: bool,
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        self.0
            .lock()
            .expect("no panic")
            .push(observed(call.procedure, call.mismatch));
    }
}

impl Recorder {
    fn take(&self) -> Vec<ObservedCall> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }

    fn mismatches(&self) -> usize {
        self.take().iter().filter(|call| call.is_mismatch).count()
    }
}

fn observed(procedure: &str, is_mismatch: bool) -> ObservedCall {
    ObservedCall {
        procedure: procedure.to_owned(),
        is_mismatch,
    }
}

/// A service as a release build makes it.
fn service() -> (Service, Recorder) {
    service_with(CheckResults::RefuseIdempotent)
}

fn service_with(check: CheckResults) -> (Service, Recorder) {
    let sum = |_: Cx, p: Asked| Ok::<_, Fault>(p.sum());
    let fails = |_: Cx, p: Asked| Err::<(), _>(Fault::new(7, "Seven").with_data(&p.sum()));
    let later = |_: Cx, p: Asked| async move {
        tokio::time::sleep(Duration::from_millis(1)).await;
        Ok::<_, Fault>(p.sum())
    };
    let day = Duration::from_secs(86_400);
    let procedures = [
        Procedure::sync("read", sum).idempotent(),
        Procedure::sync("write", sum),
        Procedure::new("pay", later)
            .repeatable(day)
            .keys_without_caller(),
        Procedure::sync("fails", fails)
            .idempotent()
            .error_with_data::<Sum>(7, "Seven"),
    ]
    .map(Procedure::tool);
    let recorder = Recorder::default();
    let service = builder()
        .procedures(procedures)
        .check_results(check)
        .limits(|limits| limits.max_response_bytes = 4096)
        .observer(recorder.clone())
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio));
    (service, recorder)
}

fn body(method: &str, count: u32, amount: &str) -> String {
    let params = json!({"count": count, "amount": amount});
    json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}).to_string()
}

async fn call(service: &Service, method: &str, count: u32, amount: &str) -> Value {
    let answer = service.handle(body(method, count, amount)).await;
    serde_json::from_slice(&answer.expect("an answer")).expect("JSON")
}

#[tokio::test]
async fn an_idempotent_procedure_never_sends_what_its_return_forbids() {
    let (service, recorder) = service();
    let fine = call(&service, "read", 2, "1.5").await;
    assert_eq!(fine["result"], json!({"count": 2, "amount": "1.5"}));
    // Text for an integer, and the notation that a `BigDecimal` chooses for a large number.
    for (count, amount) in [(1, "1.5"), (2, "1e+50")] {
        let error = &call(&service, "read", count, amount).await["error"];
        assert_eq!(error["code"], -32603, "{error}");
        assert_eq!(error["data"]["incident"].as_str().map(str::len), Some(16));
        let get = format!("count={count}&amount={}", amount.replace('+', "%2B"));
        let reply = service.query("read", &get, None).await;
        assert_eq!(reply.error_code(), Some(-32603), "{get}");
    }
    assert_eq!(recorder.mismatches(), 0);
}

#[tokio::test]
async fn a_write_that_has_happened_is_answered_and_counted() {
    let (service, recorder) = service();
    let sent = call(&service, "write", 1, "1e+50").await;
    assert_eq!(sent["result"], json!({"count": "1", "amount": "1e+50"}));
    call(&service, "write", 2, "1").await;
    assert_eq!(
        recorder.take(),
        [observed("write", true), observed("write", false)]
    );
}

#[tokio::test]
async fn of_writes_the_first_hundred_are_checked_and_then_one_in_64() {
    for (check, expected) in [
        (CheckResults::RefuseIdempotent, 100 + 3),
        (CheckResults::Log, 300),
    ] {
        let (service, recorder) = service_with(check);
        for _ in 0..300 {
            let sent = call(&service, "write", 1, "1").await;
            assert_eq!(sent["result"]["count"], "1");
        }
        assert_eq!(recorder.mismatches(), expected, "{check:?}");
        // Each procedure has its own first hundred.
        call(&service, "pay", 1, "1").await;
        assert_eq!(recorder.mismatches(), 1);
    }
}

#[tokio::test]
async fn reads_are_checked_each_time() {
    let (service, _) = service();
    for _ in 0..300 {
        let error = &call(&service, "read", 1, "1").await["error"];
        assert_eq!(error["code"], -32603);
    }
}

#[tokio::test]
async fn the_data_of_an_error_that_does_not_match_is_sent_and_counted() {
    let (service, recorder) = service();
    let error = &call(&service, "fails", 1, "1").await["error"];
    assert_eq!(error["code"], 7);
    assert_eq!(error["data"]["count"], "1");
    call(&service, "fails", 2, "1").await;
    assert_eq!(recorder.mismatches(), 1);
}

#[tokio::test]
async fn of_many_calls_at_once_each_has_its_own_verdict() {
    let (service, recorder) = service();
    let mut calls = Vec::new();
    for n in 0..200 {
        let service = service.clone();
        calls.push(tokio::spawn(async move {
            let method = ["read", "write", "pay", "fails"][n as usize / 2 % 4];
            let response = call(&service, method, n, "1").await;
            let code = response["error"]["code"].as_i64();
            let is_odd = n % 2 == 1;
            match method {
                "read" => assert_eq!(code, is_odd.then_some(-32603)),
                "fails" => assert_eq!(code, Some(7)),
                _ => assert_eq!(response["result"]["count"].is_string(), is_odd),
            }
        }));
    }
    for call in calls {
        call.await.expect("no panic");
    }
    assert_eq!(recorder.mismatches(), 75);
}

#[tokio::test]
async fn a_call_whose_caller_has_gone_is_counted_too() {
    let (service, recorder) = service();
    let gone = service.handle(body("pay", 1, "1")).now_or_never();
    assert!(gone.is_none());
    let reported = loop {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let reported = recorder.take();
        if !reported.is_empty() {
            break reported;
        }
    };
    assert_eq!(reported, [observed("pay", true)]);
}

mod tools {
    use docent_core::carrier::Incoming;

    use super::*;

    async fn tool(service: &Service, name: &str, count: u32, amount: &str) -> Value {
        let arguments = json!({"count": count, "amount": amount});
        let params = json!({"name": name, "arguments": arguments});
        let mut body = json!({
            "jsonrpc": "2.0", "method": "tools/call", "params": params, "id": 1,
        });
        if name == "pay" {
            body["x-idempotency-key"] = json!("k");
        }
        let reply = service
            .mcp(Incoming::new(body.to_string()), None)
            .await
            .reply;
        serde_json::from_slice(&reply.into_body().expect("an answer")).expect("JSON")
    }

    #[tokio::test]
    async fn a_tool_that_has_run_says_so_and_sends_no_structured_content() {
        let (service, recorder) = service();
        let fine = tool(&service, "write", 2, "1").await;
        assert_eq!(fine["result"]["structuredContent"]["count"], 2);
        let result = &tool(&service, "write", 1, "1").await["result"];
        assert_eq!(result["isError"], true);
        assert_eq!(result.get("structuredContent"), None);
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.starts_with("The call has run."), "{text}");
        assert!(text.contains(r#""count":"1""#), "{text}");
        assert_eq!(recorder.mismatches(), 1);
    }

    #[tokio::test]
    async fn a_tool_never_sends_what_its_output_schema_forbids() {
        let (service, recorder) = service();
        for _ in 0..300 {
            let result = &tool(&service, "write", 1, "1").await["result"];
            assert_eq!(result["isError"], true);
            assert_eq!(result.get("structuredContent"), None);
        }
        assert_eq!(recorder.mismatches(), 300);
    }

    #[tokio::test]
    async fn a_tool_that_changes_nothing_fails_like_its_procedure() {
        let (service, _) = service();
        let result = &tool(&service, "read", 1, "1").await["result"];
        assert_eq!(result["isError"], true);
        assert_eq!(result.get("structuredContent"), None);
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains("-32603"), "{text}");
    }

    #[tokio::test]
    async fn a_tool_that_is_repeated_with_its_key_says_the_same() {
        let (service, _) = service();
        let first = tool(&service, "pay", 1, "1").await;
        assert_eq!(first["result"]["isError"], true, "{first}");
        assert_eq!(tool(&service, "pay", 1, "1").await, first);
    }

    #[tokio::test]
    async fn a_result_that_is_as_large_as_may_be_stays_within_the_limit() {
        let (service, _) = service();
        // Twice as long in the result, and four times in the text.
        let quoted = "\"".repeat(1500);
        assert!(
            call(&service, "write", 1, &quoted)
                .await
                .get("result")
                .is_some()
        );
        let result = tool(&service, "write", 1, &quoted).await;
        let text = result["result"]["content"][0]["text"].as_str();
        assert!(text.expect("a text").contains("-32004"));
    }
}
