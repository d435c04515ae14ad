//! Finds and installs the programs that a task needs: those of Debian, and tools of cargo. Packages of npm
//! and PyPI are installed by [`crate::packages`].
//!
//! A task lists its programs beside its code, and `main` passes the list to [`need`] before the task starts.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, BoxError, cargo};

/// A program that a task runs.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// The name of its file in a folder of PATH.
    pub(crate) name: &'static str,
    /// The Debian package that contains it.
    pub(crate) package: &'static str,
}

impl Program {
    /// Returns the program of this name in a package.
    pub(crate) const fn new(name: &'static str, package: &'static str) -> Self {
        Self { name, package }
    }
}

/// The option with which nothing is installed, and a missing program is an error.
const NO_INSTALL: &str = "--no-install";

/// Returns the arguments after the task's name, without `--no-install`, which every task accepts.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args()
        .skip(2)
        .filter(|argument| argument != NO_INSTALL)
}

/// Announces an installation of what a label names. Returns an error with `--no-install`.
pub(crate) fn announce(label: &str) -> Result<(), BoxError> {
    if std::env::args().any(|argument| argument == NO_INSTALL) {
        return Err(format!("with {NO_INSTALL}, this is missing: {label}").into());
    }
    eprintln!("xtask: will install {label} ({NO_INSTALL} prevents that)");
    Ok(())
}

/// Installs the missing ones among programs, by their packages. Returns an error that names them if that is impossible.
pub(crate) fn need(programs: &[&[Program]]) -> Result<(), BoxError> {
    let mut missing_packages = Vec::new();
    let mut labels = Vec::new();
    for program in programs.iter().copied().flatten() {
        if !is_installed(program.name) {
            missing_packages.push(program.package);
            labels.push(format!("{} (package {})", program.name, program.package));
        }
    }
    if missing_packages.is_empty() {
        return Ok(());
    }
    announce(&labels.join(", "))?;
    packages(missing_packages)
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

/// Returns whether a folder of PATH has a program.
fn is_installed(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    // Debian keeps servers here, but it is not on every PATH.
    let servers = PathBuf::from("/usr/sbin");
    std::env::split_paths(&paths)
        .chain([servers])
        .any(|folder| folder.join(name).is_file())
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
