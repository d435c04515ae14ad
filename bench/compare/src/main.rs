//! Compares Docent with the same work written by hand and with other servers and site generators, in
//! alternating rounds. Run it with `cargo compare all`, or name one table instead of `all`.
//!
//! Programs go in, and tables in Markdown come out, as they are in `docs/figures.md`. Each file measures one table,
//! with what they share: `process.rs` runs programs on cores of their own and counts instructions, `rounds.rs` takes
//! turns and divides, `table.rs` prints. The load generators are this program again, started on another core (`load`,
//! `load-websocket`).
//!
//! Measuring one server after the other would be simpler, but a machine's speed changes within seconds by more than
//! most of the differences. So only ratios within a round are compared.
//!
//! It needs Linux, valgrind and two cores. Everything listens only on the loopback interface, runs
//! for a bounded time, and ends with this process.

mod calls;
mod documents;
mod followers;
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
mod websocket;

use std::process::ExitCode;

use options::Options;

/// The reason why something could not be measured.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

const USAGE: &str = "usage: cargo compare TABLE [--rounds N] [--seconds S]

  calls     calls in process: instructions, allocations, time
  requests  instructions of requests over HTTP
  http      POST: throughput and latency with 1, 32 and 256 connections
  get       GET with 200 and 304, and rpc.describe with 1,000 procedures
  websocket calls over WebSockets: core time with 32 connections
  start     start-up time and memory with 10, 1,000 and 10,000 procedures
  followers items to 10,000 followers, over SSE and over WebSockets; allow 20,000 open files
  growth    what each byte, procedure and connection costs
  site      reference sites with 100, 1,000 and 10,000 procedures; needs npm
  all       all of these tables
  guard     compare instruction ratios with bench/instructions.txt, and fail if one has risen by
            more than 15 %; --write records new ones

  documents DOCENT DIR   generate a site from every document in a folder";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        // This program starts itself with these, on other cores.
        ["load", ..] => http::load(&words[1..]),
        ["load-websocket", ..] => websocket::load(&words[1..]),
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
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

type Table = (&'static str, fn(Options) -> Result<(), BoxError>);

const TABLES: [Table; 9] = [
    ("calls", calls::run),
    ("requests", http::instructions),
    ("http", http::posts),
    ("get", http::gets),
    ("websocket", websocket::run),
    ("start", start::run),
    ("followers", followers::run),
    ("growth", growth::run),
    ("site", site::run),
];

fn run(name: &str, options: Options) -> Result<(), BoxError> {
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
