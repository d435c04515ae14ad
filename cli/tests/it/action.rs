//! The GitHub Action: what its last step runs.

use std::process::Command;

use crate::support::{Folder, Ran, data_text};

const GATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../action/gate.sh");

fn git(folder: &Folder, arguments: &[&str]) {
    let identity = ["user.name=n", "user.email=e", "commit.gpgsign=false"];
    let mut git = Command::new("git");
    git.args(identity.iter().flat_map(|setting| ["-c", setting]));
    let ran = git
        .args(arguments)
        .current_dir(folder.path("work"))
        .output();
    let ran = ran.expect("git");
    assert!(ran.status.success(), "{ran:?}");
}

/// Runs the step in a repository.
fn gate(folder: &Folder, variables: &[(&str, &str)]) -> Ran {
    let mut step = Command::new("sh");
    step.arg(GATE)
        .current_dir(folder.path("work"))
        .env("DOCENT", env!("CARGO_BIN_EXE_docent"))
        .env("FOLDER", "api")
        .env("BASE", "main")
        .env("GITHUB_STEP_SUMMARY", folder.path("summary"))
        .envs(variables.iter().copied());
    step.output().expect("it runs").into()
}

fn repository() -> Folder {
    let folder = Folder::new();
    folder.write("work/api/shop.json", &data_text("shop.json"));
    git(&folder, &["init", "-q", "-b", "main"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "One"]);
    folder
}

#[test]
fn the_gate_annotates_and_fails_where_callers_break() {
    let folder = repository();
    let same = gate(&folder, &[]);
    assert_eq!(
        (same.code, &*same.stdout),
        (0, "0 breaking, 0 risky, 0 safe\n")
    );

    let changed = data_text("shop.json").replace("\"basket.clear\"", "\"basket.empty\"");
    folder.write("work/api/shop.json", &changed);
    let ran = gate(&folder, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let start = "::error file=api/shop.json,line=";
    assert!(ran.stdout.starts_with(start), "{}", ran.stdout);
    let summary = folder.read("summary");
    assert!(
        summary.contains("| breaking | `procedure-removed` |"),
        "{summary}"
    );

    let allow = r#"{"rule": "procedure-removed", "procedure": "basket.clear", "reason": "x"}"#;
    folder.write("work/a list.jsonl", allow);
    assert_eq!(gate(&folder, &[("ALLOW", "a list.jsonl")]).code, 0);
    for (name, procedure) in [("one", "basket.clear"), ("two", "basket.add")] {
        let uses = format!(r#"{{"service": {{"name": "shop"}}, "procedures": ["{procedure}"]}}"#);
        folder.write(&format!("work/{name} list.json"), &uses);
    }
    assert_eq!(gate(&folder, &[("USED", "two list.json\n")]).code, 0);
    assert_eq!(
        gate(&folder, &[("USED", "one list.json\ntwo list.json\n")]).code,
        1
    );
}

#[test]
fn the_gate_fetches_a_revision_that_a_checkout_lacks() {
    let folder = repository();
    let origin = folder.arg("work");
    let clone = Folder::new();
    std::fs::create_dir(clone.path("work")).expect("made");
    git(
        &clone,
        &["clone", "-q", "--depth=1", &format!("file://{origin}"), "."],
    );
    let changed = data_text("shop.json").replace("\"basket.clear\"", "\"basket.empty\"");
    folder.write("work/api/shop.json", &changed);
    git(&folder, &["commit", "-qam", "Two"]);
    git(&folder, &["branch", "release"]);
    let ran = gate(&clone, &[("BASE", "release")]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("`basket.empty` is gone"),
        "{}",
        ran.stdout
    );

    let zeros = "0000000000000000000000000000000000000000";
    assert_eq!(gate(&clone, &[("BASE", zeros)]).code, 0);
    for base in ["", "nowhere"] {
        assert!(gate(&clone, &[("BASE", base)]).code > 1, "{base}");
    }
}
