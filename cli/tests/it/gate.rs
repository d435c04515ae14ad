//! `docent diff` as a gate: against a revision, for a folder, and for listed clients.

use std::process::Command;

use crate::diff::{OLD, edited, pair};
use crate::support::{Folder, docent, run};

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
                .args(identity.iter().flat_map(|setting| ["-c", setting]))
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
fn a_client_of_a_service_that_has_not_changed_is_known() {
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

/// Writes the list of a client.
fn uses(folder: &Folder, client: &str, id: &str, procedures: &str) -> String {
    let text = format!(
        r#"{{"client": "{client}", "service": {{"id": "{id}", "name": "s"}}, "procedures": [{procedures}]}}"#
    );
    folder.write(&format!("uses/{client}.docent-uses.json"), &text)
}

#[test]
fn only_changes_that_hit_a_listed_client_count() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited(r#""maximum": 100"#, r#""maximum": 50"#));
    let kiosk = uses(&folder, "kiosk", "urn:s", r#""book.f*""#);
    let lender = uses(&folder, "lender", "urn:s", r#""book.lend""#);

    let ran = run(["diff", &old, &new, "--used", &lender]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let end = "    Allowed: No listed client uses it.\n\n0 breaking, 0 risky, 0 safe, 1 allowed\n";
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
fn a_list_with_the_earlier_member_consumer_is_read() {
    let folder = Folder::new();
    let [old, new] = pair(&folder, &edited(r#""maximum": 100"#, r#""maximum": 50"#));
    let list = r#"{"consumer": "kiosk", "service": {"name": "s"}, "procedures": ["book.find"]}"#;
    let list = folder.write("earlier.json", list);
    let ran = run(["diff", &old, &new, "--used", &list]);
    assert!(ran.stdout.contains(" Hits kiosk.\n"), "{}", ran.stdout);
}

#[test]
fn a_change_of_the_whole_service_hits_all_its_clients() {
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
