//! Reference sites of the same service: by Docent, by Redocly from an OpenAPI document, and by rustdoc
//! from a library. The sources have the same names, types and texts.

mod service;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::options::Options;
use crate::rounds::{Spread, alternate};
use crate::{BoxError, process, table};

/// A fixed version, so that the figures of different days can be compared.
const REDOCLY_PACKAGE: &str = "@redocly/cli@2.77.0";

/// A generator: its title, its command, its source, its output, and the most procedures to try.
struct Generator {
    title: &'static str,
    command: fn(&Path, &Path) -> Command,
    source: &'static str,
    output: &'static str,
    at_most: usize,
}

const SITE_GENERATORS: [Generator; 3] = [
    Generator {
        title: "docent docs",
        command: docent,
        source: "openrpc.json",
        output: "docent",
        at_most: usize::MAX,
    },
    Generator {
        title: "redocly build-docs",
        command: redocly,
        source: "openapi.json",
        output: "redocly.html",
        at_most: 1_000,
    },
    Generator {
        title: "rustdoc",
        command: rustdoc,
        source: "service.rs",
        output: "rustdoc",
        at_most: usize::MAX,
    },
];

fn docent(source: &Path, output: &Path) -> Command {
    let mut docent = Command::new(process::ours("docent"));
    docent.arg("docs").arg(source).arg("--output").arg(output);
    docent
}

fn redocly(source: &Path, output: &Path) -> Command {
    let program = packages().join("node_modules/@redocly/cli/bin/cli.js");
    let mut redocly = Command::new("node");
    redocly.arg(program).arg("build-docs").arg(source);
    // Without these, it reports usage and looks for updates.
    redocly
        .arg("--output")
        .arg(output)
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    redocly
}

fn rustdoc(source: &Path, output: &Path) -> Command {
    let mut rustdoc = Command::new("rustdoc");
    rustdoc.args(["--edition=2024", "--crate-type=lib"]);
    rustdoc.arg(source).arg("--out-dir").arg(output);
    rustdoc
}

/// The folder for packages of npm, outside the sources.
fn packages() -> PathBuf {
    process::target().join("bench")
}

/// One run of a generator.
struct GeneratorRun {
    seconds: f64,
    /// The peak memory in bytes.
    peak: u64,
    files: u64,
    bytes: u64,
}

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    process::build(&["docent-cli"])?;
    fs::create_dir_all(packages())?;
    let mut npm = Command::new("npm");
    let install = "install --no-audit --no-fund --loglevel=error --prefix .";
    npm.current_dir(packages()).args(install.split(' '));
    process::finish(npm.arg(REDOCLY_PACKAGE))?;
    let mut rows = Vec::new();
    for procedures in [100, 1_000, 10_000] {
        let folder = tempfile::tempdir()?;
        service::write(folder.path(), procedures)?;
        let able: Vec<_> = SITE_GENERATORS
            .iter()
            .filter(|generator| procedures <= generator.at_most)
            .collect();
        // These take so long that a few rounds are enough.
        let rounds = if procedures < 10_000 {
            options.rounds
        } else {
            options.rounds.min(3)
        };
        let measured = alternate(&able, rounds, |generator| generator.make(folder.path()))?;
        for (generator, made) in able.iter().zip(&measured) {
            rows.push(row(generator, procedures, made));
        }
    }
    let names = [
        "generator",
        "procedures",
        "time",
        "peak memory",
        "files",
        "size",
    ];
    table::print("Reference sites", &names, &rows);
    Ok(())
}

fn row(generator: &Generator, procedures: usize, made: &[GeneratorRun]) -> Vec<String> {
    let seconds = Spread::of(made.iter().map(|site| site.seconds));
    vec![
        generator.title.to_owned(),
        procedures.to_string(),
        format!("{seconds} s"),
        table::bytes(median(made.iter().map(|site| site.peak))),
        median(made.iter().map(|site| site.files)).to_string(),
        table::bytes(median(made.iter().map(|site| site.bytes))),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn median(values: impl Iterator<Item = u64>) -> f64 {
    Spread::of(values.map(|value| value as f64)).median
}

impl Generator {
    fn make(&self, folder: &Path) -> Result<GeneratorRun, BoxError> {
        let output = folder.join(self.output);
        let stdout = folder.join("stdout");
        let stderr = folder.join("stderr");
        let mut command = (self.command)(&folder.join(self.source), &output);
        command
            .stdin(Stdio::null())
            .stdout(fs::File::create(&stdout)?)
            .stderr(fs::File::create(&stderr)?);
        let before = Instant::now();
        let mut child = command.spawn()?;
        let peak = process::peak_until_end(&mut child)?;
        let seconds = before.elapsed().as_secs_f64();
        let status = child.wait()?;
        if !status.success() {
            let text = fs::read_to_string(&stderr)?;
            return Err(format!("{}: {status}: {text:.2000}", self.title).into());
        }
        let mut made = GeneratorRun {
            seconds,
            peak: peak.unwrap_or_default(),
            files: 0,
            bytes: 0,
        };
        made.weigh(&output)?;
        // Every round starts without output.
        if output.is_dir() {
            fs::remove_dir_all(&output)?;
        } else {
            fs::remove_file(&output)?;
        }
        Ok(made)
    }
}

impl GeneratorRun {
    fn weigh(&mut self, path: &Path) -> Result<(), BoxError> {
        let about = fs::metadata(path)?;
        if about.is_dir() {
            for entry in fs::read_dir(path)? {
                self.weigh(&entry?.path())?;
            }
        } else {
            self.files += 1;
            self.bytes += about.len();
        }
        Ok(())
    }
}
