//! The folder of a client. Files that this command did not write are never replaced or removed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::files::{Files, HEAD};
use crate::failure::Failure;
use crate::files::{failed, replace};

/// The number of bytes at the start of a file that are searched for the notice.
const LOOKED_AT: usize = 200;

/// A folder that contains a client, or will.
#[derive(Debug)]
pub(super) struct Folder<'p>(&'p Path);

impl<'p> Folder<'p> {
    pub(super) fn new(path: &'p Path) -> Self {
        Self(path)
    }

    /// Writes the files. Unless `force` is set, fails and writes nothing if one of them exists and is
    /// not a generated file.
    pub(super) fn write(&self, files: &Files, force: bool) -> Result<(), Failure> {
        for (name, _) in files {
            let path = self.0.join(name);
            let found = read(&path)?;
            if !force && found.is_some_and(|found| !is_ours(&found)) {
                return Err(Failure::usage(format_args!(
                    "{} was not written by this command; use --force to replace it",
                    path.display()
                )));
            }
        }
        for (name, text) in files {
            let path = self.0.join(name);
            let written = replace(&path, |out| out.write_all(text.as_bytes()));
            written.map_err(|error| failed(&path, &error))?;
        }
        for path in self.extra(files)? {
            fs::remove_file(&path).map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    /// Fails if the contents of the folder differ from these files.
    pub(super) fn check(&self, files: &Files) -> Result<(), Failure> {
        let mut found = Vec::new();
        for (name, text) in files {
            let path = self.0.join(name);
            match read(&path)? {
                None => found.push(format!("{} is missing", path.display())),
                Some(there) if there != text.as_bytes() => {
                    found.push(format!("{} is out of date", path.display()));
                }
                Some(_) => {}
            }
        }
        for path in self.extra(files)? {
            found.push(format!(
                "{} is no longer part of the client",
                path.display()
            ));
        }
        if found.is_empty() {
            return Ok(());
        }
        found.push("run the same command without --check to update the client".to_owned());
        Failure::all(found.into_iter().map(Failure::negative).collect())
    }

    /// Returns files that this command wrote earlier, for another description or language.
    fn extra(&self, files: &Files) -> Result<Vec<PathBuf>, Failure> {
        let mut extra = Vec::new();
        for folder in [self.0.to_owned(), self.0.join("src")] {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(&folder, &error)),
            };
            for entry in entries {
                let path = entry.map_err(|error| failed(&folder, &error))?.path();
                let is_wanted = files.iter().any(|(name, _)| self.0.join(name) == path);
                if !is_wanted && path.is_file() && read(&path)?.is_some_and(|it| is_ours(&it)) {
                    extra.push(path);
                }
            }
        }
        extra.sort();
        Ok(extra)
    }
}

/// Returns the contents of a file, or `None` if it does not exist.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, &error)),
    }
}

fn is_ours(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    String::from_utf8_lossy(start).contains(HEAD)
}
