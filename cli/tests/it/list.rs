//! `docent list`: the procedures of a service, for programs and for people.

use crate::support::{Folder, data, run, run_with_input};

#[test]
fn a_program_gets_a_line_for_each_procedure() {
    let ran = run(["list", &data("shop.json")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let names: Vec<_> = ran
        .stdout
        .lines()
        .map(|line| line.split('\t').next())
        .collect();
    assert_eq!(names, [Some("basket.add"), Some("basket.clear")]);
}

#[test]
fn a_program_gets_json_where_it_asks_for_it() {
    let ran = run(["list", &data("shop.json"), "--json"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout
            .starts_with("[\n  {\n    \"name\": \"basket.add\""),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_name_keeps_to_its_line() {
    let document = r#"{"sdversion": "2.0", "name": "x", "id": "urn:x", "procs": [
        {"name": "a\u001b]0;owned\u0007\n\u202eb", "summary": "One.\r\nTwo\u009b."}]}"#;
    let ran = run_with_input(&["list", "-"], document.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "a[U+001B]]0;owned[U+0007] [U+202E]b\tOne. Two[U+009B].\n"
    );
}

#[test]
fn a_pattern_stands_for_several_procedures() {
    let shop = data("shop.json");
    let ran = run(["list", &shop, "*.cl?ar"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("basket.clear"), "{}", ran.stdout);
    let ran = run(["describe", &shop, "basket.*"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("basket.add") && ran.stdout.contains("basket.clear"));
    for command in ["list", "describe"] {
        let ran = run([command, &shop, "none.*"]);
        assert_eq!(ran.code, 2, "{command}");
        assert!(
            ran.stderr.contains("there is no procedure `none.*`"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_document_whose_procedures_cannot_be_read_says_why() {
    let folder = Folder::new();
    for (name, methods, reason) in [
        (
            "map.json",
            r#"{"ping": {"params": []}}"#,
            "/methods: should be an array and is an object",
        ),
        (
            "text.json",
            r#""ping""#,
            "/methods: should be an array and is a string",
        ),
        (
            "gone.json",
            r#"[{"$ref": "other.json#/ping"}]"#,
            "/methods/0: `other.json#/ping` points outside",
        ),
        (
            "unnamed.json",
            r#"[{"params": []}, 5]"#,
            "/methods/0: a method without a name",
        ),
    ] {
        let document = format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "t", "version": "1"}}, "methods": {methods}}}"#
        );
        let file = folder.write(name, &document);
        let output = folder.arg("out");
        for command in [
            &["list", &file][..],
            &["describe", &file],
            &["check", &file],
            &["docs", &file, "-o", &output],
            &["client", &file, "-l", "rust", "-o", &output],
        ] {
            let ran = run(command);
            assert_eq!(ran.code, 4, "{command:?}: {}", ran.stderr);
            assert!(
                ran.stderr.contains("no procedure is left"),
                "{command:?}: {}",
                ran.stderr
            );
            assert!(ran.stderr.contains(reason), "{command:?}: {}", ran.stderr);
            assert!(!folder.has("out"), "{command:?}");
        }
    }
    // An empty list is nothing wrong.
    let none = folder.write(
        "none.json",
        r#"{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": []}"#,
    );
    assert_eq!(run(["list", &none]).code, 0);
}

#[test]
fn a_procedure_that_is_left_out_is_told() {
    let document = r##"{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [
        {"name": "ping", "params": []}, {"$ref": "#/nothing"}]}"##;
    let ran = run_with_input(&["list", "-"], document.as_bytes());
    assert_eq!((ran.code, &*ran.stdout), (0, "ping\n"));
    assert!(
        ran.stderr
            .contains("/methods/1: `#/nothing` points to nothing"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_no_single_request_calls_is_marked() {
    let document = r#"{"sdversion": "2.0", "name": "x", "id": "urn:x", "procs": [
        {"name": "watch", "summary": "Tells.", "params": [], "subscription": {"item": {"type": "num", "schema": {"type": "integer"}}}},
        {"name": "closes", "direction": "server", "notification": true, "params": []}]}"#;
    let ran = run_with_input(&["list", "-"], document.as_bytes());
    assert_eq!(
        ran.stdout, "watch\tTells. (subscription)\ncloses\t(sent by the service)\n",
        "{}",
        ran.stderr
    );
    let ran = run_with_input(&["list", "-", "--json"], document.as_bytes());
    assert!(
        ran.stdout.contains("\"subscription\": true"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\"sent\": true"), "{}", ran.stdout);
}
