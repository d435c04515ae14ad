//! `cargo xtask …`: the tasks that contributors and CI run besides `cargo test`.
//!
//! A task is a function. Before it runs, the programs that it needs are installed ([`install`]); then it
//! mostly runs other programs ([`command`]).

mod alone;
mod arrows;
mod browser;
mod clients;
mod cluster;
mod command;
mod dependents;
mod dist;
mod features;
mod fuzz;
mod generated;
mod install;
mod instructions;
mod linked;
mod mcp;
mod newcomer;
mod openapi;
mod openrpc;
mod packages;
mod postgres;
mod running;
mod size;
mod tasks;

use std::process::ExitCode;

use command::BoxError;
use install::{Program, need};

type TaskFunction = fn() -> Result<(), BoxError>;

const USAGE: &str = "usage: cargo xtask TASK [--no-install]

  test          run all tests, ten seconds of simulation, proxy, postgres, a short look in the browser, and the
                clients of the library; needs nginx, postgresql, node, npm, chromium, python3, zsh, fish, and
                packages from npm and PyPI. With CRATE…, only the tests of these crates, by their names or folders,
                and of those that stand on them
  browser       run the browser tests; needs node, npm, java, chromium, and npm packages
  clients       test with third-party HTTP clients; needs javac, curl
  mcp           test tools with the official Python client of MCP; needs python3 and packages
  generated     test generated clients of many descriptions; needs node, npm, python3, and packages
                from npm and PyPI
  ignored       run the tests that are ignored otherwise: proofs that take long, and 10,000 connections
  proxy         test behind a caching proxy; needs nginx
  postgres      test the library on PostgreSQL; needs postgresql, and starts a server of its own
  scale         build a site of 10,000 procedures within its limits
  simulation    simulate many callers of a service, with seeds that nobody has run: [--seconds N]
  soak          attack the library, kill it repeatedly, and check that no data is lost:
                [--minutes N | --seconds N] [--seed S]
  cluster       attack three instances of the library behind nginx, which share PostgreSQL, and check that
                no write is done twice and that instances can be replaced unnoticed; needs postgresql,
                nginx: [--minutes N | --seconds N] [--seed S]
  growth        measure one, two and three instances of the library on PostgreSQL; needs postgresql, nginx
  lint          check format, clippy, rustdoc, size, arrows, api
  size          count the tokens of the framework and of the tools, and compare them with their ceilings in
                xtask/size.txt, which only an issue raises
  api           compare the public API with the lists in api/; --write updates the lists
  arrows        check which crates each crate depends on, and how many
  deny          check licences, sources and advisories of dependencies; needs cargo-deny
  openapi       test with the tools of OpenAPI; needs node, npm, python3, chromium, and packages from npm
                and PyPI
  openrpc       test with the tools of OpenRPC; needs node, npm, and packages from npm
  inspector     test tools with the MCP inspector and conformance tests; needs npm and packages
  full          run what takes too long for every change: features, alone, ignored, scale, simulation for ten minutes,
                crates, newcomer, soak, cluster, browser, clients, generated, openapi, openrpc, mcp, inspector, instructions
  alone         build the tests of every crate alone
  features      build every crate without features, and with each feature alone
  crates        package every published crate, build the packages, and do all of `cargo publish` but the upload
  newcomer      play the transcript of the guide's first page in an empty folder, with packaged crates; needs curl
  dist          build `docent` as a static binary, with completions and checksums; needs musl-tools
  instructions  compare instruction counts with the recorded ones; --write records new ones;
                needs valgrind
  fuzz          fuzz: [TARGET] [--seconds N]; needs cargo-fuzz
  documents     build a site of every document in a folder, and measure it: DIR

Before it starts, a task lists the missing programs that it needs and installs them with apt-get,
cargo or npm. With --no-install, it lists them and fails.";

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (needs, task): (&[&[Program]], TaskFunction) = match name.as_str() {
        "test" => (tasks::TEST_PROGRAMS, tasks::test),
        "browser" => (
            &[browser::GLANCE_PROGRAMS, browser::CHECKER_PROGRAMS],
            browser::run,
        ),
        "clients" => (&[clients::CLIENT_PROGRAMS], clients::run),
        "mcp" => (&[mcp::MCP_PROGRAMS], mcp::run),
        "inspector" => (&[mcp::INSPECTOR_PROGRAMS], mcp::inspect),
        "generated" => (&[generated::CLIENT_PROGRAMS], generated::run),
        "openapi" => (&[openapi::OPENAPI_PROGRAMS], openapi::run),
        "openrpc" => (&[openrpc::OPENRPC_PROGRAMS], openrpc::run),
        "ignored" => (&[tasks::IGNORED_PROGRAMS], tasks::ignored),
        "cluster" => (&[], cluster::run),
        "growth" => (&[], cluster::growth),
        "proxy" => (&[tasks::PROXY_PROGRAMS], tasks::proxy),
        "postgres" => (&[], postgres::run),
        "scale" => (&[], tasks::scale),
        "simulation" => (&[], tasks::simulation),
        "soak" => (&[], tasks::soak),
        "lint" => (&[], tasks::lint),
        "size" => (&[], size::run),
        "api" => (&[], tasks::api),
        "arrows" => (&[], arrows::run),
        "deny" => (&[], tasks::deny),
        "full" => (tasks::FULL_PROGRAMS, tasks::full),
        "alone" => (&[], alone::run),
        "features" => (&[], features::run),
        "crates" => (&[], tasks::crates),
        "newcomer" => (&[newcomer::NEWCOMER_PROGRAMS], newcomer::run),
        "dist" => (&[dist::DIST_PROGRAMS], dist::run),
        "instructions" => (&[instructions::GUARD_PROGRAMS], instructions::run),
        "fuzz" => (&[], fuzz::run),
        "documents" => (&[], tasks::documents),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match need(needs).and_then(|()| task()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {name}: {error}");
            ExitCode::FAILURE
        }
    }
}
