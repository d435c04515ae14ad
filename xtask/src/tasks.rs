//! Tasks that are little more than a command.

use std::process::Command;

use crate::command::{self, Failure, cargo};
use crate::install::{Program, arguments, cargo_tool};
use crate::{arrows, browser, clients, features, instructions};

/// What `test` needs: everything that its parts need, so that it is said at the start.
pub(crate) const FOR_TESTS: &[Program] = &[
    PROXY[0],
    browser::NEEDS[0],
    browser::NEEDS[1],
    browser::NEEDS[3],
    // A JDK is a JRE, too.
    clients::NEEDS[0],
    clients::NEEDS[1],
    clients::NEEDS[2],
];

/// A cache in front of the library.
pub(crate) const PROXY: &[Program] = &[("nginx", "nginx")];

/// Runs cargo with these words.
fn run(words: &str) -> Result<(), Failure> {
    command::run(cargo().args(words.split(' ')))
}

pub(crate) fn test() -> Result<(), Failure> {
    // Before anything else, since it may want to install something.
    let packages = browser::prepare()?;
    run("test --workspace --locked")?;
    crowds()?;
    proxy()?;
    browser::run_in(&packages)?;
    clients::run()?;
    scale()?;
    run("build --locked --package library")?;
    soak_with("debug", ["--seconds".to_owned(), "18".to_owned()])
}

pub(crate) fn proxy() -> Result<(), Failure> {
    run("test --locked --package library --test proxy")
}

/// The tests of the conformance service that need more descriptors than there mostly are.
pub(crate) fn crowds() -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Err("these tests need Linux, which tells how much memory a process has".into());
    }
    // Ten thousand connections, and what else is open.
    let script = "ulimit -n 11000 && exec \"$@\"";
    let cargo = cargo();
    let mut tests = Command::new("sh");
    tests.current_dir(command::root());
    tests.args(["-c", script, "sh"]).arg(cargo.get_program());
    let words = "test --locked --package conformance --test it -- --ignored --test-threads=1";
    command::run(tests.args(words.split(' ')))
}

/// A soak of the library as it ships.
pub(crate) fn soak() -> Result<(), Failure> {
    run("build --profile dist --locked --package library")?;
    soak_with("dist", arguments())
}

fn soak_with(profile: &str, options: impl IntoIterator<Item = String>) -> Result<(), Failure> {
    let library = command::built(profile, "library");
    let soak = ["run", "--locked", "--package", "soak", "--"];
    command::run(cargo().args(soak).arg(library).args(options))
}

pub(crate) fn scale() -> Result<(), Failure> {
    let folder = command::target().join("scale");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let example = "run --release --locked --package docent-docs-gen --example scale --";
    command::run(cargo().args(example.split(' ')).arg(folder))
}

pub(crate) fn lint() -> Result<(), Failure> {
    run("fmt --all --check")?;
    run("clippy --workspace --all-targets --locked -- -D warnings")?;
    // Not among all targets, since a plain `cargo test` does not run it.
    run("clippy --package library --test proxy --locked -- -D warnings")?;
    arrows::run()?;
    api()
}

/// What `cargo doc` shows is the public API that is listed.
pub(crate) fn api() -> Result<(), Failure> {
    let words = ["doc", "--workspace", "--no-deps", "--locked"];
    command::run(cargo().args(words).env("RUSTDOCFLAGS", "-D warnings"))?;
    let documented = command::target().join("doc");
    let compare = ["run", "--locked", "--package", "api", "--"];
    command::run(cargo().args(compare).arg(documented).args(arguments()))
}

/// Advisories are in a repository that may be unreachable; the rest is checked anyway.
pub(crate) fn deny() -> Result<(), Failure> {
    let program = cargo_tool("cargo-deny", "0.20.2")?;
    let deny = |words: &str| {
        let mut deny = Command::new(&program);
        command::run(deny.current_dir(command::root()).args(words.split(' ')))
    };
    deny("check bans licenses sources")?;
    match deny("fetch db") {
        Ok(()) => deny("check --disable-fetch advisories"),
        Err(failure) => {
            eprintln!("xtask deny: ADVISORIES WERE NOT CHECKED: {failure}");
            Ok(())
        }
    }
}

/// What takes too long for every change: `.ci/run full`.
pub(crate) fn full() -> Result<(), Failure> {
    features::run()?;
    crates()?;
    instructions::run()
}

/// Every crate that is published packages, and builds from its package.
pub(crate) fn crates() -> Result<(), Failure> {
    let published = ["describe", "core", "docs-gen", "server", "cli"];
    let packages = published.map(|name| format!("--package=docent-{name}"));
    // Cargo remembers what it unpacked by folder and version: each commit needs a folder of its own.
    let commit = command::output(
        Command::new("git")
            .current_dir(command::root())
            .args(["rev-parse", "HEAD"]),
    )?;
    let folder = command::target().join("packages").join(commit.trim());
    let package = ["package", "--locked", "--target-dir"];
    command::run(cargo().args(package).arg(folder).args(packages))
}

/// For documents that are not ours to keep, so this is run by hand.
pub(crate) fn documents() -> Result<(), Failure> {
    run("build --release --locked --package docent-cli")?;
    let measure = "run --release --locked --package bench --bin documents --";
    let program = command::built("release", "docent");
    command::run(
        cargo()
            .args(measure.split(' '))
            .arg(program)
            .args(arguments()),
    )
}
