//! Finds and installs the programs that a task needs: those of Debian, and tools of cargo. Packages of npm
//! and PyPI are installed by [`crate::packages`].

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, BoxError, cargo};

/// A program and the Debian package that contains it.
pub(crate) type Program = (&'static str, &'static str);

const NO_INSTALL: &str = "--no-install";

/// Returns the arguments after the task's name, without `--no-install`, which every task accepts.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args()
        .skip(2)
        .filter(|argument| argument != NO_INSTALL)
}

/// Announces an installation. Returns an error with `--no-install`.
pub(crate) fn announce(what: &str) -> Result<(), BoxError> {
    if std::env::args().any(|argument| argument == NO_INSTALL) {
        return Err(format!("with {NO_INSTALL}, this is missing: {what}").into());
    }
    eprintln!("xtask: will install {what} ({NO_INSTALL} prevents that)");
    Ok(())
}

/// Installs the missing programs. Returns an error that names them if that is impossible.
pub(crate) fn need(programs: &[&[Program]]) -> Result<(), BoxError> {
    let missing: Vec<_> = programs
        .iter()
        .copied()
        .flatten()
        .filter(|(program, _)| !is_installed(program))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing
        .iter()
        .map(|(program, package)| format!("{program} (package {package})"))
        .collect();
    announce(&names.join(", "))?;
    packages(missing.iter().map(|(_, package)| *package))
}

/// Installs Debian packages.
pub(crate) fn packages<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), BoxError> {
    if !is_installed("apt-get") {
        return Err("there is no apt-get to install them with".into());
    }
    command::run(Command::new("apt-get").args(["update", "--quiet"]))?;
    command::run(
        Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            // Installing a service's package must not start the service.
            .env("RUNLEVEL", "1")
            // Keep existing configuration files.
            .env("UCF_FORCE_CONFFOLD", "1")
            .args(["install", "--yes", "--quiet", "--no-install-recommends"])
            .args(names),
    )
}

fn is_installed(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    // Debian keeps servers here, but it is not on every PATH.
    let servers = PathBuf::from("/usr/sbin");
    std::env::split_paths(&paths)
        .chain([servers])
        .any(|folder| folder.join(program).is_file())
}

/// Returns the path of a cargo tool in exactly this version, and builds it if it is missing.
///
/// It is built without optimisation, which would take longer than the tool runs.
pub(crate) fn cargo_tool(name: &str, version: &str) -> Result<PathBuf, BoxError> {
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
                // Use a separate directory, since its settings would invalidate our builds.
                .env("CARGO_TARGET_DIR", command::target().join("tools/build"))
                .env("CARGO_PROFILE_DEV_DEBUG", "0"),
        )?;
    }
    Ok(program)
}
