//! Batches (2.0, section 6): order, separate entries, and limits.

use std::fmt::Write as _;

use crate::{Server, assert_outcomes, handle, outcome, reply, service, service_with};

const COUNT: &str = r#"{"jsonrpc":"2.0","method":"count","id":"c"}"#;

fn large(bytes: usize, id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"large","params":[{bytes}],"id":{id}}}"#)
}

#[test]
fn answers_stand_in_the_order_of_the_requests_whichever_ends_first() {
    let entries = [40, 0, 20, 5, 30]
        .map(|ms| format!(r#"{{"jsonrpc":"2.0","method":"sleep","params":[{ms}],"id":"{ms}"}}"#));
    let expected = r#"[40 #"40", 0 #"0", 20 #"20", 5 #"5", 30 #"30"]"#;
    assert_eq!(
        outcome(&service(), format!("[{}]", entries.join(","))),
        expected
    );
}

#[test]
fn a_thousand_entries_are_answered_in_order() {
    let (mut body, mut expected) = (String::new(), String::new());
    for index in 0..1_000 {
        let _ = write!(
            body,
            r#",{{"jsonrpc":"2.0","method":"sum","params":[{index},1],"id":{index}}}"#
        );
        let _ = write!(expected, ", {} #{index}", index + 1);
    }
    let body = format!("[{}]", &body[1..]);
    assert_eq!(outcome(&service(), body), format!("[{}]", &expected[2..]));
}

#[test]
fn each_entry_is_judged_alone() {
    assert_outcomes(
        &service(),
        &[
            ("[1]", "[error -32600 #null]"),
            (
                "[1,2,3]",
                "[error -32600 #null, error -32600 #null, error -32600 #null]",
            ),
            ("[null]", "[error -32600 #null]"),
            (
                r#"[{"jsonrpc":"2.0","method":"panic","id":1},{"jsonrpc":"2.0","method":"sum","params":[1],"id":2}]"#,
                "[error -32603 #1, 1 #2]",
            ),
            (
                r#"[{"jsonrpc":"2.0","method":"panic"},{"jsonrpc":"2.0","method":"sum","params":[1],"id":2}]"#,
                "[1 #2]",
            ),
            (
                r#"[{"jsonrpc":"2.0","method":"sum","params":[1],"id":1},"x",{"jsonrpc":"2.0","method":"count"},{"jsonrpc":"2.0","method":"nope","id":2}]"#,
                "[1 #1, error -32600 #null, error -32601 #2]",
            ),
            (
                r#"[{"jsonrpc":"2.0","method":"fail","params":[1,"a"],"id":1},{"jsonrpc":"2.0","method":"subtract","id":2},{"jsonrpc":"2.0","method":"get_data","id":3}]"#,
                r#"[error 1 #1, error -32602 #2, ["hello",5] #3]"#,
            ),
            (
                r#"[{"jsonrpc":"2.0","method":"sum","id":true},{"jsonrpc":"2.0","id":3},{"foo":"boo"}]"#,
                "[error -32600 #null, error -32600 #3, error -32600 #null]",
            ),
        ],
    );
}

#[test]
fn a_batch_with_one_entry_is_answered_with_an_array() {
    assert_outcomes(
        &service(),
        &[
            (format!("[{COUNT}]"), "[1 #\"c\"]"),
            (format!(" [ {COUNT} ] "), "[2 #\"c\"]"),
        ],
    );
}

#[test]
fn a_batch_over_the_limit_is_refused_whole_before_anything_runs() {
    let service = service_with(|limits| limits.max_batch_entries = 3);
    let batch = |entries: usize| format!("[{}]", vec![COUNT; entries].join(","));
    assert_outcomes(
        &service,
        &[
            (batch(4), "error -32005 #null"),
            (batch(1_000), "error -32005 #null"),
            ("[1,2,3,4]".to_owned(), "error -32005 #null"),
            (
                format!("[{COUNT},{COUNT},{COUNT},{COUNT}"),
                "error -32700 #null",
            ),
        ],
    );
    let notifications = format!(
        "[{}]",
        [r#"{"jsonrpc":"2.0","method":"count"}"#; 4].join(",")
    );
    assert_outcomes(&service, &[(notifications, "error -32005 #null")]);
    assert_outcomes(&service, &[(COUNT, "1 #\"c\"")]);
    let sum = r#"{"jsonrpc":"2.0","method":"sum","params":[2],"id":1}"#;
    assert_outcomes(
        &service,
        &[(format!("[{sum},{sum},{sum}]"), "[2 #1, 2 #1, 2 #1]")],
    );
}

#[test]
fn a_batch_over_the_limit_is_200_over_http() {
    let server = Server::start(service_with(|limits| limits.max_batch_entries = 1));
    let response = server.post(format!("[{COUNT},{COUNT}]"));
    assert_eq!((response.status, response.code()), (200, Some(-32005)));
    assert_eq!(reply::brief(Some(&server.post(COUNT).body)), "1 #\"c\"");
}

#[test]
fn further_results_are_replaced_once_the_sum_is_over_the_limit() {
    let service = service_with(|limits| limits.max_response_bytes = 1_000);
    let body = format!(
        "[{},{},{},{COUNT}]",
        large(400, 1),
        large(400, 2),
        large(400, 3)
    );
    let response = handle(&service, body.as_bytes()).expect("a response");
    let brief = reply::brief(Some(&response));
    let x = "x".repeat(400);
    assert_eq!(
        brief,
        format!("[\"{x}\" #1, \"{x}\" #2, error -32004 #3, error -32004 #\"c\"]")
    );
    // The calls whose results were replaced did run.
    assert_eq!(outcome(&service, COUNT), "2 #\"c\"");
}

#[test]
fn the_results_of_a_batch_may_be_as_large_as_the_limit_and_not_a_byte_larger() {
    let service = service_with(|limits| limits.max_response_bytes = 1_000);
    let responses = |sizes: [usize; 2]| {
        let body = format!("[{},{}]", large(sizes[0], 1), large(sizes[1], 2));
        let response = handle(&service, body.as_bytes()).expect("a response");
        (
            response.len(),
            reply::brief(Some(&response)).contains("-32004"),
        )
    };
    assert_eq!(responses([400, 525]), (1_000, false));
    assert!(responses([400, 526]).1);
}

#[test]
fn an_answer_that_is_too_large_alone_fails_under_its_id() {
    let service = service_with(|limits| limits.max_response_bytes = 1_000);
    assert_eq!(outcome(&service, large(2_000, 1)), "error -32004 #1");
    assert_eq!(
        outcome(&service, format!("[{}]", large(2_000, 1))),
        "[error -32004 #1]"
    );
    assert_eq!(outcome(&service, large(10, 1)), "\"xxxxxxxxxx\" #1");
}

#[test]
fn errors_are_still_told_apart_when_there_is_no_room_for_results() {
    let service = service_with(|limits| limits.max_response_bytes = 200);
    let errors = r#"{"jsonrpc":"2.0","method":"nope","id":2},{"jsonrpc":"2.0","method":1,"id":3}"#;
    let body = format!(
        "[{},{},{errors},{}]",
        large(120, 0),
        large(120, 1),
        large(1, 4)
    );
    let x = "x".repeat(120);
    assert_eq!(
        outcome(&service, body),
        format!("[\"{x}\" #0, error -32004 #1, error -32601 #2, error -32600 #3, error -32004 #4]")
    );
}

#[test]
fn an_answer_that_is_too_large_alone_takes_no_room_from_others() {
    let service = service_with(|limits| limits.max_response_bytes = 200);
    let body = format!("[{},{}]", large(2_000, 1), large(1, 2));
    assert_eq!(outcome(&service, body), "[error -32004 #1, \"x\" #2]");
}

#[test]
fn the_first_result_stays_when_the_second_is_one_too_many() {
    let service = service_with(|limits| limits.max_response_bytes = 1_000);
    let body = format!("[{},{},{}]", large(900, 1), large(900, 2), large(1, 3));
    let x = "x".repeat(900);
    let expected = format!("[\"{x}\" #1, error -32004 #2, error -32004 #3]");
    assert_eq!(outcome(&service, body), expected);
}

#[test]
fn silence_in_a_batch_leaves_no_gap() {
    let notification = r#"{"jsonrpc":"2.0","method":"count"}"#;
    let service = service();
    assert_eq!(
        outcome(&service, format!("[{notification},{notification}]")),
        "nothing"
    );
    let sum = r#"{"jsonrpc":"2.0","method":"sum","params":[2],"id":1}"#;
    assert_eq!(
        outcome(&service, format!("[{notification},{sum},{notification}]")),
        "[2 #1]"
    );
    assert_eq!(outcome(&service, COUNT), "5 #\"c\"");
}
