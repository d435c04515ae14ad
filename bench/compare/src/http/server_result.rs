//! The results of the load generator, and how they are passed on.
//!
//! A load generator is a process on a core of its own, so its results come back as a line of text.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::load::LoadResult;
use crate::process::{self, Server};
use crate::rounds::{Spread, quantile};
use crate::{BoxError, table};

/// The results of one server in one round.
#[derive(Debug, PartialEq)]
pub(crate) struct ServerResult {
    /// Requests a second.
    pub(crate) throughput: f64,
    /// The core time of one request in nanoseconds.
    pub(crate) on_core: f64,
    /// The 50th, 99th and 99.9th percentile in nanoseconds.
    latencies: [f64; 3],
}

impl ServerResult {
    /// Formats the medians of the percentiles.
    pub(crate) fn latencies(rounds: &[Self]) -> String {
        [0, 1, 2]
            .map(|percentile| {
                Spread::of(rounds.iter().map(|round| round.latencies[percentile])).median
            })
            .map(table::time)
            .join(" / ")
    }
}

impl From<LoadResult> for ServerResult {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn from(load: LoadResult) -> Self {
        let count = load.latencies.len() as f64;
        let sorted: Vec<f64> = load
            .latencies
            .iter()
            .map(|latency| *latency as f64)
            .collect();
        Self {
            throughput: count / load.time.as_secs_f64(),
            on_core: load.on_core.as_secs_f64() * 1e9 / count,
            latencies: [0.5, 0.99, 0.999].map(|share| quantile(&sorted, share)),
        }
    }
}

/// Writes five numbers on one line.
impl fmt::Display for ServerResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, p999] = self.latencies;
        write!(f, "{} {} {p50} {p99} {p999}", self.throughput, self.on_core)
    }
}

impl FromStr for ServerResult {
    type Err = BoxError;

    fn from_str(text: &str) -> Result<Self, BoxError> {
        let numbers: Vec<f64> = text
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        let [throughput, on_core, latencies @ ..] = &numbers[..] else {
            return Err(format!("not what a load generator prints: {text}").into());
        };
        Ok(Self {
            throughput: *throughput,
            on_core: *on_core,
            latencies: latencies.try_into()?,
        })
    }
}

/// Runs the load generator in a process on these cores.
pub(crate) fn ask(
    server: &Server,
    request: &[u8],
    connections: usize,
    time: Duration,
    cores: &str,
) -> Result<ServerResult, BoxError> {
    let mut command = process::pinned(cores, std::env::current_exe()?);
    command
        .arg("load")
        .arg(server.address.to_string())
        .arg(connections.to_string())
        .arg(time.as_millis().to_string())
        .arg(server.id().to_string());
    process::exchange(&mut command, request)?.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_process_prints_another_one_reads() {
        let result = ServerResult::from(LoadResult {
            time: Duration::from_millis(500),
            on_core: Duration::from_micros(1),
            latencies: (1..=1_000).collect(),
        });
        assert_eq!((result.throughput, result.on_core), (2_000.0, 1.0));
        assert_eq!(
            result.to_string().parse::<ServerResult>().ok(),
            Some(result)
        );
        assert!("1 2 3".parse::<ServerResult>().is_err());
    }
}
