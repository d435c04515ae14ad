//! The tests that run in a browser: they build the sites and start the services that the scripts in
//! `docs-gen/tests/browser` look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, BoxError, built, output};
use crate::install::{Program, announce};
use crate::running::RunningService;

pub(crate) const GLANCE_PROGRAMS: &[Program] = &[
    Program::new("node", "nodejs"),
    Program::new("npm", "npm"),
    Program::new("chromium", "chromium"),
];

pub(crate) const CHECKER_PROGRAMS: &[Program] = &[Program::new("java", "default-jre-headless")];

/// Copies the scripts to a separate folder and installs their packages there, to keep the source
/// folders clean.
pub(crate) fn prepare() -> Result<PathBuf, BoxError> {
    let folder = command::target().join("browser");
    fs::create_dir_all(&folder)?;
    let sources = command::root().join("docs-gen/tests/browser");
    for source in fs::read_dir(sources)? {
        let source = source?;
        fs::copy(source.path(), folder.join(source.file_name()))?;
    }
    // `npm ls` checks the installed packages without the network.
    let mut list = Command::new("npm");
    list.current_dir(&folder).args(["ls", "--silent"]);
    if output(&mut list).is_err() {
        announce(&format!("packages of npm in {}", folder.display()))?;
        let install = "install --no-audit --no-fund --loglevel=error";
        run_program(&folder, "npm", install, &[])?;
    }
    Ok(folder)
}

/// Looks at an overview, a procedure, a form and the search, in one width.
pub(crate) fn glance() -> Result<(), BoxError> {
    let folder = prepare()?;
    command::build()?;
    let site = example(&folder, "showcase")?;
    let corpus = example(&folder, "corpus")?;
    run_program(&folder, "node", "run.mjs", &[&site, "glance,search"])?;
    run_program(&folder, "node", "form.mjs", &[&corpus, "kinds"])
}

/// Looks at everything.
pub(crate) fn run() -> Result<(), BoxError> {
    let folder = &prepare()?;
    command::build()?;
    let site = example(folder, "showcase")?;
    let hostile = example(folder, "hostile")?;
    let corpus = example(folder, "corpus")?;
    let versions = example(folder, "versions")?;
    let forms = example(folder, "forms")?;
    // The Nu HTML checker must find no error on any page.
    let checker = "-jar node_modules/vnu-jar/build/dist/vnu.jar --errors-only --skip-non-html";
    run_program(folder, "java", checker, &[&site, &versions])?;
    run_program(folder, "node", "run.mjs", &[&site])?;
    run_program(folder, "node", "versions.mjs", &[&versions])?;
    run_program(folder, "node", "form.mjs", &[&corpus])?;
    run_program(folder, "node", "schemas.mjs", &[&forms, "filled.json"])?;
    let mut judge = Command::new(built("debug", "examples/forms"));
    command::run(judge.arg("judge").arg(folder.join("filled.json")))?;
    run_program(folder, "node", "hostile.mjs", &[&hostile])?;
    live(folder)
}

/// Runs an example that writes a site, and returns the site's folder.
fn example(folder: &Path, name: &str) -> Result<String, BoxError> {
    let site = folder.join("sites").join(name).display().to_string();
    let program = built("debug", &format!("examples/{name}"));
    command::run(
        Command::new(program)
            .current_dir(command::root())
            .arg(&site),
    )?;
    Ok(site)
}

fn run_program(folder: &Path, program: &str, words: &str, more: &[&str]) -> Result<(), BoxError> {
    let mut command = Command::new(program);
    command::run(
        command
            .current_dir(folder)
            .args(words.split(' '))
            .args(more),
    )
}

/// Tests the live reference site of a service, next to a second origin, a service that allows calls from
/// that origin, and a service with logins.
fn live(folder: &Path) -> Result<(), BoxError> {
    let service = RunningService::conformance()?;
    let other = RunningService::conformance()?;
    let open = RunningService::start("examples/cors", &[&other.address])?;
    let logins = RunningService::start("examples/logins", &[])?;
    let addresses = [&service, &other, &open, &logins].map(|running| running.address.as_str());
    run_program(folder, "node", "live.mjs", &addresses)
}
