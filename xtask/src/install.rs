//! Programs of other people that a task needs.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, Failure, cargo};

/// Installs those programs that are missing, where that can be done; otherwise says what is missing.
///
/// `programs` are names, each with the package of Debian that has it.
pub(crate) fn need(programs: &[(&str, &str)]) -> Result<(), Failure> {
    let missing: Vec<_> = programs
        .iter()
        .filter(|(program, _)| !is_there(program))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !is_there("apt-get") {
        let missing = missing.join(", ");
        return Err(Failure::new(format_args!("this task needs {missing}")));
    }
    command::run(Command::new("apt-get").args(["update", "--quiet"]))?;
    command::run(
        Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            // What is a service must not begin to serve because it was installed.
            .env("RUNLEVEL", "1")
            .args(["install", "--yes", "--quiet", "--no-install-recommends"])
            .args(missing),
    )
}

fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    // Where Debian keeps servers; not everybody looks there.
    let servers = PathBuf::from("/usr/sbin");
    std::env::split_paths(&paths)
        .chain([servers])
        .any(|folder| folder.join(program).is_file())
}

/// Where a program of cargo's is, in exactly this version; it is built where it is not there yet,
/// without optimisation: that takes longer than the program ever runs.
pub(crate) fn cargo_tool(name: &str, version: &str) -> Result<PathBuf, Failure> {
    let tools = command::target()
        .join("tools")
        .join(format!("{name}-{version}"));
    let program = tools.join("bin").join(name);
    if !program.is_file() {
        command::run(
            cargo()
                .args(["install", name, "--version", version])
                .args(["--locked", "--debug", "--root"])
                .arg(&tools)
                // Not among our own: the next build would take its settings for a change.
                .env("CARGO_TARGET_DIR", command::target().join("tools/build"))
                .env("CARGO_PROFILE_DEV_DEBUG", "0"),
        )?;
    }
    Ok(program)
}
