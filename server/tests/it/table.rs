//! Rows of the conformance table that are tested only here.

use actix_web::body::{BodySize, MessageBody as _};
use actix_web::http::{Method, StatusCode};
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, HttpMessage as _};
use docent::{BearerToken, Cx, Fault, Mount, Procedure, Protocol, Service};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{ask, get, post};

#[derive(Deserialize, Serialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Anything {
    value: Value,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Flattened {
    #[serde(flatten)]
    pair: Pair,
}

fn service(get: Protocol) -> Service {
    let pair = Procedure::sync("pair", |_: Cx, p: Pair| Ok::<_, Fault>(p));
    let any = Procedure::sync("any", |_: Cx, p: Anything| Ok::<_, Fault>(p.value));
    let list = Procedure::sync("list", |_: Cx, values: Vec<i64>| Ok::<_, Fault>(values));
    let write = Procedure::sync("write", |_: Cx, (): ()| Ok::<_, Fault>(()));
    let panic = Procedure::sync("panic", |_: Cx, (): ()| -> Result<(), Fault> {
        panic!("told to")
    });
    let fail = Procedure::sync("fail", |_: Cx, (): ()| {
        Err::<(), _>(Fault::new(123, "Told to").with_data(&["x"]))
    });
    Service::builder("table", "urn:uuid:0c9d8e7f-6a5b-4c3d-8e2f-1a0b9c8d7e6f")
        .version("2.5.1")
        .public_url("https://api.example/rpc")
        .protocols(|protocols| protocols.get = get)
        .procedures([
            pair.summary("Answers a pair.").idempotent(),
            any.idempotent(),
            list.idempotent(),
            write,
            panic,
            fail.error_with_data::<Vec<String>>(123, "Told to"),
        ])
        .build()
        .expect("a service")
}

#[actix_web::test]
async fn a_call_of_1_1_needs_no_header_but_the_media_type() {
    // Neither User-Agent nor Accept: a request from these utilities sets no such field by itself.
    let request = post(r#"{"version":"1.1","method":"list","params":[1]}"#);
    let bare = request.to_request();
    assert!(!bare.headers().contains_key("user-agent") && !bare.headers().contains_key("accept"));
    let service = service(Protocol::V2_0);
    let request = || post(r#"{"version":"1.1","method":"list","params":[1]}"#);
    let answer = ask(&service, request()).await;
    assert_eq!(answer.body, r#"{"version":"1.1","result":[1]}"#);
    let picky = request().insert_header(("accept", "text/html"));
    assert_eq!(ask(&service, picky).await.body, answer.body);
    assert_eq!(ask(&service, get("/rpc/list")).await.status, 200);
}

#[actix_web::test]
async fn an_answer_says_its_media_type_and_its_length() {
    let service = service(Protocol::V1_1);
    let mount = Mount::new(service).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    for request in [
        post(r#"{"jsonrpc":"2.0","method":"list","id":1}"#),
        post(r#"{"jsonrpc":"2.0","method":"nope","id":1}"#),
        post(r#"[{"jsonrpc":"2.0","method":"list","id":1}]"#),
        post(r#"{"version":"1.1","method":"list"}"#),
        post(r#"{"version":"1.1","method":"nope"}"#),
        post("{"),
        get("/rpc/list"),
        get("/rpc/nope"),
        get("/rpc/write"),
    ] {
        let response = call_service(&app, request.to_request()).await;
        let media_type = response.headers().get("content-type").expect("a type");
        assert_eq!(media_type, "application/json");
        // actix-web derives Content-Length from this size.
        let size = response.response().body().size();
        let body = actix_web::test::read_body(response).await;
        assert_eq!(size, BodySize::Sized(body.len() as u64));
        assert!(!body.is_empty());
    }
}

#[actix_web::test]
async fn text_that_does_not_parse_is_answered_as_2_0_whatever_it_might_have_been() {
    for body in [r#"{"version":"1.1","method":"list""#, "{", ""] {
        let answer = ask(&service(Protocol::V1_1), post(body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{body}");
        assert_eq!(
            answer.json(),
            json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}),
        );
    }
}

#[actix_web::test]
async fn what_never_became_a_call_is_answered_as_2_0() {
    let request = TestRequest::with_uri("/rpc")
        .method(Method::POST)
        .insert_header(("content-type", "text/plain"))
        .set_payload(r#"{"version":"1.1","method":"list"}"#);
    let answer = ask(&service(Protocol::V1_1), request).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(answer.json()["jsonrpc"], "2.0");
    assert_eq!(answer.json()["id"], Value::Null);
    assert!(answer.json()["error"].is_object());
}

#[actix_web::test]
async fn a_guard_refuses_a_call_of_1_1_with_its_own_status() {
    let write = Procedure::sync("write", |_: Cx, (): ()| Ok::<_, Fault>(()));
    let service = Service::builder("guarded", "urn:uuid:2f1e0d9c-8b7a-4695-8483-726150493827")
        .procedure(write)
        .guard(BearerToken::new("shop", "s3cret", |_| true))
        .build()
        .expect("a service");
    let answer = ask(&service, post(r#"{"version":"1.1","method":"write"}"#)).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.header("www-authenticate").is_some());
    let body = answer.json();
    assert_eq!(body["version"], "1.1");
    assert_eq!(
        (&body["error"]["code"], &body["error"]["error"]["code"]),
        (&json!(403), &json!(-32007))
    );
}

#[actix_web::test]
async fn members_of_a_call_of_1_1_stand_in_any_order_beside_others() {
    let service = service(Protocol::V2_0);
    for body in [
        r#"{"version":"1.1","method":"pair","params":[1,2]}"#,
        r#"{"params":[1,2],"method":"pair","version":"1.1"}"#,
        r#"{"method":"pair","params":[1,2],"version":"1.1"}"#,
        r#"{"$extension":{"x":1},"version":"1.1","method":"pair","other":null,"params":[1,2]}"#,
    ] {
        let answer = ask(&service, post(body)).await;
        assert_eq!(
            answer.body, r#"{"version":"1.1","result":{"a":1,"b":2}}"#,
            "{body}"
        );
    }
}

#[actix_web::test]
async fn parameters_of_1_1_stand_in_any_order_and_have_a_position_unless_flattened() {
    let flat = Procedure::sync("flat", |_: Cx, p: Flattened| Ok::<_, Fault>(p));
    let pair = Procedure::sync("pair", |_: Cx, p: Pair| Ok::<_, Fault>(p));
    let service = Service::builder("order", "urn:uuid:7d6c5b4a-3928-4716-8504-f3e2d1c0bfae")
        .procedures([flat, pair])
        .build()
        .expect("a service");
    for (method, params, positional) in [
        ("pair", r#"{"a":1,"b":2}"#, false),
        ("pair", r#"{"b":2,"a":1}"#, false),
        ("pair", r#"{"1":2,"0":1}"#, true),
        ("pair", r#"{"1":2,"a":1}"#, true),
        ("pair", "[1,2]", true),
        ("flat", r#"{"b":2,"a":1}"#, false),
        ("flat", r#"{"b":2,"0":1}"#, true),
        ("flat", "[1,2]", true),
    ] {
        let body = format!(r#"{{"version":"1.1","method":"{method}","params":{params}}}"#);
        let answer = ask(&service, post(&body)).await.json();
        if method == "flat" && positional {
            assert_eq!(answer["error"]["code"], 406, "{params}");
        } else {
            assert_eq!(
                answer["result"],
                json!({"a": 1, "b": 2}),
                "{method} {params}"
            );
        }
    }
}

#[actix_web::test]
async fn params_of_1_1_may_be_absent_or_null_and_are_of_no_other_kind() {
    let service = service(Protocol::V2_0);
    for params in [
        "",
        r#","params":null"#,
        r#","params":[]"#,
        r#","params":{}"#,
    ] {
        let body = format!(r#"{{"version":"1.1","method":"list"{params}}}"#);
        let answer = ask(&service, post(&body)).await;
        assert_eq!(answer.body, r#"{"version":"1.1","result":[]}"#, "{params}");
    }
    for params in ["5", "\"[]\"", "true", "false"] {
        let body = format!(r#"{{"version":"1.1","method":"list","params":{params}}}"#);
        let answer = ask(&service, post(&body)).await;
        assert_eq!(answer.status, 500, "{params}");
        assert_eq!(answer.json()["error"]["code"], 422, "{params}");
    }
}

#[actix_web::test]
async fn what_1_1_does_not_supply_is_null_where_null_is_taken_and_an_error_elsewhere() {
    let service = service(Protocol::V2_0);
    for params in ["", r#","params":[]"#, r#","params":{"value":null}"#] {
        let body = format!(r#"{{"version":"1.1","method":"any"{params}}}"#);
        let answer = ask(&service, post(&body)).await;
        assert_eq!(
            answer.body, r#"{"version":"1.1","result":null}"#,
            "{params}"
        );
    }
    for params in [r"[1,null]", r#"{"a":null,"b":2}"#, r#"{"1":null,"0":1}"#] {
        let body = format!(r#"{{"version":"1.1","method":"pair","params":{params}}}"#);
        let answer = ask(&service, post(&body)).await;
        assert_eq!(answer.json()["error"]["code"], 406, "{params}");
        let reason = &answer.json()["error"]["error"]["data"]["reason"];
        assert_eq!(reason, "this required parameter is missing", "{params}");
    }
    // Omitted elements of a list have no names, so null is a value there.
    let body = r#"{"version":"1.1","method":"list","params":[1,null]}"#;
    let answer = ask(&service, post(body)).await;
    assert_eq!(answer.json()["error"]["code"], 406);
}

#[actix_web::test]
async fn names_are_told_apart_by_case_in_every_protocol() {
    let service = service(Protocol::V2_0);
    for (body, code) in [
        (r#"{"version":"1.1","method":"Pair","params":[1,2]}"#, 404),
        (
            r#"{"version":"1.1","method":"pair","params":{"A":1,"b":2}}"#,
            406,
        ),
        (r#"{"version":"1.1","method":"System.describe"}"#, 404),
        (
            r#"{"jsonrpc":"2.0","method":"pair","params":{"A":1,"b":2},"id":1}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"Pair","params":[1,2],"id":1}"#,
            -32601,
        ),
    ] {
        let answer = ask(&service, post(body)).await;
        assert_eq!(answer.json()["error"]["code"], code, "{body}");
    }
    for (target, status) in [
        ("/rpc/pair?a=1&b=2", 200),
        ("/rpc/Pair?a=1&b=2", 404),
        ("/rpc/pair?A=1&b=2", 400),
    ] {
        assert_eq!(ask(&service, get(target)).await.status, status, "{target}");
    }
}

/// Returns the names of an object's members, in alphabetical order.
fn sorted_names(object: &Value) -> Vec<&String> {
    let mut names: Vec<_> = object.as_object().expect("an object").keys().collect();
    names.sort_unstable();
    names
}

#[actix_web::test]
async fn an_error_of_1_1_has_the_members_of_the_draft_and_a_code_of_three_digits() {
    let service = service(Protocol::V1_1);
    for (request, code, message) in [
        (
            post(r#"{"version":"1.1","method":"nope"}"#),
            404,
            "Method not found",
        ),
        (
            post(r#"{"version":"1.1","method":"pair"}"#),
            406,
            "Invalid params",
        ),
        (post(r#"{"version":"1.1"}"#), 422, "Invalid Request"),
        (
            post(r#"{"version":"1.1","method":"panic"}"#),
            500,
            "Internal error",
        ),
        (post(r#"{"version":"1.1","method":"fail"}"#), 123, "Told to"),
        (get("/rpc/nope"), 404, "Method not found"),
        (get("/rpc/write"), 405, "Not callable with GET"),
    ] {
        let answer = ask(&service, request).await.json();
        assert_eq!(
            sorted_names(&answer["error"]),
            ["code", "error", "message", "name"]
        );
        assert_eq!(sorted_names(&answer), ["error", "version"]);
        let error = &answer["error"];
        assert_eq!(
            (&error["name"], &error["code"], &error["message"]),
            (&json!("JSONRPCError"), &json!(code), &json!(message)),
        );
    }
    let failed = ask(&service, post(r#"{"version":"1.1","method":"fail"}"#)).await;
    assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(
        failed.json()["error"]["error"],
        json!({"code": 123, "message": "Told to", "data": ["x"]})
    );
}

#[actix_web::test]
async fn a_result_is_sent_with_200_and_to_a_cache_that_has_it_with_304() {
    for protocol in [Protocol::V2_0, Protocol::V1_1] {
        let service = service(protocol);
        for request in [
            post(r#"{"version":"1.1","method":"list","params":[1]}"#),
            post(r#"{"jsonrpc":"2.0","method":"list","params":[1],"id":1}"#),
            get("/rpc/list?0=1"),
        ] {
            let answer = ask(&service, request).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            assert_eq!(answer.json()["result"], json!([1]));
            let Some(tag) = answer.header("etag") else {
                continue;
            };
            let again = get("/rpc/list?0=1").insert_header(("if-none-match", tag));
            assert_eq!(ask(&service, again).await.status, StatusCode::NOT_MODIFIED);
        }
    }
}

#[actix_web::test]
async fn what_get_calls_is_called_by_post_too() {
    let service = service(Protocol::V2_0);
    for (target, method, params) in [
        ("/rpc/pair?a=1&b=2", "pair", "[1,2]"),
        ("/rpc/list?values=1&values=2", "list", "[1,2]"),
        ("/rpc/any?value=x", "any", r#"["x"]"#),
        ("/rpc/system.describe", "system.describe", "[]"),
    ] {
        let called = ask(&service, get(target)).await.json();
        let body =
            format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":null}}"#);
        assert_eq!(ask(&service, post(&body)).await.json(), called, "{target}");
        assert!(called.get("result").is_some(), "{called}");
    }
}

#[actix_web::test]
async fn the_description_of_1_1_says_what_the_draft_asks_for() {
    let service = service(Protocol::V1_1);
    let expected = json!({
        "sdversion": "1.0",
        "name": "table",
        "id": "urn:uuid:0c9d8e7f-6a5b-4c3d-8e2f-1a0b9c8d7e6f",
        "version": "2.5",
        "address": "https://api.example/rpc",
        "procs": [
            {
                "name": "pair",
                "summary": "Answers a pair.",
                "idempotent": true,
                "params": [{"name": "a", "type": "num"}, {"name": "b", "type": "num"}],
                "return": {"type": "obj"},
            },
            {
                "name": "any",
                "idempotent": true,
                "params": [{"name": "value", "type": "any"}],
                "return": {"type": "any"},
            },
            {
                "name": "list",
                "idempotent": true,
                "params": [{"name": "values", "type": "arr"}],
                "return": {"type": "arr"},
            },
            {"name": "write", "return": {"type": "nil"}},
            {"name": "panic", "return": {"type": "nil"}},
            {"name": "fail", "return": {"type": "nil"}},
        ],
    });
    for request in [
        post(r#"{"version":"1.1","method":"system.describe"}"#),
        get("/rpc/system.describe"),
    ] {
        let answer = ask(&service, request).await;
        assert_eq!(answer.json(), json!({"version": "1.1", "result": expected}));
    }
    let localised =
        TestRequest::with_uri("/rpc/system.describe").insert_header(("accept-language", "fr"));
    assert_eq!(ask(&service, localised).await.json()["result"], expected);
}
