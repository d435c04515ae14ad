//! What is depended on, by `deny.toml`: licences, sources, duplicates, and known weaknesses.

use std::process::Command;

use crate::command::{self, Failure};
use crate::packages;

pub(crate) fn run() -> Result<(), Failure> {
    let program = packages::cargo_tool("cargo-deny", "0.20.2")?;
    let deny = || {
        let mut deny = Command::new(&program);
        deny.current_dir(command::root());
        deny
    };
    command::run(deny().args(["check", "bans", "licenses", "sources"]))?;
    // The advisories are in a repository that a machine may have no way to.
    match command::run(deny().args(["fetch", "db"])) {
        Ok(()) => command::run(deny().args(["check", "--disable-fetch", "advisories"])),
        Err(failure) => {
            eprintln!("xtask deny: ADVISORIES WERE NOT CHECKED: {failure}");
            Ok(())
        }
    }
}
