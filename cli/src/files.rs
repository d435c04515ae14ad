//! Files and folders that commands read and write, and standard input.
//!
//! Folders of descriptions may come from somebody else, and folders of output may have links in them.
//! So what is read has a limit and stays below its folder, and nothing is written through a link. What
//! Git has is read in `input::git`.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// The maximum size of a document, from a file, from standard input or from a service.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// The paths at which shells and commands find what is already open, such as the output of another command.
const OPEN_FILES: [&str; 3] = ["/dev/stdin", "/dev/fd", "/proc/self/fd"];

/// True once standard input was read. A second input from it would be empty, and look like a mistake in it.
static STDIN_IS_READ: AtomicBool = AtomicBool::new(false);

/// Returns a failure that names a file or folder.
pub(crate) fn failed(path: &Path, reason: impl fmt::Display) -> Failure {
    Failure::system(format_args!("{}: {reason}", display_path(path)))
}

/// Returns a path for messages. One that is not UTF-8 is quoted, with its bytes.
#[expect(
    clippy::unnecessary_debug_formatting,
    reason = "`display()` would replace the bytes that are not UTF-8"
)]
pub(crate) fn display_path(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_owned(),
        None => format!("{path:?}"),
    }
}

/// Returns `None` for a file or folder that does not exist.
pub(crate) fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// Reads a file of at most [`MAX_BYTES`]. Devices and named pipes are refused: they may have no end, or keep the
/// command waiting.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let metadata = fs::metadata(file).map_err(|error| failed(file, error))?;
    let is_open = OPEN_FILES.iter().any(|open| file.starts_with(open));
    if !metadata.is_file() && !metadata.is_dir() && !is_open {
        let reason =
            "it is a device, a pipe or a socket; to read from it, redirect it and pass `-`";
        return Err(failed(file, reason));
    }
    File::open(file)
        .and_then(read_whole)
        .map_err(|error| failed(file, error))
}

/// Reads a file if it exists.
pub(crate) fn read_if_there(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match if_there(fs::symlink_metadata(file)) {
        Ok(None) => Ok(None),
        _ => read(file).map(Some),
    }
}

fn read_whole(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Returns the error for a document of more than [`MAX_BYTES`].
pub(crate) fn too_large() -> io::Error {
    io::Error::other(format!("larger than {} MiB", MAX_BYTES >> 20))
}

/// Reads all of standard input, which can be read only once.
pub(crate) fn read_stdin() -> Result<Vec<u8>, Failure> {
    if STDIN_IS_READ.swap(true, Ordering::Relaxed) {
        return Err(Failure::usage("standard input can be read only once"));
    }
    read_whole(io::stdin().lock())
        .map_err(|error| Failure::system(format_args!("standard input: {error}")))
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    if file.as_os_str() == "-" {
        read_stdin()
    } else {
        read(file)
    }
}

/// Reads a text from a file, or from standard input for `-`.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    String::from_utf8(read_input(file)?)
        .map_err(|_| Failure::usage(format_args!("{}: not UTF-8 text", display_path(file))))
}

/// The files below a folder.
#[derive(Default)]
pub(crate) struct FoundFiles {
    pub(crate) files: Vec<PathBuf>,
    /// The reasons for which others are not read.
    pub(crate) refused: Vec<Failure>,
}

impl FoundFiles {
    /// Returns the files, or the reasons if some are not read.
    pub(crate) fn all(self) -> Result<Vec<PathBuf>, Failure> {
        Failure::all(self.refused).map(|()| self.files)
    }
}

/// Returns the files below a folder whose names end in some way, without those that are hidden. A folder may come from
/// somebody else, so what leads out of it is refused, and so is what is no file and what cannot be named.
pub(crate) fn below(folder: &Path, end: &str) -> Result<FoundFiles, Failure> {
    let root = fs::canonicalize(folder).map_err(|error| failed(folder, error))?;
    let mut found = FoundFiles::default();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found.refused.push(failed(&folder, error));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let file_name = entry.file_name();
            let name = file_name.to_string_lossy();
            if is_hidden(&name) {
                continue;
            }
            if entry.file_type().is_ok_and(|found| found.is_dir()) {
                open.push(path);
            } else if name.ends_with(end) {
                match reason_not_to_read(&path, &root) {
                    Some(reason) => found.refused.push(failed(&path, reason)),
                    None => found.files.push(path),
                }
            }
        }
    }
    found.files.sort();
    Ok(found)
}

/// Returns the reason for which a file that was found below a folder is not read.
fn reason_not_to_read(path: &Path, root: &Path) -> Option<String> {
    if path.to_str().is_none() {
        return Some("its name is not UTF-8; rename it".to_owned());
    }
    match fs::canonicalize(path) {
        Ok(whole) if !whole.starts_with(root) => {
            Some("it is a link that leads out of the folder; copy what it leads to".to_owned())
        }
        Ok(whole) if !whole.is_file() => Some("it is not a file".to_owned()),
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    }
}

/// Fails if a folder is a link: what is written into it, or removed from it, would be somewhere else.
pub(crate) fn refuse_link(folder: &Path) -> Result<(), Failure> {
    let Ok(found) = fs::read_link(folder) else {
        return Ok(());
    };
    Err(Failure::usage(format_args!(
        "{} is a link to {}, and nothing is written or removed through a link; remove it, or name the folder itself",
        display_path(folder),
        display_path(&found)
    )))
}

/// Returns whether a path has the name of a hidden file or folder.
pub(crate) fn is_hidden(path: &str) -> bool {
    path.split('/').any(|name| name.starts_with('.'))
}

/// Creates a folder and its parents if they do not exist. The error names the folder, because the user
/// did not ask for it by name.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot create the folder {}: {error}", display_path(folder));
        io::Error::new(error.kind(), message)
    })
}

/// Writes the output of a command, which replaces a file or a link. A device or a pipe, such as `/dev/null`, cannot be
/// replaced and is written to.
pub(crate) fn write_output(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let is_special =
        fs::symlink_metadata(file).is_ok_and(|found| !found.is_file() && !found.is_symlink());
    let written = if is_special || file.starts_with("/dev") {
        fs::write(file, bytes)
    } else {
        replace(file, bytes)
    };
    written.map_err(|error| failed(file, error))
}

/// Writes a file under another name and renames it, so that it is always complete. A symbolic link is
/// replaced instead of followed. Creates the folder of the file.
pub(crate) fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    file.parent().map_or(Ok(()), create_folder)?;
    let mut new_name = file.as_os_str().to_owned();
    new_name.push(".docent-new");
    let new_file = Path::new(&new_name);
    // A file left behind by a killed run may be a link.
    if_there(fs::remove_file(new_file))?;
    let written = File::create_new(new_file)
        .and_then(|mut new| new.write_all(bytes))
        .and_then(|()| fs::rename(new_file, file));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(new_file);
    }
    written
}
