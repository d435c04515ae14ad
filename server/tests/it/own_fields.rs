//! Header fields that handlers add to the response.

use std::time::Duration;

use docent::{Cx, Fault, Procedure, Service, json};

use crate::{Answer, ask, get, post};

fn service() -> Service {
    let enter = |cx: Cx, (): ()| {
        cx.add_field("Set-Cookie", "a=1");
        cx.add_field("set-cookie", "b=2; HttpOnly");
        cx.add_field("X-Shelf", "7");
        Ok::<_, Fault>("in")
    };
    let fail = |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "none");
        Err::<(), _>(Fault::new(5, "No"))
    };
    let hostile = |cx: Cx, (): ()| {
        for name in [
            "Content-Type",
            "cache-control",
            "Access-Control-Allow-Origin",
            "ETag",
            "a b",
            "",
        ] {
            cx.add_field(name, "evil");
        }
        cx.add_field("X-Split", "a\r\nX-Evil: 1");
        cx.add_field("X-Shelf", "8");
        Ok::<_, Fault>(())
    };
    let minute = Duration::from_secs(60);
    Service::builder("doors", "urn:uuid:3d0c1f0e-51ce-4a0f-8b9e-1d8b0a1f2c41")
        .procedure(
            Procedure::sync("enter", enter)
                .idempotent()
                .cache_for(minute),
        )
        .procedure(
            Procedure::sync("open", enter)
                .repeatable(minute)
                .keys_without_caller(),
        )
        .procedure(Procedure::sync("fail", fail).idempotent().error(5, "No"))
        .procedure(Procedure::sync("hostile", hostile))
        .build()
        .expect("a service")
}

fn all<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    let fields = answer.headers.get_all(name);
    fields
        .map(|value| value.to_str().expect("a text"))
        .collect()
}

fn call(method: &str) -> serde_json::Value {
    json!({"jsonrpc": "2.0", "method": method, "id": 1})
}

#[actix_web::test]
async fn fields_of_a_handler_are_sent_with_its_response() {
    let service = service();
    let answer = ask(&service, post(&call("enter").to_string())).await;
    assert_eq!(all(&answer, "set-cookie"), ["a=1", "b=2; HttpOnly"]);
    assert_eq!(all(&answer, "x-shelf"), ["7"]);
    // Those of a batch are sent all, and those of an error and of a notification, too.
    let batch = json!([call("enter"), call("fail"), {"jsonrpc": "2.0", "method": "enter"}]);
    let answer = ask(&service, post(&batch.to_string())).await;
    assert_eq!(all(&answer, "set-cookie").len(), 4);
    assert_eq!(all(&answer, "x-shelf").len(), 3);
    let answer = ask(&service, post(r#"{"jsonrpc": "2.0", "method": "enter"}"#)).await;
    assert_eq!(
        (answer.status.as_u16(), all(&answer, "x-shelf")),
        (204, vec!["7"])
    );
}

#[actix_web::test]
async fn a_get_with_fields_of_its_handler_is_private_and_its_304_has_none() {
    let service = service();
    let answer = ask(&service, get("/rpc/enter")).await;
    assert_eq!(answer.header("cache-control"), Some("private, max-age=60"));
    assert_eq!(all(&answer, "set-cookie").len(), 2);
    let tag = answer.header("etag").expect("a validator").to_owned();
    let known = get("/rpc/enter").insert_header(("if-none-match", tag));
    let answer = ask(&service, known).await;
    assert_eq!(answer.status, 304);
    assert_eq!(answer.header("cache-control"), Some("private, max-age=60"));
    assert_eq!(all(&answer, "set-cookie"), [""; 0]);
    let answer = ask(&service, get("/rpc/fail")).await;
    assert_eq!(
        (answer.status.as_u16(), all(&answer, "x-shelf")),
        (500, vec!["none"])
    );
}

#[actix_web::test]
async fn fields_are_no_part_of_what_is_kept_under_a_key() {
    let service = service();
    for cookies in [2, 0] {
        let request = post(&call("open").to_string()).insert_header(("idempotency-key", "k"));
        let answer = ask(&service, request).await;
        assert!(answer.body.contains(r#""result":"in""#));
        assert_eq!(all(&answer, "set-cookie").len(), cookies);
    }
}

#[actix_web::test]
async fn what_the_contract_decides_and_what_would_split_a_head_is_left_out() {
    let answer = ask(&service(), post(&call("hostile").to_string())).await;
    assert_eq!(all(&answer, "content-type"), ["application/json"]);
    assert_eq!(all(&answer, "cache-control"), ["no-store"]);
    for name in ["access-control-allow-origin", "etag", "x-split", "x-evil"] {
        assert_eq!(answer.header(name), None, "{name}");
    }
    assert_eq!(all(&answer, "x-shelf"), ["8"]);
}
