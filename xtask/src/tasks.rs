//! Tasks that mostly run one command, and those that run other tasks.
//!
//! [`test()`] and [`full()`] say what is run when. A task with a setup of its own has a file of its own.

use std::path::Path;
use std::process::Command;

use crate::command::{self, BoxError, cargo};
use crate::install::{Program, arguments, cargo_tool};
use crate::running::{ANY_PORT, RunningService, WRITE_TOKEN};
use crate::{
    alone, arrows, browser, clients, cluster, dependents, features, generated, instructions, mcp,
    newcomer, openapi, openrpc, postgres, size,
};

/// The programs that any part of `test` needs, so that they are installed at the start.
pub(crate) const TEST_PROGRAMS: &[&[Program]] = &[
    PROXY_PROGRAMS,
    SHELL_PROGRAMS,
    browser::GLANCE_PROGRAMS,
    generated::CLIENT_PROGRAMS,
];

/// The programs that any part of `full` needs.
pub(crate) const FULL_PROGRAMS: &[&[Program]] = &[
    PROXY_PROGRAMS,
    SHELL_PROGRAMS,
    clients::CLIENT_PROGRAMS,
    newcomer::NEWCOMER_PROGRAMS,
    browser::GLANCE_PROGRAMS,
    browser::CHECKER_PROGRAMS,
    generated::CLIENT_PROGRAMS,
    instructions::GUARD_PROGRAMS,
];

/// Completions are tested in the shells that are installed.
const SHELL_PROGRAMS: &[Program] = &[Program::new("zsh", "zsh"), Program::new("fish", "fish")];

/// The programs for the tests behind a caching proxy.
pub(crate) const PROXY_PROGRAMS: &[Program] = &[Program::new("nginx", "nginx")];

/// The variable with the number of tests that a test program runs at once.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

/// Runs cargo with these words.
fn run(words: &str) -> Result<(), BoxError> {
    command::run(cargo().args(words.split(' ')))
}

/// Runs what every change has to pass: all tests, and one pass with each of the programs beside them. If crates are
/// named, runs only their tests and those of what stands on them.
pub(crate) fn test() -> Result<(), BoxError> {
    let crates: Vec<_> = arguments().collect();
    if !crates.is_empty() {
        return tests_of(&crates);
    }
    // This comes first, because it may install packages.
    browser::prepare()?;
    postgres::prepare()?;
    tests(["--workspace"])?;
    simulate("10")?;
    proxy()?;
    postgres::run()?;
    browser::glance()?;
    generated::of_the_library()
}

/// Runs the tests of these crates and of those that stand on them.
fn tests_of(crates: &[String]) -> Result<(), BoxError> {
    let tested = dependents::with_dependents(crates)?;
    let names: Vec<&str> = tested.iter().map(String::as_str).collect();
    eprintln!("xtask test: testing {}", names.join(", "));
    tests(tested.iter().flat_map(|name| ["--package", name.as_str()]))
}

/// Runs the tests of these packages, but not the ignored ones.
///
/// Many of them wait for timeouts, so twice as many as there are cores run at once.
fn tests<'a>(packages: impl IntoIterator<Item = &'a str>) -> Result<(), BoxError> {
    let threads = 2 * std::thread::available_parallelism()?.get();
    let mut tests = cargo();
    tests.args(["test", "--locked"]).args(packages);
    if std::env::var_os(TEST_THREADS).is_none() {
        tests.env(TEST_THREADS, threads.to_string());
    }
    command::run(&mut tests)
}

/// Simulates services with many callers, for 30 seconds by default.
pub(crate) fn simulation() -> Result<(), BoxError> {
    let words: Vec<_> = arguments().collect();
    match &*words {
        [] => simulate("30"),
        [flag, seconds] if flag == "--seconds" => simulate(seconds),
        _ => Err("usage: cargo xtask simulation [--seconds N]".into()),
    }
}

/// Simulates for this long. Debug builds exist already, and check results more thoroughly.
fn simulate(seconds: &str) -> Result<(), BoxError> {
    command::build()?;
    command::run(Command::new(command::built("debug", "simulation")).args(["--seconds", seconds]))
}

pub(crate) fn proxy() -> Result<(), BoxError> {
    run("test --locked --workspace --test proxy")
}

/// The program that the ignored tests compare patterns with.
pub(crate) const IGNORED_PROGRAMS: &[Program] = &[Program::new("node", "nodejs")];

/// Runs the tests that are ignored otherwise: proofs that take long, and those that need Node.js or more file
/// descriptors than the usual limit.
pub(crate) fn ignored() -> Result<(), BoxError> {
    if !cfg!(target_os = "linux") {
        return Err(
            "some of these tests need Linux, where they can read the memory of a process".into(),
        );
    }
    // Ten thousand connections, and some descriptors to spare.
    let script = "ulimit -n 11000 && exec \"$@\"";
    let mut tests = command::from_root("sh");
    tests.args(["-c", script, "sh"]).arg(cargo().get_program());
    let words = "test --locked --workspace --lib --bins --tests -- --ignored --test-threads=1";
    command::run(tests.args(words.split(' ')))
}

/// Checks the library against everything that its description promises.
fn truth() -> Result<(), BoxError> {
    let library = RunningService::library("truth", ANY_PORT, &[])?;
    let mut docent = Command::new(command::built("debug", "docent"));
    docent.env("DOCENT_TOKEN", WRITE_TOKEN);
    docent.args(["check", "--unsafe", "--rate", "200"]);
    command::run(docent.arg(format!("{}/rpc", library.address)))
}

/// Soaks the library in the profile that it ships with.
pub(crate) fn soak() -> Result<(), BoxError> {
    run("build --profile dist --locked --package library")?;
    soak_with("dist", arguments())
}

fn soak_with(profile: &str, options: impl IntoIterator<Item = String>) -> Result<(), BoxError> {
    let library = command::built(profile, "library");
    command::build()?;
    let mut soak = Command::new(command::built("debug", "soak"));
    command::run(soak.arg(library).args(options))
}

pub(crate) fn scale() -> Result<(), BoxError> {
    let folder = command::target().join("scale");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let example = "run --release --locked --package docent-docs-gen --example scale --";
    let is_catalogue = arguments().any(|argument| argument == "--catalogue");
    let counts: &[&str] = if is_catalogue { &["100", "1000"] } else { &[] };
    command::run(cargo().args(example.split(' ')).arg(folder).args(counts))
}

pub(crate) fn lint() -> Result<(), BoxError> {
    run("fmt --all --check")?;
    // `--all-targets` does not include the last two, because a plain `cargo test` does not run them.
    for targets in ["--all-targets", "--test proxy --test postgres"] {
        run(&format!(
            "clippy --workspace --locked {targets} -- -D warnings"
        ))?;
    }
    size::lint()?;
    arrows::run()?;
    api()
}

/// The programs that are not also a library, whose documentation would have the same name.
const DOCUMENTED_PROGRAMS: [&str; 6] = ["api", "compare", "quickstart", "serve", "soak", "xtask"];

/// Compares the public API, as `cargo doc` documents it, with the lists.
pub(crate) fn api() -> Result<(), BoxError> {
    let mut document = cargo();
    document.args("doc --workspace --no-deps --locked --lib".split(' '));
    for program in DOCUMENTED_PROGRAMS {
        document.args(["--bin", program]);
    }
    // With an example, the dependencies have the features that tests need, with which clippy has checked them.
    document.args(["--example", "tasks"]);
    // No member of the workspace asks for this one.
    document.args(["--features", "docent-jsonrpsee/testing"]);
    command::run(document.env("RUSTDOCFLAGS", "-D warnings"))?;
    let documented = command::target().join("doc");
    let compare = ["run", "--locked", "--package", "api", "--"];
    command::run(cargo().args(compare).arg(documented).args(arguments()))
}

/// Checks dependencies, without the advisories if their repository is unreachable.
pub(crate) fn deny() -> Result<(), BoxError> {
    let program = cargo_tool("cargo-deny", "0.20.2")?;
    run_deny(&program, "check bans licenses sources")?;
    match run_deny(&program, "fetch db") {
        Ok(()) => run_deny(&program, "check --disable-fetch advisories"),
        Err(error) => {
            eprintln!("xtask deny: ADVISORIES WERE NOT CHECKED: {error}");
            Ok(())
        }
    }
}

fn run_deny(program: &Path, words: &str) -> Result<(), BoxError> {
    let mut deny = Command::new(program);
    command::run(deny.current_dir(command::root()).args(words.split(' ')))
}

/// Runs the checks that take too long for every change: `.ci/run full`.
pub(crate) fn full() -> Result<(), BoxError> {
    size::run()?;
    deny()?;
    features::run()?;
    alone::run()?;
    ignored()?;
    truth()?;
    simulate("600")?;
    scale()?;
    crates()?;
    newcomer::run()?;
    soak_with("debug", ["--seconds".to_owned(), "60".to_owned()])?;
    cluster::run()?;
    browser::run()?;
    clients::run()?;
    generated::run()?;
    openapi::run()?;
    openrpc::run()?;
    mcp::run()?;
    mcp::inspect()?;
    instructions::run()
}

/// Does what publishing all crates does, without the upload: packages each and builds it from its package. Cargo
/// refuses changes that are not committed.
pub(crate) fn crates() -> Result<(), BoxError> {
    // Cargo caches unpacked packages by folder and version, so each commit needs a folder of its own.
    let commit = command::output(
        Command::new("git")
            .current_dir(command::root())
            .args(["rev-parse", "HEAD"]),
    )?;
    let folder = command::target().join("packages").join(commit.trim());
    let publish = "publish --workspace --dry-run --locked --target-dir";
    command::run(cargo().args(publish.split(' ')).arg(folder))
}

/// Measures documents from outside the repository. It is run by hand.
pub(crate) fn documents() -> Result<(), BoxError> {
    run("build --release --locked --package docent-cli")?;
    let measure = "run --release --locked --package compare -- documents";
    let program = command::built("release", "docent");
    command::run(
        cargo()
            .args(measure.split(' '))
            .arg(program)
            .args(arguments()),
    )
}
