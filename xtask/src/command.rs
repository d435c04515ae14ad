//! Runs other programs, and says which.
//!
//! Cargo gets the same environment and features from every task, so that it does not build twice.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The reason for which a task failed.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Returns the cargo that runs this task, started at the root of the workspace.
pub(crate) fn cargo() -> Command {
    from_root(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns a program that may run cargo, started at the root of the workspace.
pub(crate) fn from_root(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    // Without the variables of xtask: build scripts that read them would run again after each build by hand.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Returns the root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns cargo's target directory.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Builds all programs and examples, with the same features as `cargo test --workspace`.
///
/// Cargo builds dependencies again for each selection of crates that enables other features of them, so tasks
/// share one selection. The library has PostgreSQL in it.
pub(crate) fn build() -> Result<(), BoxError> {
    let words = "build --workspace --bins --examples --tests --locked";
    run(cargo().args(words.split(' ')))
}

/// Returns the path of a program built with `profile`.
pub(crate) fn built(profile: &str, program: &str) -> PathBuf {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    target().join(profile).join(name)
}

/// Runs a program that inherits our output. Returns an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), BoxError> {
    eprintln!("xtask: {}", shown(command));
    let status = command.status().map_err(|error| failed(command, error))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(command, status))
    }
}

/// Runs a program and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, BoxError> {
    let output = command.output().map_err(|error| failed(command, error))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(failed(command, String::from_utf8_lossy(&output.stderr)))
    }
}

fn failed(command: &Command, reason: impl fmt::Display) -> BoxError {
    format!("`{}`: {reason}", shown(command)).into()
}

fn shown(command: &Command) -> String {
    let mut shown = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        shown.push(' ');
        shown.push_str(&argument.to_string_lossy());
    }
    shown
}
