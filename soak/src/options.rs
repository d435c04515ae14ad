//! The options on the command line.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The duration and the seed of a soak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Options {
    /// The time for which traffic is sent.
    pub(crate) time: Duration,
    /// The seed that determines the traffic.
    pub(crate) seed: u64,
}

pub(crate) const USAGE: &str = "usage: cargo xtask soak [--minutes N | --seconds N] [--seed S]";

impl Options {
    /// Returns twenty minutes and a seed from the clock.
    pub(crate) fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            time: Duration::from_secs(20 * 60),
            seed: now.map_or(0, |now| now.as_secs()),
        }
    }

    /// Parses the arguments after the library's path. Returns `None` if they are invalid.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut options = Self::new();
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            let number: u64 = arguments.next()?.parse().ok()?;
            match flag.as_str() {
                "--minutes" => options.time = Duration::from_secs(number.checked_mul(60)?),
                "--seconds" => options.time = Duration::from_secs(number),
                "--seed" => options.seed = number,
                _ => return None,
            }
        }
        // A shorter soak leaves no time for a kill, and a week is as good as forever.
        let possible = Duration::from_secs(10)..=Duration::from_secs(7 * 24 * 3600);
        possible.contains(&options.time).then_some(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<Options> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn only_times_and_seeds_are_accepted() {
        let read = |line| parse(line).map(|options| options.time.as_secs());
        assert_eq!(read(""), Some(1_200));
        assert_eq!(read("--minutes 2"), Some(120));
        assert_eq!(read("--seconds 15"), Some(15));
        assert_eq!(parse("--seed 7").map(|options| options.seed), Some(7));
        for wrong in [
            "--seconds",
            "--seconds x",
            "--seconds 1",
            "--seconds -20",
            "--minutes 99999999999999999999",
            "--minutes 9999999999999999999",
            "--hours 1",
            "20",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
