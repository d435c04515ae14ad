use std::process::Command;

use crate::support::{Folder, docent, run, run_with_input};

const OLD: &str = r#"{
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

fn edited(from: &str, to: &str) -> String {
    assert!(OLD.contains(from), "{from}");
    OLD.replace(from, to)
}

fn pair(folder: &Folder, new: &str) -> [String; 2] {
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
    // Where nothing breaks callers, the version may stay.
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
    let guide = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../server/guide/compatibility.md"
    );
    let guide = std::fs::read_to_string(guide).expect("the guide");
    assert!(guide.contains(&ran.stdout), "{}", ran.stdout);
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

#[test]
fn a_file_in_a_revision_is_read_with_git() {
    let repository = Repository::new();
    let folder = &repository.0;
    folder.write("api/s.json", &edited("book.lend", "book.borrow"));
    let diff = |old: &str| repository.diff(&[old, "api/s.json"]);
    for (old, place) in [
        ("git:HEAD:api/s.json", "git:HEAD:api/s.json:8 /procs/1"),
        ("git:HEAD", "git:HEAD:./api/s.json:8 /procs/1"),
    ] {
        let ran = diff(old);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stdout.contains(place), "{}", ran.stdout);
    }
    let ran = diff("git:HEAD:missing.json");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("does not exist in 'HEAD'"),
        "{}",
        ran.stderr
    );
    for old in ["git:--textconv:api/s.json", "git::api/s.json", "git:HEAD:"] {
        assert_eq!(diff(old).code, 2, "{old}");
    }
    let listed = docent(["list", "git:HEAD"])
        .current_dir(folder.path(""))
        .output();
    assert_eq!(crate::support::Ran::from(listed.expect("it runs")).code, 2);
}

/// A repository with two services in the folder `api`.
struct Repository(Folder);

impl Repository {
    fn new() -> Self {
        let folder = Folder::new();
        folder.write("api/s.json", OLD);
        folder.write("api/more/t.json", &OLD.replace("urn:s", "urn:t"));
        let git = |arguments: &[&str]| {
            let identity = ["user.name=n", "user.email=e", "commit.gpgsign=false"];
            let ran = Command::new("git")
                .args(identity.iter().flat_map(|it| ["-c", it]))
                .args(arguments)
                .current_dir(folder.path(""))
                .output()
                .expect("git");
            assert!(ran.status.success(), "{ran:?}");
        };
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-qm", "One"]);
        Self(folder)
    }

    fn diff(&self, arguments: &[&str]) -> crate::support::Ran {
        let mut command = docent(["diff"].iter().chain(arguments));
        let command = command.current_dir(self.0.path(""));
        command.output().expect("it runs").into()
    }
}

#[test]
fn a_folder_is_compared_file_by_file_with_its_state_in_a_revision() {
    let repository = Repository::new();
    let folder = &repository.0;
    let same = repository.diff(&["git:HEAD", "api"]);
    assert_eq!(
        (same.code, &*same.stdout),
        (0, "0 breaking, 0 risky, 0 safe\n")
    );

    // One is added, one changes, and what is no description is left out.
    folder.write("api/new.json", &OLD.replace("book.", "new."));
    folder.write("api/s.json", &edited("\"maximum\": 100", "\"maximum\": 50"));
    folder.write("api/package.json", "{\"name\": \"x\"}");
    for arguments in [["git:HEAD", "api"], ["git:HEAD:api", "api"]] {
        let ran = repository.diff(&arguments);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        let end = "\n1 breaking, 0 risky, 2 safe\n";
        assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("api/s.json:7 /procs/0"),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stderr
                .contains("left out: api/package.json: not a service description")
        );
    }
    let allow = folder.write(
        "allow.jsonl",
        r#"{"rule": "param-narrowed", "procedure": "book.find", "reason": "x"}"#,
    );
    assert_eq!(
        repository
            .diff(&["git:HEAD", "api", "--allow", &allow])
            .code,
        0
    );

    // One is removed.
    std::fs::remove_file(folder.path("api/more/t.json")).expect("there");
    let ran = repository.diff(&["git:HEAD", "api", "--allow", &allow, "--format", "markdown"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("**2 breaking, 0 risky, 2 safe, 1 allowed**")
            && ran
                .stdout
                .contains("| `procedure-removed` | s: book.<!-- -->lend |"),
        "{}",
        ran.stdout
    );

    // A description that is broken does not pass as one that was never there.
    folder.write("api/s.json", "{");
    assert_eq!(repository.diff(&["git:HEAD", "api"]).code, 4);
}

#[test]
fn a_folder_of_a_revision_has_to_exist() {
    let repository = Repository::new();
    let folder = &repository.0;
    folder.write("fresh/s.json", OLD);
    folder.write("empty/notes.txt", "");
    for (old, new, code, said) in [
        ("git:HEAD", "fresh", 0, ""),
        ("git:HEAD:fresh", "fresh", 3, "not in 'HEAD'"),
        ("git:nowhere", "fresh", 3, "invalid object name 'nowhere'"),
        (
            "api/s.json",
            "fresh",
            2,
            "fresh is a folder, and api/s.json is not",
        ),
        ("empty", "empty", 4, "empty: no file that ends with .json"),
        ("git:HEAD:api", "nowhere", 3, "nowhere: No such file"),
        (
            "api",
            "api/s.json",
            2,
            "api is a folder, and api/s.json is not",
        ),
    ] {
        let ran = repository.diff(&[old, new]);
        assert_eq!(ran.code, code, "{old}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{old}: {}", ran.stderr);
    }
}

#[test]
fn a_consumer_of_a_service_that_has_not_changed_is_known() {
    let repository = Repository::new();
    let folder = &repository.0;
    folder.write("api/s.json", &edited("book.lend", "book.borrow"));
    uses(folder, "kiosk", "urn:t", r#""book.find", "book.lnd""#);
    let ran = repository.diff(&["git:HEAD", "api", "--used", "uses"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let end = "0 breaking, 0 risky, 1 safe, 1 allowed\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    assert_eq!(
        ran.stderr,
        "docent: kiosk uses `book.lnd`, which is unknown\n"
    );
}

/// Writes the list of a consumer.
fn uses(folder: &Folder, consumer: &str, id: &str, procedures: &str) -> String {
    let text = format!(
        r#"{{"consumer": "{consumer}", "service": {{"id": "{id}", "name": "s"}}, "procedures": [{procedures}]}}"#
    );
    folder.write(&format!("uses/{consumer}.docent-uses.json"), &text)
}

#[test]
fn only_changes_that_hit_a_listed_consumer_count() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited(r#""maximum": 100"#, r#""maximum": 50"#));
    let kiosk = uses(&folder, "kiosk", "urn:s", r#""book.f*""#);
    let lender = uses(&folder, "lender", "urn:s", r#""book.lend""#);

    let ran = run(["diff", &old, &new, "--used", &lender]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let end =
        "    Allowed: No listed consumer uses it.\n\n0 breaking, 0 risky, 0 safe, 1 allowed\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);

    let both = ["--used", &lender, "--used", &kiosk];
    let all = ["--used", &folder.arg("uses")];
    for used in [&both[..], &all] {
        for (format, part) in [
            ("human", "is rejected now. Hits kiosk.\n"),
            ("json", "\"hits\": [\n        \"kiosk\"\n      ]"),
            ("markdown", "is rejected now. Hits kiosk. |"),
            ("annotations", "is rejected now. Hits kiosk."),
        ] {
            let arguments = ["diff", &old, &new, "--format", format];
            let ran = run(arguments.iter().chain(used));
            assert_eq!(
                (ran.code, &*ran.stderr),
                (1, "docent: 1 change breaks callers\n")
            );
            assert!(ran.stdout.contains(part), "{}", ran.stdout);
        }
    }
}

#[test]
fn a_change_of_the_whole_service_hits_all_its_consumers() {
    let folder = Folder::new();
    let old = OLD.replace("\"name\": \"s\"", "\"name\": \"s\", \"version\": \"1\"");
    let new = old.replace("book.lend", "book.borrow");
    let [old, new] = [
        folder.write("old.json", &old),
        folder.write("new.json", &new),
    ];
    uses(&folder, "kiosk", "urn:s", r#""book.find""#);
    uses(&folder, "lender", "urn:s", r#""book.lend""#);
    let ran = run(["diff", &old, &new, "--used", &folder.arg("uses")]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("`book.lend` is gone. Hits lender.\n")
            && ran
                .stdout
                .contains("changes break callers. Hits kiosk, lender.\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_list_that_cannot_be_right_is_said() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, OLD);
    let other = uses(&folder, "other", "urn:other", r#""book.find""#);
    let slip = uses(&folder, "slip", "urn:s", r#""book.fnd", "book.*""#);
    let ran = run(["diff", &old, &new, "--used", &other, "--used", &slip]);
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            0,
            "docent: other uses another service, urn:other\n\
             docent: slip uses `book.fnd`, which is unknown\n"
        )
    );
    let broken = folder.write("broken.json", r#"{"service": {"name": "s"}}"#);
    for (used, said) in [
        (broken.as_str(), "missing field `procedures`"),
        (&folder.arg("uses/none"), "No such file"),
    ] {
        let ran = run(["diff", &old, &new, "--used", used]);
        assert!(ran.code > 1 && ran.stderr.contains(said), "{}", ran.stderr);
    }
    std::fs::create_dir(folder.path("empty")).expect("made");
    let ran = run(["diff", &old, &new, "--used", &folder.arg("empty")]);
    assert_eq!(
        (ran.code, &*ran.stderr),
        (2, "docent: --used: no docent-uses.json there\n")
    );
}
