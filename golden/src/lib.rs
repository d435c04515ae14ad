//! Golden files: files of the repository with what tests produce, so that each change is part of a review.
//!
//! A test that finds another text fails with the lines that differ. With `DOCENT_UPDATE=1` in the
//! environment, it writes the file instead, and a reviewer sees the difference.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// Checks that a file has this text, or writes the text to it. The path is relative to the package whose test
/// runs.
///
/// # Panics
/// The file is missing or has another text. The message shows the lines that differ, with the lines around
/// them.
#[track_caller]
pub fn assert_golden(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    let file = in_package(path);
    if env::var_os("DOCENT_UPDATE").is_some_and(|value| value == "1") {
        write(&file, text);
        return;
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    if let Some(difference) = difference(&golden, text) {
        let shown = path.display();
        panic!("{shown} differs; DOCENT_UPDATE=1 updates the file\n{difference}");
    }
}

/// Returns the names of a type's public methods, from the list of a library in `api/`. Tables that must have a row for
/// each method compare theirs with it.
///
/// # Panics
/// The list is missing, or has no method of the type.
pub fn public_methods(library: &str, of_type: &str) -> BTreeSet<String> {
    let file = in_package(&Path::new("../api").join(library).with_extension("txt"));
    let list =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let start = format!("struct.{of_type}: pub fn ");
    let methods: BTreeSet<_> = list
        .lines()
        .filter_map(|line| line.strip_prefix(&start)?.split(['(', '<']).next())
        .map(str::to_owned)
        .collect();
    assert!(!methods.is_empty(), "{of_type} has no methods in {library}");
    methods
}

/// Returns the lines that differ, as a unified diff; `None` if the texts are equal.
fn difference(golden: &str, text: &str) -> Option<String> {
    if golden == text {
        return None;
    }
    let difference = TextDiff::from_lines(golden, text);
    let mut unified = difference.unified_diff();
    Some(unified.header("the file", "now").to_string())
}

fn write(file: &Path, text: &str) {
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    if let Err(error) = folder.and_then(|()| fs::write(file, text)) {
        panic!("cannot write {}: {error}", file.display());
    }
}

/// Returns a path in the package. Cargo runs tests in the folder of their package, but some other runners only
/// set the variable.
fn in_package(path: &Path) -> PathBuf {
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Path::new(&package).join(path),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_shows_the_changed_lines_and_those_around_them() {
        let golden = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let text = "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\n";
        let expected = "--- the file\n+++ now\n\
                        @@ -2,8 +2,9 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n i\n+j\n";
        assert_eq!(difference(golden, text).as_deref(), Some(expected));
        assert_eq!(difference(golden, golden), None);
    }
}
