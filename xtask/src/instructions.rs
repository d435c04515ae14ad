//! What a call costs in instructions, against the same call written by hand.

use std::process::Command;

use crate::command::{self, Failure, cargo, output};
use crate::install::Program;

/// Few and many calls: their difference leaves out what starting costs.
const FEW: u64 = 1_000;
const MANY: u64 = 11_000;

pub(crate) const NEEDS: &[Program] = &[("valgrind", "valgrind")];

pub(crate) fn run() -> Result<(), Failure> {
    let build = "build --profile dist --locked --package bench --bin bench";
    command::run(cargo().args(build.split(' ')))?;
    let floor = cost("floor", 10)?;
    println!("{:<28} {floor:>7} instructions", "by hand");
    let mut over = Vec::new();
    for (what, way, procedures, at_most) in [
        ("asynchronous", "async", 10, 125),
        ("asynchronous, 10,000 there", "async", 10_000, 125),
        ("synchronous", "sync", 10, 117),
    ] {
        let cost = cost(way, procedures)?;
        let hundredths = cost * 100 / floor;
        let times = times(hundredths);
        println!("{what:<28} {cost:>7} instructions, {times} times by hand");
        if hundredths > at_most {
            over.push(format!("{what}: {times}, at most {}", self::times(at_most)));
        }
    }
    if over.is_empty() {
        Ok(())
    } else {
        let over = over.join("; ");
        Err(format!("a call costs more than recorded: {over}").into())
    }
}

/// A ratio in hundredths, as people write it.
fn times(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The instructions of one call.
fn cost(way: &str, procedures: u32) -> Result<u64, Failure> {
    Ok((count(way, MANY, procedures)? - count(way, FEW, procedures)?) / (MANY - FEW))
}

fn count(way: &str, calls: u64, procedures: u32) -> Result<u64, Failure> {
    let valgrind =
        r#"exec valgrind --tool=callgrind --callgrind-out-file=/dev/null "$0" "$@" 2>&1"#;
    let (calls, procedures) = (calls.to_string(), procedures.to_string());
    let text = output(
        Command::new("sh")
            .args(["-c", valgrind])
            .arg(command::built("dist", "bench"))
            .args([way, "sum", &calls, &procedures]),
    )?;
    text.lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
        .ok_or_else(|| format!("valgrind did not count anything:\n{text}").into())
}
