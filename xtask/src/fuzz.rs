//! Inputs that nobody thought of: libFuzzer on the checks of the crate `fuzz`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Failure};
use crate::packages;

const USAGE: &str = "usage: cargo xtask fuzz [TARGET] [--seconds N]";

/// How long each target runs unless told otherwise.
const SECONDS: u32 = 60;

pub(crate) fn run() -> Result<(), Failure> {
    let root = command::root().join("fuzz");
    let all = targets(&root)?;
    let Asked { target, seconds } = Asked::read(std::env::args().skip(2))?;
    if let Some(unknown) = target.as_ref().filter(|target| !all.contains(target)) {
        let known = all.join(", ");
        return Err(Failure::new(format_args!(
            "no target {unknown:?}: there are {known}"
        )));
    }
    let program = packages::cargo_tool("cargo-fuzz", "0.13.2")?;
    let chosen = all
        .iter()
        .filter(|name| target.as_ref().is_none_or(|target| target == *name));
    chosen
        .into_iter()
        .try_for_each(|name| fuzz(&program, &root, name, seconds))
}

struct Asked {
    target: Option<String>,
    seconds: u32,
}

impl Asked {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut asked = Self {
            target: None,
            seconds: SECONDS,
        };
        while let Some(argument) = arguments.next() {
            if argument == "--seconds" {
                let seconds = arguments.next().and_then(|text| text.parse().ok());
                asked.seconds = seconds.ok_or_else(|| Failure::new(USAGE))?;
            } else if argument.starts_with('-') || asked.target.is_some() {
                return Err(Failure::new(USAGE));
            } else {
                asked.target = Some(argument);
            }
        }
        Ok(asked)
    }
}

/// The names of the targets: each is a file.
fn targets(root: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("fuzz_targets")).map_err(Failure::new)? {
        let path = entry.map_err(Failure::new)?.path();
        names.extend(
            path.file_stem()
                .and_then(|name| Some(name.to_str()?.to_owned())),
        );
    }
    names.sort();
    Ok(names)
}

/// The inputs that a target begins with. A site is made of a description.
fn corpus_of(target: &str) -> &str {
    match target {
        "site" => "description",
        own => own,
    }
}

/// Runs one target. What it finds on its way is kept beside what is built, not in the repository.
fn fuzz(program: &Path, root: &Path, target: &str, seconds: u32) -> Result<(), Failure> {
    let built = command::target().join("fuzz");
    let found = folder(&built.join("corpus").join(target))?;
    let broken = folder(&built.join("findings").join(target))?;
    let kept = ["corpus", "regressions"].map(|kept| root.join(kept).join(corpus_of(target)));
    command::run(
        Command::new(program)
            .current_dir(root)
            // What libFuzzer needs of the compiler is not stable, and does not need another one.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", &built)
            .args(["run", "--features", "libfuzzer"])
            // Nothing here is unsafe: an address sanitizer would cost speed and find nothing.
            .args(["--sanitizer", "none", target])
            .arg(found)
            .args(kept.iter().filter(|kept| kept.is_dir()))
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", broken.display()))
            .arg(format!("-dict={}", root.join("words.dict").display()))
            .args(["-max_len=8192", "-timeout=10", "-rss_limit_mb=2048"])
            .arg("-print_final_stats=1"),
    )
}

fn folder(path: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(path).map_err(Failure::new)?;
    path.canonicalize().map_err(Failure::new)
}
