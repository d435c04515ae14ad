//! Header fields that handlers add to the response.

use std::time::Duration;

use docent::{Cx, Fault, Procedure, ResultExt as _, Service, json};
use tokio::time::sleep;

use crate::{Response, ask, get, post};

fn service() -> Service {
    let enter = |cx: Cx, (): ()| {
        cx.add_field("Set-Cookie", "a=1").internal()?;
        cx.add_field("set-cookie", "b=2; HttpOnly").internal()?;
        cx.add_field("X-Shelf", "7").internal()?;
        cx.add_field("x-shelf", "8").internal()?;
        Ok::<_, Fault>("in")
    };
    let fail = |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "none").internal()?;
        Err::<(), _>(Fault::new(5, "No"))
    };
    let wait = async |cx: Cx, (): ()| {
        sleep(Duration::from_millis(50)).await;
        cx.add_field("Retry-After", "1").internal()?;
        cx.add_field("Link", "</wait>; rel=\"next\"").internal()?;
        cx.add_field("Server-Timing", "wait;dur=50").internal()?;
        Ok::<_, Fault>(())
    };
    let hurry = |cx: Cx, (): ()| {
        cx.add_field("Retry-After", "2").internal()?;
        cx.add_field("Link", "</hurry>; rel=\"next\"").internal()?;
        cx.add_field("Server-Timing", "hurry;dur=0").internal()?;
        Ok::<_, Fault>(())
    };
    let hostile = |cx: Cx, (): ()| {
        for name in [
            "Content-Type",
            "cache-control",
            "Proxy-Status",
            "ETag",
            "a b",
            "",
        ] {
            assert!(cx.add_field(name, "evil").is_err(), "{name}");
        }
        assert!(cx.add_field("X-Split", "a\r\nX-Evil: 1").is_err());
        cx.add_field("X-Shelf", "8").internal()?;
        Ok::<_, Fault>(())
    };
    let broken = |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "broken").internal()?;
        Err::<(), _>(Fault::internal("the shelf is broken"))
    };
    let panicking = |cx: Cx, (): ()| -> Result<(), Fault> {
        cx.add_field("X-Shelf", "panicking").internal()?;
        panic!("told to")
    };
    let undeclared = |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "undeclared").internal()?;
        Err::<(), _>(Fault::new(6, "No"))
    };
    let late = async |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "late").internal()?;
        sleep(Duration::from_secs(60)).await;
        Ok::<_, Fault>(())
    };
    let refusing = |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "refusing").internal()?;
        Err::<(), _>(Fault::invalid_params("due", "the date is in the past"))
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
        .procedure(Procedure::new("wait", wait).idempotent())
        .procedure(Procedure::sync("hurry", hurry).idempotent())
        .procedure(Procedure::sync("hostile", hostile))
        .procedure(Procedure::sync("broken", broken).idempotent())
        .procedure(Procedure::sync("panicking", panicking))
        .procedure(Procedure::sync("undeclared", undeclared))
        .procedure(Procedure::new("late", late).timeout(Duration::from_millis(20)))
        .procedure(Procedure::sync("refusing", refusing))
        .build()
        .expect("a service")
}

fn all<'a>(response: &'a Response, name: &str) -> Vec<&'a str> {
    response
        .headers
        .get_all(name)
        .map(|value| value.to_str().expect("a text"))
        .collect()
}

fn call(method: &str) -> serde_json::Value {
    json!({"jsonrpc": "2.0", "method": method, "id": 1})
}

#[actix_web::test]
async fn fields_of_a_handler_are_sent_with_its_response() {
    let service = service();
    let response = ask(&service, post(&call("enter").to_string())).await;
    assert_eq!(all(&response, "set-cookie"), ["a=1", "b=2; HttpOnly"]);
    assert_eq!(all(&response, "x-shelf"), ["7"]);
    // Those of a batch are sent all, and those of an error and of a notification, too.
    let batch = json!([call("fail"), call("enter"), {"jsonrpc": "2.0", "method": "enter"}]);
    let response = ask(&service, post(&batch.to_string())).await;
    assert_eq!(all(&response, "set-cookie").len(), 4);
    assert_eq!(all(&response, "x-shelf"), ["none"]);
    let response = ask(&service, post(r#"{"jsonrpc": "2.0", "method": "enter"}"#)).await;
    assert_eq!(
        (response.status.as_u16(), all(&response, "x-shelf")),
        (204, vec!["7"])
    );
}

#[actix_web::test]
async fn a_field_with_one_value_is_that_of_the_first_call_of_a_batch_whichever_ends_first() {
    let service = service();
    for (methods, first) in [(["wait", "hurry"], "1"), (["hurry", "wait"], "2")] {
        let batch = json!(methods.map(call));
        let response = ask(&service, post(&batch.to_string())).await;
        assert_eq!(all(&response, "retry-after"), [first]);
        let [link, other_link] = methods.map(|name| format!("</{name}>; rel=\"next\""));
        assert_eq!(all(&response, "link"), [link, other_link]);
        assert_eq!(all(&response, "server-timing").len(), 2);
    }
    let response = ask(&service, get("/rpc/wait")).await;
    assert_eq!(all(&response, "retry-after"), ["1"]);
    assert_eq!(all(&response, "link").len(), 1);
}

#[actix_web::test]
async fn no_field_goes_with_an_error_that_the_handler_did_not_choose() {
    let service = service();
    for name in ["broken", "panicking", "undeclared", "late"] {
        let response = ask(&service, post(&call(name).to_string())).await;
        assert!(
            response.body.contains("\"error\":{\"code\":-32"),
            "{}",
            response.body
        );
        assert_eq!(all(&response, "x-shelf"), [""; 0], "{name}");
        let batch = json!([call(name), call("fail")]);
        let response = ask(&service, post(&batch.to_string())).await;
        assert_eq!(all(&response, "x-shelf"), ["none"], "{name}");
    }
    let response = ask(&service, get("/rpc/broken")).await;
    assert_eq!(all(&response, "x-shelf"), [""; 0]);
    // Its own refusal of parameters is the handler's choice.
    let response = ask(&service, post(&call("refusing").to_string())).await;
    assert_eq!(all(&response, "x-shelf"), ["refusing"]);
}

#[actix_web::test]
async fn calls_in_process_drop_fields() {
    let result = service().call::<String>("enter", &()).await;
    assert_eq!(result.expect("a result"), "in");
}

#[actix_web::test]
async fn a_get_with_fields_of_its_handler_is_private_and_its_304_has_none() {
    let service = service();
    let response = ask(&service, get("/rpc/enter")).await;
    assert_eq!(
        response.header("cache-control"),
        Some("private, max-age=60")
    );
    assert_eq!(all(&response, "set-cookie").len(), 2);
    let tag = response.header("etag").expect("a validator").to_owned();
    let known = get("/rpc/enter").insert_header(("if-none-match", tag));
    let response = ask(&service, known).await;
    assert_eq!(response.status, 304);
    assert_eq!(
        response.header("cache-control"),
        Some("private, max-age=60")
    );
    assert_eq!(all(&response, "set-cookie"), [""; 0]);
    let response = ask(&service, get("/rpc/fail")).await;
    assert_eq!(
        (response.status.as_u16(), all(&response, "x-shelf")),
        (500, vec!["none"])
    );
}

#[actix_web::test]
async fn fields_are_no_part_of_what_is_kept_under_a_key() {
    let service = service();
    for cookies in [2, 0] {
        let request = post(&call("open").to_string()).insert_header(("idempotency-key", "k"));
        let response = ask(&service, request).await;
        assert!(response.body.contains(r#""result":"in""#));
        assert_eq!(all(&response, "set-cookie").len(), cookies);
    }
}

#[actix_web::test]
async fn what_the_contract_decides_and_what_would_split_a_head_is_refused_at_once() {
    let response = ask(&service(), post(&call("hostile").to_string())).await;
    assert_eq!(all(&response, "content-type"), ["application/json"]);
    assert_eq!(all(&response, "cache-control"), ["no-store"]);
    for name in ["access-control-allow-origin", "etag", "x-split", "x-evil"] {
        assert_eq!(response.header(name), None, "{name}");
    }
    assert_eq!(all(&response, "x-shelf"), ["8"]);
}
