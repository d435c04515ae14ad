//! `docent`: creates services, shows, calls, checks, compares and documents them by their descriptions, and
//! writes clients for them.
//!
//! A command reads its inputs ([`input`]), does one thing with them, and exits with a status that a
//! script can use ([`failure`]). Its result goes to standard output or to the path given with `-o`,
//! its messages to standard error ([`terminal`]).

mod allow_list;
mod args;
mod call;
mod check;
mod client;
mod completions;
mod describe;
mod diff;
mod docs;
mod environment;
mod exec;
mod failure;
mod files;
mod glob;
mod http;
mod input;
mod list;
mod mcp;
mod mock;
mod new;
mod remote;
mod services;
mod terminal;
mod uses;
mod web;

use std::process::ExitCode;

use args::{Args, Command};
use failure::Failure;
use http::Client;
use terminal::Terminal;

fn main() -> ExitCode {
    let args = Args::of_process();
    let terminal = Terminal::new(args.verbose, args.color);
    match run(&args, terminal) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal.fail(&failure);
            failure.kind.into()
        }
    }
}

/// Runs a command.
fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    // A client may read a token from standard input, so only commands that send requests make one: completions must
    // not wait, and `docent new` needs no service.
    let client = || Client::new(&args.http, terminal);
    match &args.command {
        Command::Call(args) => call::run(args, &client()?, terminal),
        Command::Docs(args) => docs::run(args, &client()?, terminal),
        Command::List(args) => list::run(args, &client()?, terminal),
        Command::Describe(args) => describe::run(args, &client()?, terminal),
        Command::Check(args) => check::run(args, &client()?, terminal),
        Command::Client(args) => client::run(args, &client()?, terminal),
        Command::Mock(args) => mock::run(args, &client()?, terminal),
        Command::New(args) => new::run(args, terminal),
        Command::Completions(args) => completions::run(args, terminal),
        Command::Requests(_) => Err(Failure::usage(
            "`requests` is a topic, and no command; see `docent help requests`",
        )),
        Command::CompleteWords(args) => completions::words(args, terminal),
        Command::Diff(args) => diff::run(args, &client()?, terminal),
    }
}
