//! The program's flags for protocol versions.

use crate::process::Program;

/// A body, and the status and the text of the response.
type Case = (&'static str, u16, &'static str);

const OF_1_0: &str = r#"{"method":"subtract","params":[42,23],"id":7}"#;
const OF_1_1: &str = r#"{"version":"1.1","method":"subtract","params":[42,"23"],"id":{"a":7}}"#;
const NOBODYS: &str = "-32600";

fn check(flags: &[&str], cases: &[Case]) {
    let program = Program::start(flags);
    for (body, status, answer) in cases {
        let answered = program.server.post(body);
        assert_eq!(answered.status, *status, "{flags:?} {body}");
        assert!(answered.text().contains(answer), "{flags:?} {answered:?}");
    }
}

#[test]
fn unless_told_otherwise_1_1_is_taken_and_1_0_is_not() {
    let returned = r#"{"version":"1.1","result":19,"id":{"a":7}}"#;
    check(&[], &[(OF_1_1, 200, returned), (OF_1_0, 200, NOBODYS)]);
}

#[test]
fn each_version_can_be_switched() {
    let response = r#"{"result":19,"error":null,"id":7}"#;
    check(&["--v1-0"], &[(OF_1_0, 200, response)]);
    check(&["--no-v1-1"], &[(OF_1_1, 200, NOBODYS)]);
}

#[test]
fn get_can_answer_as_1_1_has_it() {
    let program = Program::start(&["--get-v1-1"]);
    for (target, status, answer) in [
        ("sum?0=1&1=2", 200, r#"{"version":"1.1","result":3}"#),
        ("sum?0=x", 500, r#""code":406"#),
        ("nothing", 404, r#""code":404"#),
        ("count", 405, r#""code":405"#),
    ] {
        let answered = program.server.get(&format!("/rpc/{target}"));
        assert_eq!(answered.status, status, "{target}");
        assert!(answered.text().contains(answer), "{answered:?}");
    }
}
