//! Folders that commands write into.

use std::fs;
use std::io;
use std::path::Path;

/// Creates a folder, and those that it is in, unless it is there. The error names it: it is not what the
/// user asked to write.
pub(crate) fn create(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot create the folder {}: {error}", folder.display());
        io::Error::new(error.kind(), message)
    })
}

/// Creates the folder of a file.
pub(crate) fn create_around(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), create)
}
