//! Names of members that `serde_json` takes for types of its own. A caller who could use them would hand
//! a handler something else than what has been checked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use docent_core::{Arguments, Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::builder;

/// The number of calls that have run.
type Runs = AtomicUsize;

/// An object in place of which `serde_json` would decode an array.
const PRIVATE: &str = r#"{"$serde_json::private::RawValue":"[1,{\"x\":null}]"}"#;

const REASON: &str =
    "in the member's name: names that begin with $serde_json::private:: are not allowed";

#[derive(Deserialize, Serialize, JsonSchema)]
struct Labels {
    #[schemars(with = "BTreeMap<String, String>")]
    labels: Value,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Kinds {
    field: Option<Field>,
    texts: Option<BTreeMap<String, String>>,
    flat: Option<Flat>,
    tagged: Option<Tagged>,
    untagged: Option<Untagged>,
    #[serde(default)]
    list: Vec<Value>,
    #[schemars(with = "Option<Value>")]
    raw: Option<Box<RawValue>>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Field {
    value: Value,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Flat {
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Map(BTreeMap<String, Value>),
    One { value: Value },
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Any(Value),
}

fn echo<P: DeserializeOwned + Serialize + JsonSchema + 'static>(name: &str) -> Procedure<Runs> {
    Procedure::sync(name, |cx: Cx<Runs>, params: P| {
        cx.state().fetch_add(1, Ordering::Relaxed);
        Ok::<_, Fault>(serde_json::to_value(params).unwrap_or_default())
    })
}

/// Returns a service whose procedures return their parameters.
fn service() -> (Service, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    let labels = echo::<Labels>("labels");
    #[cfg(feature = "mcp")]
    let labels = labels.tool();
    let any = echo::<Field>("any").idempotent();
    let service = builder()
        .shared_state(Arc::clone(&runs))
        .procedures([
            labels,
            any,
            echo::<Kinds>("kinds"),
            echo::<Vec<Value>>("list"),
        ])
        .protocols(|protocols| {
            protocols.v1_1 = true;
            protocols.v1_0 = true;
        })
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    (service, runs)
}

fn request(procedure: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#)
}

async fn answer(service: &Service, body: String) -> Value {
    let answer = service.handle(body).await.expect("an answer");
    serde_json::from_slice(&answer).expect("JSON")
}

/// Checks that a call of a procedure is refused, and for which parameter and pointer.
async fn assert_refused(procedure: &str, params: &str, parameter: &str, pointer: &str) {
    let (service, runs) = service();
    let answer = answer(&service, request(procedure, params)).await;
    let error = &answer["error"];
    assert_eq!(error["code"], -32602, "{params}: {answer}");
    let others = error["data"]["others"].as_array();
    let mut all = std::iter::once(&error["data"]).chain(others.into_iter().flatten());
    let expected = json!({"parameter": parameter, "pointer": pointer, "reason": REASON});
    let is_expected = |problem: &&Value| {
        let members = ["parameter", "pointer", "reason"];
        members.iter().all(|name| problem[name] == expected[name])
    };
    assert!(
        all.any(|response| is_expected(&response)),
        "{params}: {answer}"
    );
    assert_eq!(runs.load(Ordering::Relaxed), 0, "{params}");
}

#[tokio::test]
async fn a_private_name_is_refused_wherever_a_type_holds_any_value() {
    const RAW: &str = "/$serde_json::private::RawValue";
    let at = |start: &str| format!("{start}{RAW}");
    let members = r#"{"kind":"Map","a":1,"$serde_json::private::RawValue":"[]"}"#;
    let kinds = |name: &str, value: &str| format!(r#"{{"{name}":{value}}}"#);
    for (params, parameter, pointer) in [
        (
            kinds("field", &kinds("value", PRIVATE)),
            "field",
            at("/value"),
        ),
        (kinds("texts", PRIVATE), "texts", at("")),
        (kinds("flat", PRIVATE), "flat", at("")),
        (kinds("flat", &kinds("a", PRIVATE)), "flat", at("/a")),
        (kinds("tagged", members), "tagged", at("")),
        (
            kinds("tagged", &format!(r#"{{"kind":"One","value":{PRIVATE}}}"#)),
            "tagged",
            at("/value"),
        ),
        (kinds("untagged", PRIVATE), "untagged", at("")),
        (
            kinds("list", &format!("[0,[[{PRIVATE}]]]")),
            "list",
            at("/1/0/0"),
        ),
        (kinds("raw", PRIVATE), "raw", at("")),
        // A member that the type ignores.
        (
            kinds("field", &format!(r#"{{"value":1,"other":{PRIVATE}}}"#)),
            "field",
            at("/other"),
        ),
        (
            kinds("list", r#"[{"\u0024serde_json::private::Number":"1"}]"#),
            "list",
            "/0/$serde_json::private::Number".to_owned(),
        ),
        (
            kinds("list", r#"[{"a":1,"$serde_json\u003a:private::x":1}]"#),
            "list",
            "/0/$serde_json::private::x".to_owned(),
        ),
    ] {
        assert_refused("kinds", &params, parameter, &pointer).await;
    }
    assert_refused("labels", &kinds("labels", PRIVATE), "labels", &at("")).await;
    assert_refused("list", &format!("[1,{PRIVATE}]"), "values", &at("/1")).await;
}

#[tokio::test]
async fn a_private_name_is_refused_on_every_way_in() {
    let (service, runs) = service();
    let params = format!(r#"{{"labels":{PRIVATE}}}"#);
    let single = request("labels", &params);
    let silent = single.replace(r#","id":1"#, "");
    assert_eq!(service.handle(silent).await, None);
    for (way, body) in [
        ("single", single.clone()),
        ("batch", format!("[{single}]")),
        ("by position", request("labels", &format!("[{PRIVATE}]"))),
        (
            "1.1",
            format!(r#"{{"version":"1.1","method":"labels","params":{params},"id":1}}"#),
        ),
        (
            "1.1, as null",
            format!(
                r#"{{"version":"1.1","method":"labels","params":{{"labels":{{}},{}}},"id":1}}"#,
                r#""$serde_json::private::RawValue":null"#
            ),
        ),
        (
            "1.0",
            format!(r#"{{"method":"labels","params":[{PRIVATE}],"id":1}}"#),
        ),
    ] {
        let answer = answer(&service, body).await;
        let answer = answer.get(0).unwrap_or(&answer);
        let error = answer["error"].get("error").unwrap_or(&answer["error"]);
        assert_eq!(error["code"], -32602, "{way}: {answer}");
        assert!(error["data"]["reason"].is_string(), "{way}: {answer}");
    }
    let labels = BTreeMap::from([("$serde_json::private::RawValue", "[1]")]);
    let labels = json!({"labels": labels});
    let in_process = service.call::<Value>("labels", &labels).await;
    let error = in_process.expect_err("an error");
    assert_eq!(error.code(), Some(-32602), "{error}");
    assert!(error.to_string().contains(REASON), "{error}");
    assert_eq!(runs.load(Ordering::Relaxed), 0);

    let description = service.description();
    let arguments = Arguments::new(&description.procs[0], description);
    let refused = arguments.check(&params).expect_err("an error");
    assert!(refused.to_string().contains("Invalid params"), "{refused}");
}

#[cfg(feature = "mcp")]
#[tokio::test]
async fn a_tool_refuses_a_private_name_in_its_arguments() {
    let (service, runs) = service();
    let params = format!(r#"{{"name":"labels","arguments":{{"labels":{PRIVATE}}}}}"#);
    let body = request("tools/call", &params);
    let reply = service
        .mcp(docent_core::carrier::Incoming::new(body), None)
        .await;
    let answer = reply.reply.into_body().expect("an answer");
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.contains("-32602") && answer.contains(REASON),
        "{answer}"
    );
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_text_that_reads_like_a_private_name_is_a_text() {
    let (service, _) = service();
    let texts =
        json!({"value": ["$serde_json::private::RawValue", {"$": "\"$serde_json::private::x\":"}]});
    assert_eq!(service.call::<Value>("any", &texts).await.ok(), Some(texts));
    // By GET, every value is a text.
    let query = format!("value={}", PRIVATE.replace('"', "%22").replace('\\', "%5C"));
    let reply = service.query("any", &query, None).await;
    let answer: Value =
        serde_json::from_slice(&reply.into_body().expect("an answer")).expect("JSON");
    assert_eq!(answer["result"], json!({"value": PRIVATE}));
}

#[tokio::test]
async fn a_result_may_have_any_names_and_a_call_in_process_does_not_decode_them() {
    let names = || BTreeMap::from([("$serde_json::private::RawValue", "[1]")]);
    let odd = Procedure::sync("odd", move |_: Cx, (): ()| Ok::<_, Fault>(names()));
    let service = builder().procedure(odd).build().expect("a service");
    let answer = service.handle(crate::call("odd")).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer);
    let result = r#""result":{"$serde_json::private::RawValue":"[1]"}"#;
    assert!(answer.contains(result), "{answer}");
    let refused = service
        .call::<Value>("odd", &())
        .await
        .expect_err("an error");
    assert!(
        refused.to_string().contains("$serde_json::private::"),
        "{refused}"
    );
}
