//! Samples the library's memory while it runs, and checks the samples at the end.
//!
//! A leak shows as growth under constant load, so the process that is checked is left running for the last third.

use std::collections::BTreeMap;
use std::time::Duration;
use std::{fs, thread};

use super::world::World;

/// The interval between two samples.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(250);

/// The limit on the growth of a process's memory under constant load, in kB. Growth is the difference
/// between the medians of the second and the last quarter of a phase without kills.
const MAX_GROWTH: u64 = 10_000;

/// The maximum memory that a process may ever use, in kB.
const MAX_MEMORY: u64 = 250_000;

/// The minimum number of samples, one minute of them, for measuring growth. A process that has only
/// just started always grows.
const MIN_SAMPLES: usize = 240;

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
        thread::sleep(SAMPLE_INTERVAL);
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
        let killed: Vec<&[u64]> = self
            .0
            .range(..long)
            .map(|(_, samples)| samples.as_slice())
            .collect();
        let starts: Vec<u64> = killed
            .iter()
            .filter_map(|samples| samples.first().copied())
            .collect();
        let title = format!("{} killed processes", killed.len());
        print_line(&title, median(&starts), &killed.concat());
        let Some(samples) = self.0.get(&long) else {
            return;
        };
        let start = samples.first().copied().unwrap_or_default();
        print_line("the one left running", start, samples);
        for (index, samples) in quarters(samples).into_iter().enumerate() {
            let title = format!("  quarter {} of it", index + 1);
            let start = samples.first().copied().unwrap_or_default();
            print_line(&title, start, samples);
        }
    }

    /// Returns what is wrong with the samples. `long` is the process that was left running.
    pub(crate) fn problems(&self, long: u32) -> Vec<String> {
        let mut wrong = Vec::new();
        let max = self.0.values().flatten().max().copied().unwrap_or_default();
        if max > MAX_MEMORY {
            wrong.push(format!("{max} kB of memory, {MAX_MEMORY} kB allowed"));
        }
        let samples = self.0.get(&long).map_or(&[][..], Vec::as_slice);
        if samples.len() < MIN_SAMPLES {
            println!("growth is not measured: the phase without kills is shorter than a minute");
            return wrong;
        }
        let [_, second, _, last] = quarters(samples).map(median);
        let growth = last.saturating_sub(second);
        println!("growth under constant load: {growth} kB, {MAX_GROWTH} kB allowed");
        if growth > MAX_GROWTH {
            wrong.push(format!("memory grew by {growth} kB under constant load"));
        }
        wrong
    }
}

fn quarters(samples: &[u64]) -> [&[u64]; 4] {
    let count = samples.len();
    [0, 1, 2, 3].map(|index| &samples[count * index / 4..count * (index + 1) / 4])
}

fn print_line(title: &str, start: u64, samples: &[u64]) {
    let max = samples.iter().max().copied().unwrap_or_default();
    println!("{title:<34} {start:>9} {:>9} {max:>9}", median(samples));
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
        assert!(memory([50_000; 1_000]).problems(3).is_empty());
        let bursts = (0..1_000).map(|n| if n % 100 < 5 { 200_000 } else { 50_000 });
        assert!(memory(bursts).problems(3).is_empty());
        let warming = (0..1_000).map(|n| 20_000 + 1_000 * n.min(100));
        assert!(memory(warming).problems(3).is_empty());
    }

    #[test]
    fn memory_that_grows_or_exceeds_the_limit_is_found() {
        let leak = (0..1_000).map(|n| 50_000 + 100 * n);
        assert_eq!(memory(leak).problems(3).len(), 1);
        let peak = (0..1_000).map(|n| if n == 500 { MAX_MEMORY + 1 } else { 50_000 });
        assert_eq!(memory(peak).problems(3).len(), 1);
    }
}
