//! `soak LIBRARY` runs the library under honest and hostile traffic and kills it again and again.
//!
//! Every write creates something unique, and a ledger records what the library told its caller. The
//! final state therefore shows which promises were kept: an acknowledged write exists once, a
//! rejected one does not exist, and one whose response was lost exists once or not at all. Every
//! response is checked against a reading of the contract that shares no code with the service.
//!
//! For two thirds of the time, the soak kills the process at random moments and restarts it on the
//! same database. In the last third it lets the process run, to see whether its memory stays
//! constant. Then it shuts the process down in the middle of the traffic.
//!
//! With `--cluster URL` after the library, it runs several instances on one database, and with
//! `--growth URL` it measures them: see [`cluster`].

mod call;
mod caller;
mod cluster;
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
// The statistics of the comparison with other servers.
#[path = "../../bench/compare/src/rounds.rs"]
mod rounds;
mod run;
mod tally;
mod world;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use options::{Options, USAGE};

/// The reason for which a soak failed.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The longest wait for the peer of a connection. The service itself allows a call 30 s.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

/// The additional time in which a soak must check the records and shut down.
const EXTRA_TIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let library = arguments.next().filter(|path| Path::new(path).is_file());
    let mode = arguments.next_if(|word| word == "--cluster" || word == "--growth");
    let database = mode.as_ref().and_then(|_| arguments.next());
    let (Some(library), Some(options)) = (library, Options::parse(arguments)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let library = Path::new(&library);
    let outcome = match (mode.as_deref(), &database) {
        (Some("--growth"), Some(database)) => cluster::measure(library, database, options.seed),
        (Some(_), Some(database)) => cluster::soak(options, library, database),
        _ => run::soak(options, library),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}
