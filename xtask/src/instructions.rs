//! Counts the instructions of calls and compares them with the recorded ones.

use std::process::Command;

use crate::command::{self, BoxError};
use crate::install::{Program, arguments};

pub(crate) const GUARD_PROGRAMS: &[Program] = &[Program::new("valgrind", "valgrind")];

/// Runs the guard. Cargo runs in `bench`, because `bench/rust-toolchain.toml` pins the compiler there.
pub(crate) fn run() -> Result<(), BoxError> {
    let guard = "run --profile dist --locked --package compare -- guard";
    command::run(
        Command::new("cargo")
            .current_dir(command::root().join("bench"))
            .env_remove("RUSTUP_TOOLCHAIN")
            .args(guard.split(' '))
            .args(arguments()),
    )
}
