//! Samples the library's memory while it runs, and judges the samples at the end.

use std::collections::BTreeMap;
use std::time::Duration;
use std::{fs, thread};

use super::world::World;

/// The interval between two samples.
const EVERY: Duration = Duration::from_millis(250);

/// The limit on the growth of a process's memory under constant load, in kB. Growth is the difference
/// between the medians of the second and the last quarter of a phase without kills.
const GROWTH: u64 = 10_000;

/// The most memory that a process may ever use, in kB.
const MOST: u64 = 250_000;

/// The minimum number of samples, one minute of them, for measuring growth. A process that has only
/// just started always grows.
const ENOUGH: usize = 240;

/// The memory of each process over time, in kB.
#[derive(Debug, Default)]
pub(crate) struct Memory(BTreeMap<u32, Vec<u64>>);

/// Samples the memory of the running process until the soak stops.
pub(crate) fn watch(world: &World) -> Memory {
    let mut memory = Memory::default();
    while !world.is_over() {
        if let Some(at) = world.running()
            && let Some(kilobytes) = resident(at.process)
        {
            memory.0.entry(at.incarnation).or_default().push(kilobytes);
        }
        thread::sleep(EVERY);
    }
    memory
}

/// Returns the resident memory of a process, in kB. Only Linux reports it.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

impl Memory {
    /// Prints the memory of each process, with the killed ones on one line. `long` is the process
    /// that was left running.
    pub(crate) fn print(&self, long: u32) {
        println!(
            "\n{:<34} {:>9} {:>9} {:>9}",
            "memory, kB", "start", "median", "max"
        );
        let killed = self
            .0
            .iter()
            .filter(|(incarnation, _)| **incarnation < long);
        let killed: Vec<_> = killed.map(|(_, samples)| samples.as_slice()).collect();
        let starts: Vec<_> = killed.iter().filter_map(|it| it.first().copied()).collect();
        let all = killed.concat();
        let line = |name: &str, start, samples: &[u64]| {
            let most = samples.iter().max().copied().unwrap_or_default();
            println!("{name:<34} {start:>9} {:>9} {most:>9}", median(samples));
        };
        line(
            &format!("{} killed processes", killed.len()),
            median(&starts),
            &all,
        );
        let Some(samples) = self.0.get(&long) else {
            return;
        };
        let start = samples.first().copied().unwrap_or_default();
        line("the one left running", start, samples);
        for (quarter, samples) in quarters(samples).into_iter().enumerate() {
            let name = format!("  quarter {} of it", quarter + 1);
            let start = samples.first().copied().unwrap_or_default();
            line(&name, start, samples);
        }
    }

    /// Returns what is wrong with the samples. `long` is the process that was left running.
    pub(crate) fn judge(&self, long: u32) -> Vec<String> {
        let mut wrong = Vec::new();
        let most = self.0.values().flatten().max().copied().unwrap_or_default();
        if most > MOST {
            wrong.push(format!("{most} kB of memory, {MOST} kB allowed"));
        }
        let samples = self.0.get(&long).map_or(&[][..], Vec::as_slice);
        if samples.len() < ENOUGH {
            println!("growth is not measured: the phase without kills is shorter than a minute");
            return wrong;
        }
        let [_, second, _, last] = quarters(samples).map(median);
        let growth = last.saturating_sub(second);
        println!("growth under constant load: {growth} kB, {GROWTH} kB allowed");
        if growth > GROWTH {
            wrong.push(format!("memory grew by {growth} kB under constant load"));
        }
        wrong
    }
}

fn quarters(samples: &[u64]) -> [&[u64]; 4] {
    let at = |quarter| samples.len() * quarter / 4;
    [0, 1, 2, 3].map(|quarter| &samples[at(quarter)..at(quarter + 1)])
}

fn median(samples: &[u64]) -> u64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(samples: impl IntoIterator<Item = u64>) -> Memory {
        Memory([(3, samples.into_iter().collect())].into())
    }

    #[test]
    fn memory_that_stays_or_recovers_is_not_growth() {
        assert!(memory([50_000; 1_000]).judge(3).is_empty());
        let bursts = (0..1_000).map(|n| if n % 100 < 5 { 200_000 } else { 50_000 });
        assert!(memory(bursts).judge(3).is_empty());
        let warming = (0..1_000).map(|n| 20_000 + 1_000 * n.min(100));
        assert!(memory(warming).judge(3).is_empty());
    }

    #[test]
    fn memory_that_grows_or_exceeds_the_limit_is_found() {
        let leak = (0..1_000).map(|n| 50_000 + 100 * n);
        assert_eq!(memory(leak).judge(3).len(), 1);
        let peak = (0..1_000).map(|n| if n == 500 { MOST + 1 } else { 50_000 });
        assert_eq!(memory(peak).judge(3).len(), 1);
    }
}
