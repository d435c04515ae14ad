//! The tables of promises: every row names a test that exists and runs, or says why there
//! is none.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A page whose tables have a column of proofs.
struct Page {
    name: &'static str,
    text: &'static str,
    min_rows: usize,
}

const CONFORMANCE: Page = Page {
    name: "conformance.md",
    text: include_str!("../../../docs/conformance.md"),
    min_rows: 100,
};

const DIFF_RULES: Page = Page {
    name: "diff-rules.md",
    text: include_str!("../../../docs/diff-rules.md"),
    min_rows: 80,
};

const PROMISES: Page = Page {
    name: "promises.md",
    text: include_str!("../../../docs/promises.md"),
    min_rows: 90,
};

const PAGES: [Page; 3] = [CONFORMANCE, DIFF_RULES, PROMISES];

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
fn rows(page: &Page) -> Vec<Row<'static>> {
    let mut rows = Vec::new();
    // The number of columns of the table that a line is in, if its last column is the proof.
    let mut columns = None;
    for text in page.text.lines() {
        let inner = text
            .strip_prefix("| ")
            .and_then(|text| text.strip_suffix(" |"));
        let Some(inner) = inner else {
            if !text.starts_with("|--") {
                columns = None;
            }
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
fn tests_named_by(proof: &str) -> impl Iterator<Item = &str> {
    quoted(proof).filter(|text| text.contains(": ") && text.contains("::"))
}

/// Returns the tasks that a cell names: `cargo xtask …`, which CI runs.
fn tasks_named_by(proof: &str) -> impl Iterator<Item = &str> {
    quoted(proof).filter_map(|text| text.strip_prefix("cargo xtask "))
}

/// Returns the texts between backticks.
fn quoted(proof: &str) -> impl Iterator<Item = &str> {
    proof.split('`').skip(1).step_by(2)
}

/// A test, and where it should be.
struct TestLocation<'a> {
    file: PathBuf,
    /// The file that declares `file` as a module.
    parent: PathBuf,
    name: &'a str,
}

/// Returns the location of a test in the form `crate: file::test`; `None` for an unknown crate.
fn locate(test: &str) -> Option<TestLocation<'_>> {
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
    let path = match file.strip_prefix("src/") {
        Some(inner) => folder.join("src").join(inner),
        None => folder.join(tests).join(file),
    };
    let module = path.with_file_name("mod.rs");
    Some(TestLocation {
        file: path.with_extension("rs"),
        parent: if module.exists() || file.starts_with("src/") {
            module
        } else {
            folder.join(tests).join("main.rs")
        },
        name,
    })
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
}

/// Returns whether a source has a test with this name that runs.
fn has_test(source: &str, name: &str) -> bool {
    let mut is_test = false;
    let mut is_ignored = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[") {
            is_test |= line.ends_with("test]");
            is_ignored |= line.starts_with("#[ignore") && !line.contains(RUN_BY_XTASK);
            continue;
        }
        if is_test && !is_ignored && declares_function(line, name) {
            return true;
        }
        is_test = false;
        is_ignored = false;
    }
    false
}

fn declares_function(line: &str, name: &str) -> bool {
    line.strip_prefix("async ")
        .unwrap_or(line)
        .strip_prefix("fn ")
        .and_then(|line| line.strip_prefix(name))
        .is_some_and(|rest| rest.starts_with('('))
}

/// The sources that have been read, by their paths. Many tests are in one file.
#[derive(Default)]
struct Sources(BTreeMap<PathBuf, String>);

impl Sources {
    /// Returns a source; an empty one if there is no such file.
    fn read(&mut self, path: &Path) -> &str {
        self.0
            .entry(path.to_owned())
            .or_insert_with(|| fs::read_to_string(path).unwrap_or_default())
    }
}

/// Returns the reason why a test is no proof, or `None` if it is one.
fn problem(test: &str, sources: &mut Sources) -> Option<String> {
    let Some(TestLocation { file, parent, name }) = locate(test) else {
        return Some(format!("{test}: no such crate"));
    };
    if !has_test(sources.read(&file), name) {
        return Some(format!("{test}: no such test"));
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let module = format!("mod {};", stem.expect("a name"));
    if parent.exists() && !test.contains(": src/") && !sources.read(&parent).contains(&module) {
        return Some(format!("{test}: its file is not part of the tests"));
    }
    None
}

#[test]
fn every_proof_that_the_tables_name_exists_and_runs() {
    let mut sources = Sources::default();
    let all_tasks = fs::read_to_string(root().join("xtask/src/main.rs")).expect("the tasks");
    let mut problems = Vec::new();
    for page in &PAGES {
        for row in rows(page) {
            for test in tests_named_by(row.proof()) {
                problems.extend(problem(test, &mut sources));
            }
            for task in tasks_named_by(row.proof()) {
                if !all_tasks.contains(&format!("\"{task}\" =>")) {
                    problems.push(format!("{task}: no such task"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_row_has_a_proof_or_a_reason() {
    for page in &PAGES {
        let rows = rows(page);
        let name = page.name;
        assert!(
            rows.len() >= page.min_rows,
            "{name} has {} rows",
            rows.len()
        );
        for row in rows {
            let has_reason = REASONS.iter().any(|reason| {
                row.proof()
                    .strip_prefix(reason)
                    .is_some_and(|rest| rest.starts_with(": ") && rest.len() > 10)
            });
            let has_proof = tests_named_by(row.proof()).next().is_some()
                || tasks_named_by(row.proof()).next().is_some();
            assert!(has_reason || has_proof, "{name}: {}", row.text);
        }
    }
}

#[test]
fn every_requirement_of_a_specification_has_a_level() {
    let levels = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"];
    for row in rows(&CONFORMANCE) {
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
    assert!(locate("nobody: names::one").is_none());
}
