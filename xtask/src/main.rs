//! `cargo xtask …`: what contributors and CI run beside `cargo test`.

mod arrows;
mod browser;
mod clients;
mod command;
mod features;
mod fuzz;
mod install;
mod instructions;
mod running;
mod tasks;

use std::process::ExitCode;

use command::Failure;
use install::{Program, need};

/// What a task needs, and the function that does it.
type Task = (&'static [Program], fn() -> Result<(), Failure>);

const USAGE: &str = "usage: cargo xtask TASK [--no-install]

  test          all tests, with a short soak; needs what the next four need
  browser       the tests in a browser; needs node, npm, java, chromium, and packages of npm
  clients       the tests with HTTP clients of others; needs javac, curl
  crowds        the tests with 10,000 connections
  proxy         the tests of a cache in front; needs nginx
  scale         a site of 10,000 procedures, within its bounds
  soak          the library under attack, killed again and again: [--minutes N] [--seed S]
  lint          format, clippy, rustdoc, arrows, api
  api           the public API is the one listed in api/; --write lists it anew
  arrows        what each crate must not depend on, and on how much
  deny          licences, sources and advisories of dependencies; needs cargo-deny
  full          features, crates, instructions
  features      every crate without its features, and with each alone
  crates        package every crate that is published, and build the packages
  instructions  what a call costs, within its bounds; needs valgrind
  fuzz          look for inputs that break a promise: [TARGET] [--seconds N]; needs cargo-fuzz
  documents     make a site of every document in a folder, and measure it: DIR

Before a task begins, it says which of the programs that it needs are missing, and installs them with
apt-get, cargo or npm. With --no-install it names them and fails.";

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (needs, task): Task = match name.as_str() {
        "test" => (tasks::FOR_TESTS, tasks::test),
        "browser" => (browser::NEEDS, browser::run),
        "clients" => (clients::NEEDS, clients::run),
        "crowds" => (&[], tasks::crowds),
        "proxy" => (tasks::PROXY, tasks::proxy),
        "scale" => (&[], tasks::scale),
        "soak" => (&[], tasks::soak),
        "lint" => (&[], tasks::lint),
        "api" => (&[], tasks::api),
        "arrows" => (&[], arrows::run),
        "deny" => (&[], tasks::deny),
        "full" => (instructions::NEEDS, tasks::full),
        "features" => (&[], features::run),
        "crates" => (&[], tasks::crates),
        "instructions" => (instructions::NEEDS, instructions::run),
        "fuzz" => (&[], fuzz::run),
        "documents" => (&[], tasks::documents),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match need(needs).and_then(|()| task()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask {name}: {failure}");
            ExitCode::FAILURE
        }
    }
}
