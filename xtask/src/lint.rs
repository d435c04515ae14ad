//! What a change has to pass before its tests matter.

use crate::arrows;
use crate::command::{self, Failure, cargo};

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["fmt", "--all", "--check"]))?;
    clippy(&["--workspace", "--all-targets"])?;
    // Not among all targets, since a plain `cargo test` does not run it.
    clippy(&["--package", "library", "--test", "proxy"])?;
    let doc = ["doc", "--workspace", "--no-deps", "--locked"];
    command::run(cargo().args(doc).env("RUSTDOCFLAGS", "-D warnings"))?;
    arrows::run()
}

fn clippy(targets: &[&str]) -> Result<(), Failure> {
    let strict = ["--locked", "--", "-D", "warnings"];
    command::run(cargo().arg("clippy").args(targets).args(strict))
}
