//! Tests of the oracle itself. An oracle that never complains proves nothing, so these tests lie to
//! it.

use docent_fuzz::oracle::{Query, check, check_query, check_runs};
use docent_fuzz::{Conversation, Setup, check_conversation, converse, response};

/// Returns the configuration that accepts every version.
fn setup() -> Setup {
    Setup::all().swap_remove(1)
}

/// Returns the configuration whose limits short inputs reach.
fn small() -> Setup {
    Setup::all().swap_remove(2)
}

/// Checks that the true response passes, and that it fails after `from` is replaced by `to`.
#[track_caller]
fn tells_from(setup: &Setup, asked: &str, from: &str, to: &str) {
    let truth = response(setup, asked.as_bytes()).expect("a response");
    assert_eq!(
        check(setup, asked.as_bytes(), Some(&truth)),
        Ok(()),
        "{asked}"
    );
    let truth = String::from_utf8(truth).expect("text");
    assert!(truth.contains(from), "{from} is not in {truth}");
    let lie = truth.replacen(from, to, 1);
    let found = check(setup, asked.as_bytes(), Some(lie.as_bytes()));
    assert!(found.is_err(), "{lie} passes in place of {truth}");
}

const CALL: &str = r#"{"jsonrpc":"2.0","method":"text","params":["a"],"id":1.0}"#;
const UNKNOWN: &str = r#"{"jsonrpc":"2.0","method":"nobody","id":"x"}"#;
const REFUSED: &str = r#"{"jsonrpc":"2.0","method":"checked","params":["a",101],"id":1}"#;
const FAILS: &str = r#"{"jsonrpc":"2.0","method":"fails","params":["why"],"id":1}"#;
const OF_1_1: &str = r#"{"version":"1.1","method":"text","params":["a"]}"#;
const FAILS_IN_1_1: &str = r#"{"version":"1.1","method":"nobody","id":[1]}"#;
const OF_1_0: &str = r#"{"method":"text","params":["a"],"id":[1]}"#;

#[test]
fn an_id_that_is_not_the_callers_is_seen() {
    let setup = setup();
    tells_from(&setup, CALL, r#""id":1.0"#, r#""id":1"#);
    tells_from(&setup, UNKNOWN, r#""id":"x""#, r#""id":"\u0078""#);
    tells_from(&setup, UNKNOWN, r#""id":"x""#, r#""id":null"#);
    tells_from(&setup, FAILS_IN_1_1, r#""id":[1]"#, r#""id":[1.0]"#);
    tells_from(&setup, OF_1_0, r#""id":[1]"#, r#""id":null"#);
    tells_from(&setup, "nonsense", r#""id":null"#, r#""id":0"#);
}

#[test]
fn a_member_too_many_or_too_few_is_seen() {
    let setup = setup();
    tells_from(&setup, CALL, r#","id":1.0"#, "");
    tells_from(&setup, CALL, r#","id":1.0"#, r#","id":1.0,"id":1.0"#);
    tells_from(&setup, CALL, r#"{"jsonrpc":"2.0","#, "{");
    tells_from(&setup, CALL, r#""2.0""#, r#""2""#);
    tells_from(&setup, CALL, r#","id""#, r#","error":null,"id""#);
    tells_from(&setup, UNKNOWN, r#","id""#, r#","result":1,"id""#);
    tells_from(&setup, UNKNOWN, r#","message":"Method not found""#, "");
    tells_from(&setup, OF_1_1, "}", r#","id":null}"#);
    tells_from(&setup, OF_1_1, r#""1.1""#, r#""1.0""#);
    tells_from(&setup, OF_1_0, r#","error":null"#, "");
}

#[test]
fn a_result_that_is_not_the_right_one_is_seen() {
    let setup = setup();
    tells_from(&setup, CALL, r#":"a""#, r#":"b""#);
    tells_from(&setup, CALL, r#":"a""#, r#": "a""#);
    tells_from(&setup, OF_1_1, r#":"a""#, r#":"b""#);
    let error = r#""error":{"code":-32603,"message":"Internal error"}"#;
    tells_from(&setup, CALL, r#""result":{"text":"a"}"#, error);
}

#[test]
fn an_error_that_is_not_the_right_one_is_seen() {
    let setup = setup();
    tells_from(&setup, UNKNOWN, "-32601", "-32600");
    tells_from(&setup, UNKNOWN, "Method not found", "Method Not Found");
    tells_from(&setup, UNKNOWN, r#"found"}"#, r#"found","data":{}}"#);
    tells_from(&setup, FAILS, "417", "418");
    tells_from(&setup, FAILS, r#""why""#, r#""what""#);
    tells_from(&setup, FAILS_IN_1_1, "404", "500");
    tells_from(&setup, FAILS_IN_1_1, "-32601", "404");
    tells_from(&setup, FAILS_IN_1_1, "JSONRPCError", "Error");
    let response = response(&setup, REFUSED.as_bytes()).expect("a response");
    let response = String::from_utf8(response).expect("text");
    let error = response.split_once(r#""error":"#).expect("an error").1;
    let error = error.rsplit_once(r#","id""#).expect("an id").0;
    tells_from(&setup, REFUSED, error, r#"{"code":0,"message":"percent"}"#);
}

#[test]
fn an_error_in_a_batch_that_has_no_room_for_it_is_seen() {
    let setup = small();
    let call = |procedure: &str, length: usize| {
        let text = "a".repeat(length);
        format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":["{text}"],"id":1}}"#)
    };
    let batch = format!("[{},{},{}]", call("fails", 90), call("fails", 90), UNKNOWN);
    let truth = response(&setup, batch.as_bytes()).expect("answers");
    let truth = String::from_utf8(truth).expect("text");
    assert_eq!(
        check(&setup, batch.as_bytes(), Some(truth.as_bytes())),
        Ok(())
    );
    let (_, rest) = truth.split_once(r#""error":"#).expect("an error");
    let (kept, _) = rest.split_once(r#","id":1"#).expect("an id");
    let replaced = r#"{"code":-32004,"message":"Response too large"}"#;
    assert!(kept.contains("417") && truth.contains(replaced), "{truth}");
    assert!(truth.contains("-32601"), "{truth}");
    let lie = truth.replace(replaced, kept);
    let found = check(&setup, batch.as_bytes(), Some(lie.as_bytes()));
    assert!(found.is_err(), "{lie} passes in place of {truth}");
}

#[test]
fn an_internal_error_that_does_not_name_an_incident_is_seen() {
    let setup = setup();
    let panics = r#"{"jsonrpc":"2.0","method":"panics","id":1}"#;
    tells_from(&setup, panics, r#""incident":""#, r#""incident":"0"#);
    tells_from(&setup, panics, r#""incident":""#, r#""accident":""#);
    tells_from(
        &setup,
        panics,
        r#""incident":""#,
        r#""cause":"","incident":""#,
    );
    let truth = response(&setup, panics.as_bytes()).expect("a response");
    let truth = String::from_utf8(truth).expect("text");
    let data = truth.split_once(r#","data":"#).expect("data").1;
    let data = data.rsplit_once(r#"},"id""#).expect("an id").0;
    let bare = truth.replace(&format!(r#","data":{data}"#), "");
    assert!(check(&setup, panics.as_bytes(), Some(bare.as_bytes())).is_err());
}

#[test]
fn blame_that_does_not_say_where_or_why_is_seen() {
    let setup = setup();
    tells_from(&setup, REFUSED, r#""parameter":"percent","#, "");
    tells_from(&setup, REFUSED, r#""pointer":"","#, "");
    tells_from(&setup, REFUSED, r#""pointer":"""#, r#""pointer":"0""#);
    tells_from(&setup, REFUSED, r#""pointer":"""#, r#""pointer":"/~2""#);
    tells_from(&setup, REFUSED, r#""position":1"#, r#""position":"1""#);
    tells_from(&setup, REFUSED, r#""reason":""#, r#""reasons":""#);
}

#[test]
fn a_reason_that_is_missing_or_made_up_is_seen() {
    let setup = setup();
    let invalid = r#"{"jsonrpc":"2.0","id":1}"#;
    let reason = r#","data":{"reason":"method is missing"}"#;
    tells_from(&setup, invalid, reason, "");
    tells_from(&setup, invalid, "method is missing", "");
    let bare = r#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#;
    let error = r#""message":"Invalid Request""#;
    tells_from(&setup, bare, error, &format!("{error}{reason}"));
    let deep = "[".repeat(129) + &"]".repeat(129);
    let reason =
        r#","data":{"reason":"nested too deeply: at most 128 levels of brackets are allowed"}"#;
    tells_from(&setup, &deep, reason, "");
    let error = r#""message":"Parse error""#;
    tells_from(&setup, "nonsense", error, &format!("{error}{reason}"));
}

#[test]
fn a_close_name_too_many_or_too_few_is_seen() {
    let setup = setup();
    let one = r#"{"jsonrpc":"2.0","method":"tex","id":1}"#;
    let data = r#","data":{"closest":["text"]}"#;
    tells_from(&setup, one, data, "");
    tells_from(&setup, one, r#"["text"]"#, r#"["text","none"]"#);
    let batch = format!("[{one},{one}]");
    let second = r#"found"},"id":1}]"#;
    tells_from(
        &setup,
        &batch,
        second,
        &second.replace('}', &format!("{data}}}")),
    );
    tells_from(&setup, UNKNOWN, r#"found""#, &format!(r#"found"{data}"#));
}

#[test]
fn what_is_no_json_or_not_json_alone_is_seen() {
    let setup = setup();
    tells_from(&setup, CALL, "{", "[");
    tells_from(&setup, CALL, r#"{"jsonrpc""#, r#" {"jsonrpc""#);
    tells_from(&setup, CALL, r#""id":1.0}"#, r#""id":1.0}{}"#);
    let asked = CALL.as_bytes();
    let truth = response(&setup, asked).expect("a response");
    let broken: Vec<u8> = truth.iter().map(|byte| byte | 0x80).collect();
    assert!(check(&setup, asked, Some(&broken)).is_err());
    assert!(check(&setup, asked, Some(&truth[1..])).is_err());
}

#[test]
fn an_answer_to_nobody_and_none_to_somebody_are_seen() {
    let setup = setup();
    let is_unanswered = br#"{"jsonrpc":"2.0","method":"count"}"#;
    let batch = br#"[{"jsonrpc":"2.0","method":"count"},{"jsonrpc":"2.0","method":"nobody"}]"#;
    for asked in [&is_unanswered[..], batch] {
        assert_eq!(response(&setup, asked), None);
        assert_eq!(check(&setup, asked, None), Ok(()));
        assert!(check(&setup, asked, Some(b"[]")).is_err());
    }
    assert!(check(&setup, CALL.as_bytes(), None).is_err());
}

#[test]
fn an_entry_that_is_dropped_added_or_moved_is_seen() {
    let setup = setup();
    let is_unanswered = r#"{"jsonrpc":"2.0","method":"text","params":["b"]}"#;
    let batch = format!("[{CALL},{is_unanswered},{UNKNOWN}]");
    let responses = String::from_utf8(response(&setup, batch.as_bytes()).expect("answers"));
    let responses = responses.expect("text");
    let at = responses.find(r#",{"jsonrpc""#).expect("two answers");
    let first = &responses[1..at];
    let second = &responses[at + 1..responses.len() - 1];
    let checked = |text: String| check(&setup, batch.as_bytes(), Some(text.as_bytes()));
    assert_eq!(checked(format!("[{first},{second}]")), Ok(()));
    assert!(checked(format!("[{first}]")).is_err());
    assert!(checked(format!("[{second},{first}]")).is_err());
    assert!(checked(format!("[{first},{second},{second}]")).is_err());
    assert!(checked(first.to_owned()).is_err());
}

#[test]
fn a_run_too_many_or_too_few_is_seen() {
    let setup = setup();
    let one =
        br#"[{"jsonrpc":"2.0","method":"count"},{"jsonrpc":"2.0","method":"count","params":[1]}]"#;
    assert_eq!(check_runs(&setup, one, 1), Ok(()));
    assert!(check_runs(&setup, one, 0).is_err());
    assert!(check_runs(&setup, one, 2).is_err());
}

#[test]
fn a_limit_that_is_passed_or_not_reached_is_seen() {
    let setup = small();
    let long = r#"{"jsonrpc":"2.0","method":"large","params":[200],"id":1}"#;
    let refused = r#""error":{"code":-32004,"message":"Response too large"}"#;
    let result = format!(r#""result":"{}""#, "é".repeat(200));
    tells_from(&setup, long, refused, &result);
    tells_from(&setup, CALL, r#""result":{"text":"a"}"#, refused);
    let text = |length: usize| {
        let text = "a".repeat(length);
        format!(r#"{{"jsonrpc":"2.0","method":"text","params":["{text}"],"id":1}}"#)
    };
    let batch = format!("[{},{},{}]", text(80), text(80), text(9));
    let third = format!(r#""result":{{"text":"{}"}}"#, "a".repeat(9));
    let responses = response(&setup, batch.as_bytes()).expect("answers");
    let responses = String::from_utf8(responses).expect("text");
    assert!(!responses.contains(&third), "{responses}");
    let at = responses.rfind(refused).expect("an error");
    let lie = format!(
        "{}{third}{}",
        &responses[..at],
        &responses[at + refused.len()..]
    );
    assert_eq!(
        check(&setup, batch.as_bytes(), Some(responses.as_bytes())),
        Ok(())
    );
    assert!(check(&setup, batch.as_bytes(), Some(lie.as_bytes())).is_err());
}

#[test]
fn a_query_that_is_answered_with_another_code_is_seen() {
    let setup = small();
    let refused = |code: i64, message: &str, data: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":"{message}"{data}}},"id":null}}"#
        )
    };
    let unknown = refused(-32601, "Method not found", "");
    let not_callable = refused(-32006, "Not callable with GET", r#","data":{"reason":"r"}"#);
    let result = r#"{"jsonrpc":"2.0","result":[1],"id":null}"#.to_owned();
    for (procedure, query, right, wrong) in [
        ("nobody", "", &unknown, &not_callable),
        ("count", "", &not_callable, &unknown),
        ("integers", "0=1", &result, &unknown),
        ("integers", "0=2", &result.replace("[1]", "[2]"), &result),
    ] {
        let asked = Query { procedure, query };
        assert_eq!(check_query(&setup, asked, Some(right.as_bytes())), Ok(()));
        assert!(check_query(&setup, asked, Some(wrong.as_bytes())).is_err());
        assert!(check_query(&setup, asked, None).is_err());
    }
}

#[test]
fn aliases_and_positions_that_a_procedure_has_or_lacks_are_seen() {
    let setup = setup();
    let call = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":1}}"#)
    };
    let refused = r#""code":-32602"#;
    for (method, params) in [
        ("renamed", r#"["a"]"#),
        ("renamed", r#"[null,"a"]"#),
        ("renamed", "[]"),
        ("renamed", r#"{"prior":"a","first":"a"}"#),
        ("renamed", r#"{"new":1,"before":1,"required":"a"}"#),
        ("renamed", r#"{"others":1,"required":"a"}"#),
        ("flat", r#"["a",true]"#),
        ("flat", "[true]"),
    ] {
        tells_from(&setup, &call(method, params), refused, r#""code":-32000"#);
    }
    let renamed = r#""result":{"new":4,"required":"a"}"#;
    for params in [
        r#"{"new":4,"required":"a"}"#,
        r#"{"first":"a","before":4}"#,
        r#"{"prior":"a","new":4.0}"#,
    ] {
        tells_from(
            &setup,
            &call("renamed", params),
            renamed,
            r#""result":{"new":4}"#,
        );
    }
    let flat = r#""result":{"text":"a","flag":true}"#;
    for params in [r#"[true,"a"]"#, r#"{"text":"a","flag":true}"#] {
        tells_from(
            &setup,
            &call("flat", params),
            flat,
            r#""result":{"flag":true}"#,
        );
    }
}

/// Checks that the truth about a connection passes, and that it fails after a change.
#[track_caller]
fn tells_connection(input: &str, lie: impl Fn(&mut Conversation)) {
    let (mut seen, bytes) = converse(input.as_bytes());
    assert_eq!(
        check_conversation(bytes, &seen),
        Ok(()),
        "{input}\n{seen:?}"
    );
    lie(&mut seen);
    assert!(check_conversation(bytes, &seen).is_err(), "{seen:?}");
}

#[test]
fn a_connection_that_is_framed_otherwise_is_seen() {
    let call = |word: &str, field: &str| {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"echo","params":["{word}"],"id":1}}"#);
        format!(
            "POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{field}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let replaced = |seen: &mut Conversation, from: &str, to: &str| {
        let text = String::from_utf8(seen.responses.clone()).expect("text");
        assert!(text.contains(from), "{from} is not in {text}");
        seen.responses = text.replacen(from, to, 1).into_bytes();
        seen.before_end = seen.responses.len();
    };
    let two = format!("30 200\n{}{}", call("one", ""), call("two", ""));
    // A response is missing, doubled, cut, or that of another request.
    let first = |seen: &Conversation| {
        let text = String::from_utf8_lossy(&seen.responses);
        text.find("}HTTP/1.1").expect("two responses") + 1
    };
    tells_connection(&two, |seen| seen.responses.truncate(first(seen)));
    tells_connection(&two, |seen| {
        seen.responses = seen.responses.repeat(2);
    });
    tells_connection(&two, |seen| {
        seen.responses.pop();
    });
    tells_connection(&two, |seen| {
        let first = first(seen);
        seen.responses.rotate_left(first);
    });
    tells_connection(&two, |seen| replaced(seen, "one", "two"));
    tells_connection(&two, |seen| replaced(seen, "200 OK", "204 No Content"));
    // It is closed where it looked open, hangs, or does not read all.
    tells_connection(&two, |seen| seen.closed = true);
    tells_connection(&two, |seen| seen.ended = false);
    tells_connection(&two, |seen| seen.consumed -= 1);
    // It goes on behind its last response, or does not say which that is.
    let last = call("one", "Connection: close\r\n");
    let last = format!("\n{last}{}", call("two", ""));
    tells_connection(&last, |seen| seen.closed = false);
    tells_connection(&last, |seen| seen.before_end -= 1);
    tells_connection(&last, |seen| replaced(seen, "connection: close\r\n", ""));
    tells_connection(&last, |seen| {
        seen.responses = seen.responses.repeat(2);
    });
    // Malformed requests are served.
    for head in [
        "\nGET /rpc HTTP/1.1\nHost: x\r\n\r\n",
        "\nGET /rpc HTTP/1.1\r\nHost: a b\r\n\r\n",
        "\nGET /rpc HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
    ] {
        tells_connection(head, |seen| replaced(seen, "400 Bad Request", "200 OK"));
        tells_connection(head, |seen| seen.responses.clear());
    }
}

#[test]
fn a_private_name_of_serde_json_is_not_taken_for_what_it_stands_for() {
    let setup = setup();
    for (params, taken) in [
        (
            r#"{"value":{"$serde_json::private::RawValue":"[1]"}}"#,
            r#"{"value":[1]}"#,
        ),
        (
            r#"{"value":[{"a":0,"\u0024serde_json::private::Number":"1"}]}"#,
            r#"{"value":[{"a":0,"$serde_json::private::Number":"1"}]}"#,
        ),
    ] {
        for version in [r#""jsonrpc":"2.0""#, r#""version":"1.1""#] {
            let call = format!(r#"{{{version},"method":"anything","params":{params},"id":1}}"#);
            let lie = format!(r#"{{{version},"result":{taken},"id":1}}"#);
            let truth = response(&setup, call.as_bytes()).expect("a response");
            assert_eq!(check(&setup, call.as_bytes(), Some(&truth)), Ok(()));
            let found = check(&setup, call.as_bytes(), Some(lie.as_bytes()));
            assert!(found.is_err(), "{lie} passes");
        }
    }
}
