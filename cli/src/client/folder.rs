//! The folder of a client. Files that this command did not write are never replaced or removed.
//!
//! A file is known by the notice at its start, so that no list has to be kept beside the client, and a
//! project can keep the folder under version control.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files::{failed, if_there, read, read_if_there, refuse_link, replace};
use docent_tools::client::{Files, GENERATED_NOTICE};

/// The number of bytes at the start of a file in which the notice is searched for.
const MAX_BYTES_BEFORE_NOTICE: usize = 200;
/// The folder in that of a client that has files of the client too.
const SOURCE_FOLDER: &str = "src";

/// A difference between the folder and the client.
struct Change<'f> {
    path: PathBuf,
    /// The text of a file of the client; `None` for a file that is no longer part of it.
    text: Option<&'f str>,
    /// The bytes that the folder has now, if it has the file.
    found: Option<Vec<u8>>,
}

/// Writes the files. Unless `force` is set, fails and writes nothing if one of them exists and is not a
/// generated file.
pub(super) fn write(folder: &Path, files: &Files, force: bool) -> Result<(), Failure> {
    refuse_link(folder)?;
    refuse_link(&folder.join(SOURCE_FOLDER))?;
    let changes = changes(folder, files)?;
    for change in &changes {
        if !force && change.found.as_ref().is_some_and(|found| !is_ours(found)) {
            return Err(Failure::usage(format_args!(
                "{} was not written by this command; use --force to replace it",
                change.path.display()
            )));
        }
    }
    for Change { path, text, .. } in &changes {
        let done = match text {
            Some(text) => replace(path, text.as_bytes()),
            None => fs::remove_file(path),
        };
        done.map_err(|error| failed(path, error))?;
    }
    Ok(())
}

/// Returns whether a file exists that this command did not write.
pub(super) fn is_foreign(path: &Path) -> Result<bool, Failure> {
    let found = read_if_there(path)?;
    Ok(found.is_some_and(|found| !is_ours(&found)))
}

/// Fails if the contents of the folder differ from these files.
pub(super) fn check(folder: &Path, files: &Files) -> Result<(), Failure> {
    let changes = changes(folder, files)?;
    if changes.is_empty() {
        return Ok(());
    }
    let mut failures = Vec::new();
    for change in &changes {
        let problem = match (change.text, &change.found) {
            (Some(_), None) => "is missing",
            (Some(_), Some(_)) => "is out of date",
            (None, _) => "is no longer part of the client",
        };
        let path = change.path.display();
        failures.push(Failure::negative(format_args!("{path} {problem}")));
    }
    failures.push(Failure::negative(
        "run the same command without --check to update the client",
    ));
    Failure::all(failures)
}

/// Returns the files that differ, and those that this command wrote earlier, for another description or
/// language.
fn changes<'f>(root: &Path, files: &'f Files) -> Result<Vec<Change<'f>>, Failure> {
    let mut changes = Vec::new();
    for (name, text) in files {
        let path = root.join(name);
        let found = read_if_there(&path)?;
        if found.as_deref() != Some(text.as_bytes()) {
            let text = Some(&**text);
            changes.push(Change { path, text, found });
        }
    }
    let of_client = changes.len();
    for folder in [root.to_owned(), root.join(SOURCE_FOLDER)] {
        let entries = if_there(fs::read_dir(&folder)).map_err(|error| failed(&folder, error))?;
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(|error| failed(&folder, error))?.path();
            let is_wanted = files.iter().any(|(name, _)| root.join(name) == path);
            if is_wanted || !path.is_file() {
                continue;
            }
            let found = read(&path)?;
            if is_ours(&found) {
                changes.push(Change {
                    path,
                    text: None,
                    found: Some(found),
                });
            }
        }
    }
    changes[of_client..].sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

/// Returns whether a file begins with the notice of this command.
fn is_ours(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES_BEFORE_NOTICE)])
        .contains(GENERATED_NOTICE)
}
