//! A site of 10,000 procedures: its memory and its pages are checked, its time is told.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

use crate::command::{self, Failure, cargo};
use crate::documents::wait;

const PROCEDURES: usize = 10_000;

/// The most memory that building may take, in kB.
const MEMORY: u64 = 300_000;

pub(crate) fn run() -> Result<(), Failure> {
    let build = [
        "build",
        "--release",
        "--locked",
        "--package",
        "docent-docs-gen",
        "--example",
        "scale",
    ];
    command::run(cargo().args(build))?;
    let folder = command::target().join("scale");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failure::new)?;
    }
    let mut child = Command::new(command::target().join("release/examples/scale"))
        .arg(&folder)
        .arg(PROCEDURES.to_string())
        .stdin(Stdio::null())
        .spawn()
        .map_err(Failure::new)?;
    let memory = wait(&mut child)?;
    let pages = count(&folder).map_err(Failure::new)?;
    println!(
        "{pages} pages of procedures, {} kB of memory",
        memory.unwrap_or_default()
    );
    if pages < PROCEDURES {
        return Err(Failure::new(format_args!(
            "{PROCEDURES} procedures have {pages} pages"
        )));
    }
    match memory {
        Some(memory) if memory > MEMORY => Err(Failure::new(format_args!(
            "building took {memory} kB, and may take {MEMORY}"
        ))),
        _ => Ok(()),
    }
}

/// The pages of procedures: those that stand in the folder itself and begin as these names do.
fn count(folder: &Path) -> io::Result<usize> {
    let mut pages = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_page = path
            .extension()
            .is_some_and(|extension| extension == "html");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        pages += usize::from(is_page && name.starts_with("area"));
    }
    Ok(pages)
}
