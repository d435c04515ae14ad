//! `simulation --seed N` runs one seed, and `simulation --seconds N` runs new ones on all cores.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use simulation::{Finding, run};

const USAGE: &str = "usage: simulation [--seconds N | --seed N]";

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u64>().ok();
    let outcome = match *words {
        [] => Some(search(30)),
        ["--seconds", seconds] => number(seconds).map(search),
        ["--seed", seed] => number(seed).map(|seed| run(seed, None).map(|_| 1)),
        _ => None,
    };
    match outcome {
        Some(Ok(runs)) => {
            println!("{runs} runs, nothing found");
            ExitCode::SUCCESS
        }
        Some(Err(finding)) => {
            eprintln!("{finding}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Runs new seeds until one fails or the time is over. Returns how many were run.
fn search(seconds: u64) -> Result<u64, Box<Finding>> {
    let begun = Instant::now();
    let time = Duration::from_secs(seconds);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let first = now.map_or(0, |now| u64::from(now.subsec_nanos()) << 32 | now.as_secs());
    let runs = AtomicU64::new(0);
    let found: Mutex<Option<Box<Finding>>> = Mutex::new(None);
    let work = || {
        let found = || found.lock().unwrap_or_else(PoisonError::into_inner);
        while begun.elapsed() < time && found().is_none() {
            let seed = first.wrapping_add(runs.fetch_add(1, Ordering::Relaxed));
            if let Err(finding) = run(seed, None) {
                found().get_or_insert(finding);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    eprintln!("{runs:?} runs in {:.1} s", begun.elapsed().as_secs_f32());
    found.map_or_else(|| Ok(runs.into_inner()), Err)
}
