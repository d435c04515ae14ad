//! Counts the lines of code in a service that depends on `docent` with its default features.
//!
//! Cargo lists the crates of the workspace that such a service links, with their features. Items that need a feature
//! which is off do not count:
//!
//! ```text
//! #[cfg(feature = "publish")]     is off: neither the line below nor the file of the module counts
//! mod catalogue;
//! ```
//!
//! A condition of several parts, such as `all(unix, feature = "tls")`, is not looked at, and what it is about counts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::command::{BoxError, cargo, output, root};
use crate::size::{is_for_tests, size, source_files};

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
    let mut lines = 0;
    for source in source_files(&linked.folder, files, is_left_out)? {
        let size = size(&source.text, is_left_out)
            .map_err(|error| format!("{}: {error}", source.path.display()))?;
        lines += size.code;
    }
    Ok(lines)
}

/// Returns whether a line says that the next item needs a feature that is off, or that one is off which is on.
fn is_off(line: &str, features: &BTreeSet<String>) -> bool {
    let line = line.trim_start();
    match text_between(line, "#[cfg(not(feature = \"", "\"))]") {
        Some(feature) => features.contains(feature),
        None => text_between(line, "#[cfg(feature = \"", "\")]")
            .is_some_and(|feature| !features.contains(feature)),
    }
}

/// Returns the text of a line between its beginning and its end, if it has both.
fn text_between<'l>(line: &'l str, beginning: &str, end: &str) -> Option<&'l str> {
    line.strip_prefix(beginning)?.strip_suffix(end)
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
