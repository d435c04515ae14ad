//! `cargo xtask soak`: the library under honest and hostile traffic, killed again and again.
//!
//! Every write makes something that no other makes, and a ledger knows what its caller was told. So
//! what is there in the end shows which promises were kept: an acknowledged write is there once, a
//! refused one is not, and one whose answer was lost is there once or not at all. Every answer is
//! judged by a reading of the contract that shares no code with the service.
//!
//! For two thirds of the time the process is killed at random moments and started again on the same
//! database; in the last third it is left alone, so that its memory can be seen to stay. Then it is
//! told to leave in the middle of the traffic.

mod call;
mod caller;
mod contract;
mod holdings;
mod honest;
mod hostile;
mod http;
mod ledger;
mod memory;
mod options;
mod program;
mod report;
mod run;
mod tally;
mod world;

use std::path::PathBuf;
use std::time::Duration;

use crate::command::{self, Failure, cargo};
use options::{Options, USAGE};

/// The longest that anybody waits for the other end of a connection: the service has 30 s for a
/// call.
const PATIENCE: Duration = Duration::from_secs(40);

/// How much longer than asked a soak may take, with its questions and its leaving.
const OVERTIME: Duration = Duration::from_secs(60);

/// A soak as the command line asks for it, of the program as it is delivered.
pub(crate) fn run() -> Result<(), Failure> {
    let options = Options::parse(std::env::args().skip(2));
    let options = options.ok_or_else(|| Failure::new(USAGE))?;
    build(&["--profile", "dist"])?;
    run::soak(options, &program("dist"))
}

/// A soak that is short enough to be part of all tests, of the program that they build anyway.
pub(crate) fn run_briefly() -> Result<(), Failure> {
    let mut options = Options::new();
    options.time = Duration::from_secs(18);
    build(&[])?;
    run::soak(options, &program("debug"))
}

fn build(profile: &[&str]) -> Result<(), Failure> {
    let library = ["build", "--locked", "--package", "library"];
    command::run(cargo().args(library).args(profile))
}

fn program(profile: &str) -> PathBuf {
    let name = format!("library{}", std::env::consts::EXE_SUFFIX);
    command::target().join(profile).join(name)
}
