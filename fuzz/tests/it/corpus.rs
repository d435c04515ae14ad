//! Runs every stored input through its check, on the stable toolchain.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Returns the files in a folder of this crate, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

/// Checks every stored input of a target and reports which ones failed.
fn check(target: &str, check: fn(&[u8]), at_least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs = files(&root.join("corpus").join(target));
    let count = inputs.len();
    assert!(count >= at_least, "only {count} inputs in corpus/{target}");
    // Git stores no folder for a target without regressions.
    let regressions = root.join("regressions").join(target);
    if regressions.is_dir() {
        inputs.extend(files(&regressions));
    }
    inputs.retain(|file| {
        let input = fs::read(file).expect("a file");
        catch_unwind(AssertUnwindSafe(|| check(&input))).is_err()
    });
    assert!(inputs.is_empty(), "{inputs:#?}");
}

#[test]
fn every_body_is_answered_as_the_contract_says() {
    check("body", docent_fuzz::body, 300);
}

#[test]
fn every_query_is_answered_as_the_contract_says() {
    check("query", docent_fuzz::query, 80);
}

#[test]
fn every_message_of_an_agent_is_answered_as_the_contract_says() {
    check("mcp", docent_fuzz::mcp, 60);
}

#[test]
fn every_connection_is_framed_as_the_contract_says() {
    check("connection", docent_fuzz::connection, 40);
}

#[test]
fn every_description_reads_back_as_what_it_was() {
    check("description", docent_fuzz::description, 30);
}

#[test]
fn every_description_has_a_site() {
    check("description", docent_fuzz::site, 30);
}
