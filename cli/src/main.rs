//! `docent`: what a described JSON-RPC service says about itself, as a site, as a document, as a
//! list of what is missing.
//!
//! A command reads its inputs ([`input`]), does one thing with them, and ends with a status that a
//! script can act on ([`failure`]). What it makes goes to standard output or to where `-o` says;
//! what it has to say about that goes to standard error ([`terminal`]).

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
