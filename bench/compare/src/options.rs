//! Options that say how long a comparison takes.

use std::time::Duration;

/// The options of the command line, with defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) rounds: usize,
    /// The time for which each server is measured in each round.
    pub(crate) time: Duration,
}

/// The limits of a measurement. A typo must not occupy the machine for a day.
const MAX_ROUNDS: usize = 100;
const MAX_SECONDS: f64 = 60.0;

impl Options {
    pub(crate) fn read(mut words: &[&str]) -> Option<Self> {
        let mut options = Self {
            rounds: 5,
            time: Duration::from_secs(1),
        };
        while let [name, value, rest @ ..] = words {
            match *name {
                "--rounds" => options.rounds = value.parse().ok().filter(|rounds| *rounds > 0)?,
                "--seconds" => {
                    let seconds = value.parse().ok()?;
                    options.time = Duration::try_from_secs_f64(seconds).ok()?;
                }
                _ => return None,
            }
            words = rest;
        }
        options.rounds = options.rounds.min(MAX_ROUNDS);
        options.time = options.time.min(Duration::from_secs_f64(MAX_SECONDS));
        words.is_empty().then_some(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_bounded_and_typos_are_refused() {
        let read = |text: &str| Options::read(&text.split_whitespace().collect::<Vec<_>>());
        let options = read("--rounds 9999 --seconds 0.25").expect("options");
        assert_eq!(options.rounds, MAX_ROUNDS);
        assert_eq!(options.time, Duration::from_millis(250));
        for wrong in ["--round 3", "--rounds", "--rounds 0", "--seconds -1", "3"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
