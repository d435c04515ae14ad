//! The compiler's errors for the most common mistakes.
//!
//! Each file in `ui/` makes one mistake and starts with sentences that the compiler's errors must
//! contain, and with those that they must not. Whole messages are not compared, because they change
//! with every compiler. What matters is that the real mistake is named.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

struct Case {
    name: String,
    path: PathBuf,
    expected: Vec<String>,
    absent: Vec<String>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files = fs::read_dir(folder).expect("the folder of cases");
    let mut cases: Vec<Case> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let source = fs::read_to_string(&path).expect("a readable case");
            let marked = |mark: &str| {
                source
                    .lines()
                    .filter_map(|line| line.strip_prefix(mark))
                    .map(str::to_owned)
                    .collect()
            };
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            Case {
                expected: marked("// expect: "),
                absent: marked("// absent: "),
                name,
                path,
            }
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// Returns a package with every case as a program, and the workspace's versions of all
/// dependencies.
fn write_package(folder: &Path, cases: &[Case]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut manifest = format!(
        "[package]\nname = \"ui\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ndocent-core = {{ path = '{}' }}\nschemars = \"1\"\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n",
        root.display()
    );
    for Case { name, path, .. } in cases {
        let path = path.display();
        write!(manifest, "\n[[bin]]\nname = '{name}'\npath = '{path}'\n").expect("memory");
    }
    fs::create_dir_all(folder).expect("a folder to work in");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::copy(root.join("../Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
}

/// Returns the errors of the compiler for each program.
fn errors(folder: &Path) -> HashMap<String, String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--bins",
            "--keep-going",
            "--message-format=json",
        ])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .expect("cargo runs");
    let mut errors: HashMap<String, String> = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if message["message"]["level"] == "error" {
            let name = message["target"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
            errors.entry(name).or_default().push_str(rendered);
        }
    }
    assert!(
        !errors.is_empty(),
        "no case was compiled: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    errors
}

#[test]
fn the_compiler_names_the_real_mistake() {
    let cases = cases();
    assert!(cases.len() >= 5, "the cases were not found");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    write_package(&folder, &cases);
    let errors = errors(&folder);
    let mut wrong = Vec::new();
    for Case {
        name,
        expected,
        absent,
        ..
    } in &cases
    {
        assert!(!expected.is_empty(), "{name} expects nothing");
        let said = errors.get(name).map_or("", String::as_str);
        let missing = expected.iter().filter(|sentence| !said.contains(*sentence));
        wrong
            .extend(missing.map(|sentence| format!("{name}: {sentence:?} is missing in:\n{said}")));
        let present = absent.iter().filter(|sentence| said.contains(*sentence));
        wrong.extend(present.map(|sentence| format!("{name}: {sentence:?} is there in:\n{said}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
