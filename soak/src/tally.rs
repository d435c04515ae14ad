//! Counts requests and errors.

use std::collections::BTreeMap;
use std::time::Duration;

/// The outcomes of the requests of one kind.
#[derive(Debug, Default, Clone)]
struct Count {
    sent: u64,
    lost: u64,
    shed: u64,
    worst: Duration,
}

/// The end of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The response arrived after this time.
    Answered(Duration),
    /// The service responded after this time that it is overloaded.
    Shed(Duration),
    /// The process was killed or shut down before it responded.
    Lost,
    /// The client did not wait for the response.
    Abandoned,
}

/// Requests by kind, and errors by code.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    kinds: BTreeMap<(&'static str, &'static str), Count>,
    codes: BTreeMap<i64, u64>,
    replays: u64,
}

impl Tally {
    /// Counts an honest or hostile request.
    pub(crate) fn request(&mut self, side: &'static str, kind: &'static str, end: End) {
        let count = self.kinds.entry((side, kind)).or_default();
        count.sent += 1;
        match end {
            End::Answered(time) => count.worst = count.worst.max(time),
            End::Shed(time) => {
                count.shed += 1;
                count.worst = count.worst.max(time);
            }
            End::Lost => count.lost += 1,
            End::Abandoned => {}
        }
    }

    /// Counts a call that failed with this code.
    pub(crate) fn error(&mut self, code: i64) {
        *self.codes.entry(code).or_default() += 1;
    }

    /// Counts a repetition with a key that got the outcome of the first call.
    pub(crate) fn replay(&mut self) {
        self.replays += 1;
    }

    /// Returns how many repetitions with a key got the outcome of the first call.
    pub(crate) fn replays(&self) -> u64 {
        self.replays
    }

    /// Returns how many requests one side sent.
    pub(crate) fn sent(&self, side: &str) -> u64 {
        self.of(side).map(|count| count.sent).sum()
    }

    /// Returns how many responses one side lost.
    pub(crate) fn lost(&self, side: &str) -> u64 {
        self.of(side).map(|count| count.lost).sum()
    }

    /// Returns the longest time that one side waited for a response.
    pub(crate) fn worst(&self, side: &str) -> Duration {
        self.of(side)
            .map(|count| count.worst)
            .max()
            .unwrap_or_default()
    }

    fn of<'a>(&'a self, side: &'a str) -> impl Iterator<Item = &'a Count> {
        self.kinds
            .iter()
            .filter(move |((known, _), _)| *known == side)
            .map(|(_, count)| count)
    }

    /// Prints one line for each kind and one for each code.
    pub(crate) fn print(&self) {
        println!(
            "\n{:<8} {:<34} {:>9} {:>6} {:>7} {:>10}",
            "traffic", "kind", "requests", "lost", "shed", "worst"
        );
        for ((side, kind), count) in &self.kinds {
            println!(
                "{side:<8} {kind:<34} {:>9} {:>6} {:>7} {:>7} ms",
                count.sent,
                count.lost,
                count.shed,
                count.worst.as_millis()
            );
        }
        println!("\n{:<8} {:>9}", "error", "answers");
        for (code, answers) in &self.codes {
            println!("{code:<8} {answers:>9}");
        }
    }
}
