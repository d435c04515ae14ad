//! Measures whether calls on several threads hold each other up, by comparing two threads with one.

use std::thread;
use std::time::{Duration, Instant};

use docent_core::Service;

use crate::docent;

/// Rounds, of which the median counts: other programs run on the machine, too.
const ROUNDS: usize = 21;

/// Prints how many calls a second one thread makes, and how many times as many two make: with a
/// service that they share, and with one for each. What the first lacks to the second is spent on
/// waiting for each other.
pub fn run(shared: &Service, other: &Service, body: &'static [u8], calls: usize) {
    let mut ratios: [Vec<f64>; 2] = Default::default();
    let mut alone = Vec::new();
    for _ in 0..ROUNDS {
        let one = elapsed(&[shared], body, calls);
        let together = elapsed(&[shared, shared], body, calls);
        let apart = elapsed(&[shared, other], body, calls);
        alone.push(per_second(calls, one));
        for (ratios, two) in ratios.iter_mut().zip([together, apart]) {
            ratios.push(2.0 * one.as_secs_f64() / two.as_secs_f64());
        }
    }
    println!("one thread: {:.0} calls a second", median(&mut alone));
    let [together, apart] = &mut ratios;
    println!(
        "two threads, one service: {:.2} times as many",
        median(together)
    );
    println!(
        "two threads, a service each: {:.2} times as many",
        median(apart)
    );
}

/// Returns the time that so many calls of each service take, with a thread for each service.
fn elapsed(services: &[&Service], body: &'static [u8], calls: usize) -> Duration {
    let start = Instant::now();
    thread::scope(|scope| {
        for service in services {
            scope.spawn(|| docent::run(service, body, calls));
        }
    });
    start.elapsed()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn per_second(calls: usize, time: Duration) -> f64 {
    calls as f64 / time.as_secs_f64()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
