//! The compiler's errors for the most common mistakes.
//!
//! Each file in `ui/` makes mistakes that belong together. Those in `attributes/` are mistakes with
//! the attributes and the derive, those in `clients/` are mistakes with the clients that
//! docent makes, and those in `subscriptions/` are mistakes with `Subscription::new`. Three kinds of comments say what the compiler must report:
//!
//! | comment | |
//! |---|---|
//! | `//~^ text` | an error on the line above has this text; each further `^` is a line further up |
//! | `// expect: text` | an error anywhere in the file has this text |
//! | `// absent: text` | no error in the file has this text |
//!
//! Whole messages are not compared, because those of the compiler change with every release. What
//! matters is that the real mistake is named, in its place, with its cure. Errors of our own macros
//! must all be expected: they are those without an error code.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

struct Case {
    name: String,
    path: PathBuf,
    /// Texts of errors, with their lines.
    placed: Vec<(u64, String)>,
    expected: Vec<String>,
    absent: Vec<String>,
}

impl Case {
    fn expects(&self, error: &Reported) -> bool {
        self.placed
            .iter()
            .any(|(line, text)| error.line == *line && error.text.contains(text))
            || self.expected.iter().any(|text| error.text.contains(text))
    }

    fn read(prefix: &str, path: PathBuf) -> Self {
        let source = fs::read_to_string(&path).expect("a readable case");
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let marked = |mark: &str| {
            source
                .lines()
                .filter_map(|line| line.strip_prefix(mark))
                .map(str::to_owned)
                .collect()
        };
        let placed = (1..).zip(source.lines()).filter_map(|(number, line)| {
            let (carets, text) = line.trim_start().strip_prefix("//~")?.split_once(' ')?;
            let up = u64::try_from(carets.len()).expect("few carets");
            Some((number - up, text.to_owned()))
        });
        Self {
            name: format!("{prefix}{stem}"),
            placed: placed.collect(),
            expected: marked("// expect: "),
            absent: marked("// absent: "),
            path,
        }
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut cases = Vec::new();
    for (prefix, folder) in [
        ("", folder.clone()),
        ("attributes_", folder.join("attributes")),
        ("clients_", folder.join("clients")),
        ("subscriptions_", folder.join("subscriptions")),
    ] {
        for file in fs::read_dir(folder).expect("the folder of cases") {
            let path = file.expect("a file").path();
            if path.is_file() {
                cases.push(Case::read(prefix, path));
            }
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// Writes a package with every case as a program, and the workspace's versions of all dependencies.
///
/// It has the workspace's profiles too, so that macros which the workspace has built are not built again.
fn write_package(folder: &Path, cases: &[Case]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = fs::read_to_string(root.join("../Cargo.toml")).expect("the workspace");
    let profiles = workspace
        .find("[profile.dev]")
        .map(|start| &workspace[start..])
        .expect("the profiles, at the end");
    let mut manifest = format!(
        "[package]\nname = \"ui\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ndocent-core = {{ path = '{root}' }}\n\
         docent = {{ path = '{root}/../server', default-features = false, \
         features = [\"client\"] }}\n\
         futures-util = \"0.3\"\n\
         schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\n{profiles}",
        root = root.display()
    );
    for Case { name, path, .. } in cases {
        let path = path.display();
        write!(manifest, "\n[[bin]]\nname = '{name}'\npath = '{path}'\n").expect("memory");
    }
    fs::create_dir_all(folder).expect("a folder to work in");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::copy(root.join("../Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
}

/// An error of the compiler.
struct Reported {
    case: String,
    line: u64,
    text: String,
    /// True if one of our macros reports it.
    ours: bool,
}

impl Reported {
    /// Reads a line of cargo's output, if it is an error with a place.
    fn read(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        let message = &line["message"];
        if message["level"] != "error" {
            return None;
        }
        let spans = message["spans"].as_array()?;
        let primary = spans.iter().find(|span| span["is_primary"] == true)?;
        // The place where a macro has put the code that is wrong.
        let mut place = primary;
        while place["expansion"]["span"]["line_start"].is_u64()
            && !place["file_name"].as_str()?.contains("tests/ui")
        {
            place = &place["expansion"]["span"];
        }
        Some(Self {
            case: line["target"]["name"].as_str()?.to_owned(),
            line: place["line_start"].as_u64()?,
            text: message["rendered"].as_str()?.to_owned(),
            ours: message["code"].is_null(),
        })
    }
}

/// Returns the errors of the compiler for all programs.
fn reported(folder: &Path) -> Vec<Reported> {
    // The workspace's own, which has the folder for the files of tests in it.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target directory");
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--bins",
            "--keep-going",
            "--message-format=json",
        ])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    let lines = String::from_utf8_lossy(&output.stdout);
    let reported: Vec<_> = lines.lines().filter_map(Reported::read).collect();
    assert!(
        !reported.is_empty(),
        "no case was compiled: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    reported
}

/// Returns what is not as a case says.
fn wrong(case: &Case, reported: &[&Reported]) -> Vec<String> {
    let name = &case.name;
    let mut wrong = Vec::new();
    let said: String = reported.iter().map(|error| error.text.as_str()).collect();
    for text in &case.expected {
        if !said.contains(text) {
            wrong.push(format!("{name}: {text:?} is missing in:\n{said}"));
        }
    }
    for text in &case.absent {
        if said.contains(text) {
            wrong.push(format!("{name}: {text:?} is there in:\n{said}"));
        }
    }
    for (line, text) in &case.placed {
        let here: String = reported
            .iter()
            .filter(|error| error.line == *line)
            .map(|error| error.text.as_str())
            .collect();
        if !here.contains(text) {
            wrong.push(format!("{name}:{line}: {text:?} is missing in:\n{here}"));
        }
    }
    for error in reported {
        if error.ours && !case.expects(error) {
            wrong.push(format!(
                "{name}:{}: nothing expects:\n{}",
                error.line, error.text
            ));
        }
    }
    wrong
}

#[test]
fn the_compiler_names_the_real_mistake() {
    let cases = cases();
    assert!(cases.len() >= 20, "the cases were not found");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    write_package(&folder, &cases);
    let reported = reported(&folder);
    let mut all = Vec::new();
    for case in &cases {
        let expects = case.placed.len() + case.expected.len();
        assert!(expects > 0, "{} expects nothing", case.name);
        let of_case: Vec<_> = reported
            .iter()
            .filter(|error| error.case == case.name)
            .collect();
        all.extend(wrong(case, &of_case));
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}
