//! Inputs that nobody thought of: `cargo fuzz` on the checks of the crate `fuzz`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Failure};
use crate::install::{arguments, cargo_tool};

const TARGETS: [&str; 4] = ["body", "description", "query", "site"];

const USAGE: &str = "usage: cargo xtask fuzz [body | description | query | site] [--seconds N]";

pub(crate) fn run() -> Result<(), Failure> {
    let arguments: Vec<_> = arguments().collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let (target, seconds) = match *words {
        [] => (None, "60"),
        [target] => (Some(target), "60"),
        ["--seconds", seconds] => (None, seconds),
        [target, "--seconds", seconds] => (Some(target), seconds),
        _ => return Err(USAGE.into()),
    };
    if target.is_some_and(|target| !TARGETS.contains(&target)) || seconds.parse::<u32>().is_err() {
        return Err(USAGE.into());
    }
    let program = cargo_tool("cargo-fuzz", "0.13.2")?;
    TARGETS
        .iter()
        .filter(|name| target.is_none_or(|target| target == **name))
        .try_for_each(|name| fuzz(&program, name, seconds))
}

/// Runs one target. What it finds on its way is kept beside what is built, not in the repository.
fn fuzz(program: &Path, target: &str, seconds: &str) -> Result<(), Failure> {
    let root = command::root().join("fuzz");
    let built = command::target().join("fuzz");
    let found = folder(&built.join("corpus").join(target))?;
    let broken = folder(&built.join("findings").join(target))?;
    // A site is made of a description.
    let inputs = if target == "site" {
        "description"
    } else {
        target
    };
    let kept = ["corpus", "regressions"].map(|kept| root.join(kept).join(inputs));
    command::run(
        Command::new(program)
            .current_dir(&root)
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
    fs::create_dir_all(path)?;
    Ok(path.canonicalize()?)
}
