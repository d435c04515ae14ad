//! Tests of the conformance service that need more descriptors than there mostly are, one by one.

use std::process::Command;

use crate::command::{self, Failure, cargo};

/// Ten thousand connections, and what else is open.
const DESCRIPTORS: &str = "11000";

pub(crate) fn run() -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        println!("the tests of memory need Linux, which tells how much a process has");
        return Ok(());
    }
    let raise = format!("ulimit -n {DESCRIPTORS} && exec \"$@\"");
    let cargo = cargo();
    let mut tests = Command::new("sh");
    if let Some(folder) = cargo.get_current_dir() {
        tests.current_dir(folder);
    }
    tests.args(["-c", &raise, "sh"]).arg(cargo.get_program());
    tests.args([
        "test",
        "--locked",
        "--package",
        "conformance",
        "--test",
        "it",
    ]);
    tests.args(["--", "--ignored", "--test-threads=1"]);
    command::run(&mut tests)
}
