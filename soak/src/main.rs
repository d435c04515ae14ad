//! `soak LIBRARY`: the library under honest and hostile traffic, killed again and again.
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

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use options::{Options, USAGE};

/// Why a soak failed.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The longest that anybody waits for the other end of a connection: the service has 30 s for a
/// call.
const PATIENCE: Duration = Duration::from_secs(40);

/// How much longer than asked a soak may take, with its questions and its leaving.
const OVERTIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let library = arguments.next().filter(|path| Path::new(path).is_file());
    let (Some(library), Some(options)) = (library, Options::parse(arguments)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run::soak(options, Path::new(&library)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("soak: {failure}");
            ExitCode::FAILURE
        }
    }
}
