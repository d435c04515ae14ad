//! Finds the crates that stand on others, whose tests a change of those can break.
//!
//! ```text
//! docent-keys ◄── library             depends on it
//!             ◄┄┄ docent              tests its guide with it
//! docent-core                         is below it, although its tests use `docent`
//! ```
//!
//! A crate whose tests use a changed one is tested too, but what depends on that crate is not: its code is the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::command::BoxError;
use crate::features;

/// A crate of the workspace.
struct WorkspaceCrate {
    name: String,
    /// The name of its folder, by which a task may call it.
    folder: String,
    /// The crates that it depends on.
    uses: BTreeSet<String>,
    /// The crates that only its tests depend on.
    uses_in_tests: BTreeSet<String>,
}

impl WorkspaceCrate {
    /// Reads a package of `cargo metadata`.
    fn new(package: &Value) -> Self {
        let mut read = Self {
            name: text(&package["name"]).to_owned(),
            folder: String::new(),
            uses: BTreeSet::new(),
            uses_in_tests: BTreeSet::new(),
        };
        let manifest = Path::new(text(&package["manifest_path"]));
        if let Some(folder) = manifest.parent().and_then(Path::file_name) {
            read.folder = folder.to_string_lossy().into_owned();
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let name = text(&dependency["name"]).to_owned();
            if text(&dependency["kind"]) == "dev" {
                read.uses_in_tests.insert(name);
            } else {
                read.uses.insert(name);
            }
        }
        read
    }
}

/// Returns the names of these crates and of those that stand on them. A crate can be given by its name or its folder.
pub(crate) fn with_dependents(given: &[String]) -> Result<BTreeSet<String>, BoxError> {
    let crates: Vec<WorkspaceCrate> = features::packages()?
        .iter()
        .map(WorkspaceCrate::new)
        .collect();
    dependents(&crates, given)
}

fn dependents(crates: &[WorkspaceCrate], given: &[String]) -> Result<BTreeSet<String>, BoxError> {
    let mut changed = BTreeSet::new();
    for wanted in given {
        let found = crates
            .iter()
            .find(|each| each.name == *wanted || each.folder == *wanted)
            .ok_or_else(|| format!("the workspace has no crate {wanted:?}"))?;
        changed.insert(found.name.clone());
    }
    let below = reached(&changed, |name| uses_of(crates, name));
    let mut users: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for each in crates {
        for used in &each.uses {
            users.entry(used).or_default().insert(each.name.clone());
        }
    }
    let mut standing = reached(&changed, |name| {
        users.get(name).cloned().unwrap_or_default()
    });
    let tested: Vec<String> = crates
        .iter()
        .filter(|each| !below.contains(&each.name) && !each.uses_in_tests.is_disjoint(&standing))
        .map(|each| each.name.clone())
        .collect();
    standing.extend(tested);
    Ok(standing)
}

/// Returns the crates of the workspace that a crate depends on.
fn uses_of(crates: &[WorkspaceCrate], name: &str) -> BTreeSet<String> {
    crates
        .iter()
        .find(|each| each.name == name)
        .map(|each| each.uses.clone())
        .unwrap_or_default()
}

/// Returns these names and all that are reached from them, step by step.
fn reached(from: &BTreeSet<String>, step: impl Fn(&str) -> BTreeSet<String>) -> BTreeSet<String> {
    let mut reached = from.clone();
    let mut waiting: Vec<String> = from.iter().cloned().collect();
    while let Some(name) = waiting.pop() {
        for next in step(&name) {
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    reached
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Creates a crate in the folder `folder` that depends on others and, in its tests, on one more.
    fn package(name: &str, folder: &str, uses: &[&str], in_tests: &str) -> WorkspaceCrate {
        let mut dependencies: Vec<Value> = uses
            .iter()
            .map(|name| json!({"name": name, "kind": null}))
            .collect();
        dependencies.push(json!({"name": in_tests, "kind": "dev"}));
        WorkspaceCrate::new(&json!({
            "name": name,
            "manifest_path": format!("/docent/{folder}/Cargo.toml"),
            "dependencies": dependencies,
        }))
    }

    #[test]
    fn a_change_is_tested_in_what_stands_on_it_and_in_tests_that_use_it() {
        let crates = [
            package("docent-core", "core", &["serde"], "docent"),
            package("docent", "server", &["docent-core"], "docent-keys"),
            package("docent-keys", "keys", &["docent-core"], "docent"),
            package(
                "library",
                "examples/library",
                &["docent", "docent-keys"],
                "golden",
            ),
            package("docent-cli", "cli", &["docent-core"], "docent"),
        ];
        let tested = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
            let names = dependents(&crates, &given).expect("crates of the workspace");
            names.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(tested(&["keys"]), "docent docent-keys library");
        assert_eq!(tested(&["docent"]), "docent docent-cli docent-keys library");
        assert_eq!(tested(&["cli", "library"]), "docent-cli library");
        assert_eq!(
            tested(&["core"]),
            "docent docent-cli docent-core docent-keys library"
        );
        let unknown = dependents(&crates, &["kore".to_owned()]).expect_err("no such crate");
        assert_eq!(unknown.to_string(), "the workspace has no crate \"kore\"");
    }
}
