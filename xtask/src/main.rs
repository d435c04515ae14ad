//! `cargo xtask …`: everything a contributor or CI runs.

mod arrows;
mod browser;
mod clients;
mod command;
mod crates;
mod crowds;
mod deny;
mod documents;
mod features;
mod full;
mod fuzz;
mod instructions;
mod lint;
mod packages;
mod proxy;
mod running;
mod scale;
mod soak;
mod test;

use std::process::ExitCode;

use command::Failure;

/// A task: its name, what it does, and the function that does it.
type Task = (&'static str, &'static str, fn() -> Result<(), Failure>);

const TASKS: &[Task] = &[
    (
        "test",
        "set up what the tests need, then run all of them",
        test::run,
    ),
    (
        "browser",
        "the tests that need a browser, and what these need",
        browser::run,
    ),
    (
        "clients",
        "the tests with HTTP clients of other people, and what these need",
        clients::run,
    ),
    (
        "crowds",
        "the tests with 10,000 connections (part of `test`)",
        crowds::run,
    ),
    (
        "proxy",
        "the tests of a cache in front, and nginx, which they need",
        proxy::run,
    ),
    (
        "lint",
        "formats, clippy, documentation, dependency arrows",
        lint::run,
    ),
    (
        "deny",
        "check licences, sources and weaknesses of what is depended on",
        deny::run,
    ),
    (
        "full",
        "what takes too long for every change: features, packages, counts",
        full::run,
    ),
    (
        "features",
        "check every crate without its features, and with each alone",
        features::run,
    ),
    (
        "crates",
        "package every crate that is published, and build the packages",
        crates::run,
    ),
    (
        "scale",
        "build the site of 10,000 procedures within its bounds",
        scale::run,
    ),
    (
        "fuzz",
        "look for inputs that break a promise: [TARGET] [--seconds N]",
        fuzz::run,
    ),
    (
        "soak",
        "the library under hostile traffic, killed again and again",
        soak::run,
    ),
    (
        "arrows",
        "check that no crate depends on what it must not know",
        arrows::run,
    ),
    (
        "documents",
        "make a site of every document in a folder, and measure it",
        documents::run,
    ),
    (
        "instructions",
        "count what a call costs, within its bounds (needs valgrind)",
        instructions::run,
    ),
];

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((_, _, task)) = TASKS.iter().find(|(known, _, _)| *known == name) else {
        eprintln!("usage: cargo xtask TASK\n");
        for (name, about, _) in TASKS {
            eprintln!("  {name:<13} {about}");
        }
        return ExitCode::from(2);
    };
    match task() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask {name}: {failure}");
            ExitCode::FAILURE
        }
    }
}
