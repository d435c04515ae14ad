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
            .map(|which| Spread::of(rounds.iter().map(|asked| asked.latencies[which])).median)
            .map(table::time)
            .join(" / ")
    }
}

impl From<LoadResult> for ServerResult {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn from(sent: LoadResult) -> Self {
        let count = sent.latencies.len() as f64;
        let sorted: Vec<f64> = sent
            .latencies
            .iter()
            .map(|latency| *latency as f64)
            .collect();
        Self {
            throughput: count / sent.time.as_secs_f64(),
            on_core: sent.on_core.as_secs_f64() * 1e9 / count,
            latencies: [0.5, 0.99, 0.999].map(|share| quantile(&sorted, share)),
        }
    }
}

/// Writes five numbers on one line.
impl fmt::Display for ServerResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [half, most, nearly] = self.latencies;
        write!(
            f,
            "{} {} {half} {most} {nearly}",
            self.throughput, self.on_core
        )
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
        let asked = ServerResult::from(LoadResult {
            time: Duration::from_millis(500),
            on_core: Duration::from_micros(1),
            latencies: (1..=1_000).collect(),
        });
        assert_eq!((asked.throughput, asked.on_core), (2_000.0, 1.0));
        assert_eq!(asked.to_string().parse::<ServerResult>().ok(), Some(asked));
        assert!("1 2 3".parse::<ServerResult>().is_err());
    }
}
