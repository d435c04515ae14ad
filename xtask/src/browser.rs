//! The tests that need a browser, and everything that these need.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::command::{self, Failure, cargo};
use crate::packages;

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

/// The reference as a running service serves it, and a page of another origin beside it.
fn live(folder: &Path) -> Result<(), Failure> {
    command::run(cargo().args(["build", "--locked", "--package", "conformance"]))?;
    let (service, other) = (Running::start()?, Running::start()?);
    command::run(Command::new("node").current_dir(folder).args([
        "live.mjs",
        &service.address,
        &other.address,
    ]))
}

/// A conformance service on a free port; it ends when this is dropped.
struct Running {
    process: Child,
    address: String,
}

impl Running {
    fn start() -> Result<Self, Failure> {
        let mut process = Command::new(command::target().join("debug/conformance"))
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(Failure::new)?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout)
                .read_line(&mut line)
                .map_err(Failure::new)?;
        }
        let address = line
            .split_whitespace()
            .find_map(|word| word.strip_suffix("/rpc"));
        match address {
            Some(address) => Ok(Self {
                address: address.to_owned(),
                process,
            }),
            None => Err(Failure::new(format_args!(
                "conformance did not start: {line:?}"
            ))),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing else to do about either.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
