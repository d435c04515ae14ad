//! `simulation --seed N` runs one seed, and `simulation --seconds N` runs new ones on all cores.
//!
//! A finding prints the events before it, and the command that replays it.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use simulation::{Finding, run};

const USAGE: &str = "usage: simulation [--seconds N | --seed N]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match &*arguments {
        [] => search(30),
        [option, number] => match (option.as_str(), number.parse()) {
            ("--seconds", Ok(seconds)) => search(seconds),
            ("--seed", Ok(seed)) => run(seed, None).map(|_| 1),
            _ => return usage(),
        },
        _ => return usage(),
    };
    match outcome {
        Ok(runs) => {
            println!("{runs} runs, nothing found");
            ExitCode::SUCCESS
        }
        Err(finding) => {
            eprintln!("{finding}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// Runs new seeds until one fails or the time is over. Returns how many were run.
fn search(seconds: u64) -> Result<u64, Box<Finding>> {
    let begun = Instant::now();
    let time = Duration::from_secs(seconds);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let first = u64::from(now.subsec_nanos()) << 32 | now.as_secs();
    let runs = AtomicU64::new(0);
    let found: Mutex<Option<Box<Finding>>> = Mutex::new(None);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while begun.elapsed() < time && lock(&found).is_none() {
                    let seed = first.wrapping_add(runs.fetch_add(1, Ordering::Relaxed));
                    if let Err(finding) = run(seed, None) {
                        lock(&found).get_or_insert(finding);
                    }
                }
            });
        }
    });
    eprintln!("{runs:?} runs in {:.1} s", begun.elapsed().as_secs_f32());
    match lock(&found).take() {
        Some(finding) => Err(finding),
        None => Ok(runs.into_inner()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
