//! Prints tables as Markdown, as they are in docs/figures.md.
//!
//! Numbers have no more digits than a reader can use: units change with the size.

use std::fs;
use std::process::Command;

use crate::process::Counts;
use crate::{BoxError, process};

/// Prints a table with a title.
pub(crate) fn print(title: &str, names: &[&str], rows: &[Vec<String>]) {
    println!("\n### {title}\n");
    println!("| {} |", names.join(" | "));
    println!("|---|{}", "--:|".repeat(names.len().saturating_sub(1)));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

/// Prints what is measured and where: commit, compiler, processor, and load of the machine.
pub(crate) fn heading() -> Result<(), BoxError> {
    let version = process::output(Command::new("rustc").arg("--version"))?;
    let commit = process::output(Command::new("git").current_dir(process::root()).args([
        "log",
        "-1",
        "--format=%h %cs",
    ]))?;
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{} · {} · profile {} · {model}, {cores} cores · load {}",
        commit.trim(),
        version.trim(),
        process::profile(),
        load.split(' ').take(3).collect::<Vec<_>>().join(" ")
    );
    Ok(())
}

/// Returns the instructions of each server, with the ratio to the first one.
pub(crate) fn with_ratios(counts: &[Counts]) -> Vec<String> {
    let mut cells = Vec::new();
    for count in counts {
        let number = grouped(count.instructions);
        cells.push(if cells.is_empty() {
            number
        } else {
            let ratio = count.instructions / counts[0].instructions;
            format!("{number} ({ratio:.2})")
        });
    }
    cells
}

/// Formats the calls that read a clock, and those of the allocator.
pub(crate) fn calls(count: &Counts) -> String {
    format!("{:.1} / {:.1}", count.clock_reads, count.allocations)
}

/// Formats a number with commas between thousands.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of bytes.
pub(crate) fn bytes(number: f64) -> String {
    match number {
        number if number < 10_000.0 => format!("{} B", grouped(number)),
        number if number < 10_000_000.0 => format!("{} kB", grouped(number / 1e3)),
        number => format!("{} MB", grouped(number / 1e6)),
    }
}

/// Formats a number of nanoseconds.
pub(crate) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        short if short < 10_000.0 => format!("{} ns", grouped(short)),
        short if short < 100_000.0 => format!("{:.1} µs", short / 1e3),
        short if short < 1e7 => format!("{} µs", grouped(short / 1e3)),
        long if long < 1e8 => format!("{:.1} ms", long / 1e6),
        long if long < 1e10 => format!("{} ms", grouped(long / 1e6)),
        long => format!("{:.1} s", long / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_scaled() {
        assert_eq!(grouped(1_234_567.4), "1,234,567");
        assert_eq!(grouped(999.0), "999");
        assert_eq!(bytes(12_345_678.0), "12 MB");
        assert_eq!(bytes(15_000.0), "15 kB");
        assert_eq!(time(45_600.0), "45.6 µs");
        assert_eq!(time(1_234_567.0), "1,235 µs");
        assert_eq!(time(12_000_000_000.0), "12.0 s");
    }
}
