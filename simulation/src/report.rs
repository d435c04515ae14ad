//! The finding of a failed run: what is broken, what happened before, and how to replay it.

use std::fmt;

/// The maximum number of events that a finding shows.
const MAX_SHOWN_EVENTS: usize = 40;

/// A broken promise.
#[derive(Debug)]
pub struct Finding {
    /// The seed that replays it.
    pub seed: u64,
    /// The promise, and how it is broken.
    pub broken: String,
    /// The events up to the failure, in order.
    pub events: Vec<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            seed,
            broken,
            events,
        } = self;
        let last = &events[events.len().saturating_sub(MAX_SHOWN_EVENTS)..];
        writeln!(f, "the last {} of {} events:", last.len(), events.len())?;
        for event in last {
            writeln!(f, "{event}")?;
        }
        write!(
            f,
            "\nseed {seed}: {broken}\nreplay it: cargo run -p simulation -- --seed {seed}"
        )
    }
}
