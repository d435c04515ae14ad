//! The stored inputs of the checks: those that parsers are known to get wrong, and those that fuzzing has found.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// An input of a check.
pub struct StoredInput {
    /// The file that it was read from.
    pub file: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Returns the inputs of a check, such as `body`, in `corpus/` and `regressions/`, sorted by their files.
///
/// # Errors
/// The check has no corpus, or a file cannot be read.
pub fn stored_inputs(check: &str) -> io::Result<Vec<StoredInput>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs = read_folder(&root.join("corpus").join(check))?;
    // Git stores no folder for a check without regressions.
    let regressions = root.join("regressions").join(check);
    if regressions.is_dir() {
        inputs.extend(read_folder(&regressions)?);
    }
    inputs.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(inputs)
}

fn read_folder(folder: &Path) -> io::Result<Vec<StoredInput>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let bytes = fs::read(&file)?;
        inputs.push(StoredInput { file, bytes });
    }
    Ok(inputs)
}
