//! The tests that need a browser, and everything that these need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Failure, cargo, output};
use crate::install::{Program, announce};
use crate::running::Running;

pub(crate) const NEEDS: &[Program] = &[
    ("node", "nodejs"),
    ("npm", "npm"),
    ("java", "default-jre-headless"),
    ("chromium", "chromium"),
];

pub(crate) fn run() -> Result<(), Failure> {
    run_in(&prepare()?)
}

/// The scripts with their packages, in a folder of their own: nothing is installed in the sources.
pub(crate) fn prepare() -> Result<PathBuf, Failure> {
    let folder = command::target().join("browser");
    fs::create_dir_all(&folder)?;
    let sources = command::root().join("docs-gen/tests/browser");
    for source in fs::read_dir(sources)? {
        let source = source?;
        fs::copy(source.path(), folder.join(source.file_name()))?;
    }
    // What is there already is compared with what is asked for, without a network.
    let npm = |words: &str| {
        let mut npm = Command::new("npm");
        npm.current_dir(&folder).args(words.split(' '));
        npm
    };
    if output(&mut npm("ls --silent")).is_err() {
        announce(&format!("packages of npm in {}", folder.display()))?;
        command::run(&mut npm("install --no-audit --no-fund --loglevel=error"))?;
    }
    Ok(folder)
}

/// Runs everything with the packages that are in a folder.
pub(crate) fn run_in(folder: &Path) -> Result<(), Failure> {
    let site = example(folder, "showcase")?;
    let hostile = example(folder, "hostile")?;
    // The Nu HTML checker: no error in any page.
    let checker = "-jar node_modules/vnu-jar/build/dist/vnu.jar --errors-only --skip-non-html";
    run_program(folder, "java", checker, &[&site])?;
    run_program(folder, "node", "run.mjs", &[&site])?;
    run_program(folder, "node", "hostile.mjs", &[&hostile])?;
    live(folder)
}

/// Writes the site that an example makes.
fn example(folder: &Path, name: &str) -> Result<String, Failure> {
    let site = folder.join("sites").join(name).display().to_string();
    let words = "run --locked --package docent-docs-gen --example";
    command::run(cargo().args(words.split(' ')).args([name, "--", &site]))?;
    Ok(site)
}

fn run_program(folder: &Path, program: &str, words: &str, more: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new(program);
    command::run(
        command
            .current_dir(folder)
            .args(words.split(' '))
            .args(more),
    )
}

/// The reference as a running service serves it, a page of another origin beside it, and a service
/// that this origin may call.
fn live(folder: &Path) -> Result<(), Failure> {
    let build = ["build", "--locked", "--package"];
    command::run(cargo().args(build).arg("conformance"))?;
    command::run(
        cargo()
            .args(build)
            .args(["docent-server", "--example", "cors"]),
    )?;
    let service = Running::conformance()?;
    let other = Running::conformance()?;
    let open = Running::start("examples/cors", &[&other.address])?;
    let services = [&service, &other, &open].map(|it| it.address.as_str());
    run_program(folder, "node", "live.mjs", &services)
}
