//! The tables of promises: every row names a test that exists and runs, or says why there
//! is none.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The pages whose tables have a column of proofs, and the minimum number of rows of each.
const PAGES: [(&str, &str, usize); 3] = [
    (
        "conformance.md",
        include_str!("../../../docs/conformance.md"),
        100,
    ),
    (
        "diff-rules.md",
        include_str!("../../../docs/diff-rules.md"),
        80,
    ),
    ("promises.md", include_str!("../../../docs/promises.md"), 90),
];

/// The note on an ignored test that CI does run.
const RUN_BY_XTASK: &str = "run by `cargo xtask ignored`";

/// The beginnings of reasons in rows without a test. The page explains each of them.
const REASONS: [&str; 4] = [
    "client's duty",
    "author's duty",
    "permission",
    "defect of the draft",
];

struct Row<'a> {
    text: &'a str,
    cells: Vec<&'a str>,
}

impl Row<'_> {
    fn proof(&self) -> &str {
        self.cells.last().expect("a cell")
    }
}

/// Returns the rows of the tables whose last column is the proof.
fn rows(page: &'static str) -> Vec<Row<'static>> {
    let mut rows = Vec::new();
    let mut columns = None;
    for text in page.lines() {
        let inner = text.strip_prefix("| ");
        let Some(inner) = inner.and_then(|inner| inner.strip_suffix(" |")) else {
            columns = columns.filter(|_| text.starts_with("|--"));
            continue;
        };
        let cells: Vec<_> = inner.split(" | ").collect();
        if cells.last() == Some(&"proof") {
            columns = Some(cells.len());
        } else if let Some(columns) = columns {
            assert_eq!(cells.len(), columns, "{text}");
            rows.push(Row { text, cells });
        }
    }
    rows
}

/// Returns the tests that a cell names: text between backticks of the form `crate: file::test`.
fn named(proof: &str) -> impl Iterator<Item = &str> {
    let quoted = proof.split('`').skip(1).step_by(2);
    quoted.filter(|quoted| quoted.contains(": ") && quoted.contains("::"))
}

/// Returns the tasks that a cell names: `cargo xtask …`, which CI runs.
fn tasks(proof: &str) -> impl Iterator<Item = &str> {
    let quoted = proof.split('`').skip(1).step_by(2);
    quoted.filter_map(|quoted| quoted.strip_prefix("cargo xtask "))
}

/// Returns the file that should contain a test, the file that declares it as a module, and the
/// test's name.
fn place(test: &str) -> Option<(PathBuf, PathBuf, &str)> {
    let (package, path) = test.split_once(": ")?;
    let (file, name) = path.rsplit_once("::")?;
    let (folder, tests) = match package {
        "conformance" => ("examples/conformance", "tests/it"),
        "library" => ("examples/library", "tests/integration"),
        "library on PostgreSQL" => ("examples/library", "tests/postgres"),
        "cli" | "core" | "describe" | "docs-gen" | "fuzz" | "http" | "jwt" | "server" | "tools" => {
            (package, "tests/it")
        }
        _ => return None,
    };
    let folder = root().join(folder);
    let (file, root) = if let Some(inner) = file.strip_prefix("src/") {
        let file = folder.join("src").join(inner);
        let root = file.with_file_name("mod.rs");
        (file, root)
    } else {
        let file = folder.join(tests).join(file);
        let module = file.with_file_name("mod.rs");
        let main = folder.join(tests).join("main.rs");
        (file, if module.exists() { module } else { main })
    };
    Some((file.with_extension("rs"), root, name))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

/// Returns whether a source has a test with this name that runs.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let declares = |line: &str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.strip_prefix("fn ")
            .and_then(|line| line.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with('('))
    };
    lines.iter().enumerate().any(|(at, line)| {
        let attributes = lines[..at]
            .iter()
            .rev()
            .take_while(|line| line.starts_with("#["));
        let (mut tested, mut ignored) = (false, false);
        for attribute in attributes {
            tested |= attribute.ends_with("test]");
            ignored |= attribute.starts_with("#[ignore") && !attribute.contains(RUN_BY_XTASK);
        }
        declares(line) && tested && !ignored
    })
}

/// Returns why a test is not a proof, or `None` if it is.
fn refuse(test: &str, sources: &mut BTreeMap<PathBuf, String>) -> Option<String> {
    let Some((file, root, name)) = place(test) else {
        return Some(format!("{test}: no such crate"));
    };
    let mut read = |path: &Path| {
        let source = sources
            .entry(path.to_owned())
            .or_insert_with(|| fs::read_to_string(path).unwrap_or_default());
        source.clone()
    };
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let module = format!("mod {};", stem.expect("a name"));
    if !has_test(&read(&file), name) {
        Some(format!("{test}: no such test"))
    } else if root.exists() && !test.contains(": src/") && !read(&root).contains(&module) {
        Some(format!("{test}: its file is not part of the tests"))
    } else {
        None
    }
}

#[test]
fn every_proof_that_the_tables_name_exists_and_runs() {
    let mut sources = BTreeMap::new();
    let all_tasks = fs::read_to_string(root().join("xtask/src/main.rs")).expect("the tasks");
    let mut wrong = Vec::new();
    for (_, page, _) in PAGES {
        for row in rows(page) {
            wrong.extend(named(row.proof()).filter_map(|test| refuse(test, &mut sources)));
            let unknown = tasks(row.proof())
                .filter(|task| !all_tasks.contains(&format!("\"{task}\" =>")))
                .map(|task| format!("{task}: no such task"));
            wrong.extend(unknown);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_has_a_proof_or_a_reason() {
    for (name, page, least) in PAGES {
        let rows = rows(page);
        assert!(rows.len() >= least, "{name} has {} rows", rows.len());
        for row in rows {
            let has_reason = REASONS.iter().any(|reason| {
                row.proof()
                    .strip_prefix(reason)
                    .is_some_and(|rest| rest.starts_with(": ") && rest.len() > 10)
            });
            let proofs = named(row.proof()).chain(tasks(row.proof())).count();
            assert!(has_reason || proofs > 0, "{name}: {}", row.text);
        }
    }
}

#[test]
fn every_requirement_of_a_specification_has_a_level() {
    let levels = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"];
    for row in rows(PAGES[0].1) {
        let [_, level, _, _, _] = row.cells[..] else {
            panic!("a row has five cells: {}", row.text);
        };
        assert!(levels.contains(&level), "{}", row.text);
    }
}

#[test]
fn a_test_that_is_not_there_or_not_run_is_noticed() {
    let source = "#[test]\nfn one() {}\n#[ignore]\n#[test]\nfn two() {}\nfn three() {}\n\
                  #[actix_web::test]\n    async fn four() {}\n#[test]\n\
                  #[ignore = \"large: run by `cargo xtask ignored`\"]\nfn six() {}\n";
    for (name, expected) in [
        ("one", true),
        ("on", false),
        ("two", false),
        ("three", false),
        ("four", true),
        ("five", false),
        ("six", true),
    ] {
        assert_eq!(has_test(source, name), expected, "{name}");
    }
    assert!(place("nobody: names::one").is_none());
}
