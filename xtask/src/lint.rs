//! What a change has to pass before its tests matter.

use crate::arrows;
use crate::command::{self, Failure, cargo};

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["fmt", "--all", "--check"]))?;
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    command::run(cargo().args(clippy))?;
    let doc = ["doc", "--workspace", "--no-deps", "--locked"];
    command::run(cargo().args(doc).env("RUSTDOCFLAGS", "-D warnings"))?;
    arrows::run()
}
