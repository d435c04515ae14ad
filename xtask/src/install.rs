//! Programs of others that a task needs.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, Failure, cargo};

/// A program, and the package of Debian that has it.
pub(crate) type Program = (&'static str, &'static str);

const NO_INSTALL: &str = "--no-install";

/// The arguments behind a task's name, without the one that all tasks take.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args()
        .skip(2)
        .filter(|argument| argument != NO_INSTALL)
}

/// Says what is about to be installed; an error where nothing may be.
pub(crate) fn announce(what: &str) -> Result<(), Failure> {
    if std::env::args().any(|argument| argument == NO_INSTALL) {
        return Err(format!("with {NO_INSTALL}, this is missing: {what}").into());
    }
    eprintln!("xtask: will install {what} ({NO_INSTALL} prevents that)");
    Ok(())
}

/// Installs those programs that are missing, where that can be done; otherwise says what is missing.
pub(crate) fn need(programs: &[Program]) -> Result<(), Failure> {
    let missing: Vec<_> = programs
        .iter()
        .filter(|(program, _)| !is_there(program))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing
        .iter()
        .map(|(program, package)| format!("{program} (package {package})"))
        .collect();
    announce(&names.join(", "))?;
    if !is_there("apt-get") {
        return Err("there is no apt-get to install them with".into());
    }
    command::run(Command::new("apt-get").args(["update", "--quiet"]))?;
    command::run(
        Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            // What is a service must not begin to serve because it was installed.
            .env("RUNLEVEL", "1")
            .args(["install", "--yes", "--quiet", "--no-install-recommends"])
            .args(missing.iter().map(|(_, package)| package)),
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
        announce(&format!("{name} {version} into {}", tools.display()))?;
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
