//! Limits on the nesting of bodies. Brackets are counted from the outermost one, wherever they are.

use crate::{assert_outcomes, outcome, service, service_with};

const PARSE_ERROR: &str = "error -32700 #null";

#[derive(Clone, Copy, Debug)]
enum Kind {
    Arrays,
    Objects,
    Mixed,
}

const KINDS: [Kind; 3] = [Kind::Arrays, Kind::Objects, Kind::Mixed];

/// Returns a value with this many brackets open at once.
fn nested(kind: Kind, depth: usize) -> String {
    let is_array = |level: usize| match kind {
        Kind::Arrays => true,
        Kind::Objects => false,
        Kind::Mixed => level.is_multiple_of(2),
    };
    let mut text = String::new();
    for level in 0..depth {
        text += if is_array(level) { "[" } else { "{\"a\":" };
    }
    text += "1";
    for level in (0..depth).rev() {
        text += if is_array(level) { "]" } else { "}" };
    }
    text
}

fn echo(value: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"echo","params":[{value}],"id":1}}"#)
}

#[test]
fn a_body_nested_128_deep_is_read_and_one_more_is_a_parse_error() {
    let service = service();
    for kind in KINDS {
        // The request and its params are two of the brackets.
        let value = nested(kind, 126);
        assert_outcomes(&service, &[(echo(&value), format!("{value} #1"))]);
        assert_outcomes(&service, &[(echo(&nested(kind, 127)), PARSE_ERROR)]);
        assert_outcomes(&service, &[(nested(kind, 129), PARSE_ERROR)]);
    }
    assert_outcomes(
        &service,
        &[(nested(Kind::Objects, 128), "error -32600 #null")],
    );
    assert_outcomes(
        &service,
        &[(nested(Kind::Arrays, 128), "[error -32600 #null]")],
    );
}

#[test]
fn it_does_not_matter_where_in_the_body_it_is_deep() {
    let service = service();
    for kind in KINDS {
        for (room, expected) in [(127, "0 #1"), (128, PARSE_ERROR)] {
            let deep = nested(kind, room);
            let unknown = format!(r#"{{"jsonrpc":"2.0","method":"sum","id":1,"x":{deep}}}"#);
            assert_outcomes(&service, &[(unknown, expected)]);
        }
        for (room, expected) in [(127, "error -32600 #null"), (128, PARSE_ERROR)] {
            let deep = nested(kind, room);
            let id = format!(r#"{{"jsonrpc":"2.0","method":"sum","id":{deep}}}"#);
            assert_outcomes(&service, &[(id, expected)]);
        }
    }
}

#[test]
fn in_a_batch_the_batch_counts_too_and_one_deep_entry_fails_the_whole_body() {
    let service = service();
    let fine = echo("1");
    let entry = echo(&nested(Kind::Mixed, 125));
    let expected = format!("[1 #1, {} #1]", nested(Kind::Mixed, 125));
    assert_outcomes(&service, &[(format!("[{fine},{entry}]"), expected)]);
    let count = r#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    let deep = echo(&nested(Kind::Mixed, 126));
    assert_outcomes(&service, &[(format!("[{count},{deep}]"), PARSE_ERROR)]);
    assert_eq!(outcome(&service, count), "1 #1");
}

#[test]
fn brackets_inside_strings_do_not_count() {
    let service = service();
    let brackets = format!("\"{}\\\"{}\"", "[{".repeat(1_000), "[".repeat(1_000));
    assert_outcomes(&service, &[(echo(&brackets), format!("{brackets} #1"))]);
    let name = format!(r#"{{{brackets}:1,"jsonrpc":"2.0","method":"sum","id":1}}"#);
    assert_outcomes(&service, &[(name, "0 #1")]);
}

#[test]
fn brackets_that_are_closed_again_do_not_count() {
    let wide = format!("[{}[]]", "[[[]]],".repeat(1_000));
    assert_outcomes(&service(), &[(echo(&wide), format!("{wide} #1"))]);
}

#[test]
fn depths_that_would_exhaust_a_stack_are_only_parse_errors() {
    let service = service();
    let table =
        ["[", "{\"a\":", "[{\"a\":", "[[{\"\":"].map(|open| (open.repeat(300_000), PARSE_ERROR));
    assert_outcomes(&service, &table);
    assert_outcomes(&service, &[(echo("1"), "1 #1")]);
}

#[test]
fn the_depth_can_be_configured() {
    for depth in [1, 2, 3, 10, 500] {
        let service = service_with(|limits| limits.max_depth = depth);
        let over = nested(Kind::Objects, depth + 1);
        assert_outcomes(
            &service,
            &[
                (nested(Kind::Objects, depth), "error -32600 #null"),
                (over, PARSE_ERROR),
            ],
        );
    }
}
