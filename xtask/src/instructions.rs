//! What a call costs in instructions, against the same call written by hand.

use std::process::Command;

use crate::command::{self, Failure, cargo, output};

/// Few and many calls: their difference leaves out what starting costs.
const FEW: u64 = 1_000;
const MANY: u64 = 11_000;

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["build", "--release", "--locked", "--package", "bench"]))?;
    let floor = cost("floor", 10)?;
    println!("{:<28} {floor:>7} instructions", "by hand");
    for (what, way, procedures) in [
        ("asynchronous", "async", 10),
        ("asynchronous, 10,000 there", "async", 10_000),
        ("synchronous", "sync", 10),
    ] {
        let cost = cost(way, procedures)?;
        let hundredths = cost * 100 / floor;
        let (whole, rest) = (hundredths / 100, hundredths % 100);
        println!("{what:<28} {cost:>7} instructions, {whole}.{rest:02} times by hand");
    }
    Ok(())
}

/// The instructions of one call.
fn cost(way: &str, procedures: u32) -> Result<u64, Failure> {
    Ok((count(way, MANY, procedures)? - count(way, FEW, procedures)?) / (MANY - FEW))
}

fn count(way: &str, calls: u64, procedures: u32) -> Result<u64, Failure> {
    let bench = command::target().join("release/bench");
    let text = output(
        Command::new("sh")
            .current_dir(command::root())
            .args(["-c", r#"exec "$0" "$@" 2>&1"#, "valgrind"])
            .args([
                "--tool=callgrind",
                "--callgrind-out-file=/dev/null",
                &bench.to_string_lossy(),
                way,
                &calls.to_string(),
                &procedures.to_string(),
            ]),
    )?;
    let counted = text
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    counted
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| Failure::new(format_args!("valgrind did not count anything:\n{text}")))
}
