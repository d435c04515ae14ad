//! What Docent costs beside the same work done by hand and by other servers and generators, in
//! alternating rounds: `cargo bench-compare all`, or one of its tables.
//!
//! It needs Linux, valgrind and two cores. Everything listens on the loopback interface only, runs
//! for a bounded time, and ends with this process.

mod calls;
mod documents;
mod growth;
mod guard;
mod http;
mod load;
mod options;
mod process;
mod responder;
mod rounds;
mod site;
mod start;
mod table;
mod workers;

use std::process::ExitCode;

use options::Options;

/// Why something could not be measured.
type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "usage: compare TABLE [--rounds N] [--seconds S]

  calls     calls in process: instructions, allocations, time
  http      requests over HTTP: throughput and latency at 1, 32 and 256 connections, batches
  get       GET with 200 and 304, and rpc.describe of 1,000 procedures
  workers   one worker and two
  start     time and memory to start, with 10, 1,000 and 10,000 procedures
  growth    what a byte, a procedure and a connection cost
  site      reference sites of 100, 1,000 and 10,000 procedures; needs npm
  all       all of these
  guard     instructions as ratios to the same work by hand, against bench/instructions.txt:
            a rise of more than 2 % fails; --write records anew

  documents DOCENT DIR   a site of every document in a folder";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        // What this program starts of itself, on cores of its own.
        ["load", ..] => http::load(&words[1..]),
        ["respond", request, body] => http::respond(request, body),
        ["documents", docent, folder] => documents::run(docent.as_ref(), folder.as_ref()),
        ["guard"] => guard::check(),
        ["guard", "--write"] => guard::write(),
        [table, ..] => match Options::read(&words[1..]) {
            Some(options) => run(table, options),
            None => return usage(),
        },
        [] => return usage(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("compare: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

type Table = (&'static str, fn(Options) -> Result<(), Failure>);

const TABLES: [Table; 7] = [
    ("calls", calls::run),
    ("http", http::posts),
    ("get", http::gets),
    ("workers", workers::run),
    ("start", start::run),
    ("growth", growth::run),
    ("site", site::run),
];

fn run(name: &str, options: Options) -> Result<(), Failure> {
    let chosen: Vec<&Table> = TABLES
        .iter()
        .filter(|(table, _)| name == "all" || name == *table)
        .collect();
    if chosen.is_empty() {
        return Err(format!("no table {name}\n{USAGE}").into());
    }
    table::heading()?;
    for (_, table) in chosen {
        table(options)?;
    }
    Ok(())
}
