//! JSON-RPC 1.1 and 1.0 on the wire.

use actix_web::App;
use actix_web::test::{call_service, init_service, read_body_json};
use docent::{Cx, Fault, Mount, Procedure, Protocol, Protocols, Service};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{ask, get, post};

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Given {
    a: i64,
    b: String,
    c: Option<bool>,
    #[serde(default)]
    d: Vec<f64>,
}

fn service(protocols: impl FnOnce(&mut Protocols)) -> Service {
    let given = Procedure::sync("given", |_: Cx, p: Given| Ok::<_, Fault>(p));
    let list = Procedure::sync("list", |_: Cx, values: Vec<i64>| Ok::<_, Fault>(values));
    let write = Procedure::sync("write", |_: Cx, (): ()| Ok::<_, Fault>(()));
    let fail = Procedure::sync("fail", |_: Cx, code: Code| {
        Err::<(), _>(Fault::new(code.code, "No"))
    });
    Service::builder("heritage", "urn:uuid:9b2d1c3e-0f4a-4d5b-8c6d-7e8f9a0b1c2d")
        .protocols(protocols)
        .procedures([
            given.idempotent(),
            list.idempotent(),
            write,
            fail.errors_open(),
        ])
        .build()
        .expect("a service")
}

#[derive(Deserialize, JsonSchema)]
struct Code {
    code: i64,
}

fn given(a: i64, b: &str, c: Option<bool>, d: &[f64]) -> Value {
    json!({"a": a, "b": b, "c": c, "d": d})
}

#[actix_web::test]
async fn names_and_positions_mix_null_is_not_supplied_and_conversions_lose_nothing() {
    let service = service(|_| {});
    for (params, expected) in [
        (r#"[1,"x"]"#, given(1, "x", None, &[])),
        (r#"{"a":1,"b":"x"}"#, given(1, "x", None, &[])),
        (r#"{"1":"x","a":1}"#, given(1, "x", None, &[])),
        (
            r#"{"0":1,"b":"x","2":true,"3":[1.5]}"#,
            given(1, "x", Some(true), &[1.5]),
        ),
        (
            r#"{"a":1,"b":"x","c":null,"d":null}"#,
            given(1, "x", None, &[]),
        ),
        (r#"["17",17,"true"]"#, given(17, "17", Some(true), &[])),
        (r"[4.2e1,true,null]", given(42, "true", None, &[])),
    ] {
        let body = format!(r#"{{"version":"1.1","method":"given","params":{params}}}"#);
        let answer = ask(&service, post(&body)).await;
        assert_eq!(answer.status, 200, "{params}: {}", answer.body);
        assert_eq!(
            answer.json(),
            json!({"version": "1.1", "result": expected}),
            "{params}"
        );
    }
}

#[actix_web::test]
async fn what_cannot_be_adapted_is_an_error_with_status_500() {
    let service = service(|_| {});
    for (body, code, inner) in [
        (
            r#"{"version":"1.1","method":"given","params":[1]}"#,
            406,
            -32602,
        ),
        (
            r#"{"version":"1.1","method":"given","params":[1,"x",true,[],5]}"#,
            406,
            -32602,
        ),
        (
            r#"{"version":"1.1","method":"given","params":{"a":1,"b":"x","e":1}}"#,
            406,
            -32602,
        ),
        (
            r#"{"version":"1.1","method":"given","params":{"a":1,"0":1,"b":"x"}}"#,
            406,
            -32602,
        ),
        (
            r#"{"version":"1.1","method":"given","params":["1.5","x"]}"#,
            406,
            -32602,
        ),
        (
            r#"{"version":"1.1","method":"given","params":5}"#,
            422,
            -32600,
        ),
        (r#"{"version":"1.1","method":5}"#, 422, -32600),
        (r#"{"version":"1.1"}"#, 422, -32600),
        (r#"{"version":"1.1","method":"nothing"}"#, 404, -32601),
        (
            r#"{"version":"1.1","method":"fail","params":[123]}"#,
            123,
            123,
        ),
        (
            r#"{"version":"1.1","method":"fail","params":[-5]}"#,
            500,
            -5,
        ),
        (
            r#"{"version":"1.1","method":"fail","params":[1000]}"#,
            500,
            1000,
        ),
    ] {
        let answer = ask(&service, post(body)).await;
        assert_eq!(answer.status, 500, "{body}");
        let error = &answer.json()["error"];
        assert_eq!(error["name"], "JSONRPCError", "{body}");
        assert_eq!(
            (&error["code"], &error["error"]["code"]),
            (&json!(code), &json!(inner)),
            "{body}"
        );
        assert!(answer.json().get("result").is_none(), "{body}");
    }
}

#[actix_web::test]
async fn an_id_is_anything_and_absent_where_it_was_absent() {
    let service = service(|_| {});
    for id in [
        "1",
        "null",
        "[1, {\"a\":2}]",
        "true",
        "\"\\u0061\"",
        "1e400",
    ] {
        let body = format!(r#"{{"id":{id},"method":"list","version":"1.1"}}"#);
        let answer = ask(&service, post(&body)).await;
        assert_eq!(
            answer.body,
            format!(r#"{{"version":"1.1","result":[],"id":{id}}}"#)
        );
    }
    let answer = ask(&service, post(r#"{"version":"1.1","method":"write"}"#)).await;
    assert_eq!(answer.body, r#"{"version":"1.1","result":null}"#);
}

#[actix_web::test]
async fn a_list_takes_positions_without_gaps_or_its_name() {
    let service = service(|_| {});
    for (params, expected) in [
        (r"[1,2]", Some(json!([1, 2]))),
        (r#"{"1":2,"0":"1"}"#, Some(json!([1, 2]))),
        (r#"{"values":[3]}"#, Some(json!([3]))),
        (r#"{"values":[3],"0":null,"other":null}"#, Some(json!([3]))),
        (r#"{"0":1,"1":null}"#, Some(json!([1]))),
        (r#"{"0":1,"2":3}"#, None),
        (r#"{"other":[3]}"#, None),
        (r#"{"values":[3],"other":1}"#, None),
        (r#"{"values":[3],"0":1}"#, None),
        (r#"{"0":1,"values":[3]}"#, None),
        (r#"{"values":[3],"values":[4]}"#, None),
        (r#"{"values":3}"#, None),
        (r#"{"values":{"0":3}}"#, None),
    ] {
        let body = format!(r#"{{"version":"1.1","method":"list","params":{params}}}"#);
        let answer = ask(&service, post(&body)).await.json();
        assert_eq!(answer.get("result").cloned(), expected, "{params}");
    }
}

#[actix_web::test]
async fn versions_have_their_places() {
    let call = r#"{"version":"1.1","method":"list"}"#;
    let on = service(|_| {});
    let batch = ask(&on, post(&format!("[{call}]"))).await;
    assert_eq!(
        batch.json()[0]["error"]["code"],
        -32600,
        "1.1 has no batches"
    );
    let both = r#"{"jsonrpc":"2.0","version":"1.1","method":"list","id":1}"#;
    assert_eq!(ask(&on, post(both)).await.json()["jsonrpc"], "2.0");
    let off = service(|protocols| protocols.v1_1 = false);
    let answer = ask(&off, post(call)).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["error"]["code"]),
        (200, &json!(-32600))
    );
}

#[actix_web::test]
async fn version_1_0_is_spoken_where_it_is_switched_on() {
    let off = ask(
        &service(|_| {}),
        post(r#"{"method":"list","params":[],"id":1}"#),
    )
    .await;
    assert_eq!(off.json()["error"]["code"], -32600);
    let on = service(|protocols| protocols.v1_0 = true);
    for (body, answer) in [
        (
            r#"{"method":"list","params":[1],"id":"a"}"#,
            r#"{"result":[1],"error":null,"id":"a"}"#,
        ),
        (r#"{"method":"list","params":[1],"id":null}"#, ""),
        (
            r#"{"method":"nothing","params":[],"id":2}"#,
            r#"{"result":null,"error":{"code":-32601,"message":"Method not found"},"id":2}"#,
        ),
    ] {
        assert_eq!(ask(&on, post(body)).await.body, answer, "{body}");
    }
    for body in [
        r#"{"method":"list","params":[]}"#,
        r#"{"method":"list","params":{},"id":1}"#,
    ] {
        let answer = ask(&on, post(body)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["error"]["code"], -32600, "{body}");
        assert_eq!(answer.json()["result"], Value::Null);
    }
}

#[actix_web::test]
async fn get_answers_in_1_1_where_the_service_chose_it() {
    let service = service(|protocols| protocols.get = Protocol::V1_1);
    let answer = ask(&service, get("/rpc/list?values=1&values=2")).await;
    assert_eq!(answer.body, r#"{"version":"1.1","result":[1,2]}"#);
    for (target, status, code) in [
        ("/rpc/nothing", 404, 404),
        ("/rpc/write", 405, 405),
        ("/rpc/given", 500, 406),
        ("/rpc/a/b", 404, 404),
    ] {
        let answer = ask(&service, get(target)).await;
        assert_eq!(answer.status, status, "{target}");
        assert_eq!(answer.json()["version"], "1.1", "{target}");
        assert_eq!(answer.json()["error"]["code"], code, "{target}");
    }
}

#[actix_web::test]
async fn a_refusal_before_a_call_is_in_1_1_too_where_get_is() {
    let service = service(|protocols| protocols.get = Protocol::V1_1);
    let mount = Mount::new(service).expect("a mount");
    let health = mount.health().clone();
    let app = init_service(App::new().service(mount)).await;
    health.begin_shutdown();
    let response = call_service(&app, get("/rpc/list?values=1").to_request()).await;
    assert_eq!(response.status(), 503);
    assert_eq!(response.headers().get("retry-after").expect("a time"), "1");
    let body: Value = read_body_json(response).await;
    assert_eq!(body["version"], "1.1");
    assert_eq!(body["error"]["code"], 503);
    assert_eq!(body["error"]["error"]["code"], -32002);
}

#[actix_web::test]
async fn tools_of_the_time_find_what_they_ask_for() {
    let service = service(|_| {});
    for (method, check) in [
        (
            "system.describe",
            (|result| result["sdversion"] == "1.0") as fn(&Value) -> bool,
        ),
        ("system.version", Value::is_string),
        ("system.about", Value::is_string),
        ("system.listMethods", |result| {
            let names = result.as_array().expect("an array");
            names.contains(&json!("given")) && names.contains(&json!("system.listMethods"))
        }),
    ] {
        let body = format!(r#"{{"version":"1.1","method":"{method}"}}"#);
        let answer = ask(&service, post(&body)).await.json();
        assert!(check(&answer["result"]), "{method}: {answer}");
    }
}
