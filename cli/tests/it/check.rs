//! `docent check` on documents: findings, allow-lists and exit codes.
//!
//! Checks of live services are tested with services that break their descriptions, in `lies.rs`.

use crate::support::{Folder, data, run, run_with_input};

#[test]
fn a_description_without_faults_passes() {
    let ran = run(["check", &data("shop.json")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.ends_with(
        "shop.json: Docent service description, 2 procedures, 0 warnings, 0 undocumented\n"
    ));
}

#[test]
fn what_is_wrong_is_listed_with_its_place() {
    let document = data("weather.openrpc.json");
    let ran = run(["check", &document]);
    assert_eq!(ran.code, 1);
    let lines: Vec<_> = ran
        .stdout
        .lines()
        .map(|line| line.strip_prefix(&document).expect(line))
        .collect();
    assert_eq!(
        lines,
        [
            ":9:103: warning: /methods/0/params/1/colour: unknown member, kept as `$unknown-colour`",
            ": undocumented: procedure `forecast`; write a `summary`",
            ": undocumented: procedure `forecast`, parameter `place`; write a `description` beside its name",
            ": undocumented: procedure `forecast`, return; write a `description` beside its schema",
            ": undocumented: procedure `forecast`, error 7; give it a message, such as with `.error(code, message)`",
            ": OpenRPC document, 1 procedure, 1 warning, 4 undocumented",
        ]
    );
    assert_eq!(
        ran.stderr,
        "docent: 1 warning and 4 parts without documentation\n"
    );
}

#[test]
fn what_is_allowed_is_listed_and_does_not_fail() {
    let document = data("weather.openrpc.json");
    let both = run(["check", &document, "--allow", "warnings,undocumented"]);
    assert_eq!((both.code, both.stdout.lines().count()), (0, 6));
    let one = run(["check", &document, "--allow", "warnings"]);
    assert_eq!(
        (one.code, one.stderr.as_str()),
        (1, "docent: 4 parts without documentation\n")
    );
}

#[test]
fn a_mistake_in_the_text_is_named_by_line_and_column() {
    let folder = Folder::new();
    let document = folder.write("bad.json", "{\n  \"näme\": \"x\" \"y\"\n}");
    let ran = run(["check", &document]);
    assert_eq!(ran.code, 4);
    assert_eq!(
        ran.stderr,
        format!("docent: {document}:2:15: not JSON: unexpected character at byte 17\n")
    );
    let document = folder.write("other.json", "{\"openapi\": \"3.1.0\"}");
    let ran = run(["check", &document]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.stderr
            .contains("not a service description: it is an OpenAPI document"),
        "{}",
        ran.stderr
    );
}

#[test]
fn warnings_of_one_kind_are_one_line_with_a_number() {
    let folder = Folder::new();
    let mut params = Vec::new();
    for number in 0..40 {
        let schema = format!(r#"{{"$ref": "./other.json#/{number}"}}"#);
        params.push(format!(r#"{{"name": "p{number}", "schema": {schema}}}"#));
    }
    let document = folder.write(
        "many.json",
        &format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "x", "version": "1"}}, "colour": 1, "methods": [
                {{"name": "m", "params": [{}], "result": {{"name": "r", "schema": true}}}}]}}"#,
            params.join(",")
        ),
    );
    let kind = "points outside the document and is not followed (and 39 more like this)";
    for command in ["check", "describe", "docs"] {
        let site = folder.arg("site");
        let output = if command == "docs" {
            vec!["-o", &site]
        } else {
            Vec::new()
        };
        let ran = run([&[command, &document][..], &output].concat());
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let mut warnings = said.lines().filter(|line| line.contains(": warning: "));
        assert!(
            warnings.any(|line| line.contains("/0` ") && line.contains(kind)),
            "{said}"
        );
        assert_eq!(said.matches(": warning: ").count(), 2, "{command}: {said}");
    }
    let ran = run(["check", "--json", &document]);
    assert_eq!(
        ran.stdout.matches("is not followed").count(),
        40,
        "{}",
        ran.stdout
    );
}

#[test]
fn what_can_be_read_is_checked_whatever_becomes_of_the_rest() {
    let ran = run(["check", "missing.json", &data("shop.json")]);
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("2 procedures") && ran.stderr.contains("missing.json"));
    // An invalid input stays invalid, but the other failure may pass.
    let ran = run(["check", "missing.json", &data("weather.openrpc.json")]);
    assert_eq!(ran.code, 1);
}

#[test]
fn standard_input_is_read_with_a_byte_order_mark_and_in_an_answer() {
    let response = "\u{feff}{\"jsonrpc\": \"2.0\", \"id\": 1,\n\"result\": {\"openrpc\": \"1.3.2\", \"info\": {}, \"methods\": []}}";
    let ran = run_with_input(&["check", "-", "--allow", "warnings"], response.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .starts_with("standard input:2:40: warning: /result/info: `title` is missing"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_a_terminal_would_obey_is_spelt_out() {
    let document = "{\"openrpc\": \"1.3.2\", \"info\": {\"title\": \"x\", \"version\": \"1\"}, \"methods\": [{\"name\": \"a\\u001b[2J\\nb\\u202e\", \"params\": [], \"result\": {\"name\": \"r\", \"schema\": {}}}]}";
    let ran = run_with_input(&["check", "-"], document.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("procedure `a[U+001B][2J b[U+202E]`"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_mistake_in_an_allow_list_names_its_line() {
    let folder = Folder::new();
    let document = folder.write("shop.json", "");
    for (lines, reason) in [
        (
            "{\"rule\": \"broken-example\", \"reason\": \"x\"}\n{\"rule\": \"broken-exmaple\", \"reason\": \"x\"}",
            ":2: unknown rule `broken-exmaple`; did you mean `broken-example`?",
        ),
        (
            "{\"rule\": \"nothing-of-ours\", \"reason\": \"x\"}",
            ":1: unknown rule `nothing-of-ours`\n",
        ),
        (
            "{\"rule\": \"warning\", \"pointer\": \"/procs/0\", \"reason\": \"x\"}",
            ":1: unknown member `pointer`",
        ),
        (
            "{\"rule\": \"warning\", \"reason\": \" \"}",
            ":1: `reason` should be text",
        ),
        ("# comment\n\n[]", ":3: expected an object"),
    ] {
        let list = folder.write("allowed", lines);
        let ran = run(["check", &document, "--allow-list", &list]);
        assert_eq!(ran.code, 2, "{lines}");
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    }
}
