//! Counts the lines of code that a service links which takes `docent` as it is.
//!
//! Cargo says which crates of the workspace that are, and with which features. Of their files, the lines count that are
//! not left out by a feature:
//!
//! ```text
//! #[cfg(feature = "publish")]     is off: neither the line below nor the file of the module counts
//! mod catalogue;
//! ```
//!
//! A condition of several parts, such as `all(unix, feature = "tls")`, is not looked at, and what it is about counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{BoxError, cargo, output, root};
use crate::size::{is_for_tests, left_out_modules, without};

/// A crate of the workspace in the tree of `docent`.
struct LinkedCrate {
    /// Its folder, from the root of the workspace.
    folder: PathBuf,
    features: BTreeSet<String>,
}

/// Returns the number of lines of code, without comments and tests, that a default service links. `files` are the
/// Rust files of the workspace.
pub(crate) fn lines_of_code(files: &[PathBuf]) -> Result<usize, BoxError> {
    let mut lines = 0;
    for linked in linked_crates()? {
        lines += lines_of_crate(&linked, files)?;
    }
    Ok(lines)
}

/// Returns the crates of the workspace that `docent` depends on with its default features, and itself.
fn linked_crates() -> Result<Vec<LinkedCrate>, BoxError> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--package", "docent", "--no-dedupe"]);
    tree.args(["--edges", "normal", "--prefix", "none"]);
    tree.args(["--format", "{p}|{f}"]);
    let listed = output(&mut tree)?;
    // A crate is listed once for each crate that depends on it.
    let distinct: BTreeSet<&str> = listed.lines().collect();
    // Cargo writes absolute paths.
    let root = root().canonicalize()?;
    let crates: Vec<LinkedCrate> = distinct
        .into_iter()
        .filter_map(|line| linked_crate(line, &root))
        .collect();
    if crates.is_empty() {
        return Err("the tree of `docent` has no crate of the workspace".into());
    }
    Ok(crates)
}

/// Reads a line such as `docent-core v0.1.0 (/docent/core)|keys,mcp`. Returns `None` for crates from elsewhere, and
/// for what cargo says about a whole line, such as `(proc-macro)`.
fn linked_crate(line: &str, root: &Path) -> Option<LinkedCrate> {
    let (package, features) = line.split_once('|')?;
    let path = package
        .split(['(', ')'])
        .find_map(|part| Path::new(part).strip_prefix(root).ok())?;
    Some(LinkedCrate {
        folder: path.to_owned(),
        features: features.split(',').map(str::to_owned).collect(),
    })
}

/// Returns the number of lines of code of a crate that its features do not leave out.
fn lines_of_crate(linked: &LinkedCrate, files: &[PathBuf]) -> Result<usize, BoxError> {
    let is_left_out = |line: &str| is_for_tests(line) || is_off(line, &linked.features);
    let source = linked.folder.join("src");
    let mut texts = Vec::new();
    for file in files.iter().filter(|file| file.starts_with(&source)) {
        texts.push((file, fs::read_to_string(root().join(file))?));
    }
    let left_out: BTreeSet<PathBuf> = texts
        .iter()
        .flat_map(|(file, text)| left_out_modules(file, text, is_left_out))
        .collect();
    let mut lines = 0;
    for (file, text) in &texts {
        if file.ancestors().any(|path| left_out.contains(path)) {
            continue;
        }
        lines += without(text, is_left_out)
            .into_iter()
            .map(str::trim_start)
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count();
    }
    Ok(lines)
}

/// Returns whether a line says that the next item needs a feature that is off, or that one is off which is on.
fn is_off(line: &str, features: &BTreeSet<String>) -> bool {
    let Some(condition) = line.trim_start().strip_prefix("#[cfg(") else {
        return false;
    };
    let feature = |condition: &str, end: &str| {
        let name = condition.strip_prefix("feature = \"")?.strip_suffix(end)?;
        Some(features.contains(name))
    };
    match condition.strip_prefix("not(") {
        Some(negated) => feature(negated, "\"))]") == Some(true),
        None => feature(condition, "\")]") == Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_left_out_by_the_feature_that_it_needs() {
        let features = BTreeSet::from(["docs".to_owned()]);
        for (line, expected) in [
            ("#[cfg(feature = \"docs\")]", false),
            ("    #[cfg(feature = \"mcp\")]", true),
            ("#[cfg(not(feature = \"docs\"))]", true),
            ("#[cfg(not(feature = \"mcp\"))]", false),
            ("#[cfg(all(unix, feature = \"mcp\"))]", false),
            ("use a::B;", false),
        ] {
            assert_eq!(is_off(line, &features), expected, "{line}");
        }
    }

    #[test]
    fn a_line_of_the_tree_names_a_crate_of_the_workspace() {
        let root = Path::new("/docent");
        let line = "docent-core v0.1.0 (/docent/core)|keys,mcp";
        let linked = linked_crate(line, root).expect("a crate of the workspace");
        assert_eq!(linked.folder, Path::new("core"));
        assert!(linked.features.contains("mcp"));
        assert!(linked_crate("serde v1.0.228|derive", root).is_none());
    }
}
