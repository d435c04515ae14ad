//! `docent`: builds a reference site from the description of a JSON-RPC service, converts the
//! description, or lists what is missing in it.
//!
//! A command reads its inputs ([`input`]), does one thing with them, and exits with a status that a
//! script can use ([`failure`]). Its result goes to standard output or to the path given with `-o`,
//! its messages to standard error ([`terminal`]).

mod args;
mod check;
mod describe;
mod docs;
mod failure;
mod input;
mod terminal;
mod undocumented;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use terminal::Terminal;

fn main() -> ExitCode {
    let args = Args::parse();
    let terminal = Terminal::new(args.verbose);
    let result = match &args.command {
        Command::Docs(args) => docs::run(args, terminal),
        Command::Describe(args) => describe::run(args, terminal),
        Command::Check(args) => check::run(args, terminal),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal.fail(&failure);
            failure.kind.into()
        }
    }
}
