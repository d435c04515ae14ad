//! Answers that a transport cannot send.

use docent_core::carrier::{Incoming, Reply};
use docent_core::{Cx, Fault, Procedure, Service};
use futures_util::FutureExt;

use crate::{builder, call};

fn service() -> Service {
    let write = |_: Cx, (): ()| Ok::<_, Fault>("written");
    let fail = |_: Cx, times: Vec<usize>| Err::<(), _>(Fault::new(7, "no".repeat(times[0])));
    builder()
        .procedure(Procedure::sync("write", write))
        .procedure(Procedure::sync("read", write).idempotent())
        .procedure(Procedure::sync("fail", fail).errors_open())
        .protocols(|protocols| protocols.v1_0 = true)
        .build()
        .expect("a service")
}

/// Returns the withdrawn answer to a body, and whether the call can simply be repeated.
fn withdrawn(body: impl Into<String>) -> (Reply, bool) {
    let replying = service().exchange(Incoming::new(body.into()));
    let mut reply = replying.now_or_never().expect("nothing waits");
    let can_be_repeated = reply.withdraw();
    (reply, can_be_repeated)
}

fn text(reply: Reply) -> String {
    crate::text(reply.into_body())
}

const RAN: &str = r#"{"code":-32004,"message":"Response too large","data":{"ran":true}}"#;

#[test]
fn a_single_idempotent_call_is_busy_and_can_be_repeated() {
    let (reply, can_be_repeated) = withdrawn(call("read"));
    assert_eq!((reply.error_code(), can_be_repeated), (Some(-32002), true));
    let busy = r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy"},"id":null}"#;
    assert_eq!(text(reply), busy);
}

#[test]
fn any_other_call_says_under_its_id_that_it_has_run_in_every_protocol() {
    for (request, expected) in [
        (
            r#"{"jsonrpc":"2.0","method":"write","id":"a\u0062"}"#,
            format!(r#"{{"jsonrpc":"2.0","error":{RAN},"id":"a\u0062"}}"#),
        ),
        (
            r#"{"method":"write","params":[],"id":1.0}"#,
            format!(r#"{{"result":null,"error":{RAN},"id":1.0}}"#),
        ),
        (
            r#"{"version":"1.1","method":"write"}"#,
            format!(
                r#"{{"version":"1.1","error":{{"name":"JSONRPCError","code":507,"message":"Response too large","error":{RAN}}}}}"#
            ),
        ),
    ] {
        let (reply, can_be_repeated) = withdrawn(request);
        assert_eq!((reply.error_code(), can_be_repeated), (Some(-32004), false));
        assert_eq!(text(reply), expected);
    }
}

#[test]
fn each_result_of_a_batch_is_replaced_and_its_short_errors_stay() {
    let fail = |times: usize, id: u8| {
        format!(r#"{{"jsonrpc":"2.0","method":"fail","params":[{times}],"id":{id}}}"#)
    };
    let read = call("read");
    let short = fail(1, 2);
    let long = fail(1_000, 3);
    let (reply, can_be_repeated) = withdrawn(format!("[{read},{short},{long}]"));
    assert!(!can_be_repeated);
    let short = r#"{"jsonrpc":"2.0","error":{"code":7,"message":"no"},"id":2}"#;
    let long = r#"{"jsonrpc":"2.0","error":{"code":-32004,"message":"Response too large"},"id":3}"#;
    let ran = format!(r#"{{"jsonrpc":"2.0","error":{RAN},"id":1}}"#);
    assert_eq!(text(reply), format!("[{ran},{short},{long}]"));
}

#[test]
fn no_call_starts_while_a_transport_has_no_room() {
    let service = service();
    let full = service.with_room(|| false);
    assert!(full.is_busy() && !service.is_busy());
    for (request, expected) in [
        (
            call("write"),
            r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy"},"id":1}"#,
        ),
        (r#"{"jsonrpc":"2.0","method":"write"}"#.to_owned(), ""),
    ] {
        let response = full.handle(request).now_or_never().expect("nothing waits");
        assert_eq!(crate::text(response), expected);
    }
    let place = service.carrier().occupy();
    assert_eq!(full.running_calls(), 1);
    drop(place);
    assert_eq!(full.running_calls(), 0);
}

#[test]
fn a_reply_is_as_large_as_its_buffer_and_that_of_a_long_text_is_hardly_larger_than_the_text() {
    let list = |_: Cx, (): ()| Ok::<_, Fault>(vec![1; 10_000]);
    let text = |_: Cx, (): ()| Ok::<_, Fault>("x".repeat(1 << 20));
    let service = builder()
        .procedure(Procedure::sync("list", list))
        .procedure(Procedure::sync("text", text))
        .build()
        .expect("a service");
    for (name, most) in [("list", 16_000), ("text", 1_000)] {
        let replying = service.exchange(Incoming::new(call(name)));
        let reply = replying.now_or_never().expect("nothing waits");
        let size = reply.own_size();
        let body = reply.into_body().expect("a body");
        assert_eq!(size, body.capacity(), "{name}");
        assert!((1..most).contains(&(size - body.len())), "{name}: {size}");
    }
}
