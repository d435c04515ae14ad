//! The tests that need a browser, and everything that these need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Failure, cargo};
use crate::packages;
use crate::running::Running;

/// Programs, and the packages of Debian that have them.
const PROGRAMS: &[(&str, &str)] = &[
    ("node", "nodejs"),
    ("npm", "npm"),
    ("java", "default-jre-headless"),
    ("chromium", "chromium"),
];

pub(crate) fn run() -> Result<(), Failure> {
    packages::need(PROGRAMS)?;
    let folder = prepare()?;
    let site = example(&folder, "showcase", "site")?;
    let hostile = example(&folder, "hostile", "hostile-site")?;
    check_html(&folder, &site)?;
    node(&folder, "run.mjs", &site)?;
    node(&folder, "hostile.mjs", &hostile)?;
    live(&folder)
}

/// Writes the site that an example makes.
fn example(folder: &Path, name: &str, place: &str) -> Result<PathBuf, Failure> {
    let site = folder.join(place);
    let arguments = [
        "run",
        "--locked",
        "--package",
        "docent-docs-gen",
        "--example",
        name,
        "--",
    ];
    command::run(cargo().args(arguments).arg(&site))?;
    Ok(site)
}

fn node(folder: &Path, script: &str, site: &Path) -> Result<(), Failure> {
    command::run(
        Command::new("node")
            .current_dir(folder)
            .arg(script)
            .arg(site),
    )
}

/// The scripts with their packages, in a folder of their own: nothing is installed in the sources.
fn prepare() -> Result<PathBuf, Failure> {
    let folder = command::target().join("browser");
    fs::create_dir_all(&folder).map_err(Failure::new)?;
    let sources =
        fs::read_dir(command::root().join("docs-gen/tests/browser")).map_err(Failure::new)?;
    for source in sources {
        let source = source.map_err(Failure::new)?;
        fs::copy(source.path(), folder.join(source.file_name())).map_err(Failure::new)?;
    }
    let quiet = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
    command::run(Command::new("npm").current_dir(&folder).args(quiet))?;
    Ok(folder)
}

/// The Nu HTML checker: no error in any page.
fn check_html(folder: &Path, site: &Path) -> Result<(), Failure> {
    let jar = folder.join("node_modules/vnu-jar/build/dist/vnu.jar");
    let options = ["--errors-only", "--skip-non-html"];
    command::run(
        Command::new("java")
            .arg("-jar")
            .arg(jar)
            .args(options)
            .arg(site),
    )
}

/// The reference as a running service serves it, a page of another origin beside it, and a service
/// that this origin may call.
fn live(folder: &Path) -> Result<(), Failure> {
    let build = ["build", "--locked", "--package"];
    command::run(cargo().args(build).arg("conformance"))?;
    let open = ["docent-server", "--example", "cors"];
    command::run(cargo().args(build).args(open))?;
    let service = Running::conformance()?;
    let other = Running::conformance()?;
    let open = Running::start("examples/cors", &[&other.address])?;
    command::run(Command::new("node").current_dir(folder).args([
        "live.mjs",
        &service.address,
        &other.address,
        &open.address,
    ]))
}
