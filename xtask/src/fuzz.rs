//! Runs `cargo fuzz` on the targets of the crate `fuzz`.
//!
//! Findings stay in the target folder. A finding becomes part of the repository by hand, as a file
//! of `fuzz/regressions`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, BoxError};
use crate::install::{arguments, cargo_tool};

const FUZZ_TARGETS: [&str; 6] = ["body", "connection", "description", "mcp", "query", "site"];

const USAGE: &str =
    "usage: cargo xtask fuzz [body | connection | description | mcp | query | site] [--seconds N]";

pub(crate) fn run() -> Result<(), BoxError> {
    let words: Vec<_> = arguments().collect();
    let (targets, seconds): (&[String], _) = match &*words {
        [targets @ .., flag, seconds] if flag == "--seconds" => (targets, seconds.as_str()),
        targets => (targets, "60"),
    };
    let selected = match targets {
        [] => &FUZZ_TARGETS[..],
        [target] if FUZZ_TARGETS.contains(&target.as_str()) => &[target.as_str()],
        _ => return Err(USAGE.into()),
    };
    if seconds.parse::<u32>().is_err() {
        return Err(USAGE.into());
    }
    let program = cargo_tool("cargo-fuzz", "0.13.2")?;
    for target in selected {
        fuzz(&program, target, seconds)?;
    }
    Ok(())
}

/// Runs one target. New inputs are stored in the target directory, not in the repository.
fn fuzz(program: &Path, target: &str, seconds: &str) -> Result<(), BoxError> {
    let root = command::root().join("fuzz");
    let built = command::target().join("fuzz");
    let new_inputs = create_folder(&built.join("corpus").join(target))?;
    let findings = create_folder(&built.join("findings").join(target))?;
    // The input of a site is a description.
    let inputs = if target == "site" {
        "description"
    } else {
        target
    };
    let known_inputs = ["corpus", "regressions"].map(|folder| root.join(folder).join(inputs));
    command::run(
        Command::new(program)
            .current_dir(&root)
            // libFuzzer needs unstable compiler flags. This allows them without a nightly toolchain.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", &built)
            .args(["run", "--features", "libfuzzer"])
            // There is no unsafe code here, so the address sanitizer would only slow us down.
            .args(["--sanitizer", "none", target])
            .arg(new_inputs)
            .args(known_inputs.iter().filter(|folder| folder.is_dir()))
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", findings.display()))
            .arg(format!("-dict={}", root.join("words.dict").display()))
            .args(["-max_len=8192", "-timeout=10", "-rss_limit_mb=2048"])
            .arg("-print_final_stats=1"),
    )
}

fn create_folder(path: &Path) -> Result<PathBuf, BoxError> {
    fs::create_dir_all(path)?;
    Ok(path.canonicalize()?)
}
