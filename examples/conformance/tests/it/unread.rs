//! A program without a `tracing` subscriber: what goes wrong is on stderr.

use serde_json::Value;

use crate::call_with;
use crate::process::{Program, eventually};

/// Returns the lines of the log that have a text.
fn lines(program: &Program, text: &str) -> Vec<String> {
    program
        .log()
        .lines()
        .filter(|line| line.contains(text))
        .map(str::to_owned)
        .collect()
}

/// Returns the incident ID of a call that fails.
fn incident(program: &Program, procedure: &str, params: &str) -> String {
    let response = program.server.post(call_with(procedure, params)).json();
    assert_eq!(response["error"]["code"], -32603, "{response}");
    let incident = &response["error"]["data"]["incident"];
    incident.as_str().expect("an incident").to_owned()
}

#[test]
fn an_internal_error_is_on_stderr_in_one_line_with_its_incident() {
    let program = Program::start(&["--no-log"]);
    let panicked = incident(&program, "panic", "[]");
    // The message is the caller's here: it breaks lines, moves the cursor and is long.
    let said = format!(r"two\nlines\u001b[2J\u0085{}", "x".repeat(2_000));
    let reserved = incident(&program, "fail", &format!(r#"[-32602, "{said}"]"#));
    eventually("the errors are on stderr", || {
        (lines(&program, "error: ").len() >= 2).then_some(())
    });
    let panic = lines(&program, &format!("incident={panicked}"));
    assert_eq!(panic.len(), 1, "{}", program.log());
    assert!(
        panic[0].starts_with(r#"error: a procedure panicked procedure="panic" incident="#),
        "{panic:?}"
    );
    let reserved = lines(&program, &format!("incident={reserved}"));
    assert_eq!(reserved.len(), 1, "{}", program.log());
    let line = &reserved[0];
    assert!(
        line.contains(r#"code=-32602 said="two\nlines\u001b[2J\u0085xxx"#),
        "{line}"
    );
    assert!(
        line.len() < 1_000 && !line.contains(char::is_control),
        "{line}"
    );
}

#[test]
fn a_flood_of_internal_errors_is_cut_to_ten_lines_a_second_and_counted() {
    const CALLS: usize = 200;
    let program = Program::start(&["--no-log"]);
    let call = r#"{"jsonrpc":"2.0","method":"fail","params":[-32602,"flood"],"id":1}"#;
    let batch = format!("[{}]", vec![call; CALLS].join(","));
    let responses: Value = program.server.post(batch).json();
    assert_eq!(responses.as_array().map(Vec::len), Some(CALLS));
    // There are no calls any more: the count comes by itself.
    eventually("every error is written or counted", || {
        let written = lines(&program, r#"said="flood""#).len();
        let counted: usize = lines(&program, "left out")
            .iter()
            .filter_map(|line| line.split(' ').nth(1)?.parse::<usize>().ok())
            .sum();
        assert!(counted == 0 || written >= 10, "{}", program.log());
        (counted > 0 && written + counted == CALLS).then_some(())
    });
}

#[test]
fn a_program_with_a_subscriber_writes_nothing_twice() {
    let program = Program::start(&[]);
    let incident = incident(&program, "panic", "[]");
    eventually("the error is in the log", || {
        program.log().contains(&incident).then_some(())
    });
    program.signal("TERM");
    let (_, log) = program.end();
    let incident = format!("incident={incident}");
    assert_eq!(log.matches(&incident).count(), 1, "{log}");
    assert_eq!(log.matches("listening on http://").count(), 1, "{log}");
    assert!(
        !log.lines().any(|line| line.starts_with("error: ")),
        "{log}"
    );
}

#[test]
fn a_server_says_where_it_listens_without_a_subscriber_too() {
    let program = Program::start(&["--no-log"]);
    let address = program.server.address;
    let line = format!("listening on http://{address}/rpc, docs at http://{address}/docs");
    eventually("the line is on stderr", || {
        program.log().lines().any(|own| own == line).then_some(())
    });
    program.signal("TERM");
    let (status, log) = program.end();
    assert_eq!((status.code(), log.lines().count()), (Some(0), 1), "{log}");
}
