//! Files and folders that commands read and write, and standard input.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static STDIN_IS_READ: AtomicBool = AtomicBool::new(false);

/// Returns a failure that names the file or folder of an error.
pub(crate) fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::system(format_args!("{}: {error}", path.display()))
}

/// Returns `None` for a file or folder that does not exist.
pub(crate) fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// Reads a file.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| failed(file, &error))
}

/// Reads all of standard input, which can be read only once.
pub(crate) fn read_stdin() -> Result<Vec<u8>, Failure> {
    if STDIN_IS_READ.swap(true, Ordering::Relaxed) {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Failure::system(format_args!("standard input: {error}")))?;
    Ok(bytes)
}

/// Reads a text from a file, or from standard input for `-`.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    let bytes = if file.as_os_str() == "-" {
        read_stdin()?
    } else {
        read(file)?
    };
    String::from_utf8(bytes)
        .map_err(|_| Failure::usage(format_args!("{}: not UTF-8 text", file.display())))
}

/// Returns the files below a folder whose names end in some way, without those that are hidden.
pub(crate) fn below(folder: &Path, end: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let entry = entry.map_err(|error| failed(folder, &error))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type().is_ok_and(|it| it.is_dir()) && !is_hidden(&name) {
            found.extend(below(&path, end)?);
        } else if name.ends_with(end) && !is_hidden(&name) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Returns whether a path has the name of a hidden file or folder.
pub(crate) fn is_hidden(path: &str) -> bool {
    path.split('/').any(|name| name.starts_with('.'))
}

/// Creates a folder and its parents if they do not exist. The error names the folder, because the user
/// did not ask for it by name.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot create the folder {}: {error}", folder.display());
        io::Error::new(error.kind(), message)
    })
}

/// Writes a file under another name and renames it, so that it is always complete. A symbolic link is
/// replaced instead of followed. Creates the folder of the file.
pub(crate) fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    file.parent().map_or(Ok(()), create_folder)?;
    let mut beside = file.as_os_str().to_owned();
    beside.push(".docent-new");
    let beside = PathBuf::from(beside);
    // A file left behind by a killed run may be a link.
    if_there(fs::remove_file(&beside))?;
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written
}
