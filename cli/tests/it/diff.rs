//! `docent diff`: its formats, its exit codes and its allow-list.
//!
//! Which changes are found, and what they mean to callers, is tested in `docent-tools`.

use crate::support::{Folder, run, run_with_input};

pub(crate) const OLD: &str = r#"{
  "sdversion": "2.0", "name": "s", "id": "urn:s",
  "procs": [
    {"name": "book.find",
     "params": [
       {"name": "words", "type": "str", "required": true, "schema": {"type": "string"}},
       {"name": "limit", "type": "num", "required": false, "schema": {"type": "integer", "maximum": 100}}]},
    {"name": "book.lend", "params": []}
  ]
}
"#;

pub(crate) fn edited(from: &str, to: &str) -> String {
    assert!(OLD.contains(from), "{from}");
    OLD.replace(from, to)
}

pub(crate) fn pair(folder: &Folder, new: &str) -> [String; 2] {
    [folder.write("old.json", OLD), folder.write("new.json", new)]
}

#[test]
fn a_change_that_breaks_callers_is_shown_with_its_place_and_fails() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited(r#""maximum": 100"#, r#""maximum": 50"#));
    let ran = run(["diff", &old, &new]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (1, "docent: 1 change breaks callers\n")
    );
    assert_eq!(
        ran.stdout,
        format!(
            "Breaking\n  param-narrowed  book.find\n    The parameter `limit`: `maximum` is `50`, \
             was `100`; `100` was accepted and is rejected now.\n    \
             {new}:7 /procs/0/params/1/schema\n\n1 breaking, 0 risky, 0 safe\n"
        )
    );
    let ran = run(["diff", &new, &old]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.contains("Safe\n  param-widened"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_fails_is_for_the_caller_to_say() {
    let folder = Folder::new();
    let risky = edited(r#""maximum": 100}"#, r#""maximum": 100}, "default": 10"#);
    let [old, new] = pair(&folder, &risky);
    for (fail_on, code) in [("breaking", 0), ("risky", 1), ("none", 0)] {
        assert_eq!(run(["diff", &old, &new, "--fail-on", fail_on]).code, code);
    }
    let gone = folder.write(
        "gone.json",
        &edited(",\n    {\"name\": \"book.lend\", \"params\": []}", ""),
    );
    for (fail_on, code) in [("breaking", 1), ("risky", 1), ("none", 0)] {
        assert_eq!(run(["diff", &old, &gone, "--fail-on", fail_on]).code, code);
    }
    assert_eq!(run(["diff", &old, "missing.json"]).code, 3);
    assert_eq!(run(["diff", &old]).code, 2);
    let other = folder.write("other.json", "{}");
    assert_eq!(run(["diff", &old, &other]).code, 4);
}

#[test]
fn an_allowed_change_does_not_fail_and_what_allows_nothing_is_reported() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited(r#""maximum": 100"#, r#""maximum": 50"#));
    let allow = |lines: &str| folder.write("allow.jsonl", lines);
    let list = allow(
        "# Why changes are fine.\n\n\
         {\"rule\": \"param-narrowed\", \"procedure\": \"book.find\", \"reason\": \"Nobody asks for more.\"}\n\
         {\"rule\": \"param-removed\", \"procedure\": \"book.find\", \"reason\": \"Old.\"}\n",
    );
    let ran = run(["diff", &old, &new, "--allow", &list]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("Allowed: Nobody asks for more."),
        "{}",
        ran.stdout
    );
    assert_eq!(
        ran.stderr,
        "docent: not needed in the allow-list: line 4, param-removed book.find\n"
    );
    for (lines, reason) in [
        (
            "{\"rule\": \"param-narrowed\", \"procedure\": \"book.find\"}",
            ":1: `reason` is missing",
        ),
        (
            "{\"rule\": \"param-narrowed\", \"reason\": \"x\"}",
            ":1: `procedure` or `pointer` is missing",
        ),
        (
            "\n{\"rule\": \"param-narowed\", \"pointer\": \"\", \"reason\": \"x\"}",
            ":2: unknown rule `param-narowed`; did you mean `param-narrowed`?",
        ),
        ("nonsense", ":1: not JSON"),
    ] {
        let ran = run(["diff", &old, &new, "--allow", &allow(lines)]);
        assert_eq!(ran.code, 2, "{lines}");
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    }
}

#[test]
fn the_list_gives_rules_other_verdicts() {
    let folder = Folder::new();
    let versioned =
        |text: &str| text.replace("\"name\": \"s\"", "\"name\": \"s\", \"version\": \"1\"");
    let old = folder.write("old.json", &versioned(OLD));
    let narrow = edited(r#""maximum": 100"#, r#""maximum": 50"#);
    let new = folder.write("new.json", &versioned(&narrow.replace("book.lend", "lend")));
    let diff = |lines: &str| {
        let list = folder.write("allow.jsonl", lines);
        run(["diff", &old, &new, "--allow", &list])
    };
    let summary =
        |ran: &crate::support::Ran| ran.stdout.lines().last().unwrap_or_default().to_owned();
    let ran = diff("");
    assert_eq!(summary(&ran), "2 breaking, 1 risky, 1 safe");
    assert!(ran.stdout.contains("version-kept"), "{}", ran.stdout);
    let narrowed = r#"{"rule": "param-narrowed", "verdict": "safe", "reason": "x"}"#;
    let added = r#"{"rule": "procedure-added", "verdict": "breaking", "reason": "x"}"#;
    let removed = r#"{"rule": "procedure-removed", "procedure": "book.lend", "verdict": "risky", "reason": "x"}"#;
    let ran = diff(&format!("{narrowed}\n{added}"));
    assert_eq!(
        (ran.code, &*summary(&ran)),
        (1, "2 breaking, 1 risky, 1 safe")
    );
    assert!(
        ran.stdout.contains("Safe\n  param-narrowed"),
        "{}",
        ran.stdout
    );
    // The version may stay if nothing breaks callers.
    let ran = diff(&format!("{narrowed}\n{removed}"));
    assert_eq!(
        (ran.code, &*summary(&ran)),
        (0, "0 breaking, 1 risky, 2 safe")
    );
    // An entry for every change of its rule waits for the next one; others are reported.
    let waiting = r#"{"rule": "error-added", "verdict": "safe", "reason": "x"}"#;
    assert_eq!(
        diff(&format!("{narrowed}\n{removed}\n{waiting}")).stderr,
        ""
    );
    let misplaced = removed.replace("book.lend", "book.find");
    assert!(
        diff(&misplaced)
            .stderr
            .contains("not needed in the allow-list: line 1")
    );
    let wrong = diff(&narrowed.replace("safe", "fine"));
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains(":1: `verdict` should be `safe`"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_rule_is_explained() {
    let ran = run(["diff", "--explain", "param-inserted"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    assert_eq!(
        ran.stdout,
        "param-inserted  breaking\n  An optional parameter stands before others, whose positions change.\n  \
         Existing callers stop working.\n  Instead: put it after the others.\n  \
         To accept it: --allow FILE, with a line {\"rule\": \"param-inserted\", \"procedure\": \"NAME\", \
         \"reason\": \"WHY\"}, or with a \"pointer\"\n"
    );
    let ran = run(["diff", "--explain", "param-added"]);
    assert_eq!(
        ran.stdout,
        "param-added  safe\n  There is a new optional parameter after the others.\n  \
         Callers need not do anything.\n"
    );
    let ran = run(["diff", "--explain", "param-inserte"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("param-inserted"), "{}", ran.stderr);
}

#[test]
fn a_program_gets_json() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited("book.lend", "book.borrow"));
    let ran = run(["diff", &old, &new, "--format", "json", "--fail-on", "none"]);
    assert_eq!(ran.code, 0);
    for part in [
        "\"breaking\": 1,",
        "\"rule\": \"procedure-removed\",\n      \"verdict\": \"breaking\",\n      \"document\": \"old\",\n      \"pointer\": \"/procs/1\",",
        "\"line\": 8",
    ] {
        assert!(ran.stdout.contains(part), "{part} in {}", ran.stdout);
    }
}

#[test]
fn annotations_point_at_lines_and_nothing_of_a_document_becomes_a_command() {
    let folder = Folder::new();
    let hostile = edited(
        "book.lend",
        r"x\u001b]0;a\u0007\n::error file=a::b\u202e%0A",
    );
    let old = folder.write("old.json", &hostile);
    let new = folder.write("new,1.json", OLD);
    let ran = run(["diff", &old, &new, "--format", "annotations"]);
    assert_eq!(ran.code, 1);
    let commands: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(commands.len(), 1, "{}", ran.stdout);
    assert!(
        commands[0].starts_with(&format!(
            "::error file={old},line=8,title=docent%3A procedure-removed::x[U+001B]"
        )),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}', '\u{7}']));
    let ran = run(["diff", &new, &old, "--format", "annotations"]);
    assert!(
        ran.stdout.contains("new%2C1.json,line=8,"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_gone_from_a_document_that_is_not_a_file_is_shown_in_the_new_one() {
    let folder = Folder::new();
    let limit = r#",
       {"name": "limit", "type": "num", "required": false, "schema": {"type": "integer", "maximum": 100}}"#;
    let lend = r#",
    {"name": "book.lend", "params": []}"#;
    for (gone, at) in [
        (limit, "line=4,title=docent%3A param-"),
        (lend, "line=3,title=docent%3A proc"),
    ] {
        let new = folder.write("new.json", &edited(gone, ""));
        let arguments = ["diff", "-", &new, "--format", "annotations"];
        let ran = run_with_input(&arguments, OLD.as_bytes());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        let expected = format!("::error file={new},{at}");
        assert!(ran.stdout.starts_with(&expected), "{}", ran.stdout);
    }
}

#[test]
fn markdown_is_a_table() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited("book.lend", "a|b <i>"));
    let ran = run([
        "diff",
        &old,
        &new,
        "--format",
        "markdown",
        "--fail-on",
        "none",
    ]);
    assert!(
        ran.stdout.starts_with(
            "**1 breaking, 0 risky, 1 safe**\n\n| verdict | rule | procedure | change |\n|---|---|---|---|\n"
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("| safe | `procedure-added` | a\\|b &lt;i&gt; |"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_openrpc_document_has_its_own_places() {
    let document = |schema: &str| {
        format!(
            "{{\"openrpc\": \"1.3.2\", \"info\": {{\"title\": \"t\", \"version\": \"1\"}},\n\
             \"methods\": [{{\"name\": \"m\", \"params\": [],\n\
             \"result\": {{\"name\": \"r\",\n\"schema\": {schema}}}}}]}}"
        )
    };
    let folder = Folder::new();
    let old = folder.write("old.json", &document("{\"type\": \"string\"}"));
    let new = folder.write("new.json", &document("{\"type\": [\"string\", \"null\"]}"));
    let ran = run(["diff", &old, &new]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("return-nullable"), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains(&format!("{new}:4 /methods/0/result/schema")),
        "{}",
        ran.stdout
    );
}
